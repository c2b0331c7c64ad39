"""Checks that documents begin and end once, alike, and with the tokenizer's own tokens."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Measurement, NotApplicable, Severity, check
from tokaudit.products.data.ids.counts.tally import Sign, Spot
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import around, place_of, shard_place, share, sign_finding
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

FEW = 0.5  # of documents; what fewer do is not what the others do
LEAST = 8  # documents, below which nothing is said of a habit
NEARLY_ALL = 0.9
SOME = 0.01  # of documents, from which on a fault is their writer's
CUT = "; those that do not are as long as the longest, as rows that cut texts are"
LONG = 1 << 16  # ids without an end, after which a stream has none
LEAST_SHARDS = 8
MOST_OPEN = 0.1  # of shards; writers that fill shards to one size leave nearly all open


@check(
    "data/boundaries",
    title="Documents begin and end once, in one way",
    why="If documents of a corpus have no end token, a model learns that texts run into each "
    "other; with two end tokens in a row, a model learns to go on after the end.",
    incident="Every tokenizer was given the end of text of one of them "
    "(huggingface/datatrove#489).",
    remedy="Write the ids again, with one end token and the same beginning for each document.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    no_example="Its subject is files of ids; the tests write them without an end and with two.",
)
def boundaries(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Report each habit that documents do not share."""
    count, expected = scan.total.count, scan.expected
    if not expected.end and not expected.begin:
        raise NotApplicable("the tokenizer names neither a beginning nor an end of text")
    if count(Sign.BEGINS_TWICE) and not _filled_up(scan, expected.begin):
        level = _level(scan, Sign.BEGINS_TWICE, scan.total.documents)
        yield sign_finding(scan, Sign.BEGINS_TWICE, level, "{n} documents begin twice")
    if count(Sign.ENDS_TWICE):
        yield _twice(scan)
    if count(Sign.EMPTY):
        yield sign_finding(scan, Sign.EMPTY, Severity.WARNING, "{n} documents hold no id")
    if some := count(Sign.NO_TEXT):
        what = f"{share(some, scan.total.documents)} documents hold no text, only ids around one"
        yield sign_finding(scan, Sign.NO_TEXT, Severity.INFO, what)
    if scan.expected.begin and not _packed(scan):
        yield from _mixed(scan, Sign.BEGINS_WITH, Sign.BEGINS_WITHOUT, "begin", expected.begin)
    if scan.expected.end:
        yield from _mixed(scan, Sign.ENDS_WITH, Sign.ENDS_WITHOUT, "end", expected.end)
        yield from _none(scan)
        yield from _cut_shards(scan)
    yield from _unended(scan)
    inside = count(Sign.END_INSIDE)
    few = 0 < inside < FEW * scan.total.documents
    if few and scan.total.documents >= LEAST and not _packed(scan):
        what = f"{share(inside, scan.total.documents)} documents have an end of text inside"
        yield sign_finding(scan, Sign.END_INSIDE, Severity.WARNING, what)


def _packed(scan: DataScan) -> bool:
    """Return whether nearly all rows are full, with documents that begin and end inside them."""
    full = sum(tally.full.cut.rows for tally in scan.tallies.values())
    return full >= max(LEAST, NEARLY_ALL * scan.total.documents)


def _cut(scan: DataScan) -> bool:
    """Return whether nearly all rows without an end are full."""
    open_ = sum(tally.full.cut.open for tally in scan.tallies.values())
    return open_ >= NEARLY_ALL * scan.total.count(Sign.ENDS_WITHOUT) > 0


def _filled_up(scan: DataScan, ids: tuple[int, ...]) -> bool:
    """Return whether rows of one length are padded with an id that ends texts."""
    return bool({*ids} & {*scan.expected.end}) and _packed(scan)


def _twice(scan: DataScan) -> Finding:
    """Report two ends in a row; in a stream, an empty document looks the same."""
    if _filled_up(scan, scan.expected.end):
        what = "{n} rows, which have one length, are filled up with ends of text"
        return sign_finding(scan, Sign.ENDS_TWICE, Severity.INFO, what)
    streams = [name for name, info in scan.shards.items() if not info.bounded]
    if not any(scan.tallies[name].count(Sign.ENDS_TWICE) for name in streams):
        level = _level(scan, Sign.ENDS_TWICE, scan.total.documents)
        return sign_finding(scan, Sign.ENDS_TWICE, level, "{n} documents end twice")
    ends = scan.total.count(Sign.ENDS_WITH) - scan.total.count(Sign.ENDS_TWICE)
    all_of_them = scan.total.count(Sign.ENDS_TWICE) >= NEARLY_ALL * ends
    what = "{n} ends of text follow another: documents end twice or are empty"
    level = Severity.ERROR if all_of_them else Severity.WARNING
    return sign_finding(scan, Sign.ENDS_TWICE, level, what)


