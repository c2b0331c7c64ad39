"""The page `docs/template-engines.md`: which engines render published templates alike."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokaudit.report.visible import visible
from tokaudit_template_engines.asking import Asked
from tokaudit_template_engines.writing import OWN_TEXT, Writing
from tokaudit_tools.tables import table

HEAD = """# Chat templates by engines that are not Jinja

{templates} published templates, each over {conversations} conversations, by {engines}.
A number is that of the conversations whose text is another than that of {first}; in
brackets is its cause below. `make template-engines` writes this page.

llama.cpp changes what a client sends before its Jinja sees it, so it has two columns: its Jinja on
the messages and variables that it has prepared, and what the preparation changes (it joins parts,
switches thinking on and gives the date). What it does to the text afterwards, as with gpt-oss,
counts with its Jinja. Its server would leave a final answer open; here it does not.

"""
CAUSES = """
## Causes

Each with the first place: the line of the template, what is written there, and both texts.

"""
AROUND = 24  # characters
NAMES = re.compile(r"\|\w+|\.\w+(?=\()")


@dataclass(frozen=True)
class Cause:
    """An engine, and the construct that it reads otherwise or its words of refusal."""

    engine: str
    construct: str


def page(
    answers: Mapping[str, Mapping[str, Sequence[Asked]]],
    templates: Mapping[str, str],
    versions: Sequence[str],
) -> str:
    """Markdown of template -> engine -> what was asked."""
    engines = list(next(iter(answers.values())))
    numbers: dict[Cause, int] = {}
    shown: dict[Cause, str] = {}
    counts: dict[Cause, int] = defaultdict(int)
    rows = []
    for name, by_engine in answers.items():
        writing = Writing(templates[name])
        cells = []
        for engine in engines:
            cell = "="
            asked = by_engine[engine]
            bad = [one for one in asked if one.refused or one.differs]
            if bad:
                cause, example = explained(writing, engine, bad)
                number = numbers.setdefault(cause, len(numbers) + 1)
                shown.setdefault(cause, f"{name}, {example}")
                counts[cause] += 1
                word = "refuses " if all(one.refused for one in bad) else ""
                cell = f"{word}{len(bad)} [{number}]"
            cells.append(cell)
        rows.append((f"`{name}`", *cells))
    conversations = len(next(iter(answers.values()))[engines[0]])
    head = HEAD.format(
        templates=len(rows),
        conversations=conversations,
        first=versions[0],
        engines=", ".join(versions),
    )
    causes = ((numbers[c], c.engine, _cell(c.construct), counts[c], shown[c]) for c in numbers)
    titles = ("cause", "engine", "construct", "templates", "first place")
    return head + table(("template", *engines), rows) + CAUSES + table(titles, causes)


def explained(writing: Writing, engine: str, bad: Sequence[Asked]) -> tuple[Cause, str]:
    """The cause of the first difference of one template, and where that is."""
    one = min(bad, key=lambda each: len(each.expected or ""))
    if one.found.text is None:
        words = one.found.error.partition("\n")[0]
        return Cause(engine, f"it refuses: {_kind(words)}"), f"`{_cell(words)}`"
    if one.expected is None:
        return Cause(engine, "it renders what Jinja refuses"), one.id
    at = _first(one.expected, one.found.text)
    place = writing.place_of(one.context, one.expected, at)
    texts = f"`{_around(one.expected, at)}` is `{_around(one.found.text, at)}`"
    if place is None:
        return Cause(engine, "not known"), texts
    what = place.construct or _shape(place.code)
    return Cause(engine, what), f"line {place.line} `{_cell(place.code)}`: {texts}"


def _kind(error: str) -> str:
    """The words of an error without what is of one template."""
    return _cell(re.sub(r"\d+|\(in .*\)|at (line|row).*", "", error).strip())[:60]


def _shape(code: str) -> str:
    """An expression by its filters and methods, or as the template's own text.

    >>> _shape("'<|end|>' + message.content.strip()"), _shape("message.content")
    ('.strip', 'a printed value')
    """
    if code == OWN_TEXT:
        return OWN_TEXT
    unquoted = re.sub(r"'[^']*('|$)|\"[^\"]*(\"|$)", "", code)  # the end may be cut off
    return " ".join(dict.fromkeys(NAMES.findall(unquoted))) or "a printed value"


def _first(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _around(text: str, at: int) -> str:
    return _cell(text[max(0, at - 4) : at + AROUND])


def _cell(text: str) -> str:
    """A text that may stand between accents in a cell of a table."""
    return visible(text).replace("|", "\\|").replace("`", "'").replace("\n", "⏎")[:90] or " "
