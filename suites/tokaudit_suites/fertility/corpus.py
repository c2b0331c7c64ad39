"""What does the user's own text cost, in tokens?"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.engine.measure import interval, ratio_of_sums
from tokaudit.engine.measured import Measured, Worse
from tokaudit.engine.needs import Corpus, Options, Upstream
from tokaudit.report.model import Basis, Harm, Measurement, Severity


@check(
    "fertility/corpus",
    title="Bytes per token of the user's own text",
    why="What a tokenizer costs on the text that it will really see is the figure that counts.",
    remedy="Compare the figure across candidate tokenizers on the same files.",
    severity=Severity.INFO,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="A class that rebuilt the splitting made 9.8 % more tokens of the same "
    "messages (allenai/open-instruct #1896).",
    measures=(Measured("fertility/corpus_bytes_per_token", Worse.LOWER),),
    only_measures=True,
)
def corpus(upstream: Upstream, options: Options, corpus: Corpus) -> Iterator[Measurement]:
    """One measurement for each file of `--corpus`, over its first lines."""
    for name, lines in corpus.texts():
        tokens = [float(len(found.ids)) for found in upstream.encode(lines)]
        sizes = [float(len(line.encode())) for line in lines]
        if sum(tokens):
            yield Measurement(
                "fertility/corpus_bytes_per_token",
                "Bytes per token of the corpus",
                ratio_of_sums(sizes, tokens),
                "bytes/token",
                len(lines),
                f"first {corpus.most_lines:,} non-empty lines, ratio of sums, seeded bootstrap",
                interval(sizes, tokens, options.seed),
                {"corpus": name},
            )
