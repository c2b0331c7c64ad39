"""What does each language cost, in tokens?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.engine.check import check
from tokaudit.engine.measure import interval, ratio_of_sums
from tokaudit.engine.needs import Options, Vendor
from tokaudit.report.model import Basis, Evidence, Finding, Measurement, Place, Severity
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.fertility.sample_texts import REFERENCE_LANGUAGE, Sample, Samples

METHOD = "built-in parallel sample, ratio of sums, seeded bootstrap"


@check(
    "fertility/languages",
    title="Tokens per word, per character and against English, by language",
    why="Tokens are price and context; a language that costs four times as many gets less.",
    remedy="Train the vocabulary on text of the languages that it has to serve.",
    severity=Severity.INFO,
    basis=Basis.INTRINSIC,
    tier="default",  # it measures, and costs as much as all that judges
)
def languages(
    spec: TokenizerSpec, vendor: Vendor, options: Options, samples: Samples
) -> Iterator[Finding | Measurement]:
    """Three measurements for each language; says which languages the vocabulary cannot spell."""
    spoken = samples.of_kind("language")
    counts = {s.language: _token_counts(vendor, s) for s in spoken}
    english = counts[REFERENCE_LANGUAGE]
    for sample in spoken:
        yield from _measured(sample, counts[sample.language], english, options.seed)
    yield from _unknown(spec, vendor, spoken)


def _token_counts(vendor: Vendor, sample: Sample) -> list[float]:
    return [float(len(found.ids)) for found in vendor.encode(sample.sentences)]


def _measured(
    sample: Sample, tokens: Sequence[float], english: Sequence[float], seed: int
) -> Iterator[Measurement]:
    words = [float(len(text.split())) for text in sample.sentences]
    characters = [float(len(text)) for text in sample.sentences]
    bottoms = {"tokens_per_character": characters, "parity": english}
    if sample.spaced:
        bottoms["tokens_per_word"] = words
    for name, bottom in bottoms.items():
        if sum(bottom):
            yield Measurement(
                f"fertility/{name}",
                ratio_of_sums(tokens, bottom),
                "x" if name == "parity" else name.replace("_per_", "/"),
                len(tokens),
                METHOD,
                interval(tokens, bottom, seed),
                {"language": sample.language, "name": sample.name},
            )


def _unknown(spec: TokenizerSpec, vendor: Vendor, samples: Sequence[Sample]) -> Iterator[Finding]:
    if spec.unknown_id is None:
        return
    share = {}
    for sample in samples:
        ids = [id for found in vendor.encode(sample.sentences) for id in found.ids]
        if unknown := ids.count(spec.unknown_id):
            share[sample.language] = round(unknown / len(ids), 3)
    if share:
        worst = sorted(share, key=lambda language: -share[language])
        message = f"{len(share)} languages lose text to the unknown token, most {worst[0]}"
        place = Place("vocab", spec.files[0] if spec.files else "", value=spec.unknown_id)
        evidence = Evidence(kind="facts", facts={key: share[key] for key in worst})
        yield Finding(Severity.INFO, message, (place,), (evidence,), cause="unknown")
