"""Merges without counts, which their class then ignores."""

from __future__ import annotations

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
from tokaudit.subject.formats.bpe_codes import FORMAT, is_short
from tokaudit.subject.places.pointers import at_line
from tokaudit_suites.shared.repairs import MERGES_OF_BASE
from tokaudit_suites.shared.wording import plural, quote


@check(
    "merges/counts",
    title="Lines of bpe.codes are pairs with counts",
    why="PhobertTokenizer and BertweetTokenizer expect a count as the last word of each line of "
    "the merges, and drop this word. If the counts are missing, PhobertTokenizer and "
    "BertweetTokenizer drop half of each merge: the file loads silently, no merge is ever "
    "applied, and all text is split into characters.",
    remedy="Copy bpe.codes from the base model, or write a count after each pair. Save the "
    "tokenizer with transformers 4, which copies bpe.codes unchanged.",
    repair=MERGES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="BertweetTokenizer.save_vocabulary of transformers 5.24 writes the merges without "
    "their counts, and its own constructor then reads none (models/bertweet).",
)
def counts(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Find lines that their class does not read as a merge."""
    files = [file for file in subject.files if file.role == FORMAT.name]
    if not files:
        raise NotApplicable("no file has merges with counts")
    for file in files:
        lines = contents.whole(file).decode("utf-8", "replace").split("\n")
        short = [number for number, line in enumerate(lines, 1) if is_short(line)]
        if short:
            yield _finding(file, lines, short)


def _finding(file: SourceFile, lines: list[str], short: list[int]) -> Finding:
    first = lines[short[0] - 1]
    return Finding(
        Severity.ERROR,
        f"{file.name} has {plural(len(short), 'line')} without a count, the first {quote(first)}: "
        "the tokenizer class takes the last word of each line for a count, so it never applies "
        "these merges.",
        (Place("merges", file.name, at_line(short[0]), first),),
        cause="counts",
    )
