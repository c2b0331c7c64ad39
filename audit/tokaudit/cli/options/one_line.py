"""An argument parser with one-line errors that suggest the nearest name."""

from __future__ import annotations

import argparse
import re

TYPE_CHECKING = False  # as type checkers know it: help is printed before `typing` is loaded
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

CHOICE = re.compile(
    r"argument (?P<name>\S+): invalid choice: '(?P<given>.*?)' \(choose from .*\)", re.S
)
NUMBER = re.compile(
    r"argument (?P<name>\S+): invalid (?P<kind>int|float) value: (?P<given>.*)", re.S
)
NUMBERS = {"int": "a whole number", "float": "a number"}
AS_OTHERS_SAY = {
    "check": "audit or checks",
    "validate": "audit",
    "lint": "audit",
    "diff": "compare",
}
UNKNOWN = "unrecognized arguments: "


class OneLineParser(argparse.ArgumentParser):
    """A parser with one-line errors; wrong usage still ends with exit code 2.

    Options of the groups that are `elsewhere` are taken, and explained by another command.
    """

    elsewhere: Mapping[str, str] = {}
    two_names = ""  # after a second name where the command takes one

    def grouped(self, title: str) -> argparse._ArgumentGroup:
        """Return the group with a title; without one, argparse's own."""
        for group in self._action_groups:
            if group.title == (title or "options"):
                return group
        return self.add_argument_group(title)

    def format_usage(self) -> str:
        """Return a command's positional names; its options are listed below."""
        return f"usage: {self._short_usage()}\n"

    def format_help(self) -> str:
        """Return each group of options, then a pointer to those explained elsewhere."""
        formatter = self._get_formatter()
        formatter.add_usage(self._short_usage(), [], [])
        formatter.add_text(self.description)
        others: dict[str, list[str]] = {}
        for group in self._action_groups:
            if command := self.elsewhere.get(group.title or ""):
                names = (action.option_strings[0] for action in group._group_actions)
                others.setdefault(command, []).extend(names)
                continue
            formatter.start_section(group.title)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        text = "\n".join(
            f"further options, explained by tokaudit {command} --help: {', '.join(names)}"
            for command, names in others.items()
        )
        formatter.add_text(f"{text}\n\n{self.epilog}" if text else self.epilog)
        return formatter.format_help()

    def _short_usage(self) -> str:
        if self.usage:
            return self.usage
        names = [each for each in self._actions if not each.option_strings]
        shown = (
            f"[{each.metavar}]" if each.nargs in ("?", "*") else each.metavar for each in names
        )
        return " ".join([self.prog, "[options]", *map(str, shown)])

    def error(self, message: str) -> NoReturn:
        """Print the error, a likely correction, and where to find help."""
        from tokaudit.report.visible import visible

        said = visible(" ".join(self._said(message).split()))
        self.exit(2, f"{self.prog}: error: {said} ({self.prog} --help)\n")

    def _said(self, message: str) -> str:
        from pathlib import Path

        from tokaudit.foundation.settings.nearest import meant

        if found := CHOICE.fullmatch(message):
            known = self._choices(found["name"])
            near = meant(found["given"], known) or f"; it is one of {', '.join(known)}"
            if found["name"] == "COMMAND":
                if by_others := AS_OTHERS_SAY.get(found["given"]):
                    near = f"; did you mean {by_others}?"
                if ":" in found["given"] or Path(found["given"]).exists():  # as hf:gpt2
                    near = f"; did you mean tokaudit audit {found['given']}?"
                return f"{found['given']!r} is not a command{near}"
            return f"argument {found['name']}: invalid choice: {found['given']!r}{near}"
        if message.startswith(UNKNOWN):
            first = message.removeprefix(UNKNOWN).split(" ")[0].partition("=")[0]
            return message + (self._near(first) if first.startswith("-") else self.two_names)
        if found := NUMBER.fullmatch(message):
            return f"argument {found['name']}: {found['given']} is not {NUMBERS[found['kind']]}"
        return message.replace(": expected one argument", ": needs a value")

    def _near(self, given: str) -> str:
        """Return the nearest options, compared without dashes."""
        from tokaudit.foundation.settings.nearest import meant

        known = [text.lstrip("-") for action in self._actions for text in action.option_strings]
        return meant(given.lstrip("-"), known, prefix="--")

    def _choices(self, name: str) -> list[str]:
        """Return the choices of an argument, by its name in messages."""
        for action in self._actions:  # where argparse keeps them
            if name in (action.metavar, *"/".join(action.option_strings).split("/")):
                return [str(choice) for choice in action.choices or ()]
        return []
