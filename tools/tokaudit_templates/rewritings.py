"""Rewritings of a template that change nothing of what it writes: no check may say anything new."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

LOOP_NAME = re.compile(r"(?<![|'\"\w<-])message(?=[.\[\s)])(?!s)")
ATTRIBUTE = re.compile(r"\b(message|m)\.(role|content)\b")


def _renamed(template: str) -> str:
    """The loop's variable under another name, inside of tags only."""
    tags = re.compile(r"\{[%{].*?[%}]\}", re.DOTALL)
    return tags.sub(lambda tag: LOOP_NAME.sub("turn", tag[0]), template)


REWRITINGS: Mapping[str, Callable[[str], str]] = {
    "a comment": lambda template: "{#- Tools and <think> are written below. -#}" + template,
    "an unused variable": lambda template: "{%- set unused = 1 -%}" + template,
    "keys in brackets": lambda template: ATTRIBUTE.sub(r"\1['\2']", template),
    "another name in the loop": _renamed,
    "an empty print": lambda template: template + "{{- '' -}}",
    "a branch that nothing takes": lambda template: "{%- if false -%}{%- endif -%}" + template,
}
"""What is done, and how; each holds for any template."""
