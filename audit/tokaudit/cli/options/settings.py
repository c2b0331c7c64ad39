"""Convert settings classes to command options, and options to settings."""

from __future__ import annotations

import argparse
from typing import Any, TypeVar

from tokaudit.cli.options.one_line import OneLineParser
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import Named, group_of, settings_of

T = TypeVar("T")
REPEATED = ("append", "extend")


def add_settings(parser: argparse.ArgumentParser, kind: type) -> None:
    """Add an option for each setting of a class, unless the parser has it already."""
    there = {action.dest for action in parser._actions}  # where argparse keeps them
    for each in settings_of(kind):
        if each.name not in there:
            group = grouped(parser, group_of(kind, each.name))
            group.add_argument(option(each), dest=each.name, **_keywords(each))


def grouped(parser: argparse.ArgumentParser, title: str) -> argparse._ActionsContainer:
    """Return the group with a title, if the parser has groups."""
    return parser.grouped(title) if isinstance(parser, OneLineParser) else parser


def option(each: Named) -> str:
    """Return the name of a setting on the command line."""
    return f"--{(each.setting.option or each.name).replace('_', '-')}"


def _keywords(each: Named) -> dict[str, Any]:
    """Return argparse's keyword arguments for a setting."""
    argument = each.setting.kind.argument
    found: dict[str, Any] = {"action": argument.action, "help": help_of(each)}
    if argument.action == "store_true":
        return found
    found["default"] = [] if argument.action in REPEATED else each.default
    if argument.type is not None:
        found["type"] = argument.type
    if argument.choices is not None:
        return found | {"choices": argument.choices}
    return found | {"metavar": argument.metavar}


def refuse_unused(
    options: argparse.Namespace, kind: type, looked_at: tuple[type, ...], why: str
) -> None:
    """Raise `UsageError` for a given setting that nothing uses."""
    used = {each.name for one in looked_at for each in settings_of(one)}
    for each in settings_of(kind):
        if each.name not in used and getattr(options, each.name) not in (each.default, []):
            raise UsageError(f"{option(each)} {why}")


def help_of(each: Named) -> str:
    """Return the help of a setting, with its default."""
    default = each.default
    words = f"{default:g}" if isinstance(default, float) else str(default)
    return f"{each.setting.help} (default: {each.setting.default_words or words})"


def given(options: argparse.Namespace, kind: type[T]) -> T:
    """Read the settings of a class from the options."""
    found = {}
    for each in settings_of(kind):
        found[each.name] = each.setting.kind.from_option(getattr(options, each.name))
    return kind(**found)
