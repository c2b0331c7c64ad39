"""Checks that the required loaders produce the same ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tokaudit.engine.loaded import How, Loaded, LoadedBy
from tokaudit.plugin import (
    Basis,
    Comparison,
    EncodeOptions,
    Encoding,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Place,
    Probes,
    Reference,
    Samples,
    Severity,
    TokenRow,
    check,
    token_names,
    two_rows,
)
from tokaudit.products.compare.encoders import NamedEncoder, compare, length_then_print
from tokaudit.subject.effective.loaders import Loader
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides

MOST = 400  # texts
OF_FILES = "the reference"
AROUND = EncodeOptions(add_special_tokens=True)


@check(
    "loaders/same-ids",
    title="Every loader gives the same ids",
    why="Two libraries, or two versions of one library, can read the same folder and produce "
    "different ids: one library applies a setting on top of the file, the other library rebuilds "
    "the pipeline. A model that learns with the ids of one library and is served with the ids of "
    "another library answers worse, without an error.",
    remedy="Change the settings or the file until all loaders produce the ids that the model "
    "expects; the message shows a text for which they differ.",
    repair=person_decides("no file says which of the loaders the model expects"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="Version 5 of transformers built a pipeline of its own, and its ids differed from "
    "version 4's (huggingface/transformers #45701).",
    no_example="Files cannot show it: what differs is what the user's loaders do.",
    measures=(Measured("loaders/texts"),),
)
def same_ids(
    loaded: Loaded,
    spec: TokenizerSpec,
    samples: Samples,
    probes: Probes,
    reference: Reference | None,
) -> Iterator[Finding | Measurement]:
    """Encode the same texts by each running loader, with and without special tokens.

    One that runs alone is held to the files, as the reference reads them: a warning at most.
    """
    running = [by for by in loaded.all if by.tokenizer is not None]
    if len(running) == 1 and reference is not None:
        running.insert(0, LoadedBy(Loader(OF_FILES), How.RUN, tokenizer=reference))
    if len(running) < 2:
        raise NotApplicable("no loader is named that runs here: --loader")
    texts = _texts(samples, probes)
    for one, other in pairwise(running):
        inner = _compared(one, other, spec, texts, EncodeOptions())
        yield Measurement(
            "loaders/texts",
            "Texts that two loaders encode differently",
            inner.different,
            "texts",
            inner.texts,
            f"{one.name} and {other.name}, run",
            dimensions={"loaders": f"{one.loader.name}, {other.loader.name}"},
        )
        if inner.different:
            yield _finding(one, other, inner, spec, "without special tokens")
        elif (shown := _around(one, other, spec, texts)) is not None:
            yield replace(
                _finding(one, other, inner, spec, ""),
                message=f"{one.name} and {other.name} put different special tokens around a text.",
                evidence=(shown,),
                cause=f"{one.loader.library} and {other.loader.library} around texts",
            )


def _texts(samples: Samples, probes: Probes) -> tuple[str, ...]:
    """Return sentences of every sample in turn, then probes."""
    whole = [text for sample in samples.all for text in sample.sentences]
    sentences = whole[:: max(1, -(-2 * len(whole) // MOST))]
    drawn = probes.texts[:: max(1, -(-2 * len(probes.texts) // MOST))]
    return tuple(dict.fromkeys((*sentences, *drawn)))


def _around(
    one: LoadedBy, other: LoadedBy, spec: TokenizerSpec, texts: Sequence[str]
) -> Evidence | None:
    """Return the shortest text to which the two add different tokens, or None."""
    names, ordered = token_names(spec), sorted(texts, key=length_then_print)
    pairs = zip(_encoded(one, ordered, AROUND), _encoded(other, ordered, AROUND), strict=True)
    for text, (mine, its) in zip(ordered, pairs, strict=True):
        if mine.error is None and its.error is None and mine.ids != its.ids:
            rows = [
                TokenRow(by.loader.name, each.ids, names)
                for by, each in ((one, mine), (other, its))
            ]
            return two_rows(text, rows[0], rows[1], "shortest of the texts")
    return None


def _compared(
    one: LoadedBy, other: LoadedBy, spec: TokenizerSpec, texts: Sequence[str], how: EncodeOptions
) -> Comparison:
    names = token_names(spec)
    sides = [
        NamedEncoder(by.loader.name, by.tokenizer, _encoded(by, texts, how), names)
        for by in (one, other)
        if by.tokenizer is not None
    ]
    return compare(texts, sides[0], sides[1])


def _encoded(by: LoadedBy, texts: Sequence[str], how: EncodeOptions) -> Sequence[Encoding]:
    return [] if by.tokenizer is None else by.tokenizer.encode(texts, how)


def _finding(
    one: LoadedBy, other: LoadedBy, found: Comparison, spec: TokenizerSpec, kind: str
) -> Finding:
    shown = (found.minimal,) if found.minimal is not None else ()
    return Finding(
        Severity.WARNING if one.loader.library == OF_FILES else Severity.ERROR,
        f"The ids of {one.name} and {other.name} differ for {found.different:,} of {found.texts:,} "
        f"texts {kind}".rstrip()
        + ".",
        (Place("tokenizer", spec.files[0] if spec.files else ""),),
        shown,
        cause=f"{one.loader.library} and {other.loader.library} {kind}",
    )
