"""Where a joint of two texts is proved, their ids are those of both together."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from locations import find_material

from tokaudit.subject.formats.tokenizer_json import FORMAT
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.joints import Joints
from tokaudit_reference.tokenizer import ReferenceTokenizer

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=1000)
LETTERS = "aAb <>|\n\t1'é\u0301▁日"
PAIRS = ["ab", "ba", " a", "\n\n", "\na", "a\u0301", "11", "▁a", ">a", "a<", "'a", "é1"]
CONTENTS = ["<a>", "<a", "a>", "<a>b", "b<", "\n", "  ", "é", "▁a", ">\n"]
SELDOM = st.sampled_from([False, False, False, True])
FLAGS = st.fixed_dictionaries(
    {
        **dict.fromkeys(("single_word", "lstrip", "rstrip"), SELDOM),
        **dict.fromkeys(("normalized", "special"), st.booleans()),
    }
)
TOKENS = st.lists(
    st.tuples(st.sampled_from(CONTENTS), FLAGS), max_size=4, unique_by=lambda token: token[0]
)
NORMALIZERS = st.sampled_from(
    [
        None,
        {"type": "NFC"},
        {"type": "Lowercase"},
        {"type": "Strip", "strip_left": True, "strip_right": True},
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": "ab"}, "content": "▁"},
    ]
)
PATTERNS = st.sampled_from(
    [
        r"\p{L}+|\p{N}{1,3}|\s+(?!\S)|\s+",
        r"[^\r\n\p{L}\p{N}]?\p{L}+|\s*[\r\n]+|\s+(?!\S)|\s+",
        r"\p{N}",
        r"(?<=a)b+",
        r"(?<!\n)a",
        r"^a",
        r"\ba",
        r"a$",
        r"a(?=\n*$)|\n",
        r"a*",
        r"[\^a]+",
        r"(?:a|b)+?",
    ]
)
SPLITS = st.fixed_dictionaries(
    {
        "type": st.just("Split"),
        "pattern": PATTERNS.map(lambda text: {"Regex": text}) | st.just({"String": "a"}),
        "behavior": st.sampled_from(["Isolated", "Isolated", "Removed", "MergedWithNext"]),
        "invert": st.booleans(),
    }
)
PRE_TOKENIZERS = st.one_of(
    st.sampled_from(
        [
            None,
            {"type": "WhitespaceSplit"},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first"},
            {"type": "Digits", "individual_digits": False},
        ]
    ),
    SPLITS,
    st.lists(SPLITS, min_size=2, max_size=3).map(
        lambda steps: {"type": "Sequence", "pretokenizers": steps}
    ),
)
TEXTS = st.lists(st.sampled_from([*LETTERS, *CONTENTS, "aab", "\n\n"]), max_size=20).map("".join)


def tokenizer(folder: Path, tokens: Any, normalizer: Any, pre_tokenizer: Any) -> ReferenceTokenizer:
    ids = {piece: id for id, piece in enumerate([*LETTERS, *PAIRS])}
    added = [
        {"id": ids.get(content, len(ids) + at), "content": content, **flags}
        for at, (content, flags) in enumerate(tokens)
    ]
    made = Folder.bpe(ids, merges=[list(pair) for pair in PAIRS], unk_token=None, dropout=None)
    stages = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer}
    content = made.changed(added_tokens=added, post_processor=None, decoder=None, **stages).text()
    path = folder / "tokenizer.json"
    path.write_text(content)
    file = SourceFile(path.name, path, path.stat().st_size, FORMAT.name)  # which makes no copy
    return ReferenceTokenizer(FORMAT.parse(Subject(str(folder), folder, (file,)), file))


def test_a_joint_that_is_proved_changes_no_ids(tmp_path: Path) -> None:
    """Whatever the added tokens, the normalizer and the patterns are."""
    proved = set()

    @LAW
    @given(TOKENS, NORMALIZERS, PRE_TOKENIZERS, st.lists(TEXTS, min_size=2, max_size=4))
    def law(tokens: Any, normalizer: Any, pre_tokenizer: Any, texts: list[str]) -> None:
        found = tokenizer(tmp_path, tokens, normalizer, pre_tokenizer)
        joints = Joints(found)
        for text in texts:
            for at in range(1, len(text)):
                if joints.hold(text, at):
                    proved.add((text, at))
                    assert found.ids(text) == found.ids(text[:at]) + found.ids(text[at:])

    law()
    assert len(proved) > 300


@cache
def published(name: str) -> ReferenceTokenizer:
    material = find_material()
    if material is None:
        pytest.skip("no outside material: set TOKAUDIT_MATERIAL to its folder")
    [(_, spec), *_] = parse_all(open_subject(str(material / "tokenizers" / name))).parsed
    return ReferenceTokenizer(spec)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("gpt2", "assistant\n", "A piece of text."),
        ("gpt2", "Hello <|endoftext|>", "and more"),
        ("phi-2", "Answer:", "\n\nYes"),
        ("mpt", "first", " second"),
        ("whisper-large-v3", "one,", " two"),
    ],
)
def test_what_a_prompt_ends_with_is_proved_apart_from_an_answer(
    name: str, before: str, after: str
) -> None:
    assert Joints(published(name)).hold(before + after, len(before))


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("gpt2", "assist", "ant"), ("gpt2", "say:\n", "\n\nYes"), ("gpt2", "<|end", "oftext|>")],
)
def test_a_joint_that_a_token_may_span_is_not_proved(name: str, before: str, after: str) -> None:
    assert not Joints(published(name)).hold(before + after, len(before))
