"""`tokaudit chat --save`, `--expect` and `--watch`: a loop for template authors.

What conversations become is kept and compared, and shown again whenever a file is saved.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokaudit.products.chat.expected import ExpectedChat

SECONDS = 0.3  # between two looks
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
READ = (".jinja", ".json", ".model", ".gguf", ".txt", ".jsonl")


def save(options: argparse.Namespace, asked: dict[str, Any]) -> int:
    """Save the conversations with their texts, ids and masks."""
    from tokaudit.products.chat.expected import saved
    from tokaudit.report.saving import save as write

    write(Path(options.save), saved(options.subject, asked))
    return 0


def compare(options: argparse.Namespace, asked: dict[str, Any]) -> int:
    """Print conversations that differ from the saved file; return 1 if any does."""
    from tokaudit.cli.terminal.streams import say
    from tokaudit.products.chat.expected import expect, read_expected

    expected = read_expected(Path(options.expect))
    found = list(expect(options.subject, expected, asked))
    say("".join(f"{line}\n" for line in lines(found)))
    return int(any(one.differs for one in found))


def lines(found: Sequence[ExpectedChat]) -> Iterator[str]:
    """Yield a line for each conversation, with differences below it."""
    from tokaudit.report.visible import visible

    for one in found:
        name = visible(one.id)
        yield f"FAIL {name}: {one.differs}" if one.differs else f"ok   {name}"
        yield from (f"     {line}" for line in one.lines)
    same = sum(not one.differs for one in found)
    yield f"{same:,} of {len(found):,} conversations are as expected"


def watch(paths: list[Path], render: Callable[[], int]) -> None:
    """Render now and after each change of the files, until interrupted."""
    from tokaudit.foundation.errors import TokauditError
    from tokaudit.report.visible import visible

    seen: tuple[tuple[str, int, int], ...] | None = None
    while True:
        now = tuple(stamp for path in paths for stamp in _stamps(path))
        if now != seen:
            seen = now
            if sys.stdout.isatty():
                print(CLEAR, end="")
            try:
                render()
            except TokauditError as error:
                print(visible(str(error)))
            print(f"watching {', '.join(map(str, paths))}; Ctrl-C ends", flush=True)
        time.sleep(SECONDS)


def _stamps(path: Path) -> Iterator[tuple[str, int, int]]:
    """Yield name, time and size of each file that may affect the rendering."""
    try:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            if file == path or file.suffix in READ:
                status = file.stat()
                yield file.name, status.st_mtime_ns, status.st_size
    except OSError:  # a file that is being replaced
        return
