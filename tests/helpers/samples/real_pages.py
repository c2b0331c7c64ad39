"""Pages of real runs, one of each kind that users open: for tests in a browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from small_ids import documents, small_tokenizer

import tokaudit
from tokaudit.products.demo.checkpoints import write_checkpoints
from tokaudit.report.replacement import PairedFigure
from tokaudit.report.report import Report
from tokaudit_folders.id_files import datatrove, json_lines

NAMES = ("checkpoint", "cut", "finetuned")
FEW = ("agreement", "embeddings", "merges", "vocab")  # `pass` has the list of all checks


def write_page(kind: str, folder: Path) -> Path:
    """The page of one kind, over the checkpoints of `tokaudit demo`."""
    models = folder / "models"
    models.mkdir()
    write_checkpoints(models)
    page = folder / f"{kind}.html"
    RUNS[kind](models).save(page)
    return page


def _without_weights(models: Path) -> Report:
    """A tokenizer alone, of which the weights are asked."""
    alone = models / "alone"
    alone.mkdir()
    shutil.copy(models / "checkpoint" / "tokenizer.json", alone)
    return tokaudit.audit(alone, select=FEW, require=["embeddings"], tier="quick")


def _repository(models: Path) -> Report:
    """Two of the checkpoints in one folder."""
    tree = models / "repository"
    for name in NAMES[:2]:
        shutil.copytree(models / name, tree / name)
    return tokaudit.audit(tree, select=FEW, tier="quick")


def _replacing(models: Path) -> Report:
    """Which of three is better on a corpus of a few lines, with the figures of a few languages."""
    corpus = models / "corpus.txt"
    corpus.write_text("the weather was gathered there\n" * 20 + "1234 and more\n" * 20)
    made = [models / name for name in NAMES]
    report = tokaudit.compare(*made, purpose="replacing", corpus=[corpus], tier="quick")
    shown = (replace(each, figures=_of_few_texts(each.figures)) for each in report.replacements)
    return replace(report, replacements=tuple(shown))


def _of_few_texts(figures: Sequence[PairedFigure]) -> tuple[PairedFigure, ...]:
    """All figures of the first languages, scripts and domains, and of the one longest named."""
    names: dict[str, list[str]] = {}
    for each in figures:
        names.setdefault(each.texts["kind"], []).append(each.texts["name"])
    few = {kind: {*list(dict.fromkeys(all))[:2], max(all, key=len)} for kind, all in names.items()}
    return tuple(each for each in figures if each.texts["name"] in few[each.texts["kind"]])


def _data(models: Path) -> Report:
    """Ids on disk in four shards, one of which another tokenizer has written."""
    ids, rows = models / "ids", documents(80)
    ids.mkdir()
    for at in range(3):
        datatrove(ids / f"part-{at}.ds", rows[20 * at : 20 * at + 20])
    other = [[(id * 5 + 3) % 8000 for id in row[:-1]] for row in rows[60:]]
    json_lines(ids / "part-3.jsonl", [[*row, 8192, 8192] for row in other])
    return tokaudit.data(ids, small_tokenizer(models / "small"))


RUNS: dict[str, Callable[[Path], Report]] = {
    "pass": lambda models: tokaudit.audit(models / "checkpoint", tier="quick"),
    "fail": lambda models: tokaudit.audit(models / "cut", tier="quick"),
    "unverifiable": _without_weights,
    "three": lambda models: tokaudit.compare(*(models / name for name in NAMES), tier="quick"),
    "repository": _repository,
    "chat": lambda models: tokaudit.audit(models / "checkpoint", select=["chat_template"]),
    "replacing": _replacing,
    "data": _data,
}
