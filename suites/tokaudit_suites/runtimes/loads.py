"""Checks that each of the user's runtimes can be run."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, ComparedRuntimes, Finding, Harm, Severity, Skip, check
from tokaudit_suites.shared.repairs import ANOTHER_LIBRARY


@check(
    "runtimes/loads",
    title="Every runtime that was named runs",
    why="A runtime that refuses the file, crashes or gives no answer in time shows nothing about "
    "its ids. If tokaudit did not report a runtime that refuses the file, this runtime would seem "
    "to agree with the tokenizer file.",
    incident="A fast encoder was called identical after one sentence (vllm-project/vllm#41741).",
    remedy="Install the runtime, name a version that loads the file, or leave the runtime out.",
    repair=ANOTHER_LIBRARY,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.BASELINE,
    required=True,
    no_example="Files cannot show it: what refuses is a runtime that the user names.",
)
def loads(compared: ComparedRuntimes) -> Iterator[Finding]:
    """Skip with the error of a runtime that produced no ids; otherwise report nothing."""
    silent = [each for each in compared.all if not each.texts]
    if silent:
        said = (f"{e.right} {e.runtime.state}: {e.runtime.why}" for e in silent if e.runtime)
        raise Skip("; ".join(said))
    yield from ()
