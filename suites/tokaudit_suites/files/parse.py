"""Checks that every tokenizer file parses."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Place, Representations, Severity, check
from tokaudit_suites.shared.repairs import person_decides


@check(
    "files/parse",
    title="Every tokenizer file parses",
    why="If a loader cannot read one file, the loader silently falls back to another file, or to "
    "a default.",
    remedy="Write {file|the file} again with the library that made it, or remove the file.",
    repair=person_decides(
        "what the broken part is to say is not in it; its writer can write it again"
    ),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="A model file that is not one stops with 'could not parse ModelProto' "
    "(google/sentencepiece #1054).",
    required=True,
)
def files_parse(representations: Representations) -> Iterator[Finding]:
    """Report each representation that does not parse, with the parser's own message.

    A sound file without a tokenizer in it, such as a GGUF file of an image encoder's weights, is
    named and blamed for nothing.
    """
    for found in representations.all:
        if found.spec is None:
            place = Place("vocab", found.blamed or next(iter(found.files), ""), found.pointer)
            severity = Severity.INFO if found.sound else Severity.ERROR
            yield Finding(severity, found.error, (place,), cause=found.format)
