"""Checkpoint code that a loader runs, or that runs when a file is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import Basis, Contents, Finding, Harm, Place, Severity, Subject, check
from tokaudit.subject.upstream.own_code import KEY
from tokaudit_suites.files._runs_code import runs_code
from tokaudit_suites.shared.repairs import person_decides


@check(
    "files/remote-code",
    title="Nothing in the checkpoint runs code",
    why="Code in a checkpoint can run on every machine that loads the checkpoint: a Python class "
    "or a pickle when it is loaded, a program when somebody trusts the folder and runs it. An "
    "audit of the files cannot show what a checkpoint's code does to text or to the machine.",
    remedy="Ship a tokenizer.json that needs no class outside the library, or review the code of "
    "that class by hand. Publish weights as safetensors, and delete files that no loader needs "
    "(training_args.bin, optimizer states, programs).",
    repair=person_decides(
        "a person must read whether the checkpoint's code is needed and can be trusted"
    ),
    severity=Severity.WARNING,
    harm=Harm.LEAK,
    milder="the code is named but not run, so its effect is unknown.",
    basis=Basis.INTRINSIC,
    incident="ChatGLM's own tokenizer stopped with a newer library: _pad() got an "
    "unexpected argument (zai-org/ChatGLM3 #1324). Models on public hubs were found to open a "
    "shell from a pickle (CVE-2025-32434 shows that even weights_only loading ran code).",
)
def remote_code(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Report each `auto_map` with a tokenizer class, then other files that run code."""
    for fact in subject.facts_named("auto_map"):
        if isinstance(fact.value, Mapping) and KEY in fact.value:
            place = Place("tokenizer", fact.file, fact.pointer, fact.value[KEY])
            message = (
                f"{fact.file} lets a loader run code from the checkpoint ({fact.value[KEY]!r}), "
                "which tokaudit neither reads nor runs"
            )
            yield Finding(Severity.WARNING, message, (place,), cause="file")
    yield from runs_code(subject, contents)
