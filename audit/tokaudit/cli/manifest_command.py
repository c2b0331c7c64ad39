"""`tokaudit manifest SUBJECT`: write what a tokenizer is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tokaudit.cli.subject_arguments import add_hash_weights, add_opening_arguments, opening

EXAMPLES = """\
examples:
  tokaudit manifest path/to/checkpoint --out manifest.json
  tokaudit manifest pkg:package
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subject, and where the manifest goes."""
    add_opening_arguments(parser)
    add_hash_weights(parser)
    parser.add_argument("--out", metavar="FILE", help="where it is written (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Derive and write."""
    from tokaudit.api.manifests import manifest
    from tokaudit.cli.output import plan
    from tokaudit.identity.statement import write
    from tokaudit.report.saving import write_atomically

    plan([], manifest=options.out, inputs=[options.subject])
    found = manifest(options.subject, hash_weights=options.hash_weights, **opening(options))
    if options.out:
        write_atomically(Path(options.out), write(found))
    else:
        sys.stdout.write(write(found))
    return 0
