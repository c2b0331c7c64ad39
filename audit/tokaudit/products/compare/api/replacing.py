"""`compare --for replacing`: figures on which of several tokenizers is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tokaudit.engine.corpus.documents import files_in, require_readers
from tokaudit.engine.needs import Options, Yardstick
from tokaudit.engine.opening import SubjectName, subjects_of
from tokaudit.engine.options import Drawn
from tokaudit.engine.outcome.recording import compared_with, environment, record
from tokaudit.engine.resolver import Needs
from tokaudit.engine.run_clock import RunClock
from tokaudit.engine.samples import Samples
from tokaudit.engine.settings.settings import BareFiles, CompareSettings, ComparisonSettings
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.setting import settings_of
from tokaudit.products.compare.work.counting import OnBatch
from tokaudit.products.compare.work.prepared import prepared
from tokaudit.products.compare.work.replacing import LANGUAGE, FigureRequest, replacements
from tokaudit.report.model import Verdict
from tokaudit.report.replacement import REPLACING, Replacement
from tokaudit.report.report import Report
from tokaudit.report.sentences.of_comparison import short
from tokaudit.report.sentences.of_replacement import totals
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.training_recipe import NAME, corpus_digests, corpus_files


def refuse_without_purpose(asked: CompareSettings) -> None:
    """Raise `UsageError` for a setting that only this purpose uses."""
    others = {each.name for each in settings_of(ComparisonSettings)}
    if name := _given(asked, but=others):
        raise UsageError(f"{name} works only with --for {REPLACING}")


def _refuse_of_others(asked: CompareSettings) -> None:
    """Raise `UsageError` for a setting that this purpose ignores."""
    others = {each.name for each in settings_of(ComparisonSettings)}
    mine = {each.name for kind in (Drawn, BareFiles) for each in settings_of(kind)}
    every = {each.name for each in settings_of(CompareSettings)}
    if name := _given(asked, but=(every - others) | mine | {"purpose"}):
        raise UsageError(f"{name} has no meaning with --for {REPLACING}")


def _given(asked: CompareSettings, but: set[str]) -> str:
    """Name the first non-default setting, as the command calls it; "" without any."""
    given = (
        each.name.replace("_", "-")
        for each in settings_of(CompareSettings)
        if each.name not in but and getattr(asked, each.name) != each.default
    )
    return next(given, "")


def replacing(names: Sequence[SubjectName], asked: CompareSettings, on_batch: OnBatch) -> Report:
    """Compare the first tokenizer with each other one, by figures over the same documents.

    The verdict is *pass*, unless a threshold that was asked for is missed or cannot be decided.
    """
    _refuse_of_others(asked)
    samples = Needs.installed().get(Samples)
    wanted = FigureRequest(
        files=tuple(map(Path, asked.corpus)),
        width=asked.width,
        context=asked.context,
        language=_language(asked.parity, samples),
        seed=asked.seed,
    )
    require_readers(wanted.files)
    clock = RunClock()
    subjects = subjects_of(names, asked)
    options = Options(tier=asked.tier, seed=asked.seed, timeout=asked.timeout)
    workers = Workers(options.limits())
    try:
        sides = [prepared(each, workers, str(at)) for at, each in enumerate(subjects)]
        yardstick = Needs.installed(workers).optional(Yardstick)
        timed = replace(wanted, yardstick=yardstick.stopwatch if yardstick else None)
        made_of = _made_of(subjects, wanted.files)
        found = [
            replace(each, made_of=tuple(n for n in (each.left, each.right) if n in made_of))
            for each in replacements(sides, samples, timed, on_batch)
        ]
        return clock.report(
            record(subjects[0], sides[0].representations),
            f"{len(subjects)} tokenizers over the same documents: {_documents(found[0])}",
            judged(found, asked.most_tokens),
            environment(options.seed, workers) | {"tier": options.tier},
            workers,
            replacements=tuple(found),
            compared=tuple(subject.name for subject in subjects),
            others=compared_with(subjects[1:]),
        )
    finally:
        workers.close()


def _made_of(subjects: Sequence[Subject], files: Sequence[Path]) -> set[str]:
    """Return the subjects whose recipe names a file of the corpus, by digest."""
    recipes = [(subject, file) for subject in subjects for file in subject.files if _is_one(file)]
    if not recipes:
        return set()
    here = {each.sha256 for path in files for each in corpus_files(files_in(path))}
    return {subject.name for subject, file in recipes if here & corpus_digests(read_bytes(file))}


def _is_one(file: SourceFile) -> bool:
    return file.base == NAME and file.regular


def judged(found: Sequence[Replacement], most: float | None) -> tuple[Verdict, str]:
    """Return whether each of the others meets the threshold; without one, all pass."""
    if most is None:
        return Verdict.PASS, "no threshold is set"
    ratios = [(short(each.right), totals(each)) for each in found]
    missed = [(name, each.value) for name, each in ratios if each is not None and each.value > most]
    if missed:
        said = "; ".join(f"{name} needs {value:.3f}" for name, value in missed)
        return Verdict.FAIL, f"more than {most:g} tokens for each of the first: {said}"
    if lost := [name for name, each in ratios if each is None]:
        return Verdict.UNVERIFIABLE, f"a side loses text, so no ratio is known: {', '.join(lost)}"
    return Verdict.PASS, f"at most {most:g} tokens for each of the first"


def _language(key: str, samples: Samples) -> str:
    keys = [sample.language for sample in samples.of_kind(LANGUAGE)]
    if key not in keys:
        raise UsageError(f"parity {key!r}: is not a built-in language{meant(key, keys)}")
    return key


def _documents(found: Replacement) -> str:
    return ", ".join(found.corpus)
