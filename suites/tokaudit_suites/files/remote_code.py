"""A tokenizer that a loader would build by running code from the checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.engine.check import check
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.subject.material import Subject

KEY = "AutoTokenizer"


@check(
    "files/remote-code",
    title="No loader needs code from the checkpoint to build the tokenizer",
    why="What such code does to text is in no file that can be audited, and it runs on every "
    "machine that loads the checkpoint.",
    remedy="Ship a tokenizer.json that needs no class outside the library, or audit that class "
    "by hand.",
    severity=Severity.WARNING,
    basis=Basis.INTRINSIC,
    incident="ChatGLM's own tokenizer stopped with a newer library: _pad() got an "
    "unexpected argument (zai-org/ChatGLM3 #1324).",
)
def remote_code(subject: Subject) -> Iterator[Finding]:
    """A warning for each file whose `auto_map` names a tokenizer class of the checkpoint."""
    for fact in subject.facts_named("auto_map"):
        if isinstance(fact.value, Mapping) and KEY in fact.value:
            place = Place("tokenizer", fact.file, fact.pointer, fact.value[KEY])
            message = (
                f"{fact.file} lets a loader run {fact.value[KEY]!r} from the checkpoint; "
                "what that class changes is not audited here"
            )
            yield Finding(Severity.WARNING, message, (place,), cause="file")
