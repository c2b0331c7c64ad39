"""The page of all checks, written from the checks themselves: `python -m check_pages`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tokaudit.cli.check_page import section
from tokaudit.engine.check import Check, all_checks

HEAD = """\
# The checks

Written from the checks by `make docs`; `tokaudit checks ID` prints the same.
An example has a line for each file; those under `base/` and `against/` are what `--base` and
`--against` name. Of weights the rows of each matrix are shown, of a GGUF file its keys, of a
SentencePiece model its pieces and what its trainer wrote. `"a": 0, ..., "z": 25` leaves out the 24
entries between."""


def page(checks: Sequence[Check]) -> str:
    """Markdown: a heading for each suite, a section for each check."""
    parts = [HEAD]
    for suite, members in groupby(checks, key=lambda check: check.suite):
        parts.append(f"## {suite}")
        parts.extend(section(check) for check in members)
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    print(page(all_checks()), end="")
