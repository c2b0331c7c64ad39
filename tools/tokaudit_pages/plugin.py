"""The page of the door for plug-ins: each name, in a line."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping

from tokaudit import plugin
from tokaudit_tools.tables import head, row

HEAD = """\
# The door for plug-ins

Checks, formats, adapters and reports import `tokaudit.plugin`, and a tokenizer as data from
`tokaudit_reference.spec`. Everything below stays for all releases of the same version of the door
({version}, `tokaudit.plugin.VERSION`): a name that goes is named in the changelog one release
before. Whatever is not here may move in any release.

How each kind is written: [a check](write-a-check.md), [a format](write-a-format.md),
[an adapter](write-an-adapter.md), [a report](write-a-report.md)."""


def page() -> str:
    """Markdown: a section for each purpose, a row for each name."""
    parts = [HEAD.format(version=plugin.VERSION)]
    for title, names in plugin.SECTIONS.items():
        parts.append("\n".join([f"## {title}", "", *_rows(names)]))
    return "\n\n".join(parts) + "\n"


def _rows(names: Mapping[str, str]) -> Iterator[str]:
    yield head("name", "what it is")
    for name in sorted(names, key=str.lower):
        yield row(f"`{name}`", first_sentence(name))


def first_sentence(name: str) -> str:
    """The first sentence of a name's docstring."""
    return first_sentence_of(getattr(plugin, name))


def first_sentence_of(found: object) -> str:
    """The first sentence of a docstring; of a constant, its value."""
    if inspect.isclass(found) or callable(found):
        words = " ".join((inspect.getdoc(found) or "").split("\n\n")[0].split())
    else:
        words = f"`{found!r}`" if isinstance(found, str | int | float) else "a constant"
    return (words or "a type").replace("|", "\\|")
