"""The tokenizer's files can be read at all."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.check import check
from tokaudit.errors import NotApplicable
from tokaudit.needs import Representations
from tokaudit.words import Basis, Finding, Place, Severity


@check(
    "vocab/parses",
    title="Every tokenizer file parses",
    why="A file that one loader reads and another refuses makes the model work on one machine "
    "and fail, or fall back on an older copy, on the next.",
    remedy="Correct the place named, or delete the file if another one is meant.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    required=True,
)
def parses(representations: Representations) -> Iterator[Finding]:
    """Report each representation whose files do not parse, with the place."""
    if not representations.all:
        raise NotApplicable("no tokenizer file of a known format is here")
    for item in representations.all:
        if item.error:
            file = item.files[0] if item.files else ""
            yield Finding(
                Severity.ERROR,
                f"{file or item.format} cannot be read as {item.format}: {item.error}",
                (Place("vocab", file, item.pointer),),
                cause=f"{item.format} {file}",
            )