def _level(scan: DataScan, sign: Sign, documents: int) -> Severity:
    """Return an error if enough documents have the fault; fewer may be special texts."""
    return Severity.ERROR if scan.total.count(sign) >= SOME * documents else Severity.WARNING


def _mixed(
    scan: DataScan, has: Sign, lacks: Sign, verb: str, ids: tuple[int, ...]
) -> Iterator[Finding]:
    """Report that some documents have a sign and others lack it."""
    count = scan.total.count
    yes, no = count(has), count(lacks)
    if not (yes and no) or yes + no < LEAST:
        return
    token = scan.names.get(ids[0], str(ids[0]))
    usual, rare = (has, lacks) if yes >= no else (lacks, has)
    how = f"{verb} with {token!r} (id {ids[0]})"
    what = f"{share(count(usual), yes + no)} documents {'' if usual is has else 'do not '}{how}; "
    what += "{n} do" + (" not" if rare is lacks else "")
    cut = lacks is Sign.ENDS_WITHOUT and _cut(scan)
    what += CUT if cut else ""
    level = Severity.INFO if cut else Severity.WARNING
    sampled = any(info.rollout for info in scan.shards.values())
    if lacks is Sign.ENDS_WITHOUT and not (cut or sampled):
        level = _level(scan, rare, yes + no)
    yield sign_finding(scan, rare, level, what, cause=f"{verb} is mixed")


def _none(scan: DataScan) -> Iterator[Finding]:
    """Report that no document ends, by stated bounds or in a long stream."""
    count, end = scan.total.count, scan.expected.end
    token = scan.names.get(end[0], str(end[0]))
    if count(Sign.ENDS_WITHOUT) >= LEAST and not count(Sign.ENDS_WITH):
        what = f"no document ends with {token!r} (id {end[0]})"
        level = Severity.WARNING
        if _cut(scan) and count(Sign.END_INSIDE):
            what, level = what + CUT, Severity.INFO
        yield sign_finding(scan, Sign.ENDS_WITHOUT, level, what, cause="no end")
    for name, info in scan.shards.items():
        tally = scan.tallies[name]
        if not info.bounded and tally.ids >= LONG and not tally.count(Sign.ENDS_WITH):
            yield Finding(
                Severity.WARNING,
                f"{name}: {tally.ids:,} ids hold no end of text {token!r} (id {end[0]})",
                (shard_place(name),),
                cause="no end in a stream",
            )


def _unended(scan: DataScan) -> Iterator[Finding]:
    """Report beginnings inside documents with no end before them, if other documents end."""
    if not any(scan.total.counts.get(id) for id in scan.expected.end):
        return
    spots = scan.total.spots(Sign.BEGIN_UNENDED)
    if not spots:
        return
    what = "{n} beginnings of text are inside documents without an end before them"
    cut = [spot for spot in spots if _within_a_word(scan, spot)]
    what += "; words are cut there" if 2 * len(cut) > len(spots) else ""
    yield sign_finding(scan, Sign.BEGIN_UNENDED, Severity.WARNING, what)


def _within_a_word(scan: DataScan, spot: Spot) -> bool:
    """Return whether the ids on both sides of a beginning are parts of one word."""
    around = spot.ids[max(0, spot.at - 1) : spot.at], spot.ids[spot.at + 1 : spot.at + 2]
    before, after = ("".join(scan.names.get(id, "") for id in ids) for ids in around)
    return before[-1:].isalnum() and after[:1].isalnum()


def _cut_shards(scan: DataScan) -> Iterator[Finding]:
    """Report the few shards whose last document has no end."""
    ended = [name for name, tally in scan.tallies.items() if tally.count(Sign.ENDS_WITH)]
    open_ = [name for name in ended if scan.tallies[name].count(Sign.LEFT_OPEN)]
    if len(ended) < LEAST_SHARDS or len(open_) > MOST_OPEN * len(ended):
        return
    for name in open_:
        spots = scan.tallies[name].spots(Sign.LEFT_OPEN)
        yield Finding(
            Severity.ERROR,
            f"{name} ends in the middle of a document; the last document of "
            f"{len(ended) - len(open_):,} other shards has its end",
            (shard_place(name), *map(place_of, spots)),
            tuple(around(scan, spot) for spot in spots[:1]),
            cause="cut shard",
        )
