"""`tokaudit vectors SUBJECT`: texts with their ids, for an engine's own tests; or their replay."""

from __future__ import annotations

import argparse

from tokaudit.cli.options.settings import add_settings, given, refuse_unused
from tokaudit.cli.options.shared import SUBJECT_HELP, add_quiet
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import values

SHOWN = 20  # lines that a runtime does not give
UNVERIFIABLE = 3  # the exit code where lines could not be given
EXAMPLES = """\
examples:
  tokaudit vectors path/to/checkpoint --out vectors.json
  tokaudit vectors path/to/checkpoint --replay vectors.json --runtime fastokens
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject, the output, or the file to replay and its runtime."""
    from tokaudit.products.engines.vectors import ReplaySettings

    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    add_settings(parser, ReplaySettings)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write the test vectors to this file (default: print the test vectors)",
    )
    parser.add_argument(
        "--replay",
        metavar="FILE",
        help="check that a runtime produces the ids of the test vectors in this file (default: "
        "write test vectors)",
    )
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    """Write vectors or replay them; return 1 for other answers, 3 for unsupported lines."""
    return _replay(options) if options.replay else _write(options)


def _write(options: argparse.Namespace) -> int:
    from pathlib import Path

    from tokaudit.cli.terminal.streams import note, say
    from tokaudit.engine.settings.settings import BareFiles
    from tokaudit.products.engines.vectors import ReplaySettings, vectors, written
    from tokaudit.report.saving import refuse_unwritable, save

    refuse_unused(options, ReplaySettings, (BareFiles,), "needs --replay FILE")
    if options.out:
        refuse_unwritable(Path(options.out))
    found = vectors(options.subject, **values(given(options, BareFiles)))
    if not options.out:
        say(written(found))
        return 0
    save(Path(options.out), written(found))
    if not options.quiet:
        note(f"{options.out}: {len(found.lines)} lines, digest {found.digest}\n")
    return 0


def _replay(options: argparse.Namespace) -> int:
    from tokaudit.cli.terminal import streams
    from tokaudit.products.engines.vectors import ReplaySettings, replay
    from tokaudit.report.visible import visible

    if options.out:
        raise UsageError("vectors --replay writes no file; leave out --out")
    asked = values(given(options, ReplaySettings))
    found = replay(options.subject, options.replay, **asked)
    for what, count in found.not_given.items():
        streams.say(f"not given to it: {count:,} {what}\n")
    for each in found.failed[:SHOWN]:
        streams.say(f"{visible(each.in_words())}\n")
    if not options.quiet:
        failed = f"{len(found.failed):,} answers are not those of the file"
        streams.note(f"{found.given:,} lines given; {failed}\n")
    if found.failed:
        return 1
    return 0 if found.whole else UNVERIFIABLE
