"""`tokaudit train CORPUS`: train a tokenizer, train one anew, or say whether a corpus gives it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tokaudit.api.training.settings import TrainSettings, count
from tokaudit.cli.options.settings import add_settings, given
from tokaudit.cli.options.shared import SUBJECT_HELP, add_quiet
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import values

if TYPE_CHECKING:
    from tokaudit.api.training.folder_trained import TrainedFolder
    from tokaudit.api.training.reproducing import Attempt, Reproduction

EXAMPLES = """\
examples:
  tokaudit train corpus.txt --vocab-size 32000 --out my-tokenizer
  tokaudit train texts/ --vocab-size 8000 --out my-tokenizer --special "<|endoftext|>"
  tokaudit train --recipe my-tokenizer --out again
  tokaudit train corpus.txt --reproduce path/to/tokenizer
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The corpus, the choices of the training, and where the folder goes."""
    parser.add_argument(
        "corpus", nargs="*", type=_path, metavar="CORPUS", help="UTF-8 text files, or folders"
    )
    parser.add_argument(
        "--out", type=_path, metavar="DIR", help="a new folder (default: required to train)"
    )
    parser.add_argument(
        "--vocab-size",
        type=count,
        metavar="N",
        help="entries in all, the alphabet and the special tokens included "
        "(default: required, or that of the recipe)",
    )
    parser.add_argument(
        "--recipe",
        type=_path,
        metavar="FILE_OR_DIR",
        help="train anew by the recipe of a folder, on its corpus or on CORPUS (default: none)",
    )
    parser.add_argument(
        "--reproduce",
        metavar="SUBJECT",
        help="train nothing: say whether the merges of a tokenizer are those of the corpus; "
        f"{SUBJECT_HELP} (default: none)",
    )
    add_settings(parser, TrainSettings)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    """Check, train, write, and say what was written."""
    if options.reproduce is not None:
        return _reproduce(options)
    if options.out is None:
        raise UsageError("train needs --out DIR, a new folder")
    from tokaudit.cli.terminal.streams import note

    made = _retrained(options) if options.recipe is not None else _trained(options)
    if not options.quiet:
        short = made.asked - made.entries
        why = f" ({short:,} fewer than asked: nothing is left to merge)" if short > 0 else ""
        note(f"{made.path}: {made.entries:,} entries{why}\n")
    return 0


def _trained(options: argparse.Namespace) -> TrainedFolder:
    from tokaudit.api.training.folder_trained import train
    from tokaudit.cli.terminal.progress import Progress

    if options.vocab_size is None:
        raise UsageError("train needs --vocab-size N")
    if not options.corpus:
        raise UsageError("train needs a CORPUS: text files, or folders of them")
    asked = values(given(options, TrainSettings))
    with Progress(options.quiet, "reading", rate=True) as progress:
        return train(
            options.corpus, options.out, options.vocab_size, **asked, on_step=progress.step
        )


def _retrained(options: argparse.Namespace) -> TrainedFolder:
    """From a recipe, which holds every choice."""
    from tokaudit.api.training.folder_trained import retrain
    from tokaudit.cli.terminal.progress import Progress

    asked, known = values(given(options, TrainSettings)), values(TrainSettings())
    chosen = [name for name in known if (asked[name] or None) != (known[name] or None)]
    chosen = [name for name in chosen if name != "force"]
    if options.vocab_size is not None or chosen:
        raise UsageError("--recipe holds every choice of the training; leave the others out")
    with Progress(options.quiet, "reading", rate=True) as progress:
        return retrain(
            options.recipe,
            options.out,
            options.corpus,
            force=options.force,
            on_step=progress.step,
        )


def _reproduce(options: argparse.Namespace) -> int:
    """0 where all merges are those of the corpus, else 1; a line for each way that was tried."""
    from tokaudit.api.training.reproducing import reproduce
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.terminal.streams import say, written
    from tokaudit.report.visible import visible

    if options.out is not None or options.vocab_size is not None or options.recipe is not None:
        raise UsageError("--reproduce trains nothing; leave --out, --vocab-size and --recipe out")
    if not options.corpus:
        raise UsageError("train --reproduce needs a CORPUS: text files, or folders of them")
    with Progress(options.quiet, "reading") as progress:
        found = reproduce(options.reproduce, options.corpus, on_step=progress.step)
    lines = [visible(line) for line in _lines(found)]
    return written(0 if found.ok else 1, lambda: say("".join(f"{line}\n" for line in lines)))


def _lines(found: Reproduction) -> list[str]:
    """The answer, the first merge that differs, and what else was tried."""
    of = f"{found.best.agreed:,} of {found.merges:,} merges"
    if found.ok:
        every = f"{found.folder}: all {found.merges:,} merges are those of this corpus"
        return [every, f"  trained so: {found.best.way}", *_trainers(found), *_end(found.best)]
    said = [f"{found.folder}: {of} are those of this corpus", f"  furthest: {found.best.way}"]
    said += [f"  {_first(found.best)}"]
    others = (each for each in found.attempts if each is not found.best)
    return said + [f"  tried: {each.agreed:,} merges, {each.way}" for each in others]


def _trainers(found: Reproduction) -> list[str]:
    """Who breaks ties so, where anyone known does."""
    names = found.trainers
    if not names:
        return []
    why = "breaks ties so" if len(names) == 1 else "all break ties so; no tie here tells them apart"
    return [f"  trainer: {' and '.join(names)} {why}"]


def _end(attempt: Attempt) -> list[str]:
    """Why the training may have ended where it did."""
    if not attempt.after:
        return ["  end: the corpus has no pair left to merge"]
    size = f"the next pair occurs {attempt.after:,} times, so a vocabulary size ended it"
    if attempt.after >= attempt.last:
        return [f"  end: {size}"]
    least, most = attempt.after + 1, attempt.last
    which = f"of {most:,}" if least == most else f"from {least:,} to {most:,}"
    return [f"  end: {size}, or a minimum frequency {which}"]


def _first(attempt: Attempt) -> str:
    first = attempt.first
    if first is None:
        return "nothing differs"
    given = " + ".join(_shown(part) for part in first.given)
    here = f"merge {first.number:,}: the tokenizer has {given}, {first.given_count:,} times here"
    if first.learned is None:
        return f"{here}; the corpus has no pair left to merge"
    learned = " + ".join(_shown(part) for part in first.learned)
    return f"{here}; the corpus gives {learned}, {first.learned_count:,} times"


def _shown(part: bytes | str) -> str:
    """A part of a token, in quotes.

    >>> _shown(b" a"), _shown(bytes([0xE2]))
    ("' a'", "'\\\\\\\\xe2'")
    """
    text = part.decode("utf-8", "backslashreplace") if isinstance(part, bytes) else part
    return repr(text)


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("is empty; give it a value")
    return Path(text)
