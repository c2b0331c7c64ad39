"""Token cost of the user's own text."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.corpus.encoding import EncodedPiece
from tokaudit.engine.corpus.ratio_sums import RatioSums
from tokaudit.engine.providers.corpus import CorpusCounts
from tokaudit.plugin import Basis, Harm, Measured, Measurement, Severity, Worse, check

MOST_FILES = 200  # with one figure each
LONGEST_WORD = 15  # characters on average; what has longer ones is not parted by spaces


@check(
    "fertility/corpus",
    title="Tokens that the user's own text costs",
    why="What users pay for is the number of tokens of the text that they really encode.",
    remedy="Compare the tokens of the candidate tokenizers on the same files.",
    severity=Severity.INFO,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="A class that rebuilt the splitting made 9.8 % more tokens of the same "
    "messages (allenai/open-instruct #1896).",
    measures=(
        Measured("fertility/corpus_bytes_per_token", Worse.LOWER),
        Measured("fertility/corpus_tokens_per_character", Worse.HIGHER),
        Measured("fertility/corpus_tokens_per_word", Worse.HIGHER),
    ),
    only_measures=True,
)
def corpus(counts: CorpusCounts) -> Iterator[Measurement]:
    """Measure three figures for each file of `--corpus`, over all its documents."""
    for name, file in list(counts.files.items())[:MOST_FILES]:
        for key, title, unit, sums in _ratios(file):
            if sums.bottom:
                yield Measurement(
                    f"fertility/corpus_{key}",
                    title,
                    sums.value,
                    unit,
                    sums.n,
                    counts.method,
                    sums.interval,
                    {"corpus": name},
                )


def _ratios(file: EncodedPiece) -> Iterator[tuple[str, str, str, RatioSums]]:
    """Yield each ratio that applies to the text of a file."""
    yield "bytes_per_token", "Bytes per token", "bytes/token", file.bytes_per_token
    characters, words = file.tokens_per_character, file.tokens_per_word
    yield "tokens_per_character", "Tokens per character", "tokens/character", characters
    if characters.bottom <= LONGEST_WORD * words.bottom:
        yield "tokens_per_word", "Tokens per word", "tokens/word", words
