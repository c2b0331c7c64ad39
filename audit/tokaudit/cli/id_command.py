"""`tokaudit id A [B]`: a short id of each; equal ids prove equal behaviour."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence

from tokaudit.cli.options.one_line import OneLineParser
from tokaudit.cli.options.settings import given
from tokaudit.cli.options.shared import add_quiet, add_subject
from tokaudit.engine.settings.settings import Identified
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import values

EXAMPLES = """\
examples:
  tokaudit id path/to/checkpoint
  tokaudit id path/to/base path/to/finetuned
  tokaudit id path/to/checkpoint --rendering
  tokaudit id path/to/tokenizer.json --check id1-u7613a643-0123456789abcdef0123456789abcdef
"""
SHOWS = "the ids differ; tokaudit compare {} shows a text, or proves that there is none"
PARTS = 3  # of an id: its kind, its version of Unicode, its digits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject, and another one or an expected id."""
    if isinstance(parser, OneLineParser):
        parser.two_names = (
            "; id takes one tokenizer or two; compare more with tokaudit compare A B C"
        )
    add_subject(parser, Identified)
    parser.add_argument(
        "other",
        metavar="B",
        nargs="?",
        help="a second tokenizer; exit with code 1 unless both tokenizers have one short id",
    )
    add_quiet(parser)
    parser.add_argument(
        "--check",
        metavar="ID",
        help="exit with code 1 unless the tokenizer has this id (default: print the id)",
    )


def run(options: argparse.Namespace) -> int:
    """Print ids; return 1 if they differ, 3 for another Unicode table, else 0."""
    wanted = options.check
    if options.other is not None and wanted is not None:
        raise UsageError(
            "--check compares one tokenizer with a short id; leave the second tokenizer out"
        )
    begins = "rendering1-u" if options.rendering else "id1-u"
    if wanted is not None and not (wanted.startswith(begins) and wanted.count("-") == PARTS - 1):
        raise UsageError(
            f"--check {wanted!r}: is not an id of tokaudit, such as {begins}7613a643-..."
        )
    from tokaudit.cli.terminal.streams import note, say, written
    from tokaudit.products.identity.identifying import identify

    settings = values(given(options, Identified))
    names = [options.subject] + [options.other] * (options.other is not None)
    every = [identify(name, **settings) for name in names]
    found = every[0]
    if not options.quiet:
        for each in every:
            for part, why in each.as_listed.items():
                note(
                    f"not canonical: {part} is hashed as written, so two spellings of it give "
                    f"two ids: {why}\n"
                )
    if options.other is not None:
        return _compared(names, [each.id for each in every], options.quiet)
    code = 0
    if wanted is not None and wanted != found.id:
        same_tables = wanted.rpartition("-")[0] == found.id.rpartition("-")[0]
        code = 1 if same_tables else 3
        if not options.quiet:
            note("another id\n" if same_tables else "an id made with another table of Unicode\n")
    return written(code, lambda: say(f"{found.id}\n"))


def _compared(names: Sequence[str], ids: Sequence[str], quiet: bool) -> int:
    """Print both ids with names, and how to see what differs."""
    from tokaudit.cli.terminal.streams import note, say, written
    from tokaudit.report.visible import visible

    same = ids[0] == ids[1]
    lines = "".join(f"{id}  {visible(name)}\n" for id, name in zip(ids, names, strict=True))
    code = written(0 if same else 1, lambda: say(lines))
    if not quiet:
        shown = " ".join(shlex.quote(name) for name in names)
        note("equal ids: equal behaviour\n" if same else visible(SHOWS.format(shown)) + "\n")
    return code
