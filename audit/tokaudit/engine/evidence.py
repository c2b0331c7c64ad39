"""Build the evidence of findings: token views, and texts on which two encoders differ."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from tokaudit.report.model import Evidence, TokenView
from tokaudit.runtimes.protocol import Encoding, Tokenizer
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_or_text import bytes_of

MARKS = {TokenType.CONTINUATION: b"\0##", TokenType.WORD_END: b"\0</w>"}


def shown(value: bytes | str) -> str:
    """A piece as text for a reader; bytes that are not UTF-8 show as `\\xNN`."""
    return value if isinstance(value, str) else value.decode("utf-8", "backslashreplace")


def token_names(spec: TokenizerSpec) -> dict[int, str]:
    """Map ids to display names, added tokens first."""
    names = {id: shown(piece.value) for id, piece in spec.pieces.items()}
    for id, _ in spec.sharing:
        names[id] = " or ".join(shown(piece.value) for piece in spec.pieces_at(id))
    names.update({token.id: token.content for token in spec.added_tokens})
    return names


def token_values(spec: TokenizerSpec) -> dict[int, bytes]:
    """Map ids to values that distinguish each token from all others, added tokens first.

    Names do not: that of the byte 255 is that of a token of a backslash and three letters.  What
    goes on within a word is another token than the same letters at its beginning.
    """
    values = {id: _value(piece) for id, piece in spec.pieces.items()}
    for id, _ in spec.sharing:
        values[id] = b"\0\0".join(sorted(map(_value, spec.pieces_at(id))))
    values.update({token.id: bytes_of(token.content) for token in spec.added_tokens})
    return values


def token_value(spec: TokenizerSpec, id: int) -> bytes | None:
    """Return the `token_values` entry of one id; None if no token has it."""
    added, pieces = spec.added_at(id), spec.pieces_at(id)
    if added:
        return bytes_of(added[-1].content)
    return b"\0\0".join(sorted(map(_value, pieces))) if pieces else None


def ids_by_value(spec: TokenizerSpec) -> dict[bytes, int]:
    """Map the values that distinguish tokens to ids; tokens that share an id are separate.

    One that has several ids has the lowest here.
    """
    added = {token.id for token in spec.added_tokens}
    entries = ((id, _value(piece)) for id, piece in spec.each_entry() if id not in added)
    tokens = ((token.id, bytes_of(token.content)) for token in spec.added_tokens)
    found: dict[bytes, int] = {}
    for id, value in sorted((*entries, *tokens)):
        found.setdefault(value, id)
    return found


def _value(piece: Piece) -> bytes:
    return MARKS.get(piece.token_type, b"") + bytes_of(piece.value)


def view(ids: Sequence[int], names: Mapping[int, str]) -> tuple[TokenView, ...]:
    """Return ids as token views; an id without a name is shown alone.

    >>> view([7, 1], {1: "a"})
    (TokenView(id=7, piece=None), TokenView(id=1, piece='a'))
    """
    return tuple(TokenView(id, names.get(id)) for id in ids)


def first_difference(left: Sequence[int], right: Sequence[int]) -> int | None:
    """Return the index of the first differing id, or None.

    >>> first_difference([1, 2, 3], [1, 2]), first_difference([1], [1])
    (2, None)
    """
    pairs = enumerate(zip_longest(left, right))
    return next((i for i, (a, b) in pairs if a != b), None)


def text_fields(text: str) -> dict[str, str]:
    """Return `text`, or `text_base64` for a string that is not valid Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return {"text_base64": base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()}
    return {"text": text}


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The tokens of a text on one side: its name, the ids, and its names for them."""

    label: str
    ids: Sequence[int]
    names: Mapping[int, str] = field(default_factory=dict)


def text_evidence(
    text: str,
    expected: Sequence[int],
    actual: Sequence[int],
    names: Mapping[int, str],
    labels: tuple[str, str] = ("expected", "actual"),
    note: str = "",
    *,
    minimal: bool = False,
) -> Evidence:
    """Build evidence of a text with expected and actual tokens of one vocabulary."""
    left, right = TokenRow(labels[0], expected, names), TokenRow(labels[1], actual, names)
    return two_rows(text, left, right, note, minimal=minimal)


def two_rows(
    text: str, left: TokenRow, right: TokenRow, note: str = "", *, minimal: bool = False
) -> Evidence:
    """Build evidence of a text with the tokens of two sides, named by their vocabularies.

    >>> one, other = TokenRow("one", [5], {5: "ab"}), TokenRow("other", [5], {5: "zz"})
    >>> found = two_rows("ab", one, other)
    >>> found.expected[0].piece, found.actual[0].piece
    ('ab', 'zz')
    """
    return Evidence(
        kind="text",
        expected=view(left.ids, left.names),
        actual=view(right.ids, right.names),
        expected_label=left.label,
        actual_label=right.label,
        first_difference=first_difference(left.ids, right.ids),
        note=note,
        minimal=minimal,
        **text_fields(text),  # type: ignore[arg-type]
    )


def differing(left: Tokenizer, right: Tokenizer, texts: Sequence[str]) -> list[bool]:
    """Mark the texts that both encode, with different ids."""
    pairs = zip(left.encode(texts), right.encode(texts), strict=True)
    return [_differ(a, b) for a, b in pairs]


def _differ(a: Encoding, b: Encoding) -> bool:
    return a.error is None and b.error is None and a.ids != b.ids
