"""The added tokens that loaders are said to have against those that both versions have."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from recorded_answers import python_of

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.loader_tokens import loader_tokens
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.classes
FILE = Folder.bpe("abc").added("<s>", "</s>").added("<m>", special=False)
FILE = FILE.added("<n>", special=False, normalized=True, lstrip=True)
X = {"content": "<x>", "special": True}
TABLE, LIST, MAP = "added_tokens_decoder", "additional_special_tokens", "special_tokens_map.json"
STATED: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a role": {"pad_token": "<x>"},
    "a role with flags": {"pad_token": {**X, "lstrip": True, "__type": "AddedToken"}},
    "three roles": {"pad_token": "<x>", "mask_token": "<y>", "unk_token": "<z>"},
    "a separator next to padding": {"pad_token": "<x>", "sep_token": "<y>"},
    "an entry as a role": {"pad_token": "a"},
    "a list": {LIST: ["<x>", "a", "<s>"]},
    "a list and a role": {LIST: ["<x>"], "pad_token": "<y>"},
    "names": {"extra_special_tokens": {"image_token": "<x>"}, "pad_token": "<y>"},
    "a table": {TABLE: {"6": X, "9": {**X, "content": "<y>", "lstrip": True}}},
    "a table of words": {TABLE: {"6": {**X, "special": False}}},
    "a table that is not in order": {TABLE: {"7": X, "6": {**X, "content": "<y>"}}},
    "a table with other flags": {TABLE: {"3": {**X, "content": "<s>", "rstrip": True}}},
    "a table and a list": {TABLE: {"6": X}, LIST: ["<y>", "<x>"]},
    "a table of a role": {TABLE: {"6": {**X, "special": False}}, "pad_token": "<x>"},
    "a word as a role": {"pad_token": "<m>"},
    "a normalized word as a role": {"pad_token": "<n>"},
    "words in a list": {LIST: ["<m>", "<n>"]},
    "a word in a table and a role": {
        TABLE: {"6": {**X, "content": "<n>", "special": False}},
        "pad_token": "<n>",
    },
    MAP: {MAP: {"pad_token": "<x>", LIST: ["<y>"]}, "pad_token": "<s>"},
    "a map next to a table": {MAP: {"pad_token": "<x>"}, TABLE: {"6": {**X, "content": "<y>"}}},
    "added_tokens.json": {"added_tokens.json": {"<x>": 7, "<y>": 6}},
}
OTHERWISE = {FOUR: [], FIVE: ["words in a list"]}
"""What a version does otherwise: version 5 leaves them words, which decoding minds alone."""
ASK = """
import json, sys, warnings
warnings.filterwarnings("ignore")
from transformers import AutoTokenizer
answers = []
for folder in json.load(sys.stdin):
    found = AutoTokenizer.from_pretrained(folder).added_tokens_decoder
    flags = ("content", "special", "lstrip", "rstrip", "single_word", "normalized")
    answers.append([[id, *(getattr(each, flag) for flag in flags)] for id, each in found.items()])
print("\\x1e" + json.dumps(answers))
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for name, stated in STATED.items():
        files = {key: value for key, value in stated.items() if key.endswith(".json")}
        keys = {key: value for key, value in stated.items() if key not in files}
        folder = FILE.tokenizer_config(tokenizer_class="PreTrainedTokenizerFast", **keys)
        for file, data in files.items():
            folder = folder.file(file, data)
        found[name] = folder.write(tmp_path_factory.mktemp("tokens"))
    return found


def said(folder: Path) -> list[list[object]]:
    """The tokens that the loader of a folder is said to have."""
    subject = open_subject(str(folder))
    found = loader_tokens(Side("one", parse_all(subject).parsed[0][1], subject))
    assert found is not None
    return sorted(
        [t.id, t.content, t.special, t.lstrip, t.rstrip, t.single_word, t.normalized]
        for t in found.tokens.values()
    )


@pytest.mark.parametrize("version", [FOUR, FIVE])
def test_a_loader_has_the_tokens_that_it_is_said_to_have(
    version: str, folders: dict[str, Path]
) -> None:
    answered = subprocess.run(
        [python_of(version), "-c", ASK],
        input=json.dumps([str(path) for path in folders.values()]),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = json.loads(answered.stdout.rpartition("\x1e")[2])
    found = dict(zip(folders, map(sorted, answers), strict=True))
    expected = {name: said(path) for name, path in folders.items()}
    wrong = [f"{n}: {found[n]} {expected[n]}" for n in folders if found[n] != expected[n]]
    assert [each.partition(":")[0] for each in wrong] == OTHERWISE[version], wrong
