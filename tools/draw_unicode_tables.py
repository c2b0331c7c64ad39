"""Draws Unicode as the libraries know it: `unicode_tables.toml`.

With `--older FOLDER`, in which each subfolder is named by a version of tokenizers and has it
installed, what those versions do not know yet: `older_tables.toml`.

Nothing is taken from Unicode's own files: tokenizers and tiktoken are asked about every scalar
value of the planes that have characters.  Where the installed `regex` classes a character
otherwise, one is written next to it that is classed the same by the libraries and by `regex`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import regex

CATEGORIES = """
    Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co
    Alphabetic Lowercase Uppercase
"""
CLASSES = tuple(rf"\p{{{name}}}" for name in CATEGORIES.split())
CODES = (*range(0xD800), *range(0xE000, 0x40000), *range(0xE0000, 0xE1000))
CHARACTERS = "".join(map(chr, CODES))
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
OLDER_HEAD = """\
# Characters that older versions of tokenizers leave as they are, by the first version that
# knows them; drawn by `make tables` from tokenizers {}.
# Ranges are distances from the end of the one before, and lengths less one, in base 36.
"""
HEAD = """\
# Unicode as the libraries know it, by operation; drawn by `make tables` from {}.
# Ranges are distances from the end of the one before, and lengths less one, in base 36.
"""


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--older", type=Path, metavar="FOLDER")
    parser.add_argument("--acted-on", action="store_true", help="by this version, as JSON")
    given = parser.parse_args()
    if given.acted_on:
        print(json.dumps({name: sorted(found) for name, found in acted_on().items()}))
    elif given.older is not None:
        print_older(given.older)
    else:
        print_newest()


def print_newest() -> None:
    """Print the table of the installed versions."""
    libraries = [f"{name} {version(name)}" for name in ("tokenizers", "tiktoken")]
    unassigned = of_tokenizers(r"\p{Cn}")
    if unassigned != of_tiktoken(r"\p{Cn}"):
        raise SystemExit("the two libraries have different tables: each needs its own")
    numbers = sorted(digits() - of_tokenizers(r"\p{N}"))
    print(HEAD.format(" and ".join(libraries)))
    print("[patterns]")
    print(f'unassigned = """\\\n{wrapped(ranges(unassigned))}"""\n')
    print("[patterns.classed_like]")
    for one, other in classed_otherwise(unassigned).items():
        print(f'"\\u{ord(one):04x}" = "\\u{ord(other):04x}"')
    print(f'\n[numbers]\nmore = """\\\n{wrapped(ranges(numbers))}"""')


def print_older(folder: Path) -> None:
    """Print what each version in the folder, and the installed one, knows first."""
    versions = sorted((each.name for each in folder.iterdir()), key=as_number)
    knows = {each: asked_of(folder / each) for each in versions} | {
        version("tokenizers"): {name: set(found) for name, found in acted_on().items()}
    }
    print(OLDER_HEAD.format(", ".join(knows)))
    for older, newer in pairwise(knows):
        new = {name: knows[newer][name] - knows[older][name] for name in knows[newer]}
        if lost := [name for name in new if knows[older][name] - knows[newer][name]]:
            raise SystemExit(f"{newer} knows less than {older} in {lost}: that has no form here")
        if any(new.values()):
            print(f'["{newer}"]')
            for name, found in new.items():
                print(f'{name} = """\\\n{wrapped(ranges(found))}"""')
            print()


def as_number(name: str) -> tuple[int, ...]:
    """The numbers of a version.

    >>> as_number("0.22.2")
    (0, 22, 2)
    """
    return tuple(map(int, name.split(".")))


def asked_of(installed: Path) -> dict[str, set[str]]:
    """The characters that a version acts on, which another process is asked for."""
    own = str(Path(__file__).parent)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(installed), own))}
    command = [sys.executable, "-m", "draw_unicode_tables", "--acted-on"]
    answer = subprocess.run(command, env=environment, check=True, capture_output=True).stdout
    return {name: set(found) for name, found in json.loads(answer).items()}


def acted_on() -> dict[str, Iterable[str]]:
    """The characters that `Lowercase` rewrites and that `Digits` isolates."""
    from tokenizers.normalizers import Lowercase

    lower = Lowercase().normalize_str
    return {"Lowercase": {each for each in CHARACTERS if lower(each) != each}, "Digits": digits()}


def of_tokenizers(name: str) -> set[str]:
    """The characters of a class, by tokenizers."""
    from tokenizers import Regex
    from tokenizers.normalizers import Replace

    return set(Replace(Regex(f"[^{name}]"), "").normalize_str(CHARACTERS))


def of_tiktoken(name: str) -> set[str]:
    """The characters of a class, by tiktoken."""
    from tiktoken import Encoding

    single = {bytes([byte]): byte for byte in range(256)}
    library = Encoding("class", pat_str=name, mergeable_ranks=single, special_tokens={})
    return set(bytes(library.encode_ordinary(CHARACTERS)).decode())


def digits() -> set[str]:
    """The characters that the pre-tokenizer `Digits` isolates."""
    from tokenizers.pre_tokenizers import Digits

    text = "a".join(["", *CHARACTERS, ""])
    cut = Digits(individual_digits=True).pre_tokenize_str(text)
    return {piece for piece, _ in cut if len(piece) == 1 and piece != "a"}


def classed_otherwise(unassigned: set[str]) -> dict[str, str]:
    """Each character that the installed `regex` classes otherwise -> one like it."""
    theirs = {name: of_tokenizers(name) for name in CLASSES}
    ours = {name: set(regex.findall(name, CHARACTERS)) for name in CLASSES}
    odd = set[str]().union(*(theirs[name] ^ ours[name] for name in CLASSES)) - unassigned

    def signature(one: str, of: dict[str, set[str]]) -> tuple[object, ...]:
        script = regex.search(r"\p{Latin}", one) is not None
        return (script, one.upper() == one, *(one in of[name] for name in CLASSES))

    found = {}
    for one in sorted(odd):
        wanted = signature(one, theirs)
        like = (c for c in CHARACTERS if c not in odd and signature(c, ours) == wanted)
        found[one] = next(like)
    return found


def ranges(characters: Iterable[str]) -> list[str]:
    """The characters as ranges, each written as its distance and its length less one."""
    codes = sorted(map(ord, characters))
    parts, end, at = [], 0, 0
    while at < len(codes):
        last = at
        while last + 1 < len(codes) and codes[last + 1] == codes[last] + 1:
            last += 1
        length = codes[last] - codes[at]
        parts.append(number(codes[at] - end) + (f".{number(length)}" if length else ""))
        end, at = codes[last], last + 1
    return parts


def number(value: int) -> str:
    """A number in base 36.

    >>> number(0), number(37)
    ('0', '11')
    """
    head = number(value // 36) if value >= 36 else ""
    return head + DIGITS[value % 36]


def wrapped(parts: list[str], width: int = 96) -> str:
    """The parts in lines of that width, each of which goes on in the next."""
    lines, line = [], ""
    for part in parts:
        if len(line) + len(part) > width:
            lines.append(line)
            line = ""
        line += part + " "
    return "\\\n".join([*lines, line]) if parts else ""
