"""The WordPiece trainer: merge the pair whose parts are seldom seen apart.

A word starts as its characters, all but the first with the mark of a continuation (`##`).  Again
and again the pair with the best score count(ab) / (count(a) * count(b)) becomes a piece, until the
vocabulary is full: merging it raises the likelihood of the words, as independent pieces, the most
for each occurrence.  Of equal scores the more frequent pair wins, of equally frequent ones the
first in the order of code points.  Scores are compared as whole numbers, so no rounding decides.

`train_textbook` recounts everything after each merge; `train` keeps the counts and gives the same.
Google never published its trainer, so "as BERT was trained" is not claimed here.  Hugging Face's
`WordPieceTrainer` is its BPE trainer with a prefix: it picks the most frequent pair, and gives
other vocabularies.  Nothing here splits text into words or keeps a merge list: the encoder,
`wordpiece.py`, looks for the longest piece and needs none.

Source: Schuster and Nakajima 2012, "Japanese and Korean Voice Search"; the score as published in
Hugging Face's course.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tokaudit_reference.training.wordpiece_counts import (
    Counts,
    ambiguous,
    counted,
    entry,
    joined,
    merged,
    spelled,
)


def train_textbook(
    words: Mapping[str, int],
    vocab_size: int,
    special_tokens: Sequence[str] = ("[UNK]",),
    *,
    min_frequency: int = 1,
    prefix: str = "##",
) -> list[str]:
    """The vocabulary in the order of ids: special tokens, characters, then pieces as learned.

    >>> train_textbook({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, 9)
    ['[UNK]', '##g', '##n', '##s', '##u', 'b', 'h', 'p', '##gs']
    """
    vocab = alphabet_of(words, special_tokens, prefix)
    spelt = [(spelled(word, prefix), count) for word, count in sorted(words.items())]
    while len(vocab) < vocab_size:
        symbols, pairs = counted(spelt)
        ranked = [
            entry(pair, count, symbols)
            for pair, count in pairs.items()
            if count >= min_frequency and not ambiguous(pair, prefix)
        ]
        if not ranked:
            break
        pair = min(ranked)[2]
        vocab.setdefault(joined(pair, prefix))
        spelt = [(merged(word, pair, prefix), count) for word, count in spelt]
    return list(vocab)


def train(
    words: Mapping[str, int],
    vocab_size: int,
    special_tokens: Sequence[str] = ("[UNK]",),
    *,
    min_frequency: int = 1,
    prefix: str = "##",
    on_piece: Callable[[int], None] = lambda size: None,
) -> list[str]:
    """Learn the same as `train_textbook`, with counts that are kept; `on_piece` gets the size.

    >>> words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> train(words, 12)[8:], train(words, 12) == train_textbook(words, 12)
    (['##gs', 'pu', 'hu', 'bu'], True)
    """
    vocab = alphabet_of(words, special_tokens, prefix)
    counts = Counts(words, prefix, min_frequency)
    while len(vocab) < vocab_size:
        pair = counts.best()
        if pair is None:
            break
        vocab.setdefault(joined(pair, prefix))
        counts.merge(pair)
        on_piece(len(vocab))
    return list(vocab)


def alphabet_of(
    words: Iterable[str], special_tokens: Sequence[str], prefix: str
) -> dict[str, None]:
    """Return the special tokens and every character by place in a word, sorted, each once."""
    symbols = {symbol for word in words for symbol in spelled(word, prefix)}
    return dict.fromkeys([*special_tokens, *sorted(symbols)])
