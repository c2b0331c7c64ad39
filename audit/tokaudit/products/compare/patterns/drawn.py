"""Texts on which two undecided pre-tokenizers may differ.

Each alternative of either side is written out as words, with one character for each class and each
repeat a few times.  Words alone, without their last character, and one after another are run by the
engine, and so is every short text over the classes of both: what backtracks on one side and not on
the other shows there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice, product
from time import monotonic

from tokaudit.products.compare.patterns.classes import Partition, atoms_of, partition
from tokaudit.products.compare.patterns.loose import read_loosely
from tokaudit.products.compare.patterns.replay import spans
from tokaudit.products.compare.patterns.splits import BEHAVIORS, PreTokenizer, Split
from tokaudit.products.compare.patterns.syntax import letter
from tokaudit.products.compare.patterns.tree import (
    Atom,
    Choice,
    Concatenation,
    Look,
    Node,
    Take,
    row,
)
from tokaudit.products.compare.patterns.verdicts import Undecidable

MOST_WORDS = 60  # of each node
MOST_TRIED = 20_000  # texts that the engine cuts
MOST_GIVEN = 300  # texts that are to be encoded
ENOUGH = 5  # texts that differ
LONGEST = 5  # characters of the texts that are all tried
TIME = 5.0  # seconds


def drawn_texts(left: PreTokenizer, right: PreTokenizer) -> tuple[str, ...]:
    r"""Draw texts from both sides, those first that the engine splits differently.

    >>> one, other = (Split(r"(?>a|ab)c|\w|\W"),), (Split(r"(?:a|ab)c|\w|\W"),)
    >>> drawn_texts(one, other)[0]
    'abc'
    """
    if any(each.behavior not in BEHAVIORS or not each.pattern for each in (*left, *right)):
        return ()
    texts = list(islice(_texts((*left, *right)), MOST_TRIED))
    differing = islice(_cut_differently(left, right, sorted(texts, key=len)), ENOUGH)
    return tuple(dict.fromkeys([*differing, *texts[:MOST_GIVEN]]))


def _cut_differently(
    left: PreTokenizer, right: PreTokenizer, texts: Iterable[str]
) -> Iterator[str]:
    until = monotonic() + TIME
    for text in texts:
        if monotonic() > until:
            return
        try:
            if spans(left, text) != spans(right, text):
                yield text
        except Undecidable:
            return


def _texts(splits: Iterable[Split]) -> Iterator[str]:
    """Yield words of every alternative, pairs of words, and all short texts, once each."""
    trees = list(_trees(splits))
    atoms = frozenset(atom for tree in trees for atom in _atoms(tree))
    try:
        classes = partition(atoms)
    except Undecidable:
        return
    words = list(dict.fromkeys(word for tree in trees for word in _words(tree, classes) if word))
    shorter = [word[:-1] for word in words if len(word) > 1]
    short = min(words + shorter, key=len, default="")
    few = sorted({*words, *shorter}, key=lambda word: (len(word), word))[:MOST_WORDS]
    pairs = (one + other for one, other in product(few, repeat=2))
    found = (*words, *shorter, *(short + word for word in words))
    yield from _no_text_twice(chain(found, pairs, _short_texts(classes.characters)))


def _no_text_twice(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts without duplicates, lazily: short texts over thirty classes fill gigabytes."""
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def _short_texts(characters: Iterable[str]) -> Iterator[str]:
    for length in range(1, LONGEST + 1):
        yield from map("".join, product(characters, repeat=length))


def _trees(splits: Iterable[Split]) -> Iterator[Node]:
    """Yield trees of the patterns, as far as they can be read loosely."""
    for split in splits:
        if split.literal:
            yield row([Take(letter(each, False, split.dialect)) for each in split.pattern])
            continue
        try:
            yield read_loosely(split.pattern, split.dialect)
        except Undecidable:
            continue


def _atoms(node: Node) -> Iterator[Atom]:
    if isinstance(node, Take | Look):
        yield from atoms_of(node.set)
    elif isinstance(node, Concatenation | Choice):
        for each in node.nodes:
            yield from _atoms(each)
    else:
        yield from _atoms(node.node)


def _words(node: Node, classes: Partition) -> list[str]:
    """Return some texts that the node matches, one of each alternative first."""
    if isinstance(node, Look):
        return [""]
    if isinstance(node, Take):
        return [classes.characters[name] for name in sorted(classes.within(node.set))][:3]
    if isinstance(node, Choice):
        return _in_turns([_words(each, classes) for each in node.nodes])
    if isinstance(node, Concatenation):
        return _joined([_words(each, classes) for each in node.nodes])
    once = _words(node.node, classes)
    times = range(node.least, (node.most or node.least) + 1)
    return _in_turns([_joined([once] * each) for each in times])


def _in_turns(lists: list[list[str]]) -> list[str]:
    """Return the first of each list, then the second of each."""
    longest = max(map(len, lists), default=0)
    taken = (each[i] for i in range(longest) for each in lists if i < len(each))
    return list(islice(dict.fromkeys(taken), MOST_WORDS))


def _joined(parts: list[list[str]]) -> list[str]:
    """Join one of each part: first all variants of one part with the first of others."""
    if not all(parts):
        return []
    first = [part[0] for part in parts]
    varied = ([*first[:i], each, *first[i + 1 :]] for i, part in enumerate(parts) for each in part)
    every = ("".join(each) for each in chain(varied, product(*parts)))
    return list(islice(dict.fromkeys(islice(every, 4 * MOST_WORDS)), MOST_WORDS))
