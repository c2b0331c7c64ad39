"""`python -m tokaudit.exactness`: the table of tokenizers, strings compared and mismatches.

Exit code 1 when the reference and a vendor's library, or a golden vector, differ for no reason that
is computed.  Progress goes to stderr, the table to stdout, everything with examples to `--out`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tokaudit.errors import UnreadableError, VendorTrouble
from tokaudit.exactness.compare import Mismatch, Row, compare
from tokaudit.exactness.golden import Golden, golden
from tokaudit.exactness.subjects import in_folder, installed, pairs
from tokaudit.exactness.texts import TIERS
from tokaudit.opening import open_subject
from tokaudit.providers import reference_source
from tokaudit.representations import parse_all
from tokaudit.worker.client import WorkerTokenizer


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print, and say whether anything is unexplained."""
    options = _parser().parse_args(argv)
    rows = []
    for row in all_rows(options):
        rows.append(row)
        print(_line(row), flush=True)
        for example in row.examples:
            print(_example(example))
    strings, wrong = sum(row.strings for row in rows), sum(row.unexplained for row in rows)
    explained = sum(row.explained for row in rows)
    print(f"{strings:,} strings, {explained:,} explained, {wrong:,} unexplained mismatches")
    if options.out:
        options.out.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")
    return int(wrong > 0 or not rows)


def all_rows(options: argparse.Namespace) -> Iterator[Row]:
    """The rows of every subject and every golden vector that the options leave in."""
    named = options.subject or [
        *installed(),
        *(in_folder(options.material / "tokenizers") if options.material else []),
    ]
    for name in named:
        for pair in pairs(name):
            if options.only in pair.name:
                print(f"... {pair.name}", file=sys.stderr)
                yield from compare(pair, TIERS[options.tier], options.seed)
    if options.material and not options.subject:
        for vector in golden(options.material):
            if options.only in vector.folder:
                yield from golden_rows(options.material, vector)


def golden_rows(material: Path, vector: Golden) -> Iterator[Row]:
    """The reference's ids beside the golden ones, for each representation that they are for."""
    try:
        subject = open_subject(str(material / "tokenizers" / vector.folder))
    except UnreadableError:
        return
    for representation, _ in parse_all(subject).parsed:
        if vector.format not in ("", representation.format):
            continue
        row = Row(f"{vector.folder} ({representation.format})", vector.source, "golden")
        with WorkerTokenizer(reference_source(subject, representation)) as tokenizer:
            try:
                found = tokenizer.encode(vector.texts[: len(vector.ids)])
            except VendorTrouble:
                continue  # what the reference refuses, the audit says
        for text, ids, one in zip(vector.texts, vector.ids, found, strict=False):
            row.strings += 1
            if one.ids != ids:
                row.mismatches += 1
                row.examples = [*row.examples, Mismatch("ids", text, str(ids), str(one.ids))][:3]
        yield row


def _line(row: Row) -> str:
    counts = f"{row.strings:>9,} {row.mismatches:>7,} {row.explained:>9,} {row.unexplained:>11,}"
    return (
        f"{row.tokenizer[-44:]:44} {row.vendor[-28:]:28} {row.kind:15} {counts} {row.seconds:7.1f}s"
    )


def _example(example: Mismatch) -> str:
    both = f"vendor    {example.vendor}\n      reference {example.reference}"
    return f"    {example.what}: {example.text!a}\n      {both}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tokaudit.exactness", description=__doc__)
    parser.add_argument("subject", nargs="*", help="instead of all that are there")
    parser.add_argument("--material", type=Path, metavar="DIR", help="outside tokenizers, vectors")
    parser.add_argument("--tier", choices=TIERS, default="quick")
    parser.add_argument("--only", default="", metavar="PART", help="of a tokenizer's name")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
