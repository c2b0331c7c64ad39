"""`tokaudit manifest SUBJECT`: write what a tokenizer is."""

from __future__ import annotations

import argparse
from pathlib import Path

from tokaudit.cli.options.settings import given
from tokaudit.cli.options.shared import add_quiet, add_subject
from tokaudit.engine.settings.settings import ManifestSettings
from tokaudit.foundation.settings.setting import values

EXAMPLES = """\
examples:
  tokaudit manifest path/to/checkpoint --out manifest.json
  tokaudit manifest pkg:package
  tokaudit manifest path/to/checkpoint --sign private.pem --out manifest.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject, and the output."""
    add_subject(parser, ManifestSettings)
    add_quiet(parser)
    parser.add_argument(
        "--out", metavar="FILE", help="write the manifest to this file (default: stdout)"
    )


def run(options: argparse.Namespace) -> int:
    """Derive and write the manifest."""
    from tokaudit.cli.terminal.output import plan
    from tokaudit.cli.terminal.streams import say_data
    from tokaudit.products.gate.manifests import manifest, manifest_text
    from tokaudit.report.saving import save

    plan([], manifest=options.out, inputs=[options.subject, options.sign])
    found = manifest(options.subject, **values(given(options, ManifestSettings)))
    text = manifest_text(found, signed=bool(options.sign))
    if options.out:
        save(Path(options.out), text)
    else:
        say_data(text)
    return 0
