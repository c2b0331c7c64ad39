"""Edits of split patterns, from a seed: what a person who retypes or adapts one might do.

Some keep the meaning, most change it, a few make what the prover does not follow.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from tokenizers import Regex

from tokaudit.products.compare.patterns.splits import BEHAVIORS, PreTokenizer, Split
from tokaudit.products.compare.patterns.tree import Dialect
from tokaudit_reference.text.patterns import compiled

QUANTIFIER = re.compile(r"(?<=[\])}])(?:[*+?]|\{1,3\})[+?]?")
SET = re.compile(r"\[\^?(?:\\[pP]\{\w+\}|\\.|[^\]\\\[])+\]")
MEMBER = re.compile(r"\\[pP]\{\w+\}|\\.|[^\]\\\[^]")
# Spelled differently, and most often the same.
REWRITTEN = [
    (r"\p{N}{1,3}", r"\p{N}\p{N}?\p{N}?"),
    (r"\p{L}+", r"\p{L}\p{L}*"),
    (r"[\r\n]", r"[\n\r]"),
    (r"(?!\S)", r"(?=\s|\z)"),
    (r"(?!\S)", r"(?=\s|$)"),
    (r"(?!\S)", "$"),
    (r"'s|'t", "'[st]"),
    (r"'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)"),
    (r"\s+(?!\S)|\s+", r"\s+(?!\S)|\s"),
    (r"\s*[\r\n]+", r"\s*[\r\n]"),
    (r"\p{L}", r"\p{Lu}|\p{L}"),
    (r" ?", r"(?: )?"),
    (r" ?", r"\s?"),
    (r" ?", r"(?>\x20?)"),
    ("(?i:", "(?:"),
    ("(?:", "(?i:"),
    (r"\p{N}", r"\d"),
    (r"[^\s", r"[^ "),
]
INSERTED = [
    " ?",
    r"(?<!\p{N})",
    r"(?<=\s|^)",
    r"\b",
    "^",
    "(?!a)",
    r"\A",
    "$",
    "(?<!_)",
    r"\B",
    "x",
]


def mutants(
    originals: dict[str, PreTokenizer], count: int, seed: int
) -> list[tuple[str, PreTokenizer, PreTokenizer]]:
    """Names, originals and their mutants, spread over the originals."""
    dice = random.Random(seed)
    names, found = sorted(originals), []
    seen: set[tuple[PreTokenizer, PreTokenizer]] = set()
    while len(found) < count:
        name = names[len(found) % len(names)]
        splits = originals[name]
        at = dice.randrange(len(splits))
        changed = mutant(splits[at], dice)
        mutated = (*splits[:at], changed, *splits[at + 1 :])
        new = changed != splits[at] and (splits, mutated) not in seen
        if new and _compiles(changed):
            seen.add((splits, mutated))
            found.append((f"{name} #{len(found)}", splits, mutated))
    return found


def _compiles(split: Split) -> bool:
    """Whether an engine takes the pattern: what none does is no pattern."""
    try:
        Regex(split.pattern)
        compiled(split.pattern, rust=split.dialect is Dialect.RUST)
    except Exception:
        return False
    return True


def mutant(split: Split, dice: random.Random) -> Split:
    """The split with one edit."""
    if dice.random() < 0.12:
        return replace(split, behavior=dice.choice(BEHAVIORS), invert=dice.random() < 0.5)
    return replace(split, pattern=dice.choice(EDITS)(split.pattern, dice))


def _alternatives(pattern: str) -> list[str]:
    """The parts between the signs `|` that are in no group and no set."""
    parts, depth, at = [""], 0, 0
    for step in re.findall(r"\\.|\[(?:\\.|[^\]])*\]|.", pattern, re.S):
        depth += (step == "(") - (step == ")")
        if step == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += step
        at += len(step)
    return parts


def dropped(pattern: str, dice: random.Random) -> str:
    """Without one of its alternatives."""
    parts = _alternatives(pattern)
    if len(parts) > 1:
        del parts[dice.randrange(len(parts))]
    return "|".join(parts)


def swapped(pattern: str, dice: random.Random) -> str:
    """Two alternatives have changed places."""
    parts = _alternatives(pattern)
    one, other = dice.randrange(len(parts)), dice.randrange(len(parts))
    parts[one], parts[other] = parts[other], parts[one]
    return "|".join(parts)


def added(pattern: str, dice: random.Random) -> str:
    """One more alternative."""
    parts = _alternatives(pattern)
    new = dice.choice(
        [r"\p{N}", "a+?b", "<x>", r"_++", r"(?i:k)", r"(?<=a)\n", r"\n{2,}", ".", "-$"]
    )
    parts.insert(dice.randrange(len(parts) + 1), new)
    return "|".join(parts)


def requantified(pattern: str, dice: random.Random) -> str:
    """Another quantifier."""
    new = dice.choice(
        ["+", "*", "?", "{1,3}", "{2}", "+?", "*?", "??", "++", "*+", "?+", "{1,5}", ""]
    )
    return _at_one(QUANTIFIER, pattern, dice, lambda old: new)


def set_changed(pattern: str, dice: random.Random) -> str:
    """A set with a member less, or one more, or turned round."""
    how = dice.randrange(3)

    def change(old: str) -> str:
        if how == 0:
            return _at_one(MEMBER, old[1:], dice, lambda member: "").join(["[", ""])
        if how == 1:
            return (
                old[:-1] + dice.choice([r"\p{M}", "/", "_", r"\n", " ", "á", r"\p{Nd}", "'"]) + "]"
            )
        return "[" + old[2:] if old.startswith("[^") else "[^" + old[1:]

    return _at_one(SET, pattern, dice, change)


def rewritten(pattern: str, dice: random.Random) -> str:
    """A part spelled differently."""
    fitting = [(old, new) for old, new in REWRITTEN if old in pattern]
    if not fitting:
        return pattern
    old, new = dice.choice(fitting)
    return pattern.replace(old, new, 1) if dice.random() < 0.5 else pattern.replace(old, new)


def inserted(pattern: str, dice: random.Random) -> str:
    """An alternative with something before or after it."""
    parts = _alternatives(pattern)
    at, new = dice.randrange(len(parts)), dice.choice(INSERTED)
    parts[at] = new + parts[at] if dice.random() < 0.6 else parts[at] + new
    return "|".join(parts)


def grouped(pattern: str, dice: random.Random) -> str:
    """An alternative in a group, which may change how it repeats."""
    parts = _alternatives(pattern)
    at = dice.randrange(len(parts))
    parts[at] = (
        dice.choice(
            ["(?:%s)", "(%s)", "(?i:%s)", "(?:%s)+", "(?:%s){1,2}", "(?:%s)+?", "(?:%s)?+x"]
        )
        % parts[at]
    )
    return "|".join(parts)


def _at_one(
    what: re.Pattern[str], pattern: str, dice: random.Random, change: Callable[[str], str]
) -> str:
    places = list(what.finditer(pattern))
    if not places:
        return pattern
    place = dice.choice(places)
    return pattern[: place.start()] + change(place.group()) + pattern[place.end() :]


EDITS: list[Callable[[str, random.Random], str]] = [
    dropped,
    swapped,
    added,
    requantified,
    set_changed,
    rewritten,
    inserted,
    grouped,
]
