"""The arguments that name a subject, shared by every command that opens one."""

from __future__ import annotations

import argparse
from typing import Any

from tokaudit.foundation.errors import UsageError

SUBJECT_HELP = (
    "a folder or file, pkg:package[/path], hf:org/name[@rev] (local cache), "
    "or tiktoken:name (when cached)"
)
WHEN = ("auto", "always", "never")


def add_subject_arguments(parser: argparse.ArgumentParser) -> None:
    """SUBJECT and the options that say what a bare rank file leaves open."""
    parser.add_argument("subject", metavar="SUBJECT", help=SUBJECT_HELP)
    parser.add_argument(
        "--pattern",
        metavar="REGEX",
        help="the split pattern of a bare rank file (default: what is known of the file)",
    )
    parser.add_argument(
        "--special",
        action="append",
        default=[],
        metavar="TOKEN=ID",
        help="a special token of a bare rank file; may be given again (default: none)",
    )
    add_file(parser)


def add_file(parser: argparse.ArgumentParser) -> None:
    """What a file is whose name does not say it."""
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="ROLE=PATH",
        help="read the file at PATH as if it had the name ROLE, such as merges.txt, in whichever "
        "of the folders named holds it; may be given again (default: names decide)",
    )


def add_opening_arguments(parser: argparse.ArgumentParser) -> None:
    """How a subject's folder is opened, and how much is said on the way."""
    add_subject_arguments(parser)
    parser.add_argument(
        "--allow-root",
        metavar="DIR",
        help="follow symlinks into this folder too (default: only inside the subject)",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="no progress and no summary on stderr (default: both)"
    )


def add_color(parser: argparse.ArgumentParser) -> None:
    """Whether what is printed is coloured."""
    parser.add_argument(
        "--color",
        choices=WHEN,
        default=WHEN[0],
        help="colour what is printed; auto: on a terminal, unless NO_COLOR is set, and where "
        "FORCE_COLOR is (default: auto)",
    )


def add_conversations(parser: argparse.ArgumentParser) -> None:
    """Conversations of the user's, beside those that come with tokaudit."""
    parser.add_argument(
        "--conversations",
        metavar="FILE",
        help="JSONL of chats in the usual messages form, which templates are to render too "
        "(default: only ours)",
    )


def add_hash_weights(parser: argparse.ArgumentParser) -> None:
    """Whether the manifest names the digests of weights, which takes reading them whole."""
    parser.add_argument(
        "--hash-weights",
        action="store_true",
        help="name the digests of whole weight files in the manifest (default: headers alone)",
    )


def add_facts(parser: argparse.ArgumentParser) -> None:
    """Facts that no file states."""
    parser.add_argument(
        "--fact",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a fact that no file states, such as padding_side=left; may be given again "
        "(default: none)",
    )


def facts(given: list[str]) -> dict[str, str]:
    """`NAME=VALUE` options as a mapping.

    >>> facts(["padding_side=left"])
    {'padding_side': 'left'}
    """
    pairs = [item.partition("=") for item in given]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise UsageError(f"--fact {name!r}: expected NAME=VALUE, such as padding_side=left")
    return {name: value for name, _, value in pairs}


def files(given: list[str]) -> dict[str, list[str]]:
    """`ROLE=PATH` options as a mapping from a role to its paths.

    >>> files(["merges.txt=a/pairs", "merges.txt=b/pairs"])
    {'merges.txt': ['a/pairs', 'b/pairs']}
    """
    found: dict[str, list[str]] = {}
    for item in given:
        role, equals, path = item.partition("=")
        if not role or not equals or not path:
            raise UsageError(f"--file {item!r}: expected ROLE=PATH, such as merges.txt=pairs.txt")
        found.setdefault(role, []).append(path)
    return found


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


def opening(options: argparse.Namespace) -> dict[str, Any]:
    """The keyword arguments that say how the subject is opened, the same for every function."""
    return {
        "pattern": options.pattern,
        "special": specials(options.special),
        "allow_root": options.allow_root,
        "files": files(options.file),
    }
