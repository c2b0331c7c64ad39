"""`tokaudit.compare_runtimes`: compare runtimes of one tokenizer with its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit.engine.corpus.documents import require_readers
from tokaudit.engine.opening import SubjectName, subject_of
from tokaudit.engine.options import RUNTIME_FORMS, Drawn, Effort, Options, WithRuntimes
from tokaudit.engine.outcome.recording import changes, environment, record
from tokaudit.engine.resolver import Needs
from tokaudit.engine.run_clock import RunClock
from tokaudit.engine.samples import Samples
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.places import Files, NamedPath
from tokaudit.foundation.settings.setting import checked, inherited, setting
from tokaudit.products.engines.compared_runtimes import OnRuntime, Refereeing, all_refereed
from tokaudit.report.comparison import Comparison
from tokaudit.report.model import Verdict
from tokaudit.report.recorded import RuntimeState
from tokaudit.report.report import Report
from tokaudit.runtimes.named_runtimes import available_runtimes, named_runtime
from tokaudit.subject.representations import readable

MEMORY = 4_000  # megabytes; the libraries of some runtimes are large


@dataclass(frozen=True, kw_only=True)
class RuntimesSettings(WithRuntimes, Drawn, BareFiles):
    """Settings of a comparison of runtimes."""

    runtime: Sequence[str] = inherited(
        WithRuntimes,
        "runtime",
        f"compare the ids of this runtime: {RUNTIME_FORMS}",
        "all installed runtimes",
    )
    corpus: Sequence[NamedPath] = setting(
        (),
        "also count how many of these documents get different ids: text files with one document "
        "on each line, JSON lines or Parquet; may be given again",
        Files(),
        "none",
    )
    timeout: float | None = inherited(
        Effort, "timeout", "stop after this many seconds and skip the rest of the comparison"
    )


@keywords(RuntimesSettings)
def compare_runtimes(subject: SubjectName, asked: RuntimesSettings) -> Report:
    """Compare the ids of each runtime with those of the tokenizer's own file.

    `report.comparison` and `report.further` have one comparison for each runtime, of which
    `runtime` says how it took the file, and the facets in what it differs: one for each cause, with
    a minimal text.  The verdict is *fail* if any differs, *unverifiable* if any gave nothing, else
    *pass*.  Without `runtime` all are asked that are installed here.

    >>> import tokaudit
    >>> report = tokaudit.compare_runtimes(
    ...     "models/checkpoint", runtime=["tokenizers"], tier="quick")
    >>> str(report.comparison.runtime.state)
    'agrees'
    """
    return compared_runtimes(subject, asked)


def compared_runtimes(
    subject: SubjectName, asked: RuntimesSettings, on_runtime: OnRuntime = lambda *_: None
) -> Report:
    """Compare runtimes as `compare_runtimes` does; raise `UsageError` before any work."""
    valid = checked(asked)
    named = [named_runtime(name) for name in valid.runtime]
    documents = tuple(map(Path, valid.corpus))
    require_readers(documents)
    clock = RunClock()
    options = Options(tier=valid.tier, seed=valid.seed, timeout=valid.timeout, memory=MEMORY)
    opened = subject_of(subject, valid)
    found = readable(opened)
    named = named or [named_runtime(name) for name in available_runtimes(found)]
    if not named:
        raise UsageError("no installed runtime reads these files; name a runtime with --runtime")
    samples = Needs.installed().get(Samples)
    workers = Workers(options.limits())
    refereeing = Refereeing(
        opened, found, workers, valid.tier, samples.of_kind("language"), documents
    )
    try:
        compared = list(all_refereed(refereeing, named, on_runtime))
        recorded = record(opened, found)
        return clock.report(
            recorded,
            f"{len(named)} runtime{'' if len(named) == 1 else 's'}, each against its file"
            f"{changes([recorded])}",
            judged_runtimes(compared),
            environment(options.seed, workers) | {"tier": options.tier},
            workers,
            comparison=compared[0],
            further=tuple(compared[1:]),
            compared=(opened.name, *(each.right for each in compared)),
        )
    finally:
        workers.close()


def judged_runtimes(compared: Sequence[Comparison]) -> tuple[Verdict, str]:
    """Return the verdict over all runtimes, and its reason."""
    by_state: dict[RuntimeState, list[str]] = {}
    for each in compared:
        if each.runtime is not None:
            by_state.setdefault(each.runtime.state, []).append(each.right)
    if differing := by_state.pop(RuntimeState.DIFFERS, []):
        return Verdict.FAIL, f"these differ from the file: {', '.join(differing)}"
    by_state.pop(RuntimeState.AGREES, None)
    if by_state:
        said = "; ".join(f"{state}: {', '.join(names)}" for state, names in by_state.items())
        return Verdict.UNVERIFIABLE, f"of these something is unknown: {said}"
    return Verdict.PASS, "every runtime agrees with the file on everything tried"
