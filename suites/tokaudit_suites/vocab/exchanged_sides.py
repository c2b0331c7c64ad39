"""Source and target models of a translator in each other's place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Sample,
    Samples,
    Severity,
    check,
)
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.vocab._other_side import BothSides, RunModel

LANGUAGES = ("source_lang", "target_lang")
CODES = (
    "af:afr am:amh ar:arb bn:ben bg:bul ca:cat cs:ces zh:cmn da:dan de:deu el:ell en:eng eu:eus "
    "fi:fin fr:fra gl:glg gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye id:ind it:ita ja:jpn ka:kat "
    "km:khm ko:kor mr:mar my:mya nl:nld no:nob fa:pes pl:pol pt:por ro:ron ru:rus sk:slk sl:slv "
    "es:spa sr:srp sv:swe sw:swh ta:tam te:tel th:tha tr:tur uk:ukr ur:urd vi:vie ara:arb zho:cmn"
)
SHORT = dict(pair.split(":") for pair in CODES.split())
CLEARLY = 1.3  # how often more tokens; one model for both sides has 1, the right ones far less


@check(
    "vocab/exchanged-sides",
    title="Each side of a translator fits its language",
    why="A translator has two SentencePiece models, one for each language, with the pieces of one "
    "vocabulary. If the two SentencePiece models are in each other's place, nothing fails, but "
    "each model splits the other's language into letters and fragments.",
    remedy="Swap source.spm and target.spm, or source_lang and target_lang.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="Marian cuts the source by source.spm and the target by target.spm, and nothing "
    "compares them with the languages (transformers 4.57.6, marian/tokenization_marian.py).",
    no_example="Two SentencePiece models of two languages are more than a few lines.",
)
def exchanged_sides(both: BothSides, keys: StatedKeys, samples: Samples) -> Iterator[Finding]:
    """Encode each language's sample with each model; the product of the four costs decides.

    Where no file names the languages, or the sample lacks one, nothing can tell the sides apart.
    """
    source, target = (_sample(keys, name, samples) for name in LANGUAGES)
    own = _cost(both.source, source) * _cost(both.target, target)
    other = _cost(both.source, target) * _cost(both.target, source)
    if own > CLEARLY * other:
        text = source.sentences[0]
        sides = (both.source, both.target)
        there, here = (_cost(side, replace(source, sentences=(text,))) for side in sides)
        yield Finding(
            Severity.ERROR,
            f"{both.source.file} should tokenize {source.name} and {both.target.file} "
            f"{target.name}, but each needs fewer tokens for the other's language: {text!r} costs "
            f"{there} tokens and unknown characters by the first and {here} by the second.",
            tuple(Place("model", file) for file in (both.source.file, both.target.file)),
            (Evidence("text", text=text),),
            cause="exchanged",
        )


def _sample(keys: StatedKeys, name: str, samples: Samples) -> Sample:
    """Return the sample of a language that the settings name."""
    said = next((k.value for k in keys.all if k.key == name and isinstance(k.value, str)), "")
    code = said.replace("-", "_").partition("_")[0].lower()
    found: Mapping[str, Sample] = {
        sample.language.partition("_")[0]: sample
        for sample in reversed(samples.of_kind("language"))
    }
    sample = found.get(SHORT.get(code, code))
    if sample is None:
        raise NotApplicable(f"no sample is of the language that {name} names, {said[:20]!r}")
    return sample


def _cost(side: RunModel, sample: Sample) -> int:
    """Return the token cost of a language; a lost character counts as one."""
    total = 0
    for text, encoded in zip(
        sample.sentences, side.tokenizer.encode(sample.sentences), strict=True
    ):
        known = [id for id in encoded.ids if id != side.spec.unk_id]
        covered = sum(len(name_of(side.spec, id) or "") for id in known)
        total += len(known) + max(0, len(text) - covered)
    return total
