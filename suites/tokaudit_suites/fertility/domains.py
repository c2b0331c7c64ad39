"""Token cost of code, mathematics and numbers."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Harm,
    Measured,
    Measurement,
    Options,
    Samples,
    Severity,
    Upstream,
    Worse,
    check,
    interval,
    ratio_of_sums,
)
from tokaudit_suites.shared.sample_texts import keys


@check(
    "fertility/domains",
    title="Bytes per token of code, mathematics and numbers",
    why="If a pre-tokenizer splits indentation or digits badly, the bytes per token of code and "
    "numbers show this first.",
    remedy="Compare these figures with those of other models' tokenizers.",
    severity=Severity.INFO,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="Vocabularies are chosen by what each domain costs (marin-community/marin #6796).",
    tier="default",  # it measures, and costs as much as all that judges
    measures=(
        Measured("fertility/bytes_per_token", Worse.LOWER, dimensions={"domain": keys("domain")}),
    ),
    only_measures=True,
)
def domains(upstream: Upstream, options: Options, samples: Samples) -> Iterator[Measurement]:
    """Measure each domain of the built-in sample."""
    for sample in samples.of_kind("domain"):
        tokens = [float(len(found.ids)) for found in upstream.encode(sample.sentences)]
        sizes = [float(len(text.encode())) for text in sample.sentences]
        if sum(tokens):
            yield Measurement(
                "fertility/bytes_per_token",
                "Bytes per token",
                ratio_of_sums(sizes, tokens),
                "bytes/token",
                len(tokens),
                "built-in snippets, ratio of sums, seeded bootstrap",
                interval(sizes, tokens, options.seed),
                {"domain": sample.language, "name": sample.name},
            )
