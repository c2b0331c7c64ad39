"""Ids out of the order that nearly all of the vocabulary keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Skip, Subject, check
from tokaudit.subject.formats.characters import NAME as SPOKEN
from tokaudit.subject.formats.characters import delimiter_of
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_suites.shared.ascending import few_exceptions
from tokaudit_suites.shared.learned_order import LearnedOrder
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import (
    NEVER_IN_UTF8,
    looks_like_marker,
    name_of,
    ordinary,
    spelled,
)
from tokaudit_suites.shared.wording import (
    about,
    does,
    ids_evidence,
    in_merges,
    in_vocab,
    plural,
    quote,
    some,
)
from tokaudit_suites.vocab._by_hand import scored_by_hand

FIT = "; two tokens seem to have each other's ids"


@check(
    "vocab/id-order",
    title="Ids keep the order of merges or scores",
    why="Trainers number tokens in the order in which they learn them. If two tokens have each "
    "other's ids, and so each other's embedding rows, these ids are out of order; but the id of a "
    "token that a publisher inserted by hand is out of order too. An unusual order of ids alone "
    "proves no error: a comparison with the base tokenizer or with a second file decides.",
    remedy="{Compare|Run tokaudit with --base to compare} the vocabulary with the base model's.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="an order alone proves nothing: a publisher may have put tokens in by hand.",
    basis=Basis.INTRINSIC,
    incident="Kimi K2's special tokens were renumbered on conversion, and got other tokens' "
    "embeddings (huggingface/transformers PR#48446).",
)
def id_order(spec: TokenizerSpec, subject: Subject, order: LearnedOrder) -> Iterator[Finding]:
    """Compare ids with merge ranks, scores and the order of the byte alphabet."""
    if order.late_parts or order.moved_merges:
        raise Skip("the merges are out of order themselves; see merges/order")
    learned, alphabet = _learned(spec, order), _alphabet(spec)
    if learned is None and (listed := few_exceptions(list(spec.pieces))) is not None:
        yield from _edited(spec, listed, delimiter_of(subject) if spec.format == SPOKEN else None)
    elif learned is None and alphabet is None:
        raise NotApplicable("the ids of this vocabulary follow no order that could be broken")
    broken = [found for found in (learned, alphabet) if found is not None and found.places]
    moved = sorted({id for found in broken for id in found.moved})
    if moved:
        names = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in moved]
        fit = all(exchanged(found.ids, found.places) for found in broken)
        yield Finding(
            Severity.WARNING,
            f"{does(len(moved), 'id', 'does')} not fit the order of the other ids in the "
            f"vocabulary: {some(names)}{FIT if fit else ''}.",
            (in_vocab(spec, moved[:20]), in_merges(spec)),
            (ids_evidence(moved),),
            cause="out of learned order",
            about=about(*(name_of(spec, id) or "" for id in moved)),
        )


@dataclass(frozen=True)
class _Kept:
    """Ids that should be in order, and the positions of the few exceptions."""

    ids: list[int]
    places: list[int]

    @property
    def moved(self) -> list[int]:
        """Return the exceptional ids."""
        return [self.ids[place] for place in self.places]


def _kept(ids: list[int]) -> _Kept | None:
    places = few_exceptions(ids)
    return None if places is None else _Kept(ids, places)


def exchanged(ids: Sequence[int], exceptions: Sequence[int]) -> bool:
    """Return whether the few exceptions only swapped places among themselves.

    An id in another place moves all between; two that change places move no other.
    Of two neighbours only one is an exception.

    >>> exchanged([1, 9, 3, 4, 2], [1, 4]), exchanged([1, 3, 2, 4], [2])
    (True, True)
    >>> exchanged([1, 4, 2, 3], [1])
    False
    """
    moved = sum(id != sorted_id for id, sorted_id in zip(ids, sorted(ids), strict=True))
    return 0 < moved <= 2 * len(exceptions)


def _edited(spec: TokenizerSpec, positions: list[int], mark: str | None) -> Iterator[Finding]:
    """Report entries listed out of the order of ids.

    A vocabulary of speech gives the id of the space to its mark between words, and lists it last.
    """
    ids = list(spec.pieces)
    moved = [ids[position] for position in positions if name_of(spec, ids[position]) != mark]
    if not moved or _is_sorted_by_text(spec):
        return
    fit = exchanged(ids, positions)
    names = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in moved]
    yield Finding(
        Severity.WARNING,
        f"The file lists its entries in order of id except for {plural(len(moved), 'entry')}: "
        f"{some(names)}{FIT if fit else ''}.",
        (in_vocab(spec, moved[:20]),),
        (ids_evidence(moved),),
        cause="out of listed order",
        about=about(*(name_of(spec, id) or "" for id in moved)),
    )


def _is_sorted_by_text(spec: TokenizerSpec) -> bool:
    """Return whether the file has sorted keys, as `save_vocabulary` of some classes writes.

    Its order then says nothing of ids: speech models have letters in order and two tokens after.
    """
    texts = [spelled(spec.surface(piece)) for piece in spec.every_piece()]
    return texts == sorted(texts)


def _learned(spec: TokenizerSpec, order: LearnedOrder) -> _Kept | None:
    """Return ids out of the order of merges, ranks or scores; None without such an order."""
    if spec.merges is not None:
        return None if order.exceptions is None else _Kept(order.learned, order.exceptions)
    ranks = spec.product_ranks or {id: -score for id, score in spec.scores.items()}
    by_hand = scored_by_hand(spec)
    usable = {
        id
        for id, piece in ordinary(spec)
        if piece.token_type is not TokenType.USER_DEFINED
        and id not in by_hand
        and len(set(piece.value)) > 1
        and not looks_like_marker(piece.value)
    }
    ranked = sorted((rank, id) for id, rank in ranks.items() if id in usable)
    if spec.model_type is ModelType.TRIE or not ranked or all(rank == id for rank, id in ranked):
        return None  # an id that is its own rank keeps any order; see vocab/learnable
    return _kept([id for _, id in ranked])


def _alphabet(spec: TokenizerSpec) -> _Kept | None:
    """Return single bytes out of order: by value, or by their character in files.

    Those that no text has may stand anywhere: Llama 4 lists them before all others.
    """
    if not spec.byte_level:
        return None
    ids = {
        piece.value[0]: id
        for id, piece in ordinary(spec)
        if isinstance(piece.value, bytes)
        and len(piece.value) == 1
        and piece.token_type is TokenType.ORDINARY
        and piece.value[0] not in NEVER_IN_UTF8
    }
    by_character = [byte for _, byte in sorted(BYTE_OF.items()) if byte in ids]
    for order in (by_character, sorted(ids)):
        kept = _kept([ids[byte] for byte in order])
        if kept is not None:
            return kept
    return None
