"""The findings about labels as masked language models learn them."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Finding,
    Severity,
)
from tokaudit.products.data.ids.counts.tally import Sign
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import share, sign_finding

FEW = 0.5
FAULTS = (
    (
        Sign.LABELS_ASTRAY,
        Severity.ERROR,
        "{n} rows have labels of other ids than theirs, which masks do not explain",
    ),
    (Sign.PAD_LEARNED, Severity.WARNING, "{n} ids of padding have labels"),
)


def of_masks(scan: DataScan) -> Iterator[Finding]:
    """That most labels are of masks, and what does not fit that; a short row may have no label."""
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
