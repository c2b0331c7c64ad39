"""What argparse refuses, in one line with the nearest name instead of a page of usage."""

from __future__ import annotations

import argparse
import re

TYPE_CHECKING = False  # as type checkers know it: help is printed before `typing` is loaded
if TYPE_CHECKING:
    from typing import NoReturn

CHOICE = re.compile(
    r"argument (?P<name>\S+): invalid choice: '(?P<given>.*?)' \(choose from .*\)", re.S
)
UNKNOWN = "unrecognized arguments: "


class OneLineParser(argparse.ArgumentParser):
    """A parser whose errors are one line; wrong usage still ends with exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, what was probably meant, and where the help is."""
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
                if ":" in found["given"] or Path(found["given"]).exists():  # as hf:gpt2
                    near = f"; did you mean tokaudit audit {found['given']}?"
                return f"{found['given']!r} is not a command{near}"
            return f"argument {found['name']}: invalid choice: {found['given']!r}{near}"
        if message.startswith(UNKNOWN):
            first = message.removeprefix(UNKNOWN).split(" ")[0].partition("=")[0]
            options = [text for action in self._actions for text in action.option_strings]
            return message + (meant(first, options) if first.startswith("-") else "")
        return message

    def _choices(self, name: str) -> list[str]:
        """What an argument takes, by the name that messages give it."""
        for action in self._actions:  # where argparse keeps them
            if name in (action.metavar, *"/".join(action.option_strings).split("/")):
                return [str(choice) for choice in action.choices or ()]
        return []
