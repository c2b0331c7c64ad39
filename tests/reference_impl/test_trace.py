"""A trace tells the same as encoding does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_reference.trace import trace

TEXTS = [
    "",
    "Hello  wörld",
    "日本語 and 🙂",
    "a<s>b [SEP] c<|endoftext|> d",
    "    if x:\n\t1234567",
]


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("gpt2", "tokenizer.json"),
        ("gpt2", "tiktoken"),
        ("bert-base-uncased", "tokenizer.json"),
        ("t5-small", "tokenizer.json"),
        ("phi-3-mini", "tokenizer.json"),
        ("clip-base", "tokenizer.json"),
        ("mistral-7b-v0.1", "sentencepiece"),
        ("cl100k_base", "tiktoken"),
    ],
)
def test_the_tokens_of_all_stages_are_the_ids_and_offsets(
    material: Path, name: str, format: str
) -> None:
    parsed = parse_all(open_subject(str(material / "tokenizers" / name))).parsed
    tokenizer = ReferenceTokenizer(next(spec for found, spec in parsed if found.format == format))
    for text in TEXTS:
        reported = []
        for segment in trace(tokenizer, text):
            if segment.added_id is not None:
                reported.append((segment.added_id, segment.offsets))
            for piece in segment.pieces:
                reported += [(token.id, token.offsets) for token in piece.tokens]
        expected = tokenizer.encode(text, offsets=True)
        assert reported == list(zip(expected.ids, expected.offsets or (), strict=True))


def test_each_merge_is_told_with_its_rank(material: Path) -> None:
    parsed = parse_all(open_subject(str(material / "tokenizers" / "gpt2"))).parsed
    [segment] = trace(ReferenceTokenizer(parsed[0][1]), " hello")
    [piece] = segment.pieces
    assert [(step.rank, step.left, step.right) for step in piece.merges] == [
        (2, "h", "e"),
        (41, "l", "l"),
        (83, " ", "he"),
        (5712, " he", "ll"),
        (23492, " hell", "o"),
    ]


def test_the_last_token_of_a_trie_ends_where_the_text_ends() -> None:
    pieces = {id: Piece(TokenType.ORDINARY, t) for id, t in enumerate((b"ab", b"abc", b"abcd"))}
    stated = Component(None, Standing.STATED)
    spec = TokenizerSpec(ModelType.TRIE, pieces, byte_level=True, pre_tokenizer=stated)
    (segment,) = trace(ReferenceTokenizer(spec), "abcdabc")
    assert [(t.id, t.offsets) for piece in segment.pieces for t in piece.tokens] == [
        (2, (0, 4)),
        (1, (4, 7)),
    ]
