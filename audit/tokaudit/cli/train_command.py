"""`tokaudit train CORPUS`: train a tokenizer and write it as a folder that loaders take."""

from __future__ import annotations

import argparse
from pathlib import Path

from tokaudit.api.training.settings import TrainSettings, count
from tokaudit.cli.options.settings import add_settings, given
from tokaudit.cli.options.shared import add_quiet
from tokaudit.foundation.settings.setting import values

EXAMPLES = """\
examples:
  tokaudit train corpus.txt --vocab-size 32000 --out my-tokenizer
  tokaudit train texts/ --vocab-size 8000 --out my-tokenizer --special "<|endoftext|>"
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The corpus, the choices of the training, and where the folder goes."""
    parser.add_argument(
        "corpus", nargs="+", type=_path, metavar="CORPUS", help="UTF-8 text files, or folders"
    )
    parser.add_argument(
        "--out", type=_path, required=True, metavar="DIR", help="a new folder (required)"
    )
    parser.add_argument(
        "--vocab-size",
        type=count,
        required=True,
        metavar="N",
        help="entries in all, the alphabet and the special tokens included (required)",
    )
    add_settings(parser, TrainSettings)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    """Check, train, write, and say what was written."""
    from tokaudit.api.training.folder_trained import train
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.terminal.streams import note

    asked = values(given(options, TrainSettings))
    with Progress(options.quiet, "reading") as progress:
        made = train(
            options.corpus, options.out, options.vocab_size, **asked, on_step=progress.step
        )
    if not options.quiet:
        short = made.asked - made.entries
        why = f" ({short:,} fewer than asked: nothing is left to merge)" if short > 0 else ""
        note(f"{made.path}: {made.entries:,} entries{why}\n")
    return 0


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("is empty; give it a value")
    return Path(text)
