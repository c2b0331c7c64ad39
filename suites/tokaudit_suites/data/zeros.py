"""Runs of the id 0 that the tokenizer does not produce."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    DecodeOptions,
    EncodeOptions,
    Finding,
    Harm,
    Measurement,
    NotApplicable,
    Severity,
    Skip,
    Tokenizer,
    UpstreamTrouble,
    check,
)
from tokaudit.products.data.ids.counts.tally import Sign
from tokaudit.products.data.ids.counts.zeros import AT_END, INSIDE
from tokaudit.products.data.ids.plan import BEGIN, END, PAD
from tokaudit.products.data.work.scan import DataScan
from tokaudit_suites.data._places import share, sign_finding
from tokaudit_suites.shared.repairs import DATA_FROM_ITS_SOURCE

SOME = 0.001  # of all ids; from here on part of the data is not there
RARE = tuple(map(chr, range(0x13000, 0x13020)))  # hieroglyphs, which are unknown to most


@check(
    "data/zeros",
    title="No part is filled with zeros",
    why="A data file holds zeros where nothing was written, and rows may be padded with zeros. A "
    "model that learns from zeros that stand for no token learns to repeat the token with id 0.",
    incident="Padding was the id 0, which is a word of Llama 3 (AI-Hypercomputer/maxtext PR#1416).",
    remedy="Write the zero parts again from their source, or pad with the tokenizer's own pad "
    "token.",
    repair=DATA_FROM_ITS_SOURCE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    no_example="Its subject is files of ids; the tests leave parts of them at zero.",
)
def zeros(scan: DataScan) -> Iterator[Finding | Measurement]:
    """Report runs of zeros as an error, a few zeros as a warning."""
    total = scan.total
    if not scan.expected.size or scan.expected.flags[0] & (BEGIN | END | PAD):
        raise NotApplicable("the id 0 begins, ends or pads texts")
    ids = total.count(Sign.ZERO_IDS)
    if not ids or _gives_zeros(scan.tokenizer):
        return
    severity = Severity.ERROR if ids >= SOME * total.ids else Severity.WARNING
    token = scan.names.get(0, "0")
    what = f"runs of the id 0 ({token!r}) that this tokenizer never produces: {{n}}, "
    what += f"in all {share(ids, total.ids)} ids"
    yield sign_finding(scan, Sign.ZEROS, severity, what)


def _gives_zeros(tokenizer: Tokenizer | None) -> bool:
    """Return whether the tokenizer itself encodes some text to a run of zeros."""
    if tokenizer is None:
        raise Skip("nothing that runs this tokenizer decodes")
    try:
        decoded = tokenizer.decode([[0] * AT_END, [0] * INSIDE], DecodeOptions())
        texts = [
            each if isinstance(each, str) else each.decode("utf-8", "replace") for each in decoded
        ]
        texts += ["".join(RARE), " ".join(RARE)]
        encodings = tokenizer.encode(texts, EncodeOptions(parse_special=False))
    except UpstreamTrouble as error:
        raise Skip(f"the text of the id 0 cannot be decoded: {error}") from error
    return any(_repeats(each.ids) for each in encodings)


def _repeats(ids: tuple[int, ...]) -> bool:
    """Return whether zeros occur in a row.

    >>> _repeats((1, 0, 0, 0, 0, 2)), _repeats((0, 0, 1, 0, 0))
    (True, False)
    """
    return any(not any(ids[at : at + AT_END]) for at in range(len(ids) - AT_END + 1))
