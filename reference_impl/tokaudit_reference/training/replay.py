"""Follows given merges over counted words, as far as a trainer would learn the same ones.

At each step the trainer's own choice is compared with the merge that is given.  Where they differ,
both pairs are counted in the words as they are merged by then; nothing is learned after that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokaudit_reference.training.bpe_on_files import BYTES, Merge, single, spelled
from tokaudit_reference.training.bpe_trainer import Trainer, collector_off


@dataclass(frozen=True, slots=True)
class FirstOther:
    """The first merge that is not the trainer's: both pairs, and how often each occurs by then.

    `learned` is None where the trainer finds no pair any more.
    """

    number: int  # from 1
    given: Merge
    given_count: int
    learned: Merge | None
    learned_count: int


@dataclass(frozen=True, slots=True)
class Replay:
    """How many merges are the trainer's own, in order, and the first that is not."""

    agreed: int
    first: FirstOther | None


def replay(
    words: Iterable[tuple[str, int]],
    merges: Sequence[Merge],
    tie_break: str,
    order: Sequence[int],
    *,
    longest: int | None = None,
) -> Replay:
    """How far merges are those that these words give; `order` numbers the bytes.

    `longest` leaves out every pair that makes a longer token, in bytes.

    >>> words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}.items()
    >>> found = replay(words, [(b"e", b"s"), (b"w", b"e")], "lowest_id", range(256))
    >>> found.agreed, found.first.given_count, found.first.learned, found.first.learned_count
    (1, 2, (b'es', b't'), 9)
    """
    with collector_off():
        trainer = Trainer(spelled(words, order), [*map(single, order)], tie_break)
        symbols = {value: chr(symbol) for symbol, value in enumerate(trainer.values)}
        for number, (left, right) in enumerate(merges, start=1):
            pair = symbols.get(left, "") + symbols.get(right, "")
            chosen = _next(trainer, longest)
            if chosen is None or chosen != pair:
                return Replay(number - 1, _first(trainer, number, (left, right), pair, chosen))
            trainer.merge(pair)
            symbols.setdefault(trainer.values[-1], chr(len(trainer.values) - 1))
    return Replay(len(merges), None)


def byte_orders() -> dict[str, Sequence[int]]:
    """How trainers number the bytes: by value, or by GPT-2's alphabet of bytes."""
    from tokaudit_reference.text.bytes_alphabet import BYTE_OF

    return {
        "alphabet": [BYTE_OF[character] for character in sorted(BYTE_OF)],
        "raw": range(BYTES),
    }


def _next(trainer: Trainer, longest: int | None) -> str | None:
    """What the trainer merges next; pairs that make a token too long never come again."""
    while (pair := trainer.most_frequent()) is not None:
        first, second = (trainer.values[ord(symbol)] for symbol in pair)
        if longest is None or len(first) + len(second) <= longest:
            return pair
        trainer.leave_out(pair)
    return None


def _first(
    trainer: Trainer, number: int, given: Merge, pair: str, chosen: str | None
) -> FirstOther:
    count = trainer.counts.get(pair, 0) if len(pair) == 2 else 0
    if chosen is None:
        return FirstOther(number, given, count, None, 0)
    first, second = (trainer.values[ord(symbol)] for symbol in chosen)
    assert isinstance(first, bytes) and isinstance(second, bytes)
    return FirstOther(number, given, count, (first, second), trainer.counts[chosen])
