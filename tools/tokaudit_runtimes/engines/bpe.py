"""A byte-level engine as one writes it in Python; started with a table and the name of a fault.

The table has a row for each token, merge and added token; without a fault the ids are the file's.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import regex

WHITE = r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
INK = f"[^{WHITE[1:]}"
TABLE, LOWER, FAULT = sys.argv[1], sys.argv[2] == "uncased", sys.argv[3]
ids: dict[bytes, int] = {}
ranks: dict[tuple[bytes, bytes], int] = {}
added: dict[str, int] = {}

for row in Path(TABLE).read_text("ascii").splitlines():
    kind, one, other = row.split()
    if kind == "merge":
        ranks[bytes.fromhex(one), bytes.fromhex(other)] = len(ranks)
    elif kind == "added":
        added[bytes.fromhex(one).decode()] = int(other)
    elif kind == "token":
        ids[bytes.fromhex(one)] = int(other)
values = {id: value for value, id in ids.items()} | {i: t.encode() for t, i in added.items()}


def pattern() -> str:
    """The split pattern, with the fault where it is one of these."""
    letter, digit, white, ink, flag = r"\p{L}", r"\p{N}", WHITE, INK, "i"
    if FAULT == "white space of re has U+001C to U+001F":
        white, ink = rf"[\x1c-\x1f{WHITE[1:]}", rf"[^\x1c-\x1f{WHITE[1:]}"
    if FAULT == "digits are those of \\d":
        digit = r"\p{Nd}"
    if FAULT == "letters are word characters without digits":
        letter = r"[^\W\d_]"
    if FAULT == "contractions in lower case alone":
        flag = ""
    no = rf"(?!{letter}|{digit})"
    return (
        rf"(?{flag}:'s|'t|'re|'ve|'m|'ll|'d)|(?:{no}[^\r\n])?(?:{letter})+|{digit}{{1,3}}"
        rf"| ?(?:{no}{ink})+[\r\n]*|{white}*[\r\n]+|{white}+(?!{ink})|{white}+"
    )


SPLIT = regex.compile(pattern())
contents = sorted(added, key=lambda text: -len(text))
if FAULT == "the first of two added tokens that begin alike":
    contents = sorted(added, key=len)
ADDED = regex.compile("(" + "|".join(map(regex.escape, contents)) + ")")


@cache
def merged(piece: bytes) -> tuple[int, ...]:
    """The ids of one piece."""
    parts = [piece[at : at + 1] for at in range(len(piece))]
    while len(parts) > 1:
        pairs = ((ranks.get(pair, len(ranks)), at) for at, pair in enumerate(pairwise(parts)))
        rank, at = min(pairs)
        if rank == len(ranks):
            break
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return tuple(ids[part] for part in parts)


def plain(text: str) -> list[int]:
    """The ids of a text without added tokens."""
    text = unicodedata.normalize("NFC", text)
    if LOWER:
        text = text.casefold() if FAULT == "case is folded" else "".join(map(str.lower, text))
    lines = text.splitlines(keepends=True) if FAULT == "each of splitlines by itself" else [text]
    pieces = (one[0] for line in lines for one in SPLIT.finditer(line))
    return [id for piece in pieces for id in merged(piece.encode())]


def encode(text: str, special: bool, add: bool) -> list[int]:
    """The ids of a text."""
    if FAULT == "white space is stripped at both ends":
        text = text.strip()
    parts = ADDED.split(text) if special else [text]
    found: list[int] = []
    for part in parts:
        found += [added[part]] if special and part in added else plain(part)
    if add:
        first, last = (id for word, id in added.items() if word in ("<bos>", "<eos>"))
        if FAULT != "no second token at the beginning" or found[:1] != [first]:
            found = [first, *found]
        found.append(last)
    return found


def decode(row: list[int]) -> str:
    """The text of some ids."""
    lost = FAULT == "bytes that are no text are ignored in decoding"
    return b"".join(values[id] for id in row).decode(errors="ignore" if lost else "replace")


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer to one question."""
    if asked["op"] == "hello":
        can = ["special", "adds", "decode", "batch"]
        return {"protocol": asked["protocol"], "name": "bpe.py", "version": "1", "can": can}
    if asked["op"] == "encode":
        return {"ids": [encode(one, asked["special"], asked["add"]) for one in asked["texts"]]}
    return {"texts": [decode(row) for row in asked["ids"]]}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
