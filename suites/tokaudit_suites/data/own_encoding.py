"""Checks that the ids are the tokenizer's own encoding of their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    Severity,
    Skip,
    Worse,
    check,
    text_evidence,
    wilson,
)
from tokaudit.products.data.ids.counts.tally import Sign, Spot
from tokaudit.products.data.ids.documents.moves import SWAPPED
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._judged_shards import (
    CERTAIN,
    MOST_NAMED,
    WRONG,
    judged_in,
    named,
    undecided_shards,
    wrong_in,
    wrong_shards,
)
from tokaudit_suites.data._places import place_of, quoted, shard_place, share, sign_finding, where
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

WORST = 10  # shards that are named with their share
GIVE_MORE = "give ids whose text comes back, a larger --tier, or the tokenizer's own library"
ERROR_FROM = 0.01  # of documents with other ids, from which on they are not this tokenizer's
ALL_ERROR_FROM = 0.1  # of documents that are wrong, of which some are certain
UNCLEAR_FROM = 0.1  # of documents that are wrong in ways that its own writer may have
LEAST_MOVED = 3  # wrong documents that have one mistake in common
MANY_JOINTS = 30  # from which on their tokens tell texts that meet from merges that are missing
FEW_TOKENS = 10  # that half of the joints have where merges are missing
WHY = {
    Sign.OTHER: "have ids that differ from the encoding of their text",
    Sign.TWO_WAYS: "have ids that differ from the encoding of their text, while others of the same "
    "writer do not: dropout does this, and so do ids that a model sampled",
    Sign.NOT_UTF8: "are not valid UTF-8 as text",
    Sign.NORMALIZED: "have a text that the tokenizer itself never gives, such as one that its "
    "normalizer changes",
    Sign.SPECIAL_AS_TEXT: "spell special tokens as text",
    Sign.SAMPLED: "have responses that are not the encoding of their text, as sampled ids are",
    Sign.CUT: "are cut in the middle of a text",
    Sign.JOINED: "hold texts joined without an end between them",
}
LEVEL = {
    Sign.OTHER: Severity.WARNING,
    Sign.NOT_UTF8: Severity.WARNING,
    Sign.TWO_WAYS: Severity.WARNING,
    Sign.NORMALIZED: Severity.WARNING,
    Sign.SPECIAL_AS_TEXT: Severity.WARNING,
    Sign.SAMPLED: Severity.INFO,
    Sign.CUT: Severity.INFO,
    Sign.JOINED: Severity.INFO,
}


@check(
    "data/own-encoding",
    title="Documents are this tokenizer's own encoding",
    why="Ids that another tokenizer produced stand for other words in this model, even if both "
    "vocabularies have the same size.",
    incident="Ids of another tokenizer were used and nothing said so (Lightning-AI/litgpt#471, "
    "marin-community/marin#301).",
    remedy="Find the tokenizer that wrote the ids (`tokaudit data DATA --among A B`), or tokenize "
    "the texts again with this tokenizer.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    required=True,
    measures=(
        Measured("data/other_encoding", Worse.HIGHER),
        Measured("data/other_encoding_by_shard", Worse.HIGHER),
    ),
    no_example="Its subject is files of ids; the tests write them with other tokenizers.",
)
def own_encoding(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Report each way in which documents differ from a fresh encoding of their text."""
    if scan.tokenizer is None:
        raise Skip(
            "no installed encoder runs this tokenizer, so no id was judged: install the library "
            "that runs it, or give its tokenizer.json"
        )
    killing = scan.total.count(Sign.KILLS)
    if killing:
        yield _of_those_that_kill(scan, scan.tokenizer.info.package)
    if scan.judged:
        yield from _of_those_that_are_judged(scan)
    if undecided := "; ".join(_undecided(scan)):
        raise Skip(undecided)


def _of_those_that_kill(scan: DataScan, library: str) -> Finding:
    which = "documents end" if scan.total.count(Sign.KILLS) > 1 else "document ends"
    what = f"{{n}} {which} the process of {library} that encodes the text again: not judged"
    return sign_finding(scan, Sign.KILLS, Severity.ERROR, what)


