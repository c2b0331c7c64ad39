"""Rewrites the records of upstream classes by two environments: OLD/python NEW/python."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tokaudit.subject.upstream import records
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit_upstream.answers import Answers, ask
from tokaudit_upstream.asked import request
from tokaudit_upstream.records import class_text, types_text
from tokaudit_upstream.unrecorded import report


def main(pythons: Sequence[Path] = ()) -> None:
    """Ask both environments, write what has changed, and say what no record knows."""
    classes = every_class()
    answers = ask(pythons or [Path(each) for each in sys.argv[1:]], request())
    room = Path(str(records.HERE))
    for name in classes:
        _write_class(room / records.CLASSES / f"{name}.toml", name, answers)
    types = room / records.TYPES
    types.write_text(types_text(types.read_text("utf-8"), answers), "utf-8")
    for line in report(answers):
        print(line, file=sys.stderr)


def _write_class(path: Path, name: str, answers: Answers) -> None:
    if not any(answers.of_class(name)):
        print(f"{name}: in neither environment, left as it is", file=sys.stderr)
        return
    old = path.read_text("utf-8")
    path.write_text(class_text(name, answers, old), "utf-8")
