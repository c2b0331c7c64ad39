"""What changed between two revisions of a model on the Hub, and that a model moved."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from model_server import ModelServer, serving

import tokaudit
from tokaudit.products.demo.checkpoints import write_checkpoints

pytestmark = pytest.mark.usefixtures("processes")
Files = dict[str, bytes]
Change = Callable[[Any], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("models")
    write_checkpoints(folder)
    return {path.name: path.read_bytes() for path in (folder / "checkpoint").iterdir()}


@pytest.fixture
def hub(sound: Files, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    """A Hub whose model is sound; a test adds the other revision."""
    from huggingface_hub import constants

    with serving(dict(sound)) as server:
        monkeypatch.setattr(constants, "ENDPOINT", server.url)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        yield server


def changed(files: Files, name: str, change: Change) -> Files:
    """The files, with one of them changed and saved again."""
    document = json.loads(files[name])
    change(document)
    return {**files, name: json.dumps(document, ensure_ascii=False).encode()}


def _set(**values: object) -> Change:
    return lambda document: document.update(values)


def _exchange_entries(document: Any) -> None:
    vocab = document["model"]["vocab"]
    one, other = list(vocab)[300:302]
    vocab[one], vocab[other] = vocab[other], vocab[one]


def _drop_special(document: Any) -> None:
    document["added_tokens"][-1]["special"] = False


def _lowercase(document: Any) -> None:
    document["normalizer"] = {"type": "Lowercase"}


def _cut_everywhere(document: Any) -> None:
    digits = {"type": "Digits", "individual_digits": True}
    before = document["pre_tokenizer"]
    document["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [digits, before]}


CHANGES: Mapping[str, tuple[str, Change, str]] = {
    "a merge is gone": ("tokenizer.json", lambda d: d["model"]["merges"].pop(40), "merges"),
    "two ids are swapped": ("tokenizer.json", _exchange_entries, "ids"),
    "an added token is special no more": ("tokenizer.json", _drop_special, "added tokens"),
    "text is lower-cased": ("tokenizer.json", _lowercase, "normalizer"),
    "digits stand alone": ("tokenizer.json", _cut_everywhere, "pre-tokenizer"),
    "the end is another token": (
        "tokenizer_config.json",
        _set(eos_token="<|im_start|>"),
        "special roles",
    ),
    "padding is on the right": (
        "tokenizer_config.json",
        _set(padding_side="right"),
        "padding side",
    ),
    "generation stops elsewhere": (
        "generation_config.json",
        _set(eos_token_id=[5]),
        "generation stops",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_revision_changed_is_told(hub: ModelServer, sound: Files, change: str) -> None:
    name, edit, facet = CHANGES[change]
    hub.revisions["next"] = changed(sound, name, edit)
    report = tokaudit.compare("hf:org/model@main", "hf:org/model@next", download=True, tier="quick")
    differing = [each.name for each in report.comparison.facets if each.outcome == "differs"]
    assert differing == [facet]


def test_a_model_that_moved_is_drift_that_names_what_moved(
    hub: ModelServer, sound: Files, tmp_path: Path
) -> None:
    path = tmp_path / "model.manifest.json"
    path.write_text(json.dumps(tokaudit.manifest("hf:org/model", download=True)), "utf-8")
    assert tokaudit.verify("hf:org/model", path, download=True).ok
    name, edit, _ = CHANGES["a merge is gone"]
    hub.revisions["main"] = changed(sound, name, edit)
    report = tokaudit.verify("hf:org/model", path, download=True)
    assert not report.ok
    drifted = {f"{each.kind} {each.name}" for each in report}
    assert drifted >= {"identity merges-listed-v1", "identity behaviour-v1"}
    assert any(each.evidence for each in report)
