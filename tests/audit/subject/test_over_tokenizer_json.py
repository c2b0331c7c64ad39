"""Which settings next to a tokenizer.json change ids, by the record and by the class itself."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from recorded_answers import python_of

from tokaudit.subject.upstream.over_tokenizer_json import acts_on
from tokaudit.subject.upstream.tokenizer_class import class_named
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

pytestmark = pytest.mark.classes
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
MARKS = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
WORDS = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
OF_BYTES = (
    Folder.bpe(["<s>", "</s>", *BYTE_OF], [["Ġ", "a"]])
    .changed(pre_tokenizer=BYTES, decoder=BYTES)
    .added("<s>", "</s>")
)
OF_MARKS = (
    Folder.bpe(["<unk>", "<s>", "</s>", "▁", *"abA<>s/"], [["▁", "a"]], unk_token="<unk>")
    .changed(pre_tokenizer=MARKS)
    .added("<unk>", "<s>", "</s>")
)
OF_WORDS = (
    Folder.wordpiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abAeÉé中[]", "##a"])
    .changed(normalizer=WORDS, pre_tokenizer={"type": "BertPreTokenizer"})
    .added("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
)
ENDS = {"bos_token": "<s>", "eos_token": "</s>"}
FOLDERS: dict[str, tuple[Folder, dict[str, Any]]] = {
    "PreTrainedTokenizerFast": (OF_BYTES, ENDS),
    "GPT2Tokenizer": (OF_BYTES, {**ENDS, "unk_token": "</s>"}),
    "GPTNeoXTokenizer": (OF_BYTES, {**ENDS, "unk_token": "</s>", "pad_token": "</s>"}),
    "LlamaTokenizer": (OF_MARKS, {**ENDS, "unk_token": "<unk>"}),
    "BertTokenizer": (OF_WORDS, {}),
}
CHANGED: dict[str, object] = {
    "add_bos_token": True,
    "add_eos_token": True,
    "add_prefix_space": True,
    "do_basic_tokenize": False,
    "do_lower_case": False,
    "errors": "ignore",
    "keep_accents": True,
    "legacy": True,
    "never_split": ["b"],
    "remove_space": False,
    "sp_model_kwargs": {"alpha": 0.1},
    "spaces_between_special_tokens": False,
    "split_special_tokens": True,
    "strip_accents": False,
    "tokenize_chinese_chars": False,
    "name_or_path": "x",
    "max_length": 2,
    "pad_to_multiple_of": 8,
    "transformers_version": "4.0",
}
BY_DEFAULT = {("LlamaTokenizer", key): False for key in ("add_bos_token", "add_prefix_space")}
"""What is the default of a class in the table above, and so changed the other way."""
UNSEEN = {(name, "errors") for name in FOLDERS}  # of decoding, which no id shows
ASK = """
import json, sys, warnings
warnings.filterwarnings("ignore")
from transformers import AutoTokenizer
answers = []
for folder in json.load(sys.stdin):
    try:
        found = AutoTokenizer.from_pretrained(folder)
        texts = ["a", "A", "\\u00c9 b", "\\u4e2da", "<s>a", "[SEP] a"]
        answers.append([found(text)["input_ids"] for text in texts])
    except Exception as error:
        answers.append(type(error).__name__)
print("\\x1e" + json.dumps(answers))
"""


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], list[bool]]:
    """Whether ids change in either version, by class and key."""
    written: dict[tuple[str, str], Path] = {}
    for name, (folder, stated) in FOLDERS.items():
        for key in ("", *CHANGED):
            more = {key: BY_DEFAULT.get((name, key), CHANGED.get(key))} if key else {}
            made = folder.tokenizer_config(tokenizer_class=name, **{**stated, **more})
            written[name, key] = made.write(tmp_path_factory.mktemp("over"))
    found: dict[tuple[str, str], list[bool]] = {pair: [] for pair in written if pair[1]}
    for version in (FOUR, FIVE):
        asked = [str(path) for path in written.values()]
        answered = subprocess.run(
            [python_of(version), "-c", ASK],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            check=True,
        )
        answers = json.loads(answered.stdout.rpartition("\x1e")[2])
        by_pair = dict(zip(written, answers, strict=True))
        for name, key in found:
            found[name, key].append(by_pair[name, key] != by_pair[name, ""])
    return found


@pytest.mark.parametrize("name", FOLDERS)
def test_a_class_acts_on_what_the_record_says(
    name: str, changing: Mapping[tuple[str, str], list[bool]]
) -> None:
    known = class_named(name)
    prefixes = FOLDERS[name][0] is OF_BYTES
    said = {key: list(acts_on(known, key, prefixes) or (False, False)) for key in CHANGED}
    seen = {key: changing[name, key] for key in CHANGED}
    assert {key: each for key, each in seen.items() if (name, key) not in UNSEEN} == {
        key: each for key, each in said.items() if (name, key) not in UNSEEN
    }
