"""Does the library survive long runs of one character?"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.engine.needs import Upstream
from tokaudit.report.model import Basis, Evidence, Finding, Place, Severity
from tokaudit_reference.spec import TokenizerSpec

RUNS = {" ": "spaces", "a": "letters", "\n": "newlines", ".": "full stops", "\u4e00": "ideographs"}
ENDS = {"a": "!", "\u4e00": "!"}  # what no run of letters goes on with: a pattern must go back
LENGTH = 20_000


@check(
    "round_trip/survives-runs",
    title="Long runs of one character encode in bounded time",
    why="A user can send such a text; an encoder that dies or hangs takes the service down.",
    incident="tiktoken issue 245: a long run overflows the stack of the split pattern",
    remedy="Cap the length of a run before encoding, or fix the split pattern.",
    severity=Severity.WARNING,
    basis=Basis.INTRINSIC,
)
def survives_runs(spec: TokenizerSpec, upstream: Upstream) -> Iterator[Finding]:
    """A warning naming the run that the library refused, hung on or died of."""
    texts = [character * LENGTH + ENDS.get(character, "x") for character in RUNS]
    for (character, name), found in zip(RUNS.items(), upstream.encode(texts), strict=True):
        if found.error is not None:
            how = "kills or hangs" if found.killed else "gets no ids from"
            end = "mark" if character in ENDS else "letter"
            message = f"{LENGTH:,} {name} and a {end}: this {how} {upstream.info.package}"
            place = Place("pre_tokenizer", spec.files[0] if spec.files else "", "/pre_tokenizer")
            facts = {"character": character, "times": LENGTH, "error": found.error[:500]}
            evidence = Evidence(kind="facts", facts=facts)
            yield Finding(Severity.WARNING, message, (place,), (evidence,), cause=name)
