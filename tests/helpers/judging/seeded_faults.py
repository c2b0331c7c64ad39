"""Faults of provers, and of what a checker might share with them, each with sides that differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from differing_sides import (
    ACROSS_DIGITS,
    ADDED,
    AROUND,
    CASES,
    CROSSED,
    CUTS,
    DECODED,
    DIGITS,
    DROPPED,
    FEWER,
    JOINED,
    LONG,
    LOWER,
    MAPS,
    MOVED,
    RANDOM,
    SCORED,
    SWAPPED,
    TYPED,
    UNKNOWN,
    WORDS,
    WORDS_OF_ASCII,
    Options,
    normal,
    replaced,
    stage,
    without_memory,
)

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.engine.vocabularies.relation import Relation as Vocabularies
from tokaudit.engine.vocabularies.relation import VocabularyRelation
from tokaudit.products.compare.facets.added import added_tokens
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.facets.decoding import decoder
from tokaudit.products.compare.facets.model import merges
from tokaudit.products.compare.facets.splits import pre_tokenizer
from tokaudit.products.compare.facets.stages import normalizer, post_processor
from tokaudit.products.compare.facets.vocabulary import ids
from tokaudit.products.compare.patterns.verdicts import Proved
from tokaudit.products.compare.proofs.merges.spelling import spelling
from tokaudit.products.compare.proofs.scores.prove import EqualScores
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Certificate, Comparison, Facet, Outcome, Proof, Relation
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers.step import character_wise
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.patterns import compiled

Facets = Callable[[Side, Side, Trial], Any]


def cut_proof(left: Any, right: Any, classes: dict[Any, str], most: int) -> Proved:
    return Proved(tuple(classes.values()), ((0, 0, False),))


def same_vocabularies(first: TokenizerSpec, second: TokenizerSpec) -> VocabularyRelation:
    return VocabularyRelation(Vocabularies.IDENTICAL, len(first.pieces), (), (), {})


def of_ids(left: Side, right: Side, trial: Trial) -> Any:
    return ids(left, right, trial.entries)


def cut_by_model(left: Side, right: Side, trial: Trial) -> Any:
    return pre_tokenizer(left, right, trial, True)


@dataclass(frozen=True)
class Fault:
    """Something that is broken by a wrong value, and two sides of which it then proves too much."""

    proof: Proof
    broken: str  # module:name
    wrong: Any
    facet: Facets
    sides: tuple[TokenizerSpec, TokenizerSpec]


ROOM, STEPS = "tokaudit.products.compare", "tokaudit_reference.steps"
COMPILED = "tokaudit_reference.text.patterns:compiled"
READ_HEADERS = "tokaudit.subject.weights.headers:read_headers"
SHARED = (COMPILED, READ_HEADERS)  # `test_checkers_are_apart.py` holds that these are all


def charsmap_without_entries(encoded: Any) -> Any:
    class Empty:
        def first(self, chunk: str) -> None:
            return None

        def entries(self) -> Options:
            return {}

    return Empty()


def ascii_digits_only(pattern: str, **dialect: bool) -> Any:
    return compiled(pattern.replace(r"\d", "[0-9]"), **dialect)


def ascii_words_only(pattern: str, **dialect: bool) -> Any:
    return compiled(pattern.replace(r"\w", "[0-9A-Za-z_]"), **dialect)


def minding_case(pattern: str, **dialect: bool) -> Any:
    return compiled(pattern.replace("(?i:", "(?:"), **dialect)


STEPS_OF = "tokaudit_reference.steps.component:Component.steps"
SURFACE = "tokaudit_reference.spec:TokenizerSpec.surface"
UNCHANGED = character_wise(str, str)

FAULTS: list[Fault] = [
    Fault(
        Proof.EQUAL,
        "tokaudit.engine.sides.trial:compare_vocabularies",
        same_vocabularies,
        of_ids,
        WORDS,
    ),
    Fault(Proof.EQUAL, f"{ROOM}.facets.model:same_fields", lambda a, b: True, merges, FEWER),
    Fault(Proof.EQUAL, f"{ROOM}.facets.added:by_content", lambda spec: {}, added_tokens, ADDED),
    Fault(
        Proof.ACTS_ALIKE,
        f"{ROOM}.proofs.acts_alike.prove:acting_steps",
        lambda s, n: [],
        normalizer,
        LOWER,
    ),
    Fault(
        Proof.ACTS_ALIKE,
        f"{ROOM}.proofs.acts_alike.prove:acting_tokens",
        lambda s: {},
        added_tokens,
        ADDED,
    ),
    Fault(
        Proof.ACTS_ALIKE,
        f"{STEPS}.normalizers.lowercase:Lowercase.acts_as",
        lambda s, ids_only=False: None,
        normalizer,
        LOWER,
    ),
    Fault(
        Proof.ACTS_ALIKE,
        f"{STEPS}.normalizers.lowercase:Lowercase.effects",
        Effects(absorbs=frozenset({"Lowercase"}), idle_after=frozenset({"Replace"})),
        normalizer,
        tuple(
            stage(
                "normalizer", normal(replaced("a", "b"), {"type": "Lowercase"}), replaced("a", "b")
            )
        ),
    ),
    Fault(
        Proof.SAME_IDS,
        f"{ROOM}.proofs.same_ids.prove:steps_for_ids",
        lambda s: [],
        post_processor,
        AROUND,
    ),
    Fault(
        Proof.SAME_IDS,
        f"{STEPS}.post_processors.template_processing:TemplateProcessing.acts_as",
        lambda s, ids_only=False: None if ids_only else s,
        post_processor,
        TYPED,
    ),
    Fault(
        Proof.SCALARS, f"{ROOM}.proofs.scalars.prove:_alike", lambda a, b: True, normalizer, MOVED
    ),
    Fault(
        Proof.SCALARS, f"{ROOM}.proofs.scalars.prove:_blocks", lambda: iter(()), normalizer, MOVED
    ),
    Fault(
        Proof.SCALARS,
        f"{STEPS}.normalizers.replace:Replace.effects",
        Effects(character_wise=True),
        normalizer,
        LONG,
    ),
    Fault(
        Proof.CHARSMAPS,
        f"{ROOM}.facets.stages:alike_by_charsmaps",
        lambda a, b: True,
        normalizer,
        MAPS,
    ),
    Fault(
        Proof.CHARSMAPS,
        f"{ROOM}.proofs.charsmaps.prove:charsmap",
        charsmap_without_entries,
        normalizer,
        MAPS,
    ),
    Fault(
        Proof.TOKENS, f"{ROOM}.facets.decoding:alike_on_tokens", lambda a, b: 3, decoder, DECODED
    ),
    Fault(
        Proof.TOKENS,
        f"{STEPS}.decoders.fuse:Fuse.effects",
        Effects(joins_bytes=True),
        decoder,
        DECODED,
    ),
    Fault(
        Proof.TOKENS,
        f"{STEPS}.decoders:Decoder.decode_bytes",
        lambda self, ids: b"",
        decoder,
        JOINED,
    ),
    Fault(
        Proof.MERGES,
        f"{ROOM}.proofs.merges.normal_form:blocks",
        lambda rows: iter(()),
        merges,
        SWAPPED,
    ),
    Fault(
        Proof.MERGES, f"{ROOM}.proofs.merges.candidates:merge_table", lambda spec: {}, merges, FEWER
    ),
    Fault(Proof.MERGES, f"{ROOM}.proofs.merges.firing:_crossed", lambda *rest: True, merges, FEWER),
    Fault(
        Proof.MERGES,
        f"{ROOM}.proofs.merges.model:spelling",
        lambda spec: spelling(SWAPPED[0]),
        merges,
        (UNKNOWN, replace(UNKNOWN, unk_id=5)),
    ),
    Fault(
        Proof.MERGES,
        f"{ROOM}.proofs.merges.model:obstacle",
        lambda spec, rows: "",
        merges,
        (RANDOM[0], RANDOM[0]),
    ),
    Fault(Proof.ENTRIES, f"{ROOM}.facets.model:same_entries", lambda a, b: 2, merges, WORDS),
    Fault(
        Proof.SCORES,
        f"{ROOM}.facets.model:compare_scores",
        lambda a, b: EqualScores(),
        merges,
        SCORED,
    ),
    Fault(
        Proof.SCORES,
        f"{ROOM}.proofs.scores.prove:_scores",
        lambda spec: dict.fromkeys(spec.pieces.values(), 0.0),
        merges,
        SCORED,
    ),
    Fault(Proof.CUTS, f"{ROOM}.proofs.cuts.prove:walk", cut_proof, cut_by_model, CUTS),
    Fault(Proof.CUTS, COMPILED, ascii_digits_only, cut_by_model, DIGITS),
    Fault(Proof.CUTS, COMPILED, minding_case, cut_by_model, CASES),
    Fault(Proof.CUTS, COMPILED, ascii_words_only, cut_by_model, WORDS_OF_ASCII),
    Fault(Proof.NO_ENTRY_ACROSS, COMPILED, ascii_digits_only, cut_by_model, ACROSS_DIGITS),
    Fault(
        Proof.NO_ENTRY_ACROSS,
        f"{ROOM}.proofs.across_cuts.prove:_Joint.crossing",
        lambda self, entries: iter(()),
        cut_by_model,
        CROSSED,
    ),
    Fault(
        Proof.NO_ENTRY_ACROSS,
        f"{ROOM}.facets.splits:obstacle",
        lambda spec: "",
        cut_by_model,
        DROPPED,
    ),
]


FAULTS += [
    Fault(Proof.ACTS_ALIKE, STEPS_OF, (), facet, sides)
    for facet, sides in (
        *((normalizer, LOWER), (normalizer, MOVED), (normalizer, MAPS)),
        *((cut_by_model, CUTS), (post_processor, AROUND), (decoder, DECODED)),
    )
]
FAULTS += [
    Fault(Proof.SCALARS, broken, wrong, normalizer, sides)
    for broken, wrong, sides in (
        (f"{STEPS}.normalizers:Normalizer.__call__", lambda self, text: text, MOVED),
        (f"{STEPS}.normalizers.replace:Replace.build", lambda self: UNCHANGED, MOVED),
        (f"{STEPS}.normalizers.lowercase:Lowercase.build", lambda self: UNCHANGED, LOWER),
    )
]
FAULTS += [
    Fault(Proof.EQUAL, SURFACE, lambda self, piece: "", of_ids, WORDS),
    Fault(Proof.MERGES, SURFACE, lambda self, piece: "", merges, FEWER),
]


def found_by(fault: Fault) -> tuple[Facet, str]:
    """The facet that is found, and what the checker says of it."""
    sides = zip("ab", map(without_memory, fault.sides), strict=True)
    left, right = (Side(name, each) for name, each in sides)
    found = fault.facet(left, right, Trial(left, right, []))
    assert isinstance(found, Facet), found
    found = certified(found, left, right)
    model = Facet("merges", Outcome.IDENTICAL, "", certificate=Certificate(Proof.EQUAL))
    whole = Comparison("a", "b", 0, 0, Relation.SAME, facets=(found, model))
    return found, objection(left, right, found, whole)
