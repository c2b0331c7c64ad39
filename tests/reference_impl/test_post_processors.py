"""The post-processors give what those of Hugging Face's tokenizers give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokaudit.opening import open_subject
from tokaudit.representations import parse_all
from tokaudit_reference.spec import SpecError
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_reference.unsupported import Unsupported

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=60)
TEXTS = st.lists(
    st.sampled_from([*"ab \t\n\u00a0\u3000é", "  ", "<x>", " <l> ", "🙂", "word"]), max_size=8
).map("".join)
SPACES = {"add_prefix_space": True, "trim_offsets": True}
AROUND = {"cls": ["<c>", 1], "sep": ["<s>", 2]}
PROCESSORS: dict[str, dict[str, Any]] = {
    "trimmed": {"type": "ByteLevel", **SPACES, "use_regex": True},
    "trimmed, no prefix": {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": True,
    },
    "not trimmed": {
        "type": "ByteLevel",
        "add_prefix_space": True,
        "trim_offsets": False,
        "use_regex": True,
    },
    "roberta": {"type": "RobertaProcessing", **SPACES, **AROUND},
    "bert": {"type": "BertProcessing", **AROUND},
    "template": {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "both", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "<s>", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {
            "both": {"id": "both", "ids": [1, 2], "tokens": ["<c>", "<s>"]},
            "<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]},
        },
    },
}
PROCESSORS["sequence"] = {
    "type": "Sequence",
    "processors": [PROCESSORS["trimmed"], PROCESSORS["template"]],
}


def tokenizer_json(processor: dict[str, Any]) -> str:
    """A byte-level tokenizer without merges, with tokens that take white space along."""
    from tokaudit_reference.bytes_alphabet import BYTE_OF

    vocab = {token: id for id, token in enumerate(["<x>", "<c>", "<s>", *sorted(BYTE_OF)])}
    flags = {"single_word": False, "normalized": False, "special": True}
    added = [
        {"id": 0, "content": "<x>", "lstrip": True, "rstrip": True, **flags},
        {"id": 1, "content": "<c>", "lstrip": False, "rstrip": False, **flags},
        {"id": 2, "content": "<s>", "lstrip": False, "rstrip": False, **flags},
        {"id": 261, "content": " <l> ", "lstrip": False, "rstrip": False, **flags},
    ]
    split = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "vocab": vocab, "merges": [["Ġ", "a"], ["Ġ", "Ġ"]]}
    model["vocab"] = vocab | {"Ġa": 259, "ĠĠ": 260}
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": added,
            "normalizer": None,
            "pre_tokenizer": split,
            "post_processor": processor,
            "decoder": None,
            "model": model,
        }
    )


def reference(folder: Path, content: str) -> ReferenceTokenizer:
    (folder / "tokenizer.json").write_text(content)
    [(_, spec)] = parse_all(open_subject(str(folder))).parsed
    return ReferenceTokenizer(spec)


@pytest.mark.parametrize("name", PROCESSORS)
def test_ids_and_offsets_are_the_vendor_s(tmp_path: Path, name: str) -> None:
    from tokenizers import Tokenizer

    content = tokenizer_json(PROCESSORS[name])
    vendor, ours = Tokenizer.from_str(content), reference(tmp_path, content)

    @LAW
    @given(TEXTS, st.booleans())
    def law(text: str, add: bool) -> None:
        theirs = vendor.encode(text, add_special_tokens=add)
        found = ours.encode(text, add_special_tokens=add, offsets=True)
        assert (found.ids, found.offsets) == (theirs.ids, theirs.offsets)
        assert ours.encode(text, add_special_tokens=add).ids == theirs.ids

    law()


@pytest.mark.parametrize(
    "name", ["bert-base-uncased", "roberta-base", "t5-small", "clip-base", "whisper-large-v3"]
)
def test_published_tokenizers_add_their_special_tokens(material: Path, name: str) -> None:
    from tokenizers import Tokenizer

    folder = material / "tokenizers" / name
    vendor = Tokenizer.from_file(str(folder / "tokenizer.json"))
    vendor.no_padding()
    vendor.no_truncation()
    spec = parse_all(open_subject(str(folder))).parsed[0][1]
    text = " Hello  world, naïve 東京 "
    theirs = vendor.encode(text)
    found = ReferenceTokenizer(spec).encode(text, add_special_tokens=True, offsets=True)
    assert (found.ids, found.offsets) == (theirs.ids, theirs.offsets)


def test_a_template_that_names_what_it_does_not_define_is_refused(tmp_path: Path) -> None:
    broken = dict(PROCESSORS["template"], special_tokens={})
    tokenizer = reference(tmp_path, tokenizer_json(broken))
    with pytest.raises(SpecError, match="'both', which it does not define"):
        tokenizer.encode("a", add_special_tokens=True)


def test_an_unknown_post_processor_is_refused_by_name(tmp_path: Path) -> None:
    tokenizer = reference(tmp_path, tokenizer_json({"type": "Sprinkle"}))
    with pytest.raises(Unsupported, match="Sprinkle"):
        tokenizer.encode("a", add_special_tokens=True)
