"""Small classes of characters, drawn from a grammar of everything that a class may hold.

Some are no patterns to either engine: whether it refuses them is asked too.
"""

from __future__ import annotations

from random import Random

CHARACTERS: list[str] = [*"abcdkKzAZ059_:~!/ ^|é", "s", "ß", "İ", "漢"]
ESCAPED = [r"\-", r"\]", r"\[", r"\\", r"\^", r"\&", r"\n", r"\t", r"\x41", r"\u0061", r"\x{62}"]
CLASSES = {
    "rust": [r"\pN", r"\p{sc=Greek}", r"\p{Any}", r"\p{ASCII}", r"\p{White_Space}"],
    "oniguruma": [
        *(r"\p{Alnum}", r"\p{Punct}", r"\p{^Alpha}", r"\p{Space}", r"\P{Graph}", r"\p{Print}"),
        *(r"\p{Lower}", r"\p{^Upper}", r"\p{XDigit}", r"\p{Blank}", r"\p{Cntrl}", r"\p{Digit}"),
    ],
}
SHARED: list[str] = [
    *(r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"\h", r"\H"),
    *(r"\p{L}", r"\P{L}", r"\p{^L}", r"\p{Lu}", r"\P{Lu}", r"\p{Ll}", r"\p{M}", r"\p{P}"),
    *(r"\p{Nd}", r"\p{Han}", r"\P{Latin}", r"\p{Alphabetic}", r"\p{Cased_Letter}"),
]
POSIX = "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit"
OPERATORS = ["&&", "--", "~~", "||", "&", "-", "~"]
DEEPEST = 3


def named_classes(dialect: str) -> list[str]:
    """Every class that the grammar names, alone: a set for each of POSIX."""
    signs = [f"[:{sign}{name}:]" for name in POSIX.split() for sign in ("", "^")]
    return [*SHARED, *CLASSES[dialect], *(f"[{sign}]" for sign in signs)]


def class_pattern(dice: Random, dialect: str) -> str:
    """A class in the dialect, now and then where case is ignored."""
    named = dice.random() < 0.05
    found = dice.choice(named_classes(dialect)) if named else _set(dice, dialect, 0)
    return f"(?i:{found})" if dice.random() < 0.25 else found


def _set(dice: Random, dialect: str, depth: int) -> str:
    text: str = "[" + ("^" if dice.random() < 0.3 else "")
    text += dice.choice(("", "", "", "-", "-" if depth else "]"))
    for operand in range(dice.choice([1, 1, 1, 2, 2, 3])):
        text += dice.choice(OPERATORS[: 7 if depth else 4]) if operand else ""
        for _ in range(dice.randint(0, 3)):
            member = _member(dice, dialect, depth)
            # A range up to a bracket would let the set end early, with a pattern after it.
            text += "" if text.endswith("-") and member.startswith("[") else member
    return f"{text}]"


def _member(dice: Random, dialect: str, depth: int) -> str:
    classes = SHARED + CLASSES[dialect]
    letters = CHARACTERS + ESCAPED
    kind = dice.random()
    if kind < 0.35:
        return dice.choice(letters)
    if kind < 0.55:
        return f"{dice.choice(letters)}-{dice.choice(letters)}"
    if kind < 0.75:
        return dice.choice(classes)
    if kind < 0.85:
        return f"[:{dice.choice(['', '^'])}{dice.choice(POSIX.split())}:]"
    if kind < 0.95 and depth < DEEPEST:
        return _set(dice, dialect, depth + 1)
    odd = ["-", "^", f"a-{dice.choice(classes)}", f"{dice.choice(classes)}-z"]
    return dice.choice(odd)
