"""`tokaudit demo [DIR]`: three small checkpoints, audited, and the page of one that fails."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tokaudit.cli.options.shared import add_quiet

FOLDER = "tokaudit-demo"
OPENED = "finetuned"  # whose page shows a text with the tokens of both sides
WITH_THEM = (
    "models/base, models/chat, corpus.txt, held-out.txt, conversations.jsonl, ids/, tokaudit.toml"
)
EXAMPLES = """\
examples:
  tokaudit demo
  tokaudit demo my-folder --no-open
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the folder, and whether to open a browser."""
    parser.add_argument(
        "folder",
        nargs="?",
        default=FOLDER,
        metavar="DIR",
        help="the new folder for the demo: checkpoints, pages, a corpus, token ids and a gate "
        f"(default: {FOLDER})",
    )
    parser.add_argument(
        "--no-open",
        action="store_true",
        help="do not open the demo's page in a browser (default: open the page if there is a "
        "display)",
    )
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    """Write, audit, and describe each; return 0 though two fail by design."""
    from tokaudit.cli.terminal.streams import note, say, written
    from tokaudit.products.demo.showing import demo, refuse_taken
    from tokaudit.report.visible import visible

    refuse_taken(Path(options.folder))
    if not options.quiet:
        note("Writing three small checkpoints and auditing them takes about half a minute\n")
    shown = demo(options.folder)
    lines = [
        line
        for each in shown
        for line in (
            f"{each.report.verdict.upper():5} {each.folder}: {each.report.sentence}",
            f"      {each.command}",
        )
    ]
    lines.append(f"Also there: {WITH_THEM}; the documentation's examples run there")
    lines.append(f"Pages: {', '.join(str(each.page) for each in shown)}")
    code = written(0, lambda: say("".join(f"{visible(line)}\n" for line in lines)))
    page = next(each.page for each in shown if each.folder.name == OPENED)
    if not options.no_open and _has_display():
        _open(page)
    return code


def _has_display() -> bool:
    shows = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return shows and sys.stdout.isatty()


def _open(page: Path) -> None:
    import webbrowser

    webbrowser.open(page.resolve().as_uri())
