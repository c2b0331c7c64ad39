"""Writes the record of refusals from drawn answers: answers that are the same become one row."""

from __future__ import annotations

import json
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from tokaudit.subject.upstream.refusals import ALONE, BARE
from tokaudit_loaders.drawing import Answer
from tokaudit_loaders.drawn_values import GENERAL, KEYS, SLOW

HEAD = (
    "# What makes a version of transformers refuse a tokenizer: by key, form of value and class; "
    "`make loaders` draws it.\n"
)
CUT = (
    (r"\n.*", ""),
    (r"current value: .*", "current value: ..."),
    (r"^AssertionError: Value .* is not a list", "AssertionError: Value ... is not a list"),
    (r"list of strings, got .*", "list of strings"),
    (r"Special token (5|a|a_token|lstrip) has", "Special token ... has"),
    (r"argument '(5|a|a_token|content)'", "argument ..."),
    (r"Special token \w+_token has", "Special token {key} has"),
    (r"base 10: 'a'", "base 10: ..."),
    ("abc", "..."),
)
"""What a message says of the value that was drawn, and the key or class, is left out."""
MOST = 140  # characters of a message
METHOD, SENTINELS = "conflicts with the method", "Both extra_ids"  # by algorithm, not by form
Names = Mapping[str, list[str]]
Row = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str, bool]


def record(answers: Mapping[str, Iterable[Answer]], names: Mapping[str, Names]) -> str:
    """The text of the record, by version."""
    text = HEAD
    for version, found in names.items():
        text += f'\n[names."{version}"]\n'
        for key, listed in found.items():
            text += f'{key} = """\n{_wrapped(listed)}\n"""\n'
    for version, each in answers.items():
        for row in sorted(rows(each)):
            text += _written(version, row)
    return text


def rows(answers: Iterable[Answer]) -> list[Row]:
    """Keys, classes and forms of which a version says the same."""
    layouts: dict[str, set[str]] = defaultdict(set)
    tried: dict[str, set[tuple[str, str]]] = defaultdict(set)
    said: dict[tuple[str, str, bool], dict[tuple[str, str], set[str]]] = {}
    for each in answers:
        layouts[each.name].add(each.layout)
        tried[each.key].add((each.name, each.layout))
        by_algorithm = METHOD in each.says or SENTINELS in each.says
        if each.says and not by_algorithm and not _is_of_the_text(each):
            at = (each.key, message(each), each.encoding)
            by = said.setdefault(at, defaultdict(set))
            by[each.name, each.layout].add(each.form)
    merged: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for (key, says, encoding), by_class in said.items():
        alike: dict[frozenset[str], set[tuple[str, str]]] = defaultdict(set)
        for where, forms in by_class.items():
            alike[frozenset(forms)].add(where)
        for forms, classes in alike.items():
            of = tuple(sorted(_of(classes, tried[key], layouts)))
            merged[of, tuple(sorted(forms)), says, encoding].append(key)
    return [(tuple(sorted(keys)), *rest) for rest, keys in merged.items()]


def _is_of_the_text(answer: Answer) -> bool:
    """Whether it is the drawn text that a class does not know, and not that it is a text."""
    by_value = not answer.says.startswith(("TypeError", "AttributeError"))
    return "text" in answer.form and answer.key not in KEYS and by_value


def message(answer: Answer) -> str:
    """What is raised, without the value, the key and the class."""
    says = answer.says
    for pattern, instead in CUT:
        says = re.sub(pattern, instead, says, flags=re.DOTALL if pattern[0] == "\\" else 0)
    return says.replace(f"{answer.name}Fast", "{class}").replace(answer.name, "{class}")[:MOST]


def _of(
    classes: set[tuple[str, str]],
    tried: set[tuple[str, str]],
    layouts: Mapping[str, set[str]],
) -> set[str]:
    """The classes of a row: all on tokenizers where those that stand for them agree."""
    standing = {each for each in tried if each[0] in GENERAL}
    every = {name for name, _ in standing} == {*GENERAL} and classes >= standing
    found = {"fast"} if every else set[str]()
    slow = every and any(name == SLOW for name, _ in classes)
    found |= {"slow"} if slow else set()
    for name, layout in classes:
        if not (every and name in GENERAL) and not (slow and name == SLOW):
            only = {"json": ALONE, "bare": BARE}[layout] if len(layouts[name]) > 1 else ""
            both = {(name, each) for each in layouts[name]} <= classes
            found.add(name if both else name + only)
    return found


def _written(version: str, row: Row) -> str:
    keys, of, forms, says, encoding = row
    lines = {"keys": keys, "of": of, "forms": forms, "says": says}
    text = "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in lines.items())
    return f'\n[["{version}"]]\n{text}' + ('while = "encoding"\n' if encoding else "")


def _wrapped(words: Iterable[str]) -> str:
    return textwrap.fill(" ".join(words), 100, break_on_hyphens=False)
