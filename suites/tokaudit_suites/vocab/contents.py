"""Vocabulary entries by script and length."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.vocabularies.shared import own_entries
from tokaudit.plugin import Basis, Harm, Measured, Measurement, Severity, check
from tokaudit_reference.spec import TokenizerSpec


@check(
    "vocab/contents",
    title="Vocabulary entries by script and length",
    why="If a vocabulary has few entries in a script, text in the languages of this script "
    "becomes many tokens. Vocabulary entries that are longer than words come from repeated "
    "boilerplate in the corpus.",
    remedy="Compare the figures with the vocabulary of another tokenizer for the same languages.",
    severity=Severity.INFO,
    harm=Harm.STYLE,
    basis=Basis.INTRINSIC,
    incident="Llama's vocabulary has some 700 Chinese characters, and cuts the others into bytes "
    "(meta-llama/llama #58).",
    tier="default",  # it measures
    measures=(Measured("vocab/entries_by_script"), Measured("vocab/entries_by_length")),
    only_measures=True,
)
def contents(spec: TokenizerSpec) -> Iterator[Measurement]:
    """Count the entries that are not added tokens, with bytes as their own group."""
    by_script, by_length = own_entries(spec)
    total = sum(by_script.values())
    for key, dimension, counts in (
        ("vocab/entries_by_script", "script", by_script),
        ("vocab/entries_by_length", "characters", by_length),
    ):
        for kind, count in counts.items():
            yield Measurement(
                key,
                "Vocabulary entries",
                count,
                "entries",
                total,
                "distinct texts of the entries that are not added tokens",
                dimensions={dimension: kind},
            )
