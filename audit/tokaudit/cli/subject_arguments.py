"""The arguments that name a subject, shared by every command that opens one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tokaudit.errors import UsageError

SUBJECT_HELP = (
    "a folder or file, pkg:package[/path], hf:org/name[@rev] (local cache), "
    "or tiktoken:name (when cached)"
)


def add_subject_arguments(parser: argparse.ArgumentParser) -> None:
    """SUBJECT and the options that say what a bare rank file leaves open."""
    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    parser.add_argument("--pattern", help="the split pattern of a bare rank file")
    parser.add_argument(
        "--special",
        action="append",
        default=[],
        metavar="TOKEN=ID",
        help="a special token of a bare rank file; may be given again",
    )
    parser.add_argument("--allow-root", type=Path, help="follow symlinks into this folder too")
    parser.add_argument(
        "--hash-weights", action="store_true", help="name the digests of whole weight files too"
    )
    parser.add_argument("--tier", choices=("quick", "default", "full"), default="default")
    parser.add_argument("--jobs", type=_positive, default=1, help="checks at once (default 1)")
    parser.add_argument("--seed", type=int, default=0, help="what the sampling starts from")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")


def specials(given: list[str]) -> dict[str, int]:
    """`TOKEN=ID` options as a mapping; the last equals sign parts them.

    >>> specials(["<|end|>=100257"])
    {'<|end|>': 100257}
    """
    found = {}
    for item in given:
        token, equals, id = item.rpartition("=")
        if not equals or not token or not id.isdecimal():
            raise UsageError(f"--special {item!r}: expected TOKEN=ID, such as <|end|>=100257")
        found[token] = int(id)
    return found


def audit_arguments(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments of `tokaudit.audit` that every subject-opening command shares."""
    return {
        "subject": options.subject,
        "tier": options.tier,
        "jobs": options.jobs,
        "seed": options.seed,
        "pattern": options.pattern,
        "special": specials(options.special),
        "allow_root": options.allow_root,
    }


def _positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 64")
    return int(text)
