"""The page of symptoms, written from their records."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RECORDS = Path(__file__).with_name("symptoms.toml")
HEAD = """\
# Symptoms

Find the sentence that fits, and run its command: `DIR` is the folder or file of your tokenizer,
`OLD` an earlier one. Without `--select` the command runs every check, and the first finding may be
another cause. The findings quoted here are those of small folders with that fault."""


@dataclass(frozen=True)
class Symptom:
    """A sentence that people type, the command that looks, and the words of its first finding."""

    says: str
    check: str
    shows: str
    means: str
    folder: str = ""
    options: str = ""
    command: str = ""

    @property
    def line(self) -> str:
        """What to type."""
        audit = " ".join(filter(None, ("audit DIR", self.options, f"--select {self.check}")))
        return f"tokaudit {self.command or audit}"


@cache
def symptoms() -> tuple[Symptom, ...]:
    """Every record, in the order of the file."""
    return tuple(Symptom(**row) for row in tomllib.loads(RECORDS.read_text("utf-8"))["symptoms"])


def page() -> str:
    """Markdown: a section for each symptom, which the site's search finds by its title."""
    return "\n\n".join([HEAD, *map(_section, symptoms())]) + "\n"


def _section(symptom: Symptom) -> str:
    return "\n".join(_lines(symptom))


def _lines(symptom: Symptom) -> Iterator[str]:
    yield from (f"## {symptom.says}", "", "```text", symptom.line, "```", "")
    yield from (f"It shows `{symptom.shows}`.", "")
    yield f"{symptom.means} [{symptom.check}](checks/{symptom.check}.md)"
