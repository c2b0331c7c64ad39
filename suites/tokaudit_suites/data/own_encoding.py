"""Are the ids those that this tokenizer makes of their text?"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from tokaudit.comparison.evidence import text_evidence
from tokaudit.engine.check import check
from tokaudit.engine.data.scan import JUDGED, DataScan
from tokaudit.engine.measure import wilson
from tokaudit.engine.measured import Measured, Worse
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Basis, Evidence, Finding, Harm, Measurement, Severity
from tokaudit.runtimes.ids.counts.tally import Sign, Spot
from tokaudit_suites.data._places import place_of, quoted, share, sign_finding, where
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

NOT_ITS_OWN = (Sign.OTHER, Sign.TWO_WAYS, Sign.NOT_UTF8)
WORST = 10  # shards that are named with their share
ERROR_FROM = {Sign.OTHER: 0.01, Sign.NOT_UTF8: 0.1}
"""The share of documents from which on the ids are not this tokenizer's.

A text has no byte that is not UTF-8; ids of another tokenizer, read by this one, often have some.
"""
WHY = {
    Sign.OTHER: "have ids that are not those of their text",
    Sign.TWO_WAYS: "have ids that are not those of their text, which others of the same writer "
    "are: as with dropout, or with ids that a model has sampled",
    Sign.NOT_UTF8: "are not valid UTF-8 as text",
    Sign.NORMALIZED: "have a text that the tokenizer itself never gives, such as one that its "
    "normalizer changes",
    Sign.SPECIAL_AS_TEXT: "spell special tokens as text",
    Sign.SAMPLED: "have responses that are not the own encoding of their text, as sampled ids are",
    Sign.CUT: "are cut in the middle of a text",
}
LEVEL = {
    Sign.OTHER: Severity.WARNING,
    Sign.NOT_UTF8: Severity.WARNING,
    Sign.TWO_WAYS: Severity.WARNING,
    Sign.NORMALIZED: Severity.WARNING,
    Sign.SPECIAL_AS_TEXT: Severity.WARNING,
    Sign.SAMPLED: Severity.INFO,
    Sign.CUT: Severity.INFO,
}


@check(
    "data/own-encoding",
    title="Documents are this tokenizer's own encoding",
    why="Ids of another tokenizer are other words to the model, even where both have the same "
    "number of tokens.",
    incident="Ids of another tokenizer were used and nothing said so (Lightning-AI/litgpt#471, "
    "marin-community/marin#301).",
    remedy="Name the tokenizer that wrote the ids (`tokaudit data DATA --among A B`), or write "
    "them again with this one.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    measures=(
        Measured("data/other_encoding", Worse.HIGHER),
        Measured("data/other_encoding_by_shard", Worse.HIGHER),
    ),
    no_example="Its subject is files of ids; the tests write them with other tokenizers.",
)
def own_encoding(scan: DataScan) -> Iterator[Finding | Measurement]:
    """One finding for each way in which documents are not what encoding their text gives."""
    if scan.tokenizer is None:
        raise Skip("nothing that runs this tokenizer decodes")
    killing = scan.total.count(Sign.KILLS)
    if killing:
        yield _of_those_that_kill(scan, scan.tokenizer.info.package)
    if scan.judged:
        yield from _of_those_that_are_judged(scan)
    elif not killing:
        raise NotApplicable("no document was drawn whose text comes back by decoding")


def _of_those_that_kill(scan: DataScan, library: str) -> Finding:
    which = "documents end" if scan.total.count(Sign.KILLS) > 1 else "document ends"
    what = f"{{n}} {which} the process of {library} that encodes the text again: not judged"
    return sign_finding(scan, Sign.KILLS, Severity.ERROR, what)


def _of_those_that_are_judged(scan: DataScan) -> Iterator[Finding | Measurement]:
    total, n = scan.total, scan.judged
    other = sum(map(total.count, NOT_ITS_OWN))
    yield Measurement(
        "data/other_encoding",
        "Documents of another encoding",
        other / n,
        "share",
        n,
        scan.method,
        wilson(other, n),
    )
    yield from _worst_shards(scan)
    counts = {sign: total.count(sign) for sign in WHY}
    if counts[Sign.TWO_WAYS] >= counts[Sign.OTHER]:  # then the writer is one that makes both
        counts[Sign.TWO_WAYS] += counts.pop(Sign.OTHER)
    for sign, count in counts.items():
        if count:
            yield _finding(scan, sign, count, n)


def _worst_shards(scan: DataScan) -> Iterator[Measurement]:
    """The share of documents of another encoding in the shards that have most of them."""
    rows = []
    for name, tally in scan.tallies.items():
        n = sum(map(tally.count, JUDGED))
        if other := sum(map(tally.count, NOT_ITS_OWN)):
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


def _finding(scan: DataScan, sign: Sign, count: int, n: int) -> Finding:
    words = f"{share(count, n)} documents {WHY[sign]}"
    spots = scan.total.spots(sign)
    severity = Severity.ERROR if count >= ERROR_FROM.get(sign, inf) * n else LEVEL[sign]
    low, high = wilson(count, n)
    message = f"{words}; with 95 %: {low:.3%} to {high:.3%} of all"
    message += _one_token(scan) if sign is Sign.OTHER else ""
    if spots:
        message += f"; {where(spots[0])}: {quoted(spots[0].text)}"
    evidence = tuple(_pair(scan, spot) for spot in spots[:3] if spot.own)
    return Finding(severity, message, tuple(map(place_of, spots)), evidence, cause=str(sign))


def _one_token(scan: DataScan) -> str:
    """That all first differences are about one token, where they are."""
    tokens = scan.total.tokens
    if len(tokens) != 1 or sum(tokens.values()) < 3:
        return ""
    (id,) = tokens
    return f"; each first differs where encoding gives {scan.names.get(id, str(id))!r} (id {id})"


def _pair(scan: DataScan, spot: Spot) -> Evidence:
    return text_evidence(
        spot.text, spot.own, spot.ids, scan.names, ("encoded", "on disk"), where(spot)
    )