def _undecided(scan: DataScan) -> Iterator[str]:
    """Yield the undecided parts of the data, and what would decide them."""
    total, n = scan.total, scan.judged
    if not n and not total.count(Sign.KILLS):
        yield f"no {scan.unit} was decided: {GIVE_MORE}"
    elif shards := list(undecided_shards(scan)):
        names = named(shards, len(scan.shards))
        yield f"more than a quarter of the {scan.units} was not decided {names}; {GIVE_MORE}"
    if (maybe := total.count(Sign.MAYBE_JOINED)) >= UNCLEAR_FROM * max(1, total.drawn):
        yield (
            f"{share(maybe, total.drawn)} {scan.units} differ at few places, at which texts may "
            f"meet without an end; give ids with ends of documents"
        )
    for sign in (Sign.NORMALIZED, Sign.TWO_WAYS):
        count = total.count(sign)
        if count >= UNCLEAR_FROM * max(1, n):
            yield (
                f"{share(count, n)} {scan.units} {WHY[sign]}: whether this tokenizer wrote them is "
                f"not decided; compare with ids that it writes of the source"
            )
    if tokens := _of_few_joints(scan):
        yield (
            f"texts that meet without an end and merges that are missing look alike: half of "
            f"{sum(total.joints.values()):,} places that differ are about {tokens}; give ids with "
            f"ends of documents"
        )
    if tokens := _end_without_a_use(scan):
        yield (
            f"no id that this tokenizer ends texts with is there, and every stream ends in "
            f"{tokens}, for which its files state no use: another tokenizer ends texts with this "
            f"id, or eos_token_id lacks it"
        )


def _end_without_a_use(scan: DataScan) -> str:
    """Name the added token that ends all streams, if none ends with the stated token."""
    left_open = [
        tally.spots(Sign.LEFT_OPEN)
        for name, tally in scan.tallies.items()
        if not scan.shards[name].bounded
    ]
    last = {spot.ids[spot.at] for spots in left_open for spot in spots}
    if len(last) != 1 or not all(left_open) or not last <= {*scan.expected.added}:
        return ""
    (id,) = last
    ends = scan.total.count(Sign.ENDS_WITH)
    return "" if ends else f"{scan.names.get(id, str(id))!r} (id {id})"


def _of_few_joints(scan: DataScan) -> str:
    """Name the few tokens of half of the wrong joints, if the data hardly contains them.

    A writer that lacks the merges of a token never writes it; at the ends of texts it only
    happens not to.
    """
    count = sum(scan.total.joints.values())
    unwritten: Counter[int] = Counter()
    for tally in scan.tallies.values():
        for id, joints in tally.joints.items():
            if tally.counts.get(id, 0) <= joints:
                unwritten[id] += joints
    often = sorted(unwritten, key=lambda id: (-unwritten[id], id))[:FEW_TOKENS]
    if count < MANY_JOINTS or 2 * sum(unwritten[id] for id in often) < count:
        return ""
    return ", ".join(repr(scan.names.get(id, str(id))) for id in often[:3])


def _of_those_that_are_judged(scan: DataScan) -> Iterator[Finding | Measurement]:
    total, n = scan.total, scan.judged
    other = wrong_in(total)
    yield Measurement(
        "data/other_encoding",
        "Documents of another encoding",
        other / n,
        "share",
        n,
        scan.method_of(other),
        wilson(other, n),
    )
    yield from _worst_shards(scan)
    counts = {sign: total.count(sign) for sign in WHY if total.count(sign)}
    if counts.get(Sign.TWO_WAYS, 0) >= counts.get(Sign.OTHER, 0) > 0:  # by one writer of both
        counts[Sign.TWO_WAYS] += counts.pop(Sign.OTHER)
    wrong = {sign: counts.pop(sign) for sign in WRONG if sign in counts}
    if wrong:
        yield _of_wrong_ones(scan, wrong, n)
    if Sign.TWO_WAYS in wrong and len(wrong) > 1:  # how the writer made some of them
        counts[Sign.TWO_WAYS] = wrong[Sign.TWO_WAYS]
    for sign, count in counts.items():
        yield _finding(scan, sign, count, n)


