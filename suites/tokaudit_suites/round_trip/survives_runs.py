"""Checks that the library survives long runs of one character."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.encoders.long_runs import LENGTH, LONG_RUNS, UpstreamRuns
from tokaudit.plugin import Basis, Evidence, Finding, Harm, Severity, Upstream, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.wording import stage


@check(
    "round_trip/survives-runs",
    title="Long character runs encode in bounded time",
    why="A user can send a long run of one character; if the encoder crashes or hangs, the "
    "service goes down.",
    incident="A long run overflows the stack of the split pattern (openai/tiktoken #245).",
    remedy="Limit the length of runs of one character before encoding, or correct the pattern of "
    "the pre-tokenizer.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
)
def survives_runs(spec: TokenizerSpec, upstream: Upstream, runs: UpstreamRuns) -> Iterator[Finding]:
    """Report a run that the library refused, hung on or crashed on."""
    for run, found in zip(LONG_RUNS, runs.encodings, strict=True):
        if found.error is not None:
            how = "crashes or hangs on" if found.killed else "returns no ids for"
            text = f"{LENGTH:,} {run.name} followed by {run.end!r}"
            message = f"The library {upstream.info.package} {how} a text of {text}"
            place = stage(spec, "pre_tokenizer")
            facts = {"character": run.character, "times": LENGTH, "error": found.error[:500]}
            evidence = Evidence(kind="facts", facts=facts)
            yield Finding(Severity.WARNING, message, (place,), (evidence,), cause=run.name)
