"""Entries that two vocabularies share, counted by script and by length.

Entries are compared by the texts that they stand for, so that vocabularies of different formats
can be compared, and whatever their ids.  An entry of bytes that are not a whole text is compared
by its bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from tokaudit.engine.vocabularies.piece_texts import NOT_TEXT, piece_text
from tokaudit.report.comparison import Entries
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.pre_tokenizers.unicode_scripts import script

PARTIAL, NO_LETTERS, SEVERAL = "part of a character", "no letters", "several scripts"
NOT_LETTERS = ("", "Common", "Inherited")
LENGTHS = ((1, "1"), (2, "2"), (3, "3"), (4, "4"), (8, "5 to 8"), (16, "9 to 16"))
LONGER = "17 or more"
IN_ORDER = (*(name for _, name in LENGTHS), LONGER, PARTIAL)
OF_LENGTH = [
    next(name for most, name in LENGTHS if n <= most) for n in range(1, LENGTHS[-1][0] + 1)
]
Text = str | bytes


def shared_entries(
    first: TokenizerSpec, second: TokenizerSpec
) -> tuple[tuple[Entries, ...], tuple[Entries, ...]]:
    """Count shared entries and entries of one side alone, by script and by length.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> def spec(*words):
    ...     pieces = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(words)}
    ...     return TokenizerSpec(ModelType.BPE, pieces)
    >>> by_script, by_length = shared_entries(spec("a", "ab", "1"), spec("a", "ж"))
    >>> [(row.kind, row.shared, row.only_left, row.only_right) for row in by_script]
    [('Latin', 1, 1, 0), ('Cyrillic', 0, 0, 1), ('no letters', 0, 1, 0)]
    >>> [(row.kind, row.shared, row.only_left, row.only_right) for row in by_length]
    [('1', 1, 1, 1), ('2', 0, 1, 0)]
    """
    ours, theirs = _texts(first), _texts(second)
    by_script = _counted(ours, theirs, script_of)
    by_length = {row.kind: row for row in _counted(ours, theirs, length_of)}
    return by_script, tuple(by_length[kind] for kind in IN_ORDER if kind in by_length)


def own_entries(spec: TokenizerSpec) -> tuple[dict[str, int], dict[str, int]]:
    """Count the entries of one vocabulary by script, most first, and by length."""
    texts = _texts(spec)
    scripts = Counter(map(script_of, texts))
    lengths = Counter(map(length_of, texts))
    by_script = {kind: scripts[kind] for kind in sorted(scripts, key=lambda k: (-scripts[k], k))}
    return by_script, {kind: lengths[kind] for kind in IN_ORDER if kind in lengths}


def script_of(text: Text) -> str:
    """Return the script of an entry's letters.

    >>> script_of(" the"), script_of("αb"), script_of("..."), script_of(bytes([0xE2, 0x80]))
    ('Latin', 'several scripts', 'no letters', 'part of a character')
    """
    if isinstance(text, bytes):
        return PARTIAL
    if text.isascii():  # most entries are, and only letters have two cases there
        return "Latin" if text.lower() != text.upper() else NO_LETTERS
    found = {script(character) for character in text}.difference(NOT_LETTERS)
    return SEVERAL if len(found) > 1 else next(iter(found), NO_LETTERS)


def length_of(text: Text) -> str:
    """Return the class of an entry's length in characters."""
    if isinstance(text, bytes):
        return PARTIAL
    return OF_LENGTH[len(text) - 1] if len(text) <= len(OF_LENGTH) else LONGER


def _texts(spec: TokenizerSpec) -> set[Text]:
    added = {token.id for token in spec.added_tokens}
    pieces = [piece for id, piece in spec.each_entry() if id not in added]
    texts = ((piece_text(p), p.value) for p in pieces if p.token_type not in NOT_TEXT)
    return {value if text is None else text for text, value in texts} - {"", b""}


def _counted(
    ours: set[Text], theirs: set[Text], kind_of: Callable[[Text], str]
) -> tuple[Entries, ...]:
    """Count in one row for each kind, the largest first."""

    def kinds(texts: Iterable[Text]) -> Counter[str]:
        return Counter(map(kind_of, texts))

    shared, left, right = kinds(ours & theirs), kinds(ours - theirs), kinds(theirs - ours)
    total = shared + left + right
    order = sorted(total, key=lambda kind: (-total[kind], kind))
    return tuple(Entries(kind, shared[kind], left[kind], right[kind]) for kind in order)
