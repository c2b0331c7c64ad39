"""Token cost of each language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tokaudit.engine.encoders.lost_text import MOST_LOST, lost_share
from tokaudit.plugin import (
    Basis,
    EncodeOptions,
    Encoding,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    Options,
    Place,
    Sample,
    Samples,
    Severity,
    Upstream,
    Worse,
    check,
    interval,
    is_spaced,
    ratio_of_sums,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.sample_texts import REFERENCE_LANGUAGE, keys
from tokaudit_suites.shared.wording import plural

SPOKEN = {"language": keys("language")}
SPACED = {"language": tuple(filter(is_spaced, keys("language")))}
METHOD = "built-in parallel sample, ratio of sums, seeded bootstrap"
TITLES = {
    "tokens_per_character": "Tokens per character",
    "tokens_per_word": "Tokens per word",
    "parity": "Tokens relative to English",
}


@check(
    "fertility/languages",
    title="Tokens per word and character, by language",
    why="The number of tokens decides what a text costs and how much text fits the context. If a "
    "language needs four times as many tokens, its texts cost four times as much, and a quarter of "
    "the text fits the context. Characters that the tokenizer drops cost no tokens, so tokaudit "
    f"gives no figure for a language that loses more than {MOST_LOST:.0%} of its characters.",
    remedy="Train the vocabulary on text of all languages that its users write.",
    severity=Severity.INFO,
    harm=Harm.COST,
    milder="how many tokens are too many is for the user to say, by a limit in a gate.",
    basis=Basis.INTRINSIC,
    incident="GPT-2's vocabulary takes five tokens for two words of Spanish "
    "(ray-project/llm-numbers PR#8).",
    tier="default",  # it measures, and costs as much as all that judges
    measures=(
        Measured("fertility/tokens_per_character", Worse.HIGHER, dimensions=SPOKEN),
        Measured("fertility/parity", Worse.HIGHER, dimensions=SPOKEN),
        Measured("fertility/tokens_per_word", Worse.HIGHER, dimensions=SPACED),
    ),
)
def languages(
    spec: TokenizerSpec, upstream: Upstream, options: Options, samples: Samples
) -> Iterator[Finding | Measurement]:
    """Measure three figures for each language that can be spelled, and report the others.

    Without English there is nothing to compare the others with, and no parity.
    """
    spoken = samples.of_kind("language")
    encoded = {s.language: _encoded(upstream, s) for s in spoken}
    lost = {s.language: lost_share(s.sentences, encoded[s.language], spec.unk_id) for s in spoken}
    spelled = lost[REFERENCE_LANGUAGE] <= MOST_LOST
    english = _token_counts(encoded[REFERENCE_LANGUAGE]) if spelled else []
    for sample in spoken:
        if lost[sample.language] <= MOST_LOST:
            tokens = _token_counts(encoded[sample.language])
            yield from _measured(sample, tokens, english, options.seed)
    yield from _losses(spec, lost)


def _encoded(upstream: Upstream, sample: Sample) -> list[Encoding]:
    return upstream.encode(
        sample.sentences, EncodeOptions(offsets="offsets" in upstream.capabilities)
    )


def _token_counts(encodings: Sequence[Encoding]) -> list[float]:
    return [float(len(found.ids)) for found in encodings]


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
                TITLES[name],
                ratio_of_sums(tokens, bottom),
                "x" if name == "parity" else name.replace("_per_", "/"),
                len(tokens),
                METHOD,
                interval(tokens, bottom, seed),
                {"language": sample.language, "name": sample.name},
            )


def _losses(spec: TokenizerSpec, lost: Mapping[str, float]) -> Iterator[Finding]:
    """Report languages that lose text, worst first, and count those without figures."""
    share = _worst_first(lost)
    if not share:
        return
    worst, most = next(iter(share.items()))
    unmeasured = sum(part > MOST_LOST for part in lost.values())
    message = (
        f"Text in {plural(len(share), 'language')} loses characters when it is encoded; {worst} "
        f"loses most, {most:.1%} of the characters"
    )
    if unmeasured:
        message += f"; {plural(unmeasured, 'language')} with a loss of more than "
        message += f"{MOST_LOST:.0%} {'gets' if unmeasured == 1 else 'get'} no figure"
    place = Place("vocab", spec.files[0] if spec.files else "", value=spec.unk_id)
    languages = Evidence(kind="facts", facts=share)
    scripts = Evidence(kind="facts", facts=_by_script(lost), note="mean of each script")
    yield Finding(Severity.INFO, message, (place,), (languages, scripts), cause="unknown")


def _by_script(lost: Mapping[str, float]) -> dict[str, float]:
    """Return the mean share of each script, named after the underscore of a language key."""
    scripts: dict[str, list[float]] = {}
    for language, part in lost.items():
        scripts.setdefault(language.rpartition("_")[2], []).append(part)
    return _worst_first({script: sum(parts) / len(parts) for script, parts in scripts.items()})


def _worst_first(lost: Mapping[str, float]) -> dict[str, float]:
    """Return the shares that are nonzero at three digits, highest first."""
    ordered = sorted(lost.items(), key=lambda item: -item[1])
    return {key: round(part, 3) for key, part in ordered if round(part, 3)}
