"""`tokaudit manifest SUBJECT`: write what a tokenizer is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from tokaudit.cli.subject_arguments import add_subject_arguments, audit_arguments


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subject, and where the manifest goes."""
    add_subject_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="instead of stdout")


def run(options: argparse.Namespace) -> int:
    """Derive and write."""
    from tokaudit.cli.output import write_atomically
    from tokaudit.identity.statement import write

    text = write(derive(options))
    if options.out:
        write_atomically(options.out, text)
    else:
        sys.stdout.write(text)
    return 0


def derive(options: argparse.Namespace) -> dict[str, Any]:
    """The manifest of the subject that the options name."""
    from tokaudit.api import audit
    from tokaudit.identity.statement import manifest
    from tokaudit.subject.opening import open_subject

    arguments = audit_arguments(options)
    report = audit(**arguments, checks=())
    subject = open_subject(options.subject, allow_root=options.allow_root)
    return manifest(report, subject, hash_weights=options.hash_weights)
