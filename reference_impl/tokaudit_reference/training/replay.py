"""Follows given merges over counted words, as long as a trainer would learn the same ones.

At each step the trainer's own choice is compared with the merge that is given.  Where they differ,
both pairs are counted in the words as they are merged by then; nothing is learned after that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tokaudit_reference.training.bpe_on_files import BYTES, single, spelled
from tokaudit_reference.training.bpe_trainer import Trainer, collector_off
from tokaudit_reference.training.tie_breaks import Value

Given = tuple[Value, ...]  # the parts of a merge, or what it makes alone
Allowed = Callable[[Value], bool]  # whether a trainer makes such a token


@dataclass(frozen=True, slots=True)
class FirstOther:
    """The first merge that differs from the trainer's: both, with their counts at that time.

    `learned` is None where the trainer finds no pair any more.  `in_parts` says in how many parts
    of the text the learned one occurs more often.
    """

    number: int  # from 1
    given: Given
    given_count: int
    learned: Given | None
    learned_count: int
    in_parts: int = 0

    @property
    def is_tie(self) -> bool:
        """Return whether both occur equally often, so that a rule for ties decides."""
        return self.given_count == self.learned_count


@dataclass(frozen=True, slots=True)
class Replay:
    """The number of merges, in order, that a trainer learns too, and the first that differs.

    `last` is how often the last of them occurred, and `after` the pair that would come next.
    """

    agreed: int
    first: FirstOther | None
    last: int = 0
    after: int = 0


def replay(
    words: Iterable[tuple[str, int]],
    merges: Sequence[Given],
    tie_break: str,
    order: Sequence[int],
    *,
    longest: int | None = None,
    older: Mapping[Value, int] | None = None,
    parts: Sequence[int] = (),
) -> Replay:
    """Follow merges as far as these words give them; `order` numbers the bytes.

    A merge may be given by what it makes alone.

    `longest` leaves out every pair that makes a longer token, in bytes.  `older` numbers values
    that the trainer gave ids before the alphabet, such as special tokens that were text to it.
    `parts` says how many of the words are of each part of the text, one part after another.

    >>> words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}.items()
    >>> found = replay(words, [(b"e", b"s"), (b"w", b"e")], "lowest_id", range(256), parts=[2, 2])
    >>> found.agreed, found.first.given_count, found.first.learned, found.first.learned_count
    (1, 2, (b'es', b't'), 9)
    >>> found.first.in_parts
    1
    """

    def fits(token: Value) -> bool:
        return longest is None or len(token) <= longest

    with collector_off():
        trainer = Trainer(spelled(words, order), [*map(single, order)], tie_break, older)
        return _follow(trainer, merges, fits, parts)


def replay_characters(
    words: Iterable[tuple[str, int]],
    merges: Sequence[Given],
    tie_break: str,
    alphabet: Sequence[str],
    allowed: Allowed,
    older: Mapping[Value, int] | None = None,
    parts: Sequence[int] = (),
) -> Replay:
    """Follow merges over characters; a merge may be given by its product alone.

    The words hold characters of the alphabet only.

    >>> words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}.items()
    >>> letters = sorted({*"lowernewestwidest"})
    >>> given = [("es",), ("est",)]
    >>> replay_characters(words, given, "shortest", letters, lambda token: True).agreed
    2
    """
    places = {ord(character): chr(place) for place, character in enumerate(alphabet)}
    spelt = ((word.translate(places), count) for word, count in words)
    with collector_off():
        return _follow(Trainer(spelt, alphabet, tie_break, older), merges, allowed, parts)


def byte_orders() -> dict[str, Sequence[int]]:
    """Return the orders in which trainers number the bytes: by value, or by GPT-2's alphabet."""
    from tokaudit_reference.text.bytes_alphabet import BYTE_OF

    return {
        "alphabet": [BYTE_OF[character] for character in sorted(BYTE_OF)],
        "raw": range(BYTES),
    }


def _follow(
    trainer: Trainer, merges: Sequence[Given], allowed: Allowed, parts: Sequence[int]
) -> Replay:
    """Merge the trainer's choice while it equals the given merge."""
    last = 0
    for number, given in enumerate(merges, start=1):
        chosen = _next(trainer, allowed)
        if chosen is None or not _same(_parts(trainer, chosen), given):
            return Replay(number - 1, _first(trainer, number, given, chosen, parts), last)
        last = trainer.counts[chosen]
        trainer.merge(chosen)
    after = _next(trainer, allowed)
    return Replay(len(merges), None, last, trainer.counts[after] if after else 0)


def _next(trainer: Trainer, allowed: Allowed) -> str | None:
    """Return the trainer's next pair; one with a disallowed product is dropped for good."""
    while (pair := trainer.most_frequent()) is not None:
        if allowed(_made(_parts(trainer, pair))):
            return pair
        trainer.leave_out(pair)
    return None


def _parts(trainer: Trainer, pair: str) -> Given:
    return tuple(trainer.values[ord(symbol)] for symbol in pair)


def _made(parts: Given) -> Value:
    whole: Value = parts[0]
    for part in parts[1:]:
        whole = whole + part  # type: ignore[operator]
    return whole


def _same(chosen: Given, given: Given) -> bool:
    return chosen == given if len(given) > 1 else _made(chosen) == given[0]


def _first(
    trainer: Trainer, number: int, given: Given, chosen: str | None, parts: Sequence[int]
) -> FirstOther:
    pairs = [pair for pair in trainer.counts if _same(_parts(trainer, pair), given)]
    other = max(pairs, key=trainer.counts.__getitem__, default=None)
    count = trainer.counts[other] if other is not None else 0
    if chosen is None:
        return FirstOther(number, given, count, None, 0)
    made = _parts(trainer, chosen)
    learned = made if len(given) > 1 else (_made(made),)
    in_parts = _more_often(trainer, chosen, other, parts)
    return FirstOther(number, given, count, learned, trainer.counts[chosen], in_parts)


def _more_often(trainer: Trainer, pair: str, other: str | None, parts: Sequence[int]) -> int:
    """Count the parts of the words in which a pair occurs more often than another."""
    found, words = 0, iter(trainer.weighted())
    for size in parts:
        more = 0
        for word, weight in islice(words, size):
            more += weight * (word.count(pair) - (word.count(other) if other else 0))
        found += more > 0
    return found
