"""Train BPE over the most frequent characters, with byte fallback for the rest.

The alphabet holds the most frequent characters, as many as make up the share of the text that was
asked for; of equally frequent ones the first in the order of code points.  A character that is not
in it is written as its bytes, `<0x00>` to `<0xFF>`, and ends what is merged on both sides of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tokaudit.foundation.progress import OnStep
from tokaudit.products.train.recipe import BYTES, Recipe, refuse_small
from tokaudit.products.train.trainers import tokenizer_file as file_of
from tokaudit.products.train.trainers.learned import LearnedMerge, Trained, readable

BYTE_TOKENS = tuple(f"<0x{byte:02X}>" for byte in range(BYTES))


def trained(
    recipes: Sequence[Recipe], counts: Callable[[], Iterable[tuple[str, int]]], on_step: OnStep
) -> list[Trained]:
    """Train each recipe by the merges of the largest; `counts` is called once."""
    from tokaudit_reference.training.bpe_trainer import train

    largest = max(recipes, key=lambda recipe: recipe.vocab_size)
    words = dict(counts())
    alphabet = alphabet_of(words, largest.coverage)
    for recipe in recipes:
        refuse_small(recipe, BYTES + len(alphabet), f"{BYTES} bytes, {len(alphabet)} characters")
    first = BYTES + len(alphabet)
    frequencies: list[int] = []

    def on_merge(done: int, count: int) -> None:
        frequencies.append(count)
        on_step("merging", first + done, largest.vocab_size)

    pairs = train(
        _spelled(words, alphabet),
        alphabet,
        largest.vocab_size - first - len(largest.special),
        largest.tie_break,
        min_frequency=largest.min_frequency,
        on_merge=on_merge,
    )
    values = list(alphabet)
    for left, right in pairs:
        values.append(values[left] + values[right])
    learned = [
        LearnedMerge(values[left], values[right], count)
        for (left, right), count in zip(pairs, frequencies, strict=True)
    ]
    return [_as_trained(recipe, alphabet, learned) for recipe in recipes]


def alphabet_of(words: Mapping[str, int], coverage: float) -> list[str]:
    """Return the characters that cover this share of the words, by code point.

    >>> alphabet_of({"aab": 3, "c": 1}, 0.9), alphabet_of({"aab": 3, "c": 1}, 1.0)
    (['a', 'b'], ['a', 'b', 'c'])
    """
    found: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            found[character] += count
    whole, covered = found.total(), 0
    alphabet = []
    for character, count in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        if covered >= coverage * whole:
            break
        alphabet.append(character)
        covered += count
    return sorted(alphabet)


def _spelled(words: Mapping[str, int], alphabet: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the words as symbols, split at characters outside the alphabet."""
    known = {character: chr(place) for place, character in enumerate(alphabet)}
    for word, count in words.items():
        part: list[str] = []
        for character in word:
            if character in known:
                part.append(known[character])
                continue
            if part:
                yield "".join(part), count
            part = []
        if part:
            yield "".join(part), count


def _as_trained(recipe: Recipe, alphabet: Sequence[str], learned: list[LearnedMerge]) -> Trained:
    room = recipe.vocab_size - BYTES - len(alphabet) - len(recipe.special)
    merges = _without_bytes(learned[:room])
    made = (str(each.made) for each in merges)
    vocab = {token: id for id, token in enumerate(dict.fromkeys([*BYTE_TOKENS, *alphabet, *made]))}
    special = {token: len(vocab) + place for place, token in enumerate(recipe.special)}
    pairs = [(str(each.left), str(each.right)) for each in merges]
    model = file_of.bpe_model(vocab, pairs) | {"byte_fallback": True, "fuse_unk": True}
    more = readable(list(vocab), merges, recipe.special) if recipe.readable else {}
    return Trained(model, special, len(vocab) + len(special), more, tuple(merges))


def _without_bytes(learned: Sequence[LearnedMerge]) -> list[LearnedMerge]:
    """Drop merges that spell or need the name of a byte, which would decode as one."""
    barred = set(BYTE_TOKENS)
    kept = []
    for each in learned:
        if barred & {each.left, each.right, each.made}:
            barred.add(str(each.made))
        else:
            kept.append(each)
    return kept