def _of_wrong_ones(scan: DataScan, wrong: Mapping[Sign, int], n: int) -> Finding:
    """Report every wrong document in one finding, counted by kind of fault."""
    count, bad = sum(wrong.values()), wrong_shards(scan)
    leading = next(sign for sign in WRONG if sign in wrong)
    certain = sum(wrong.get(sign, 0) for sign in CERTAIN)
    fails = wrong.get(Sign.OTHER, 0) >= ERROR_FROM * n or (certain and count >= ALL_ERROR_FROM * n)
    level = Severity.ERROR if fails or bad else LEVEL[leading]
    finding = _finding(scan, leading, count, n, wrong)
    if not bad or 2 * len(bad) > len(scan.shards):
        return replace(finding, severity=level)
    places = (*map(shard_place, bad[:MOST_NAMED]), *finding.places)
    message = f"{named(bad, len(scan.shards))}: {finding.message}"
    return replace(finding, severity=level, message=message, places=places)


def _worst_shards(scan: DataScan) -> Iterator[Measurement]:
    """Measure the share of wrong documents in the worst shards."""
    rows = []
    for name, tally in scan.tallies.items():
        if other := wrong_in(tally):
            n = judged_in(tally)
            rows.append((-other / n, name, other, n))
    for _, name, other, n in sorted(rows)[:WORST]:
        yield Measurement(
            "data/other_encoding_by_shard",
            "Documents of another encoding",
            other / n,
            "share",
            n,
            f"the {WORST} worst shards; {scan.method}",
            wilson(other, n),
            dimensions={"shard": name},
        )


def _finding(
    scan: DataScan, sign: Sign, count: int, n: int, wrong: Mapping[Sign, int] | None = None
) -> Finding:
    """Report a sign, or all wrong documents if it is their most common sign."""
    spots = scan.total.spots(sign)
    message = f"{share(count, n)} {scan.units} {_why(sign, wrong or {})}"
    if scan.share < 1:
        low, high = wilson(count, n)
        message += f"; between {low:.3%} and {high:.3%} of all, with 95 % confidence"
    message += _one_token(scan) if sign is Sign.OTHER else ""
    message += _moved(scan) if wrong else ""
    if spots:
        message += f"; the first: {where(spots[0])}: {quoted(spots[0].text)}"
    evidence = tuple(_pair(scan, spot) for spot in spots[:3] if spot.own)
    return Finding(LEVEL[sign], message, tuple(map(place_of, spots)), evidence, cause=str(sign))


def _why(sign: Sign, wrong: Mapping[Sign, int]) -> str:
    if len(wrong) < 2:
        return WHY[sign]
    each = "; ".join(f"{count:,} {WHY[one]}" for one, count in wrong.items())
    return f"are not this tokenizer's encoding ({each})"


def _moved(scan: DataScan) -> str:
    """Name the one mistake that explains the wrong ids, if all tried documents share it."""
    moved, tried = scan.total.moved, scan.total.tried
    always = [step for step, count in moved.items() if count == tried]
    if tried < LEAST_MOVED or len(always) != 1:
        return ""
    (step,) = always
    if step == SWAPPED:
        return "; with the bytes of each id in the other order they are its encoding"
    word, done = ("too high", "taken away") if step > 0 else ("too low", "added")
    return f"; each id is {abs(step):,} {word}: with that {done}, they are its encoding"


def _one_token(scan: DataScan) -> str:
    """Name the single token that all first differences are about, if there is one."""
    tokens = scan.total.tokens
    if len(tokens) != 1 or sum(tokens.values()) < 3:
        return ""
    (id,) = tokens
    return (
        f"; all first differ where this tokenizer gives {scan.names.get(id, str(id))!r} (id {id})"
    )


def _pair(scan: DataScan, spot: Spot) -> Evidence:
    return text_evidence(
        spot.text, spot.own, spot.ids, scan.names, ("encoded", "on disk"), where(spot)
    )
