"""`tokaudit manifest SUBJECT`: write what a tokenizer is."""

from __future__ import annotations

import argparse
from pathlib import Path

from tokaudit.cli.subject_arguments import (
    add_facts,
    add_hash_weights,
    add_opening_arguments,
    facts,
    opening,
)

EXAMPLES = """\
examples:
  tokaudit manifest path/to/checkpoint --out manifest.json
  tokaudit manifest pkg:package
  tokaudit manifest path/to/checkpoint --sign private.pem --out manifest.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subject, and where the manifest goes."""
    add_opening_arguments(parser)
    add_hash_weights(parser)
    add_facts(parser)
    parser.add_argument(
        "--sign",
        metavar="KEY",
        help="sign it with this private key in PEM, Ed25519 or ECDSA; needs tokaudit[sign] "
        "(default: unsigned)",
    )
    parser.add_argument("--out", metavar="FILE", help="where it is written (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Derive and write."""
    from tokaudit.api.manifests import manifest
    from tokaudit.cli.output import plan
    from tokaudit.cli.streams import say_data
    from tokaudit.identity import envelope, statement
    from tokaudit.report.saving import save

    plan([], manifest=options.out, inputs=[options.subject, options.sign])
    found = manifest(
        options.subject,
        hash_weights=options.hash_weights,
        facts=facts(options.fact),
        sign=options.sign,
        **opening(options),
    )
    text = envelope.write(found) if options.sign else statement.write(found)
    if options.out:
        save(Path(options.out), text)
    else:
        say_data(text)
    return 0
