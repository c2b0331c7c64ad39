"""Documented faults of chat templates, which `templates.toml` states: changes of published ones."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tokaudit_faults.fault import TEMPLATES, Fault, register
from tokaudit_templates.published import PublishedTemplate


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The messages for which `when` holds are each replaced by the list `become`."""

    when: str
    become: str

    @property
    def source(self) -> str:
        """What is put before a template, so that nothing need be known of the template itself."""
        return (
            "{%- set rewritten = namespace(m=[]) -%}{%- for m in messages -%}{%- if "
            + self.when
            + " -%}{%- set rewritten.m = rewritten.m + "
            + self.become
            + " -%}{%- else -%}{%- set rewritten.m = rewritten.m + [m] -%}{%- endif -%}"
            "{%- endfor -%}{%- set messages = rewritten.m -%}"
        )


@dataclass(frozen=True, slots=True)
class Replacement:
    """A pattern of the template's source, and what is written in its place."""

    pattern: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """An entry of the list: where a defect was reported, its change, the check that names it."""

    id: str
    thread: str
    wrong: str
    healthy: tuple[str, ...]
    check: str
    severity: str
    before: str = ""
    after: str = ""
    messages: Rewriting | None = None
    replace: Replacement | None = None

    def change(self, template: str) -> str:
        """The template with the defect; raises `ValueError` where its pattern is not found."""
        if self.replace is not None:
            template, count = re.subn(self.replace.pattern, self.replace.by, template)
            if not count:
                raise ValueError(f"{self.id}: the pattern is not in the template")
        rewritten = self.messages.source if self.messages is not None else ""
        return self.before + rewritten + template + self.after


def stated() -> tuple[Stated, ...]:
    """Every entry of the list, in its order."""
    text = Path(__file__).with_name("templates.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["defect"], tuple[Stated, ...])


for _entry in stated():
    register(
        Fault(
            kind=TEMPLATES,
            component=_entry.check.partition("/")[2],
            name=_entry.id,
            change=_entry.change,
            healthy=tuple(map(PublishedTemplate, _entry.healthy)),
            checks=(_entry.check,),
            severity=_entry.severity,
            thread=_entry.thread,
        )
    )
