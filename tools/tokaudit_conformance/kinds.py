"""The kinds of strings that one tokenizer is asked about, and how it is asked about each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions
from tokaudit_conformance import texts
from tokaudit_conformance.texts import Tier
from tokaudit_reference.spec import Standing, TokenizerSpec

PLAIN = EncodeOptions()
ALL = DecodeOptions()


@dataclass(frozen=True)
class Kind:
    """Strings to encode; `whole`: offsets and what the ids decode to are compared too."""

    name: str
    strings: Iterable[str]
    options: EncodeOptions = PLAIN
    whole: bool = False


@dataclass(frozen=True)
class IdKind:
    """Lists of ids to decode."""

    name: str
    ids: list[list[int]]
    options: DecodeOptions = ALL


def kinds(spec: TokenizerSpec, tier: Tier, seed: int, abilities: frozenset[str]) -> Iterator[Kind]:
    """Every kind that makes sense for a tokenizer whose two sides share these abilities."""
    characters = texts.scalars(tier, seed)
    if "piece" in abilities:
        yield Kind("pieces", texts.pieces(spec, tier, seed), EncodeOptions(piece=True))
    yield Kind("entries", texts.entries(spec, tier, seed), whole=True)
    yield Kind("scalars", characters)
    yield Kind("between letters", texts.between(characters))
    yield Kind("assigned, whole", texts.between(texts.assigned(characters)), whole=True)
    if spec.added_tokens:
        yield Kind("added tokens", texts.added(spec, tier, seed), whole=True)
    yield Kind("fuzz", texts.fuzz(spec, tier, seed), whole=True)
    fewer = replace(tier, fuzz=tier.fuzz // 10)
    if "special" in abilities and spec.added_tokens:
        plain = EncodeOptions(parse_special=False)
        yield Kind("specials as text", texts.fuzz(spec, fewer, seed + 1), plain, whole=True)
    if spec.post_processor.standing is Standing.STATED:
        more = EncodeOptions(add_special_tokens=True)
        yield Kind("specials added", texts.fuzz(spec, fewer, seed + 2), more, whole=True)


def id_kinds(
    spec: TokenizerSpec, tier: Tier, seed: int, abilities: frozenset[str]
) -> Iterator[IdKind]:
    """Ids alone and in any order, special ones kept and, where both can, skipped."""
    ids = texts.id_lists(spec, tier, seed)
    yield IdKind("ids decoded", ids)
    if "special" in abilities:
        yield IdKind("specials skipped", ids, DecodeOptions(skip_special_tokens=True))
