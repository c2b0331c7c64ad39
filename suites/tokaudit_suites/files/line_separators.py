"""Characters within a line that some readers treat as its end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.places.pointers import at_line
from tokaudit_suites.shared.repairs import person_decides

LINE_FILES = ("merges.txt", "vocab.bpe", "bpe.codes", "vocab.txt", ".vocab")
# Where Python's str.splitlines cuts, but for LF and CR, which files/line-endings is about.
SEPARATOR = re.compile("[\v\f\x1c-\x1e\x85\u2028\u2029]")


@check(
    "files/line-separators",
    title="Lines end only at line feeds",
    why="In a vocabulary file with one token on each line, the line number is the token's id. "
    "Code that also ends a line at U+2028 or a form feed, as Python's str.splitlines does, gives "
    "every token after this character a wrong id.",
    remedy="Ship a tokenizer.json with the same entries, or read {file|the file} with LF as the "
    "only line end.",
    repair=person_decides("which reader the file is for is not in it"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="loaders of the format read it right; only readers of other kinds do not.",
    basis=Basis.INTRINSIC,
    incident="After an entry U+2028 every id was wrong in a reader for .NET "
    "(NMZivkovic/BertTokenizers #27).",
)
def line_separators(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Look for Unicode's other line ends in files whose lines are entries."""
    files = [file for file in subject.files if file.known.endswith(LINE_FILES)]
    if not files:
        raise NotApplicable("no file of this tokenizer is read line by line")
    for file in files:
        lines = contents.whole(file).decode("utf-8", "replace").split("\n")
        held = {n: found[0] for n, line in enumerate(lines, 1) if (found := SEPARATOR.search(line))}
        if held:
            first, character = next(iter(held.items()))
            yield Finding(
                Severity.WARNING,
                f"{file.name} has a line separator within {len(held):,} of {len(lines):,} lines, "
                f"the first U+{ord(character):04X} in line {first}: code that takes this "
                "character for a line end shifts every later entry by one line.",
                (Place("merges" if "merges" in file.name else "vocab", file.name, at_line(first)),),
                cause="file",
            )
