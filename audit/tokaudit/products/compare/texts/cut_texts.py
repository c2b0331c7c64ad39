"""Texts most likely to show a difference of two pre-tokenizers.

Where a character has no entry, the pieces on both sides of it may merge across the gap, or it may
be made one with another such character: so those come first, between the parts of every merge, as
far as the two sides cut the text differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from tokaudit.products.compare.patterns.replay import cover, spans
from tokaudit.products.compare.patterns.splits import PreTokenizer, machine
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit.products.compare.proofs.across_cuts.lemma import (
    knows_every_character,
    unknown_characters,
)
from tokaudit.products.compare.proofs.merges.texts import readable
from tokaudit_reference.models.symbols import byte_ids
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_or_text import bytes_of

RARE = ("\u2603", "\ua66e")  # characters that few vocabularies have
UNKNOWN = 4  # characters without an entry that are tried, and as many that fall back to bytes
MERGES = 2_000  # merges, the shortest first, between whose parts each of them is put
MOST = 400  # texts that are cut differently
COVERED = 600  # texts that take every way through a machine
Cuts = tuple[PreTokenizer, PreTokenizer]


def texts_at_gaps(specs: tuple[TokenizerSpec, TokenizerSpec], cuts: Cuts) -> tuple[str, ...]:
    """Return differently split texts with characters that have no entry."""
    found = dict.fromkeys(_texts_at_gaps(specs, cuts))
    try:
        apart = (text for text in found if spans(cuts[0], text) != spans(cuts[1], text))
        return tuple(islice(apart, MOST))
    except Undecidable:
        return ()


def texts_of_ways(cuts: Cuts) -> tuple[str, ...]:
    """Return a short text for each move of either machine, alone and doubled."""
    ways = [text for cut in cuts for text, _ in cover(*machine(cut))]
    chosen = sorted(dict.fromkeys(ways), key=len)[:COVERED]
    return (*chosen, *(text * 2 for text in chosen))


def around(text: str, entries: Sequence[str | bytes]) -> tuple[str, ...]:
    """Return a differently split text alone, repeated, and between entries."""
    some = entries[:: max(1, len(entries) // MOST)]
    short = [shown for entry in some if (shown := _text(entry))]
    near = (f"{before}{text}{after}" for before, after in zip(short, reversed(short), strict=True))
    alone = text, text * 2, text * 3, f"a{text}", f"{text}a", f" {text}"
    return tuple(dict.fromkeys((*alone, *near)))


def _texts_at_gaps(specs: tuple[TokenizerSpec, TokenizerSpec], cuts: Cuts) -> Iterator[str]:
    strange = _without_entry(specs, cuts)
    for one in strange:
        yield from (one, f"a{one}", f"{one}a", f"a{one}a", f" {one} ")
        yield from (f"{one}{other}" for other in strange)
    for one, unknown in product(strange, _unknown_texts(specs)):
        yield from (f"{one}{unknown}", f"{unknown}{one}", f"{one}{unknown}a")
    listed = [merge for spec in specs for merge in islice(_shortest(spec), MERGES)]
    for one in strange if listed else ():
        for left, right in dict.fromkeys(listed):
            yield from islice(readable(left + one.encode() + right), 2)


def _unknown_texts(specs: tuple[TokenizerSpec, TokenizerSpec]) -> list[str]:
    """Return the texts of unknown tokens, which may occur next to unknown text."""
    pieces = (spec.pieces.get(-1 if spec.unk_id is None else spec.unk_id) for spec in specs)
    texts = (_text(piece.value) for piece in pieces if piece is not None)
    return list(dict.fromkeys(filter(None, texts)))


def _without_entry(specs: tuple[TokenizerSpec, TokenizerSpec], cuts: Cuts) -> list[str]:
    """Return characters without an entry, those that a pattern singles out first.

    Those that fall back to their bytes are another kind than those that do not.
    """
    if all(map(knows_every_character, specs)):
        return []
    known = [c for cut in cuts for c in machine(cut)[0].characters]
    tried = dict.fromkeys((*known, *RARE, *map(chr, range(0x800))))
    unknown = set.union(*(unknown_characters(spec, tried) for spec in specs))
    strange = [c for c in tried if c in unknown]
    bytes_of_either = set.union(*({*byte_ids(spec)} for spec in specs if spec.byte_fallback), set())
    falling = [c for c in strange if bytes_of_either.issuperset(c.encode())]
    return list(dict.fromkeys((*strange[:UNKNOWN], *falling[:UNKNOWN])))


def _shortest(spec: TokenizerSpec) -> Iterator[tuple[bytes, bytes]]:
    pairs = [(bytes_of(left), bytes_of(right)) for left, right in spec.merges or ()]
    return iter(sorted(pairs, key=lambda pair: len(pair[0] + pair[1])))


def _text(entry: str | bytes) -> str:
    return entry if isinstance(entry, str) else entry.decode("utf-8", "ignore")
