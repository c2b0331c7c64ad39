"""Compares the reference with upstream libraries: a table of tokenizers and mismatches.

Exit code 1 when the reference and an upstream library, or a golden vector, differ for no reason
that is computed, or could not be compared.  Progress goes to stderr, the table to stdout,
everything with examples to `--out`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from tokaudit_conformance.class_operators import class_rows
from tokaudit_conformance.compare import ComparedStrings, compare
from tokaudit_conformance.golden import golden, golden_rows
from tokaudit_conformance.subjects import in_folder, installed, pairs
from tokaudit_conformance.table import WIDEST, progress, write
from tokaudit_conformance.texts import TIERS


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print, and say whether anything is unexplained."""
    options = _parser().parse_args(argv)
    rows = []
    for row in all_rows(options):
        rows.append(row)
        print(progress(row), file=sys.stderr, flush=True)
        if options.out:
            options.out.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    write(rows, Console() if sys.stdout.isatty() else Console(width=WIDEST))
    wrong = any(row.unexplained or row.trouble for row in rows)
    return int(wrong or not any(row.strings for row in rows))


def all_rows(options: argparse.Namespace) -> Iterator[ComparedStrings]:
    """The rows of every subject, of classes and of golden vectors that the options leave in."""
    for name in options.subject or _everything(options.material):
        for pair in pairs(name):
            if options.only in pair.name:
                yield from compare(pair, TIERS[options.tier], options.seed)
    if not options.subject and options.only in "class operators":
        yield from class_rows(options.tier, options.seed)
    if options.material and not options.subject:
        for vector in golden(options.material):
            if options.only in vector.folder:
                yield from golden_rows(options.material, vector)


def _everything(material: Path | None) -> list[str]:
    return [*installed(), *(in_folder(material / "tokenizers") if material else [])]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subject", nargs="*", help="instead of all that are there")
    parser.add_argument("--material", type=Path, metavar="DIR", help="outside tokenizers, vectors")
    parser.add_argument("--tier", choices=TIERS, default="quick")
    parser.add_argument("--only", default="", metavar="PART", help="of a tokenizer's name")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    return parser
