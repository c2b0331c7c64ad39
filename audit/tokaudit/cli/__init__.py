"""The command line: one module for each command, imported when it is the one that was asked for.

Exit codes, the first that applies: 2 wrong usage, 3 unreadable, 4 tokaudit's own failure,
1 findings or drift, 3 unverifiable, 5 result not written, 0; 130, 143 and 129 when interrupted,
terminated or hung up.  Everything is imported late: help and version are answered before anything
but argparse, or not even that, is loaded.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

COMMANDS = {
    "demo": "write and audit three small checkpoints",
    "audit": "check whether a tokenizer fits its checkpoint",
    "fix": "print a patch of what can be repaired, or write a repaired copy",
    "compare": "compare tokenizers: proved the same, or a text whose ids differ",
    "id": "print a short id of a tokenizer; equal ids prove equal behaviour",
    "manifest": "write a manifest of a tokenizer, to verify against later",
    "verify": "recompute a manifest and explain drift",
    "gate": "audit, verify and compare everything in tokaudit.toml, for CI",
    "chat": "show conversations as tokens: roles, trained or not, ids",
    "data": "check token ids on disk, and which tokenizer produced them",
    "runtimes": "compare engines' ids with the tokenizer file",
    "vectors": "write test vectors for an engine, or replay them",
    "loaders": "show which value each loader takes, and which file says so",
    "trace": "show how a text becomes tokens, stage by stage",
    "train": "train a tokenizer with the reference implementation",
    "report": "render a report.json in another format",
    "checks": "list the checks, or explain one",
}
GROUPS = {
    "Audit": ("demo", "audit", "chat", "runtimes", "fix"),
    "Compare": ("compare", "id", "vectors"),
    "Release": ("manifest", "verify", "gate"),
    "Look": ("trace", "loaders", "report", "checks"),
    "Data": ("data", "train"),
}
HELP = "help"
OWN_HELP = (["--help"], ["-h"], [HELP])
ANSWERED_AT_ONCE = (*OWN_HELP, ["--version"])
COMPLETION = "--print-completion"
MAY_BE_EMPTY = ("text",)  # the arguments for which an empty text means something
BEGINNING = """\
usage: tokaudit COMMAND ...    (tokaudit help COMMAND explains one)

Shows, from evidence it names, whether a tokenizer fits its checkpoint.

options:
  -h, --help            show this help message and exit
  --version             print the version and exit
  --print-completion SHELL
                        print the script for tab completion in bash, zsh or
                        tcsh, and exit
"""
EXAMPLES = """\
examples:
  tokaudit audit path/to/checkpoint
  tokaudit audit path/to/checkpoint --base path/to/base --out reports/
  tokaudit compare path/to/base path/to/finetuned
  tokaudit manifest path/to/checkpoint --out manifest.json
  tokaudit verify path/to/checkpoint manifest.json
  tokaudit gate
  tokaudit trace path/to/checkpoint "Hello world"
