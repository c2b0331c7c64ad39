"""The table of a run, for a terminal or a log: what was proved, how, and what refutes it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from tokaudit_soundness.running import Refuted, Tally

SHOWN = 3  # refutations of one claim that are printed with their files


def written(tallies: Sequence[Tally]) -> str:
    """The table, and below it the refutations with both files."""
    return "\n".join((*_table(tallies), *_refuted([r for each in tallies for r in each.refuted])))


def summary(tallies: Sequence[Tally]) -> str:
    """One sentence of figures."""
    pairs, refused = sum(t.pairs for t in tallies), sum(t.refused for t in tallies)
    proved, texts = sum(t.all_ids for t in tallies), sum(t.texts for t in tallies)
    refuted = sum(len(t.refuted) for t in tallies)
    kinds: Counter[str] = sum((t.kinds for t in tallies), Counter())
    of_kinds = ", ".join(f"{many:,} of {kind}" for kind, many in sorted(kinds.items()) if many)
    same, still = sum(t.same_id for t in tallies), sum(t.no_drift for t in tallies)
    equal, known = sum(t.same_ids for t in tallies), sum(t.same_ids_proved for t in tallies)
    return (
        f"{pairs:,} pairs, {refused:,} of which nothing loads, {proved:,} with all facets of ids "
        f"proved, {same:,} with equal short ids, {still:,} without drift, {texts:,} texts, "
        f"{refuted:,} refuted; {of_kinds or 'no pair'} among them; of {equal:,} with the same "
        f"ids by construction {known:,} proved ({100 * known / (equal or 1):.1f} %)"
    )


def _table(tallies: Sequence[Tally]) -> Iterator[str]:
    proofs: Counter[str] = sum((t.proofs for t in tallies), Counter())
    refuted = Counter(each.by.claim for t in tallies for each in t.refuted)
    yield f"{'claim':70} {'pairs':>7} {'refuted':>8}"
    for claim in sorted({*proofs, *refuted}):
        yield f"{claim[:70]:70} {proofs[claim] or '':>7} {refuted[claim]:8,}"
    yield summary(tallies)


def _refuted(found: Sequence[Refuted]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for each in sorted(found, key=lambda one: len(str(one.by.shown))):
        seen[each.by.claim] += 1
        if seen[each.by.claim] <= SHOWN:
            yield ""
            yield from described(each)


def described(refuted: Refuted) -> Iterator[str]:
    """A refutation with its seed, what was changed, the text, both answers and both files."""
    by, pair = refuted.by, refuted.pair
    yield f"seed {refuted.seed}, pair {refuted.number}: {by.claim}"
    yield f"  changed: {', '.join(pair.changes)}"
    yield f"  {by.what} of {by.shown!r}: {by.first} against {by.second}"
    for name, described in (("first", pair.first), ("second", pair.second)):
        yield f"  {name}: {json.dumps(described)}"
