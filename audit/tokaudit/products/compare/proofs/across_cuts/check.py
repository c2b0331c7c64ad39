"""Check that no vocabulary entry crosses a split that only one side makes.

Each entry by itself is read from every place of every text: from each pair of states that lies on a
way to an end all its characters are followed, and it must never come whole through one side and cut
through the other.  Entries whose characters are of the same classes are one here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tokaudit.engine.facet_names import PRE_TOKENIZER
from tokaudit.products.compare.proofs.across_cuts.conditions import failing
from tokaudit.products.compare.proofs.all_entries import pieces_of
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.cuts.characters import OtherCharacters
from tokaudit.products.compare.proofs.cuts.cutting import SURROGATES, Cutters, cutters
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.proofs.cuts.marking import CUT, GONE
from tokaudit.report.comparison import Proof

MOST_STATES = 20_000
Both = tuple[Any, Any]
Moves = dict[Both, dict[int, list[tuple[int, int, Both]]]]
Places = tuple[frozenset[int], ...]  # for each place of an entry the classes that may be there


def objection(claim: Claim) -> str:
    """Explain why an entry may cross a split of one side alone; "" if none does."""
    for spec in claim.specs:
        if reason := failing(spec):
            return reason
    entries = {piece.value for spec in claim.specs for piece in pieces_of(spec)}
    if len(entries) != claim.certificate.entries:
        return f"the vocabularies have {len(entries):,} entries, not {claim.certificate.entries:,}"
    try:
        found = cutters(claim.first, claim.second)
    except OtherCharacters as wrong:
        return str(wrong)
    moves = _useful(_moves(found))
    for by_class in moves.values():
        for mark, its, _ in (each for listed in by_class.values() for each in listed):
            if (mark == GONE) != (its == GONE):
                return "one side leaves out a character that the other keeps"
    rows = {_places(entry, found): entry for entry in entries}
    for row, entry in rows.items():
        if _crosses(row, moves):
            return f"{entry!r} lies across a cut that only one side makes"
    return ""


def _moves(found: Cutters) -> Moves:
    """Return the joint moves on each character class, in every pair of states."""
    moves: Moves = {}
    waiting: list[Both] = [(found.left.start, found.right.start)]
    while waiting:
        at = waiting.pop()
        if at in moves:
            continue
        moves[at] = {
            name: [
                (mark, its, (after, its_after))
                for mark, after in found.left.moves(at[0], name)
                for its, its_after in found.right.moves(at[1], name)
            ]
            for name in range(len(found.characters))
        }
        waiting += _after(moves[at])
        if len(moves) > MOST_STATES:
            raise Unreadable(f"more than {MOST_STATES:,} states")
    ends = {at for at in moves if found.left.may_end(at[0]) and found.right.may_end(at[1])}
    return {at: moves[at] for at in _leading_to(ends, moves)}


def _after(by_class: dict[int, list[tuple[int, int, Both]]]) -> Iterator[Both]:
    return (after for listed in by_class.values() for _, _, after in listed)


def _leading_to(ends: set[Both], moves: Moves) -> set[Both]:
    before: dict[Both, set[Both]] = {}
    for at, by_class in moves.items():
        for after in _after(by_class):
            before.setdefault(after, set()).add(at)
    found, waiting = set(ends), list(ends)
    while waiting:
        new = before.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _useful(moves: Moves) -> Moves:
    """Remove moves into states from which no end is reachable."""
    return {
        at: {name: [m for m in listed if m[2] in moves] for name, listed in by_class.items()}
        for at, by_class in moves.items()
    }


def _crosses(row: Places, moves: Moves) -> bool:
    inside = {(at, False, False) for at in moves} if row else set()
    for index, place in enumerate(row):
        inside = {
            (after, cut or _cuts(mark, index), other or _cuts(its, index))
            for at, cut, other in inside
            for name in place
            for mark, its, after in moves[at][name]
        }
    return any(cut != other for _, cut, other in inside)


def _cuts(mark: int, index: int) -> bool:
    return mark == GONE or (mark == CUT and index > 0)


def _places(entry: str | bytes, found: Cutters) -> Places:
    """Return the classes at each character of an entry; a partial character may have several.

    Bytes that no text has have no place.
    """
    if isinstance(entry, str):
        return tuple(frozenset({found.of(each)}) for each in entry)
    text = entry.decode("utf-8", "surrogateescape")
    head = len(text) - len(text.lstrip(ESCAPED))
    tail = len(text.rstrip(ESCAPED))
    begins = entry[:head] if tail else b""
    ends = entry[len(text[:tail].encode("utf-8", "surrogateescape")) :]
    whole = text[head:tail]
    if any(each in ESCAPED for each in whole):
        return ()
    row = [frozenset({found.of(each)}) for each in whole]
    if not tail and ends:  # all of it is parts: the end of one character, and the next one's begin
        lead = next((at for at, byte in enumerate(ends) if byte >= 0xC0), len(ends))
        begins, ends = ends[:lead], ends[lead:]
    for part, at_end in ((begins, True), (ends, False)):
        if part:
            held = frozenset(found.of(each) for each in _with(part, at_end))
            if not held:
                return ()
            row.insert(0, held) if at_end else row.append(held)
    return tuple(row)


ESCAPED = "".join(map(chr, range(0xDC80, 0xDD00)))  # what stands for a byte that is no text


@lru_cache(maxsize=4096)
def _with(part: bytes, at_end: bool) -> tuple[str, ...]:
    """Return the characters that start or end with these bytes, and have more."""
    found = (
        character
        for size in range(len(part) + 1, 5)
        for character in _of_size(size)
        if (character.encode().endswith(part) if at_end else character.encode().startswith(part))
    )
    return tuple(found)


LEAST = {1: 0, 2: 0x80, 3: 0x800, 4: 0x10000, 5: 0x110000}


def _of_size(size: int) -> Iterator[str]:
    """Yield the characters that UTF-8 encodes in `size` bytes."""
    for code in range(LEAST[size], LEAST[size + 1]):
        if code not in SURROGATES:
            yield chr(code)


CHECKER = Checker(Proof.NO_ENTRY_ACROSS, frozenset({PRE_TOKENIZER}), objection)
