"""Copies that list one vocabulary and treat text differently are found with a text."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tokaudit.report.model import Finding, Severity
from tokaudit.subject.formats.common.protobuf import fields
from tokaudit_faults.folders import engines
from tokaudit_faults.healthy import folders as fixtures
from tokaudit_folders import sick
from tokaudit_folders.gguf_files import TEXT, gguf

Ask = Callable[..., list[object]]
Change = Callable[[Any], object]
NORMALIZER, CHARSMAP = 3, 2  # fields of a SentencePiece model
LETTERS = {"type": "Split", "pattern": {"Regex": r"\w"}, "behavior": "Isolated", "invert": False}


@dataclass(frozen=True)
class Way:
    """A healthy folder, what is changed in its tokenizer.json, and what must be found."""

    healthy: Callable[[Path], object]
    change: Callable[[Path], object]
    component: str
    text: str  # the minimal text; of a decoder, what the note says of it
    severity: Severity = Severity.ERROR


def edited(change: Change) -> Callable[[Path], None]:
    return lambda folder: sick.edit(folder, "tokenizer.json", change)


def unigram(folder: Path, **options: Any) -> None:
    """A SentencePiece Unigram with a tokenizer.json of the same scores."""
    fixtures.marked(folder, model_type="unigram", vocab_size=340, **options)
    read = fixtures.scored(folder / "tokenizer.model")

    def change(tokenizer: Any) -> None:
        tokenizer["model"] = {"type": "Unigram", "unk_id": 0, "vocab": read, "byte_fallback": True}

    sick.edit(folder, "tokenizer.json", change)
    sick.edit(folder, "config.json", lambda c: c.update(vocab_size=340))


def worsen(tokenizer: Any) -> None:
    """Give one whole word of a Unigram the score of the rarest."""
    for entry in tokenizer["model"]["vocab"]:
        if entry[0] == "▁the":
            entry[1] = -30.0


def composed(folder: Path) -> None:
    """A SentencePiece model with a character map that tokenizer.json has too."""
    fixtures.marked(folder, normalization_rule_name="nfkc")
    written = dict(fields((folder / "tokenizer.model").read_bytes(), "model"))[NORMALIZER]
    charsmap = b64encode(dict(fields(written, "normalizer"))[CHARSMAP]).decode()
    step = {"type": "Precompiled", "precompiled_charsmap": charsmap}
    sick.edit(folder, "tokenizer.json", lambda t: t.update(normalizer=step))


def with_a_user_defined_piece(folder: Path) -> None:
    fixtures.marked(folder, user_defined_symbols=["<usr>"])
    added = sick._added(3, "<usr>") | {"special": False}
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].append(added))


def before_the_mark(step: dict[str, Any]) -> Change:
    return lambda t: t.update(
        pre_tokenizer={"type": "Sequence", "pretokenizers": [step, t["pre_tokenizer"]]}
    )


def words_twice(folder: Path) -> None:
    """A cased WordPiece as vocab.txt and as tokenizer.json."""
    fixtures.words(folder)
    lines = (folder / "vocab.txt").read_text().splitlines()
    added = [sick._added(lines.index(t), t) for t in lines[:5]]
    written = sick._tokenizer({token: id for id, token in enumerate(lines)}, [], added)
    written["model"] = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": written["model"]["vocab"],
    }
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
    normalizer |= {"strip_accents": None, "lowercase": False}
    written |= {"normalizer": normalizer, "pre_tokenizer": {"type": "BertPreTokenizer"}}
    written |= {"post_processor": None, "decoder": {"type": "WordPiece", "prefix": "##"}}
    sick.write(folder / "tokenizer.json", written)


def labelled(folder: Path) -> None:
    """A real vocabulary with a GGUF file of the same split."""
    fixtures.cl100k(folder)
    write_label(folder, "llama-bpe")


def write_label(folder: Path, name: str) -> None:
    keys = fixtures.gguf_keys(sick.read(folder / "tokenizer.json"))
    (folder / "model.gguf").write_bytes(gguf(keys | {"tokenizer.ggml.pre": (TEXT, name)}))


def only_there(**symbols: list[str]) -> Callable[[Path], None]:
    """A model with a piece of another kind, and a tokenizer.json that has it as a word."""

    def change(folder: Path) -> None:
        model = folder / "tokenizer.model"
        model.write_bytes(fixtures.trained(**fixtures.LLAMA, **symbols))
        sick.write(folder / "tokenizer.json", fixtures.converted(model))

    return change


WAYS = {
    "a word that is a control piece in one": Way(
        fixtures.marked, only_there(control_symbols=["he"]), "model", "he"
    ),
    "a character map lost in conversion": Way(
        composed, edited(lambda t: t.update(normalizer=None)), "normalizer", "，"
    ),
    "no prefix space in one": Way(
        fixtures.marked,
        edited(lambda t: t["pre_tokenizer"].update(prepend_scheme="never")),
        "normalizer",
        "0",
    ),
    "small letters in one": Way(
        fixtures.marked,
        edited(lambda t: t.update(normalizer={"type": "Lowercase"})),
        "normalizer",
        "A",
    ),
    "no byte fallback in one": Way(
        fixtures.marked, edited(lambda t: t["model"].update(byte_fallback=False)), "model", "0"
    ),
    "merges of another order": Way(
        fixtures.marked, edited(lambda t: t["model"]["merges"].reverse()), "model", "re"
    ),
    "scores of another training": Way(unigram, edited(worsen), "model", "the"),
    "a user-defined piece that one splits": Way(
        with_a_user_defined_piece,
        edited(lambda t: t["added_tokens"].pop()),
        "model",
        "a<usr>",
    ),
    "letters cut in one": Way(
        engines.next_to_json, edited(before_the_mark(LETTERS)), "pre_tokenizer", "A m"
    ),
    "a GGUF file with the label of another family": Way(
        labelled, lambda folder: write_label(folder, "gpt-2"), "pre_tokenizer", "0000"
    ),
    "a vocab.txt that is lower-cased by default": Way(
        words_twice,
        lambda f: sick.edit(f, "tokenizer_config.json", lambda c: c.pop("do_lower_case")),
        "normalizer",
        "A",
    ),
    "a decoder that keeps the prefix space": Way(
        fixtures.marked,
        edited(lambda t: t["decoder"]["decoders"].pop()),
        "decoder",
        "the tokens of '00012345', decoded",
    ),
}


SILENT: set[object] = set()  # healthy folders that were asked already


def reported(ask: Ask, folder: Path) -> list[Finding]:
    found = [item for item in ask("agreement/behaviour", folder) if isinstance(item, Finding)]
    return [finding for finding in found if finding.severity is not Severity.INFO]


@pytest.mark.parametrize("way", WAYS)
def test_copies_that_treat_text_differently_are_told_with_a_text_and_the_component(
    ask: Ask,
    tmp_path: Path,
    way: str,
    material: Path,
    monkeypatch: pytest.MonkeyPatch,
    processes: None,
) -> None:
    monkeypatch.setenv("TOKAUDIT_MATERIAL", str(material))
    folder = tmp_path / "model"
    WAYS[way].healthy(folder)
    if WAYS[way].healthy not in SILENT:
        assert reported(ask, folder) == []
        SILENT.add(WAYS[way].healthy)
    WAYS[way].change(folder)
    [finding] = reported(ask, folder)
    [evidence] = finding.evidence
    seen = evidence.note if evidence.kind == "facts" else evidence.text
    assert (finding.severity, finding.places[0].component, seen) == (
        WAYS[way].severity,
        WAYS[way].component,
        WAYS[way].text,
    )
