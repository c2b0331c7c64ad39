"""`tokaudit --print-completion SHELL`: print a completion script for a shell.

The script is printed once and kept by the user, so that pressing the key starts no Python.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterable, Mapping

from tokaudit.foundation.errors import UsageError

FILES = (
    *("FILE", "FILE|DIR/", "DIR", "SUBJECT", "MANIFEST", "REPORT.JSON", "OLD", "CORPUS", "A B"),
    *("KEY", "PUBLIC"),
)


def run(options: argparse.Namespace) -> int:
    """Print the completion script for the shell in the options."""
    from tokaudit.cli.terminal.streams import say_data, written

    text = script(options.print_completion, options.commands)
    return written(0, lambda: say_data(text))


def script(shell: str, commands: Mapping[str, str]) -> str:
    """Return a script that completes commands, options, and known names."""
    try:
        import shtab
    except ImportError as error:
        raise UsageError(
            "--print-completion: shtab is not installed; run: pip install 'tokaudit[completion]'"
        ) from error
    known = _known()
    parser = argparse.ArgumentParser(prog="tokaudit")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    subparsers = parser.add_subparsers()
    for name, summary in commands.items():
        command = subparsers.add_parser(name, help=summary)
        importlib.import_module(f"tokaudit.cli.{name}_command").add_arguments(command)
        for action in command._actions:  # where argparse keeps what shtab reads too
            if action.metavar in FILES:
                setattr(action, "complete", shtab.FILE)  # noqa: B010 - as shtab asks for it
            elif isinstance(action.metavar, str) and action.metavar in known:
                action.choices = known[action.metavar]
    return shtab.complete(parser, shell)


def _known() -> dict[str, Iterable[str]]:
    """Map metavars to the names that an argument accepts."""
    from tokaudit.products.audit.checks import TIERS, all_checks
    from tokaudit.report.comparison import Purpose
    from tokaudit.report.writer import all_writers

    checks = all_checks()
    names = [*sorted({check.suite for check in checks}), *(check.id for check in checks)]
    return {
        "CHECK[,CHECK]": names,
        "ID": names,
        "TIER": TIERS,
        "PURPOSE": [str(purpose) for purpose in Purpose],
        "NAME": list(all_writers()),
    }
