"""Checks that labels, masks and positions fit the ids next to them."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Measurement, Severity, check
from tokaudit.products.data.ids.counts.masks import are_masked
from tokaudit.products.data.ids.counts.tally import Sign
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import place_of, share, sign_finding
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

LABELS = (
    (
        Sign.LABELS_SHIFTED,
        Severity.ERROR,
        "{n} rows have labels that are the ids one place further on",
    ),
    (
        Sign.LABEL_OTHER,
        Severity.ERROR,
        "{n} labels are neither the id of their place nor -100",
        Sign.LABEL_OF_MASK,
    ),
    (Sign.PAD_LEARNED, Severity.WARNING, "{n} ids of padding have labels"),
)
NEXT_TO_IDS = (
    (
        Sign.POSITION_JUMP,
        Severity.ERROR,
        "{n} positions neither go on by one nor begin again from 0",
    ),
    (Sign.MASK_ON_PAD, Severity.WARNING, "{n} ids of padding are not masked"),
    (Sign.MASK_OFF_TEXT, Severity.WARNING, "{n} ids that are not padding are masked"),
)
FEW = 0.5
FAULTS = (
    (
        Sign.LABELS_ASTRAY,
        Severity.ERROR,
        "{n} rows have labels of other ids than theirs, which masks do not explain",
    ),
    (Sign.PAD_LEARNED, Severity.WARNING, "{n} ids of padding have labels"),
)


@check(
    "data/labels",
    title="Labels are the ids or -100",
    why="Trainers themselves shift the labels by one position, so that a model learns the next "
    "token. If a data file already contains labels that are one position ahead, the model learns "
    "the token after next; if labels differ from the ids at their positions in any other way, the "
    "model learns noise.",
    incident="Labels were the ids, prompts among them (huggingface/open-r1#517), or shifted once "
    "too little (KempnerInstitute/KempnerForge PR#155).",
    remedy="As labels, write the ids themselves, or the ids that the mask token replaces, and "
    "-100 wherever the model should learn nothing.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    no_example="Its subject is files of ids; the tests write labels that are shifted.",
)
def labels(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Report labels of other ids as errors, tokens wrongly in or out of the loss as warnings."""
    count = scan.total.count
    for sign, severity, what in NEXT_TO_IDS:
        if count(sign):
            yield sign_finding(scan, sign, severity, what)
    unlike = count(Sign.LABELS_UNLIKE)
    if unlike:
        yield _unlike(scan, unlike)
    if unlike <= FEW * scan.total.documents:
        yield from _of_these_ids(scan)


def _unlike(scan: DataScan, unlike: int) -> Finding:
    """Report labels unlike ids: a few rows are broken; most rows are an encoder-decoder's."""
    rows = scan.total.documents
    spot = scan.total.spots(Sign.LABELS_UNLIKE)[0]
    if unlike > FEW * rows:
        severity = Severity.INFO
        what = (
            f"{share(unlike, rows)} rows have more or fewer labels than ids, as where a decoder "
            f"learns another text than its encoder reads; they were not held to the ids. The "
            f"first: {spot.shard}, document {spot.document:,}, with {spot.text}"
        )
    else:
        severity = Severity.ERROR
        more = f"; {unlike:,} such rows" if unlike > 1 else ""
        labels, ids = spot.text.split(" for ")
        what = (
            f"{spot.shard}, document {spot.document}: labels has {labels} entries for {ids}{more}"
        )
    return Finding(severity, what, (place_of(spot),), cause=str(Sign.LABELS_UNLIKE))


def _of_these_ids(scan: DataScan) -> Iterator[Finding]:
    """Report faults in labels that repeat the ids next to them."""
    count = scan.total.count
    others = count(Sign.LABEL_OTHER), count(Sign.LABEL_OWN)
    if are_masked(count(Sign.LABEL_OF_MASK), *others, scan.total.ids):
        yield from _of_masks(scan)
        return
    rows = sum(map(count, (Sign.LABELS_NONE, Sign.LABELS_ALL, Sign.LABELS_PARTLY)))
    for sign, severity, what, *also in LABELS:
        if scan.total.event(sign, *also).count:
            yield sign_finding(scan, sign, severity, what, also=also)
    if none := count(Sign.LABELS_NONE):
        what = f"{none:,} of {rows:,} rows have no label, so nothing is learned of them"
        level = Severity.ERROR if none == rows else Severity.WARNING
        yield sign_finding(scan, Sign.LABELS_NONE, level, what)
    ends = count(Sign.END_LEARNED) + (missed := count(Sign.END_NOT_LEARNED))
    if missed:
        what = f"the end of text has no label in {share(missed, ends)} rows: it is not learned"
        yield sign_finding(scan, Sign.END_NOT_LEARNED, Severity.WARNING, what)
    whole, partly = count(Sign.LABELS_ALL), count(Sign.LABELS_PARTLY)
    if 0 < whole < FEW * (whole + partly):
        what = f"{share(whole, rows)} rows have a label for every id, prompts included"
        yield sign_finding(scan, Sign.LABELS_ALL, Severity.WARNING, what)


def _of_masks(scan: DataScan) -> Iterator[Finding]:
    """Report data with mostly masked labels, and rows that do not fit; short ones may lack them."""
    count = scan.total.count
    masks, others, own = map(count, (Sign.LABEL_OF_MASK, Sign.LABEL_OTHER, Sign.LABEL_OWN))
    what = (
        f"{share(masks, masks + others + own)} labels are of ids that the mask token replaces, as "
        f"masked language models learn them; of the others {own:,} are the id of their place and "
        f"{others:,} are not. Documents are decoded with labels in place of masked ids"
    )
    yield sign_finding(scan, Sign.LABEL_OF_MASK, Severity.INFO, what)
    for sign, severity, fault in FAULTS:
        if count(sign):
            yield sign_finding(scan, sign, severity, fault)
    none, some = count(Sign.LABELS_NONE), count(Sign.LABELS_ALL) + count(Sign.LABELS_PARTLY)
    if none > FEW * (none + some):
        what = f"{none:,} of {none + some:,} rows have no label, so nothing is learned of them"
        yield sign_finding(scan, Sign.LABELS_NONE, Severity.WARNING, what)
