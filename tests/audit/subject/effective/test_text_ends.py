"""The tokens that each version puts around a text, by class, switch and post-processor."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class

from tokaudit.subject.effective.text_ends import text_ends
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder
from tokaudit_loaders.drawing import SETTINGS, WHOLE, Judge, with_tokenizer_json

BEGIN: dict[str, Any] = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]}},
}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}


def ends(folder: Path) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    subject = open_subject(folder)
    [(_, spec)] = parse_all(subject).parsed
    return {each.loader.version: (each.before, each.after) for each in text_ends(subject, spec)}


@pytest.mark.parametrize(
    ("named", "four", "five"),
    [
        ("LlamaTokenizer", (("<s>",), ("</s>",)), (("<s>",), ())),
        ("LlamaTokenizerFast", (("<s>",), ("</s>",)), (("<s>",), ())),
        ("PreTrainedTokenizerFast", (("<s>",), ()), (("<s>",), ())),
        ("Qwen2TokenizerFast", (("<s>",), ()), (("<s>",), ())),
    ],
)
def test_a_switch_writes_over_the_file_in_version_4_of_some_classes_alone(
    tmp_path: Path, named: str, four: object, five: object
) -> None:
    folder = (
        Folder.bpe("ab").added("<s>", "</s>").changed(post_processor=BEGIN, pre_tokenizer=BYTES)
    )
    stated = {"add_eos_token": True, "bos_token": "<s>", "eos_token": "</s>"}
    folder = folder.tokenizer_config(tokenizer_class=named, **stated)
    assert ends(folder.write(tmp_path)) == {FOUR: four, FIVE: five}


CLASSES = (
    *("LlamaTokenizer", "GemmaTokenizer", "Qwen2Tokenizer", "BertTokenizer", "RobertaTokenizer"),
    *("XLMRobertaTokenizer", "T5Tokenizer", "GPT2Tokenizer", "CohereTokenizer", "CLIPTokenizer"),
)
PYTHONS = {v: Path(sys.prefix) / f"transformers-{v}" / "bin" / "python" for v in (FOUR, FIVE)}


@pytest.fixture(scope="module", params=(FOUR, FIVE))
def judge(request: pytest.FixtureRequest) -> Iterator[tuple[str, Judge]]:
    if not PYTHONS[request.param].is_file():
        pytest.skip("no environments: make classes builds them")
    made = Judge(PYTHONS[request.param])
    yield request.param, made
    made.close()


@pytest.mark.classes
@pytest.mark.parametrize("name", CLASSES)
def test_the_ends_are_those_that_the_version_itself_writes(
    tmp_path: Path, judge: tuple[str, Judge], name: str
) -> None:
    version, ask = judge
    folder = of_class(every_class()[name], tmp_path / name)
    if not (folder / WHOLE).is_file():
        alone = with_tokenizer_json(ask, folder, tmp_path / f"{name}-json")
        if alone is None:
            pytest.skip(f"{version} has no {name} that is saved as tokenizer.json")
        folder = alone
    sound = json.loads((folder / SETTINGS).read_text())
    apart = []
    for bos, eos in itertools.product((None, True, False), repeat=2):
        stated = {"add_bos_token": bos, "add_eos_token": eos}
        settings = sound | {key: on for key, on in stated.items() if on is not None}
        (folder / SETTINGS).write_text(json.dumps(settings))
        answer, found = ask(folder, ("the cat",)), ends(folder).get(version)
        if "ids" not in answer or found is None:
            continue
        whole, inner = answer["ids"][0], answer["inner"][0]
        around = len(found[0]) + len(found[1])
        at = len(found[0])
        if len(whole) - len(inner) != around or whole[at : len(whole) - len(found[1])] != inner:
            apart.append((stated, whole, inner, found))
    assert apart == []
