"""The strings that two encoders are compared on: the vocabulary, Unicode, and mixtures of all.

What is drawn depends on the tier and the seed alone.  Lists of ids to decode are drawn here too;
nothing is encoded.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from tokaudit.engine.texts.probes import assigned_scalars
from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit_conformance.snippets import AROUND, PIECES, VARIED
from tokaudit_reference.spec import TokenizerSpec, TokenType

SURROGATES = range(0xD800, 0xE000)
ROW = 128  # code points; no block of Unicode lies across two rows without filling one
Item = TypeVar("Item")
CONTROLS = (TokenType.CONTROL, TokenType.UNKNOWN, TokenType.UNUSED)


@dataclass(frozen=True, slots=True)
class Tier:
    """About how many strings of each kind; 0 stands for all there are."""

    entries: int
    scalars: int
    fuzz: int


TIERS = {
    "quick": Tier(1_000, 3_000, 2_000),
    "full": Tier(0, 0, 100_000),
}


def pieces(spec: TokenizerSpec, tier: Tier, seed: int) -> list[str]:
    """Every entry as the model knows it, through its bytes, be they UTF-8 or not."""
    found = []
    for piece in spec.every_piece():
        if isinstance(piece.value, bytes) and spec.byte_level:
            found.append(piece.value.decode("utf-8", "surrogateescape"))
        elif isinstance(piece.value, str) and piece.token_type not in CONTROLS:
            found.append(piece.value)
    return _some(list(dict.fromkeys(filter(None, found))), tier.entries, seed)


def entries(spec: TokenizerSpec, tier: Tier, seed: int) -> list[str]:
    """The vocabulary's entries as text, those that are text by themselves."""
    return _some(list(dict.fromkeys(own_texts(spec))), tier.entries, seed)


def scalars(tier: Tier, seed: int) -> list[str]:
    """Unicode's scalar values alone: all 1,112,064, or some of every row of assigned ones."""
    if not tier.scalars:
        return [chr(code) for code in range(0x110000) if code not in SURROGATES]
    rng = random.Random(seed)
    rows: dict[int, list[int]] = {}
    for code in assigned_scalars():
        rows.setdefault(code // ROW, []).append(code)
    share = max(1, tier.scalars // len(rows))
    known = [code for row in rows.values() for code in rng.sample(row, min(share, len(row)))]
    return [*map(chr, known), *(_any_scalar(rng) for _ in range(tier.scalars // 10))]


def assigned(characters: Iterable[str]) -> list[str]:
    """Those that Unicode has given a character, private use left out."""
    known = set(map(chr, assigned_scalars()))
    return [character for character in characters if character in known]


def between(characters: Iterable[str]) -> Iterator[str]:
    """The same between letters."""
    return (f"a{character}b" for character in characters)


def added(spec: TokenizerSpec, tier: Tier, seed: int) -> Iterator[str]:
    """Each added token in every context, in another case, cut short, and next to another one."""
    contents = [token.content for token in spec.added_tokens if token.content]
    rng = random.Random(seed)
    for content in _some(contents, tier.entries // len(AROUND), seed):
        yield from (before + content + after for before, after in AROUND)
        yield from (content.upper(), content.lower(), content[:-1], content[1:])
        yield content + rng.choice(contents) + " " + rng.choice(contents)


def fuzz(spec: TokenizerSpec, tier: Tier, seed: int) -> Iterator[str]:
    """Mixtures of scripts, white space, marks, digits, code, own pieces and added tokens."""
    rng = random.Random(seed)
    own = list(dict.fromkeys(own_texts(spec))) or [""]
    added = [token.content for token in spec.added_tokens] or [""]
    for _ in range(tier.fuzz):
        yield "".join(_part(rng, own, added) for _ in range(rng.randint(1, 9)))


def id_lists(spec: TokenizerSpec, tier: Tier, seed: int) -> list[list[int]]:
    """Each id alone, and lists of ids that no text need give."""
    rng = random.Random(seed)
    ids = sorted({*spec.pieces, *(token.id for token in spec.added_tokens)})
    special = [token.id for token in spec.added_tokens] or ids
    short = [id for id, piece in spec.each_entry() if len(piece.value) < 2] or ids
    alone = [[id] for id in _some(ids, tier.entries, seed)]
    pools = (ids, ids, short, special)
    return alone + [
        [rng.choice(rng.choice(pools)) for _ in range(rng.randint(2, 12))]
        for _ in range(tier.fuzz // 10)
    ]


def _part(rng: random.Random, own: list[str], added: list[str]) -> str:
    chance = rng.random()
    if chance < 0.45:
        return rng.choice(PIECES) * (1 if rng.random() < 0.8 else rng.randint(2, 7))
    if chance < 0.70:
        return VARIED[rng.randrange(len(VARIED))](rng.choice(own))
    if chance < 0.80:
        before, after = rng.choice(AROUND)
        return before + rng.choice(added) + after
    if chance < 0.90:
        return chr(rng.randrange(0x20, 0x3000)) * rng.randint(1, 3)
    return _any_scalar(rng)


def _any_scalar(rng: random.Random) -> str:
    code = rng.randrange(0x110000 - len(SURROGATES))
    return chr(code if code < SURROGATES.start else code + len(SURROGATES))


def _some(items: list[Item], most: int, seed: int) -> list[Item]:
    return random.Random(seed).sample(items, most) if 0 < most < len(items) else items
