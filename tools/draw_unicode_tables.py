"""Draws Unicode as the libraries know it: `python -m draw_unicode_tables > unicode_tables.toml`.

Nothing is taken from Unicode's own files: tokenizers and tiktoken are asked about every scalar
value of the planes that have characters.  Where the installed `regex` classes a character
otherwise, one is written next to it that is classed the same by the libraries and by `regex`.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version

import regex

CATEGORIES = """
    Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co
    Alphabetic Lowercase Uppercase
"""
CLASSES = tuple(rf"\p{{{name}}}" for name in CATEGORIES.split())
CODES = (*range(0xD800), *range(0xE000, 0x40000), *range(0xE0000, 0xE1000))
CHARACTERS = "".join(map(chr, CODES))
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
HEAD = """\
# Unicode as the libraries know it, by operation; drawn by `make tables` from {}.
# Ranges are distances from the end of the one before, and lengths less one, in base 36.
"""


def main() -> None:
    """Print the table."""
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


if __name__ == "__main__":
    main()
