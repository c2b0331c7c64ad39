"""Entries that several files and merges name are held once, and mean what they meant."""

from __future__ import annotations

from pathlib import Path

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import OneOfEach, parse_all
from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType


def spec(
    text: str, *merges: tuple[str, str], kind: TokenType = TokenType.ORDINARY
) -> TokenizerSpec:
    """A spec of one entry, in objects of its own."""
    return TokenizerSpec(
        ModelType.BPE,
        {300: Piece(kind, "".join(text))},
        merges=tuple(("".join(left), "".join(right)) for left, right in merges),
        scores={300: 1.5},
    )


def test_a_part_of_a_merge_is_the_text_of_its_entry() -> None:
    found = OneOfEach().of(spec("acorn", (str(b"acorn", "ascii"), "s")))
    assert found.merges is not None
    assert found.merges[0][0] is found.pieces[300].value


def test_copies_have_the_same_entries() -> None:
    known = OneOfEach()
    one, other = known.of(spec("acorn")), known.of(spec(str(b"acorn", "ascii")))
    assert one.pieces[300] is other.pieces[300]


def test_an_entry_of_another_kind_is_another() -> None:
    known = OneOfEach()
    known.of(spec("acorn"))
    special = known.of(spec("acorn", kind=TokenType.CONTROL))
    assert special.pieces[300].token_type is TokenType.CONTROL


def test_a_text_and_its_bytes_are_two() -> None:
    known = OneOfEach()
    known.of(spec("acorn"))
    there = TokenizerSpec(ModelType.BPE, {300: Piece(TokenType.ORDINARY, b"acorn")})
    assert known.of(there).pieces[300].value == b"acorn"


def test_every_published_spec_says_the_same_before_and_after(material: Path) -> None:
    for name in ("gpt2", "t5-small", "mistral-7b-v0.1", "gguf-phi-3", "bert-base-uncased"):
        known = OneOfEach()
        for _, parsed in parse_all(open_subject(material / "tokenizers" / name)).parsed:
            found = known.of(parsed)
            assert found == parsed
            assert list(found.pieces) == list(parsed.pieces)
            assert list(found.scores.items()) == list(parsed.scores.items())
