"""`tokaudit verify SUBJECT MANIFEST`: derive the manifest anew and explain any drift."""

from __future__ import annotations

import argparse

from tokaudit.cli.subject_arguments import add_opening_arguments, opening

EXAMPLES = """\
examples:
  tokaudit verify path/to/checkpoint manifest.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subject and the manifest that it should still match."""
    add_opening_arguments(parser)
    parser.add_argument("manifest", metavar="MANIFEST", help="a file that tokaudit manifest wrote")


def run(options: argparse.Namespace) -> int:
    """0 when nothing gated has drifted, else 1, each difference a line on stdout."""
    from tokaudit.api.manifests import verify
    from tokaudit.cli.streams import note, say, written

    drifts = verify(options.subject, options.manifest, **opening(options))
    gated = [drift for drift in drifts if drift.gated]
    code = written(1 if gated else 0, lambda: say("".join(f"{drift}\n" for drift in drifts)))
    if not options.quiet:
        note(f"{len(gated)} drifted\n" if gated else "no drift\n")
    return code
