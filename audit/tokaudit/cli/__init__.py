"""The command line: one module for each command, imported when it is the one that was asked for.

Exit codes, the first that applies: 2 wrong usage, 3 unreadable, 4 tokaudit's own failure,
1 findings or drift, 3 unverifiable, 0; 130 when interrupted.  Everything is imported late: help
and version are answered before anything but argparse, or not even that, is loaded.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

COMMANDS = {
    "audit": "show whether a tokenizer fits its checkpoint",
    "manifest": "write what a tokenizer is, to archive and to verify against",
    "verify": "derive a manifest anew and explain any drift",
    "trace": "show how a text becomes tokens, stage by stage",
    "train": "train a tokenizer by the reference, and write an auditable folder",
    "report": "render a report.json again, without the subject",
    "checks": "list the checks, or explain one",
}
EXAMPLES = """\
examples:
  tokaudit audit path/to/checkpoint
  tokaudit audit path/to/checkpoint --base path/to/base --out reports/
  tokaudit manifest path/to/checkpoint --out manifest.json
  tokaudit verify path/to/checkpoint manifest.json
  tokaudit trace path/to/checkpoint "Hello world"
"""
EXIT_CODES = """\
exit codes: 0 pass; 1 findings at or above --fail-on, or drift; 2 wrong usage;
  3 cannot be read, or unverifiable; 4 tokaudit itself failed; 130 interrupted
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["--version"]:
        from tokaudit import __version__

        print("tokaudit", __version__)
        return 0
    parser = _parser(arguments[0] if arguments else "")
    options = parser.parse_args(arguments)
    if not hasattr(options, "run"):
        parser.print_help(sys.stderr)
        return 2
    return _guarded(options)


def _parser(asked: str) -> argparse.ArgumentParser:
    """Every command with its one line, and the arguments of the one that was asked for."""
    import argparse
    import importlib

    parser = argparse.ArgumentParser(
        prog="tokaudit",
        description="Shows, from evidence it names, whether a tokenizer fits its checkpoint.",
        epilog=f"{EXAMPLES}\n{EXIT_CODES}",
        formatter_class=_formatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[:1].upper()}{summary[1:]}.",
            formatter_class=_formatter,
        )
        if name == asked:
            module = importlib.import_module(f"tokaudit.cli.{name}_command")
            module.add_arguments(command)
            command.epilog = f"{module.EXAMPLES}\n{EXIT_CODES}"
            command.set_defaults(run=module.run)
    return parser


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Help as wide as the terminal; argparse would import four compressors to learn the width."""
    import argparse
    import os

    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
    except (OSError, ValueError):
        columns = 80
    return argparse.RawDescriptionHelpFormatter(prog, width=max(columns, 40) - 2)


def _guarded(options: argparse.Namespace) -> int:
    """Every way in which a command can end early is one line and its exit code."""
    from tokaudit.errors import TokauditError
    from tokaudit_reference.spec import SpecError

    try:
        return int(options.run(options))
    except TokauditError as error:
        return _complain(str(error), error.exit_code)
    except SpecError as error:
        return _complain(" ".join(part for part in (str(error), error.remedy) if part), 3)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:
        import traceback

        from tokaudit.report.visible import visible_lines

        sys.stderr.write(visible_lines(traceback.format_exc()))
        return _complain(f"this is a bug in tokaudit: {type(error).__name__}: {error}", 4)


def _complain(message: str, code: int) -> int:
    from tokaudit.report.visible import visible

    line = visible(" ".join(message.split()))
    print(f"tokaudit: {line}".encode("utf-8", "backslashreplace").decode(), file=sys.stderr)
    return code
