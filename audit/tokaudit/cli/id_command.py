"""`tokaudit id SUBJECT`: one short id; equal ids prove equal behaviour."""

from __future__ import annotations

import argparse

from tokaudit.cli.options.settings import given
from tokaudit.cli.options.shared import add_quiet, add_subject
from tokaudit.engine.settings.settings import Opening
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import values

EXAMPLES = """\
examples:
  tokaudit id path/to/checkpoint
  tokaudit id path/to/tokenizer.json --check id1-u7613a643-0123456789abcdef0123456789abcdef
"""
PARTS = 3  # of an id: its kind, its version of Unicode, its digits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subject, and an id that it should have."""
    add_subject(parser, Opening)
    add_quiet(parser)
    parser.add_argument(
        "--check", metavar="ID", help="exit 1 unless the id is this one (default: print it)"
    )


def run(options: argparse.Namespace) -> int:
    """0, or with `--check` 1 for another id, 3 for one made with another table of Unicode."""
    wanted = options.check
    if wanted is not None and not (wanted.startswith("id1-u") and wanted.count("-") == PARTS - 1):
        raise UsageError(f"--check {wanted!r}: is not an id of tokaudit, such as id1-u7613a643-...")
    from tokaudit.cli.terminal.streams import note, say, written
    from tokaudit.products.identity.identifying import identify

    found = identify(options.subject, **values(given(options, Opening)))
    if not options.quiet:
        for part, why in found.as_listed.items():
            note(f"not canonical: {part} enters as it is written: {why}\n")
    code = 0
    if wanted is not None and wanted != found.id:
        same_tables = wanted.rpartition("-")[0] == found.id.rpartition("-")[0]
        code = 1 if same_tables else 3
        if not options.quiet:
            note("another id\n" if same_tables else "an id made with another table of Unicode\n")
    return written(code, lambda: say(f"{found.id}\n"))
