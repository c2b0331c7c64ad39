"""`tokaudit train CORPUS`: train a tokenizer, train one anew, or say whether a corpus gives it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tokaudit.cli.options.settings import add_settings, given, refuse_unused
from tokaudit.cli.options.shared import SUBJECT_FORMS, add_quiet
from tokaudit.foundation.errors import UsageError
from tokaudit.products.train.settings import AfterTraining, TrainSettings, WhatToTrain

if TYPE_CHECKING:
    from tokaudit.cli.terminal.output import Plan
    from tokaudit.products.train.reproducing import Attempt, Reproduction

EXAMPLES = """\
examples:
  tokaudit train corpus.txt --vocab-size 32000 --out my-tokenizer
  tokaudit train texts/ --vocab-size 8000 --out my-tokenizer --special "<|endoftext|>"
  tokaudit train texts/ --vocab-size 8k,16k,32k --held-out 0.05 --out sizes/my-tokenizer
  tokaudit train --recipe my-tokenizer --out again
  tokaudit train corpus.txt --reproduce path/to/tokenizer
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the corpus, the settings of the training, and the folder."""
    parser.add_argument(
        "corpus",
        nargs="*",
        type=_path,
        metavar="CORPUS",
        help="the corpus: UTF-8 text files, or folders of such files",
    )
    add_settings(parser, WhatToTrain)
    parser.add_argument(
        "--reproduce",
        metavar="SUBJECT",
        help="write no tokenizer; compare the merges that bpe learns from the corpus with the "
        f"merges of this tokenizer: {SUBJECT_FORMS} (default: none)",
    )
    add_settings(parser, TrainSettings)
    parser.add_argument(
        "--merges",
        action="store_true",
        help="print each merge of bpe with the number of times that its pair occurred (default: "
        "merges are not printed)",
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        help="write the audit report of the new tokenizer to this file, in the format of the "
        "file's suffix (default: only print the verdict)",
    )
    add_settings(parser, AfterTraining)
    add_quiet(parser)


def run(options: argparse.Namespace) -> int:
    """Check, train, write, and print the results with their audits."""
    if options.reproduce is not None:
        return _reproduce(options)
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.trained import finished
    from tokaudit.products.train.training_run import TrainingRun, trained_and_audited

    planned = _planned(options)
    with Progress(options.quiet, "reading", rate=True) as progress:
        asked = given(options, TrainingRun)
        asked = replace(asked, on_step=progress.step, on_result=progress.result)
        made = trained_and_audited(options.corpus, asked)
    return finished(made, planned, options)


def _planned(options: argparse.Namespace) -> Plan | None:
    """Plan the audit's report, refusing it before the work."""
    from tokaudit.cli.terminal.output import plan

    if options.report is None:
        return None
    if options.skip_audit:
        raise UsageError("--report writes the audit's report; leave out --skip-audit")
    if len(options.vocab_size or ()) > 1:
        raise UsageError(
            "--report works only with one --vocab-size; with several, audit the folders one by one"
        )
    return plan([options.report], inputs=[*map(str, options.corpus)])


def _reproduce(options: argparse.Namespace) -> int:
    """Print each way that was tried; return 0 if all merges are the corpus's, else 1."""
    from tokaudit.cli.terminal.progress import Progress
    from tokaudit.cli.terminal.streams import say, written
    from tokaudit.products.train.reproducing import ReproduceSettings, reproduce
    from tokaudit.products.train.training_run import TrainingRun
    from tokaudit.report.visible import visible

    if options.out is not None or options.vocab_size is not None or options.recipe is not None:
        raise UsageError("--reproduce trains nothing; leave --out, --vocab-size and --recipe out")
    if options.merges or options.report is not None:
        raise UsageError("--reproduce trains nothing; leave --merges and --report out")
    refuse_unused(options, TrainingRun, (ReproduceSettings,), "has no meaning with --reproduce")
    if not options.corpus:
        raise UsageError("train --reproduce: name a CORPUS, as text files or folders of text files")
    with Progress(options.quiet, "reading") as progress:
        found = reproduce(
            options.reproduce, options.corpus, pattern=options.pattern, on_step=progress.step
        )
    lines = [visible(line) for line in _lines(found)]
    return written(0 if found.ok else 1, lambda: say("".join(f"{line}\n" for line in lines)))


def _lines(found: Reproduction) -> list[str]:
    """Return the answer, the first differing merge, and other attempts."""
    of = f"{found.best.agreed:,} of {found.merges:,} merges"
    if found.ok:
        every = f"{found.folder}: all {found.merges:,} merges are those of this corpus"
        trained = [f"  trained so: {found.best.way}", *_explained(found)]
        return [every, *trained, *_trainers(found), *_end(found.best)]
    said = [f"{found.folder}: {of} are those of this corpus", f"  furthest: {found.best.way}"]
    said += [f"  {_first(found.best)}", *_of_another_text(found.best), *_missing(found)]
    return said + [_tried(each) for each in found.attempts if each is not found.best]


def _tried(attempt: Attempt) -> str:
    if attempt.not_tried:
        return f"  not tried: {attempt.way}: {attempt.not_tried}"
    return f"  tried: {attempt.agreed:,} merges, {attempt.way}"


def _of_another_text(attempt: Attempt) -> list[str]:
    """Explain a merge that occurs less often than the corpus's own."""
    if attempt.first is None or attempt.is_tie:
        return []
    return [
        "  no rule for ties gives that merge: it comes from another text, or from text split "
        "differently"
    ]


def _explained(found: Reproduction) -> list[str]:
    """Describe the first merge that plain rules do not give, if something else does."""
    return [] if found.plain.first is None else [f"  {found.plain.way}: {_first(found.plain)}"]


def _missing(found: Reproduction) -> list[str]:
    """Describe files in the folder's recipe that this corpus lacks."""
    return [f"  missing: {each.name} of its recipe, {each.size:,} bytes" for each in found.missing]


def _trainers(found: Reproduction) -> list[str]:
    """Name the trainers with these tie rules, if any is known."""
    names = found.trainers
    if not names:
        return []
    why = "breaks ties so" if len(names) == 1 else "all break ties so; no tie here tells them apart"
    return [f"  trainer: {' and '.join(names)} {why}"]


def _end(attempt: Attempt) -> list[str]:
    """Explain why the training may have ended where it did."""
    if not attempt.after:
        return ["  end: the corpus has no pair left to merge"]
    size = f"the next pair occurs {attempt.after:,} times, so a vocabulary size ended it"
    if attempt.after >= attempt.last:
        return [f"  end: {size}"]
    least, most = attempt.after + 1, attempt.last
    which = f"of {most:,}" if least == most else f"from {least:,} to {most:,}"
    return [f"  end: {size}, or a minimum frequency {which}"]


def _first(attempt: Attempt) -> str:
    from tokaudit.products.train.trainers.learned import quoted

    first = attempt.first
    if first is None:
        return attempt.not_tried or "nothing differs"
    given = " + ".join(quoted(part) for part in first.given)
    here = f"merge {first.number:,}: the tokenizer has {given}, {first.given_count:,} times here"
    if first.learned is None:
        return f"{here}; the corpus has no pair left to merge"
    learned = " + ".join(quoted(part) for part in first.learned)
    return f"{here}; the corpus gives {learned}, {first.learned_count:,} times"


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("is empty; give it a value")
    return Path(text)