"""
EXIT_CODES = """\
exit codes: 0 pass; 1 findings at or above --fail-on, or drift; 2 wrong usage;
  3 cannot be read, or unverifiable; 4 tokaudit itself failed;
  5 result not written; 130 interrupted, 143 terminated, 129 hung up
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; without `argv`, take over the process.

    Only then signals and standard streams are seen to, which do not concern a part of a program.
    """
    if argv is not None:
        return _run(list(argv))
    try:
        from tokaudit.cli.terminal.signals import end_on_signals

        end_on_signals()
    except KeyboardInterrupt:  # a moment too early for them
        sys.exit(130)
    from tokaudit.cli.terminal import streams

    if sys.argv[1:] not in ANSWERED_AT_ONCE:
        _see_to_own_process()
    streams.open_closed()
    try:
        code = _run(sys.argv[1:])
    except SystemExit as end:  # how argparse ends, after help and wrong usage
        code = end.code if isinstance(end.code, int) else 0
    if leftovers := sys.modules.get("tokaudit.foundation.leftovers"):
        leftovers.clear()  # what could not be removed when its turn came
    if own_process := sys.modules.get("tokaudit.foundation.own_process"):
        own_process.lift_bound()
    return _ended(streams.flushed(code))


def _see_to_own_process() -> None:
    """Prepare this process for work of any size: its memory, its threads and its turns."""
    from tokaudit.foundation.own_process import (
        collect_seldom,
        own_memory,
        return_memory,
        take_short_turns,
    )
    from tokaudit.foundation.thread_starts import bound_starts

    collect_seldom()
    return_memory()
    take_short_turns()
    bound_starts()
    own_memory()


def _ended(code: int) -> int:
    """End here if memory is limited, as Python's own end needs more; else return the code.

    A thread that is still there when Python ends loads a library first, and aborts without.
    """
    from tokaudit.foundation.exhaustion import has_little_space

    if has_little_space():
        import os

        os._exit(code)
    return code


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["--version"]:
        from tokaudit import __version__

        try:
            print("tokaudit", __version__)
        except OSError:  # where stdout has no buffer; where it has one, the last flush meets it
            from tokaudit.cli.terminal.streams import say, written

            return written(0, lambda: say(f"tokaudit {__version__}\n"))
        return 0
    if arguments in OWN_HELP:
        from tokaudit.cli.terminal.streams import say, written

        return written(0, lambda: say(_own_help()))
    if arguments[:1] == [HELP]:
        return _help(arguments[1:])
    if arguments and arguments[0] in COMMANDS:
        return _guarded(_parser_of(arguments[0]), arguments[1:])
    parser = _parser()
    if arguments and arguments[0].startswith(COMPLETION):
        from tokaudit.cli.completion import run

        parser.set_defaults(run=run, commands=COMMANDS)
        return _guarded(parser, arguments)
    parser.parse_args(arguments[:1])  # ends here for help, and for a name that is no command's
    parser.print_help(sys.stderr)
    return 2


def _help(names: list[str]) -> int:
    """Print the `--help` output of the named command."""
    _parser().parse_args(names[:1])  # ends here for a name that is no command's
    _parser_of(names[0]).print_help()
    return 0


def _own_help() -> str:
    """Build the help without a command as text: argparse would take a third of the time."""
    width = max(map(len, COMMANDS))
    groups = "".join(
        f"\n{group}:\n" + "".join(f"  {name:{width}}  {COMMANDS[name]}\n" for name in names)
        for group, names in GROUPS.items()
    )
    return f"{BEGINNING}{groups}\n{EXAMPLES}\n{EXIT_CODES}"


def _parser() -> argparse.ArgumentParser:
    """Build the parser of everything before a command: version, completion, command names."""
    from tokaudit.cli.options.one_line import OneLineParser

    parser = OneLineParser(prog="tokaudit")
    parser.format_help = _own_help  # type: ignore[method-assign]
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        COMPLETION,
        choices=("bash", "zsh", "tcsh"),
        metavar="SHELL",
        help="print the script for tab completion in bash, zsh or tcsh, and exit",
    )
    parser.add_argument("command", nargs="?", choices=COMMANDS, metavar="COMMAND")
    return parser


def _parser_of(name: str) -> argparse.ArgumentParser:
    """Build the parser of one command."""
    import importlib

    from tokaudit.cli.options.one_line import OneLineParser

    module = importlib.import_module(f"tokaudit.cli.{name}_command")
    summary = COMMANDS[name]
    parser = OneLineParser(
        prog=f"tokaudit {name}",
        description=f"{summary[:1].upper()}{summary[1:]}.",
        epilog=f"{module.EXAMPLES}\n{EXIT_CODES}",
        formatter_class=_formatter,
    )
    module.add_arguments(parser)
    parser.set_defaults(run=module.run)
    return parser


def _parsed(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """Parse a command's options, which may stand between several names.

    After `--` argparse has only one order: first the options, then the names.
    """
    if "--" in arguments:
        options = parser.parse_args(arguments)
    else:
        options = parser.parse_intermixed_args(arguments)
    options.empty = _empty(parser, options)
    return options


def _empty(parser: argparse.ArgumentParser, options: argparse.Namespace) -> str:
    """Return the first empty argument, as from an unset shell variable.

    As a path it would be the working folder, and as the name of a check every check.
    """
    for action in parser._actions:  # where argparse keeps them
        given = getattr(options, action.dest, None)
        empty = "" in (given if isinstance(given, list) else [given])
        if empty and action.dest not in MAY_BE_EMPTY:
            return str([*action.option_strings, action.metavar][0])
    return ""


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Build a formatter as wide as the terminal, without argparse's costly imports."""
    import argparse
    import os

    try:
        columns = int(os.environ.get("COLUMNS") or os.get_terminal_size().columns)
    except (OSError, ValueError):
        columns = 80
    return argparse.RawDescriptionHelpFormatter(prog, width=max(columns, 40) - 2)


def _guarded(parser: argparse.ArgumentParser, arguments: list[str]) -> int:
    """Run a command; turn every error into one line and its exit code."""
    from tokaudit.cli.terminal.streams import complain, note
    from tokaudit.foundation.errors import OutOfMemory, TokauditError, UnreadableError, UsageError
    from tokaudit.foundation.exhaustion import refused_by_system
    from tokaudit.foundation.own_process import MEMORY_OF_ALL, bound_memory
    from tokaudit_reference.errors import SpecError

    try:
        options = _parsed(parser, arguments)
        bound_memory(MEMORY_OF_ALL)
        if options.empty:
            raise UsageError(
                f"{options.empty}: the value is empty; write a value, or leave this argument out"
            )
        return int(options.run(options))
    except TokauditError as error:
        return complain(str(error), error.exit_code)
    except OutOfMemory as error:
        return complain(str(error), UnreadableError.exit_code)
    except SpecError as error:
        return complain(error.advice, 3)
    except Exception as error:
        said = refused_by_system(error)
        if said or isinstance(error, OSError):
            return complain(said or str(error), UnreadableError.exit_code)
        import traceback

        from tokaudit.report.visible import visible_lines

        note(visible_lines(traceback.format_exc()))
        return complain(f"this is a bug in tokaudit: {type(error).__name__}: {error}", 4)
