"""Compares the dialect with llama.cpp: the table of vocabularies on which it equals it.

Exit code 1 where anything differs.  Examples of what differs follow the table.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

from tokaudit_llama.compare import AMOUNTS, FEW, ComparedVocabulary, compare
from tokaudit_llama.splits import SPLIT, named_splits
from tokaudit_llama.vocabularies import vocabularies
from tokaudit_tools import tables

HEAD = tables.head("vocabulary", "kind", "texts", "ids differ", "decoded differ", "seconds")


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print, and say whether anything differs."""
    options = _parser().parse_args(argv)
    rows: list[ComparedVocabulary] = []
    with tempfile.TemporaryDirectory() as scratch:
        published = vocabularies(options.material, Path(scratch), options.only)
        splits = () if options.published else named_splits(Path(scratch), options.only)
        for vocabulary in chain(published, splits):
            amount = FEW if vocabulary.kind == SPLIT else AMOUNTS[options.tier]
            rows.append(compare(vocabulary, amount, options.seed))
            print(line(rows[-1]), file=sys.stderr, flush=True)
    print(HEAD, *map(line, rows), sep="\n")
    for row in rows:
        for example in row.examples:
            print(f"{row.name}: {example}")
    return int(not rows or any(row.wrong for row in rows))


def line(row: ComparedVocabulary) -> str:
    """A row of the table."""
    counts = (f"{n:,}" for n in (row.texts, row.ids, row.decoded))
    return tables.row(row.name, row.kind, *counts, f"{row.seconds:.0f}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--material", type=Path, metavar="DIR", help="outside tokenizers")
    parser.add_argument("--tier", choices=AMOUNTS, default="quick")
    parser.add_argument("--only", default="", metavar="PART", help="of a vocabulary's name")
    pairs = "without the vocabulary of pairs for each name of a split"
    parser.add_argument("--published", action="store_true", help=pairs)
    parser.add_argument("--seed", type=int, default=0)
    return parser
