"""Converted line endings in files that are read line by line."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    check,
)
from tokaudit.subject.formats.tiktoken_ranks import FORMAT as RANKS
from tokaudit.subject.places.pointers import at_line
from tokaudit_suites.shared.repairs import repaired, typed

LINE_FILES = ("merges.txt", "vocab.bpe", "vocab.txt", ".tiktoken", ".vocab")


@check(
    "files/line-endings",
    title="Line-based files have plain line ends",
    why="Some programs read the carriage return at the end of a vocabulary line as part of the "
    "token, so no text matches the entry. A vocabulary file with other line ends than the "
    "published file also fails its checksum.",
    remedy="Convert {file|the file} back to LF, and keep git from converting it (* -text).",
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A tokenizer resource failed its checksum after autocrlf (BerriAI/litellm PR#42208); "
    "another reader stopped at line 3869 of a merges file (dotnet/machinelearning #6800).",
)
def line_endings(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Count carriage returns in merges.txt, vocab.txt and rank files."""
    files = [f for f in subject.files if f.known.endswith(LINE_FILES) or f.role == RANKS.name]
    if not files:
        raise NotApplicable("no file of this tokenizer is read line by line")
    for file in files:
        lines = contents.whole(file).split(b"\n")
        ended = [number for number, line in enumerate(lines, 1) if line.endswith(b"\r")]
        inside = [number for number, line in enumerate(lines, 1) if b"\r" in line[:-1]]
        if inside or ended:
            yield _finding(file, len(lines), ended, inside)


def _finding(file: SourceFile, lines: int, ended: list[int], inside: list[int]) -> Finding:
    first = min(ended + inside)
    whole = not inside and len(ended) >= lines - 1
    return Finding(
        Severity.WARNING if whole else Severity.ERROR,
        f"{file.name} has carriage returns in {len(ended) + len(inside):,} of {lines:,} lines, "
        f"the first in line {first}; "
        + (
            "the whole file has Windows line ends."
            if whole
            else "some entries end in a carriage return."
        ),
        (Place("merges" if "merges" in file.name else "vocab", file.name, at_line(first)),),
        cause="file",
        repair=None if inside else repaired(typed(f"sed -i 's/\\r$//' {shlex.quote(file.name)}")),
    )
