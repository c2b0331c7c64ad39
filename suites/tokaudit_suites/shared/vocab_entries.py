"""Vocabulary entries as text: their spelling in a file, and their ids."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit_reference.spec import AddedToken, ModelType, Piece, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import to_bytes, to_characters

Value = bytes | str
NEVER_IN_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
IN_TEXT = frozenset(range(256)) - NEVER_IN_UTF8 - {0xF1, 0xF2}  # these two begin empty planes
NOT_FROM_TEXT = frozenset(
    {TokenType.CONTROL, TokenType.UNKNOWN, TokenType.UNUSED, TokenType.LOOKED_UP}
)
MARKER_ENDS = {("<", ">"), ("[", "]"), (b"<", b">"), (b"[", b"]")}
NOT_TEXT = NOT_FROM_TEXT | {TokenType.BYTE}


def named(surface: Value, content: str) -> bool:
    """Return whether a vocabulary entry is the one named by an added token's content.

    Loaders look the content up as the file spells its entries, so in a byte-level vocabulary
    either spelling counts: the plain text and the text read through the byte alphabet.
    """
    if isinstance(surface, str):
        return surface == content
    return surface in (content.encode("utf-8", "surrogatepass"), to_bytes(content))


def entries(spec: TokenizerSpec) -> Iterator[tuple[int, Piece, Value]]:
    """Yield every entry of the model with its id and surface."""
    if not (spec.continuing_subword_prefix or spec.end_of_word_suffix):
        return ((id, piece, piece.value) for id, piece in spec.each_entry())
    return ((id, piece, spec.surface(piece)) for id, piece in spec.each_entry())


def ordinary(spec: TokenizerSpec) -> Iterator[tuple[int, Piece]]:
    """Yield entries for text: no added, control, unknown, unused or byte entries."""
    added = {token.id for token in spec.added_tokens}
    for id, piece in spec.each_entry():
        if id not in added and piece.token_type not in NOT_TEXT:
            yield id, piece


def single_bytes(spec: TokenizerSpec, *types: TokenType) -> set[int]:
    """Return the bytes that are single entries of these types."""
    return {
        piece.value[0]
        for piece in spec.every_piece()
        if isinstance(piece.value, bytes) and len(piece.value) == 1 and piece.token_type in types
    }


def missing_bytes(spec: TokenizerSpec) -> list[int]:
    """Return the bytes of UTF-8 text without an entry in a byte-level vocabulary.

    One that is also an added token is looked for in text before the model: its id is found.
    """
    if not spec.byte_level:
        return []
    added = {
        ord(t.content) for t in spec.added_tokens if len(t.content) == 1 and t.content < "\x80"
    }
    return sorted(IN_TEXT - single_bytes(spec, TokenType.ORDINARY, TokenType.BYTE) - added)


def text_of(piece: Piece) -> str | None:
    """Return the text of an entry; None for bytes that are not text."""
    if isinstance(piece.value, str):
        return piece.value
    try:
        return piece.value.decode("utf-8")
    except UnicodeDecodeError:
        return None


def is_written_in_bytes(spec: TokenizerSpec) -> bool:
    """Return whether a step writes the byte alphabet for a model with text entries.

    So it is where somebody trains a Unigram or a WordLevel after ByteLevel.
    """
    steps = (*spec.normalizer.steps, *spec.pre_tokenizer.steps)
    return not spec.byte_level and any(step.effects.writes_bytes for step in steps)


def read_back(text: str) -> str:
    """Decode a text in the byte alphabet; unchanged if it is not in it.

    >>> read_back("Ġya"), read_back("▁ya")
    (' ya', '▁ya')
    """
    data = to_bytes(text)
    return text if data is None else data.decode("utf-8", "replace")


def added_by_content(spec: TokenizerSpec) -> dict[str, AddedToken]:
    """Map added tokens by content; the first of two equal ones counts."""
    found: dict[str, AddedToken] = {}
    for token in spec.added_tokens:
        found.setdefault(token.content, token)
    return found


class IdsByText:
    """Lookup of token ids by content, for many tokens of one spec."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._added, self._own = added_by_content(spec), spec.ids_by_surface

    def of(self, content: str) -> int | None:
        """Return the id of an added token, else of the entry so spelled, else None."""
        token = self._added.get(content)
        if token is not None:
            return token.id
        spelled = (content, to_bytes(content), content.encode("utf-8", "surrogatepass"))
        found = (self._own.get(value) for value in spelled if value is not None)
        return next((id for id in found if id is not None), None)


def id_of(spec: TokenizerSpec, content: str) -> int | None:
    """Return the id that a loader gives a token by its content, or None."""
    return IdsByText(spec).of(content)


def name_of(spec: TokenizerSpec, id: int) -> Value | None:
    """Return the name of an id: an added token's content, else the model's entry, else None."""
    for added in spec.added_at(id):
        return added.content
    piece = spec.pieces.get(id)
    return None if piece is None else spec.surface(piece)


def is_special(spec: TokenizerSpec, id: int) -> bool:
    """Return whether an id is a special added token, or a control or unknown entry."""
    if any(token.special for token in spec.added_at(id)):
        return True
    piece = spec.pieces.get(id)
    return piece is not None and piece.token_type in (TokenType.CONTROL, TokenType.UNKNOWN)


def is_whole(spec: TokenizerSpec, id: int) -> bool:
    """Return whether an entry is a user-defined symbol, which is matched before text is split."""
    piece = spec.pieces.get(id)
    return piece is not None and piece.token_type is TokenType.USER_DEFINED


def taken_whole(spec: TokenizerSpec, id: int) -> bool:
    """Return whether a model prefers the entry to all splits, by its Unigram score.

    A log probability is below 0; publishers and trainers write 0 for entries that are not words.
    """
    best = spec.model_type is ModelType.UNIGRAM and spec.scores.get(id, -1.0) >= 0
    return best or is_whole(spec, id)


def looks_like_marker(value: Value) -> bool:
    """Return whether an entry is written like a control token, as `<...>` or `[...]`.

    >>> looks_like_marker("<|endoftext|>"), looks_like_marker(b"[MASK]"), looks_like_marker("<")
    (True, True, False)
    """
    if (value[:1], value[-1:]) not in MARKER_ENDS:  # nearly always
        return False
    return len(value.decode("utf-8", "replace") if isinstance(value, bytes) else value) > 2


def spelled(value: Value) -> str:
    """Spell an entry as text, with bytes in the alphabet that files use.

    >>> spelled(b" the"), spelled("▁the")
    ('Ġthe', '▁the')
    """
    return to_characters(value) if isinstance(value, bytes) else value
