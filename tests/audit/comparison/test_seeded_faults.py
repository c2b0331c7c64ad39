"""A fault in a prover, or in what prover and checker both use, gives proofs that are refused."""

from __future__ import annotations

import struct
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tokaudit.comparison.facets.added import added_tokens
from tokaudit.comparison.facets.decoding import decoder
from tokaudit.comparison.facets.model import merges
from tokaudit.comparison.facets.side import Side
from tokaudit.comparison.facets.splits import pre_tokenizer
from tokaudit.comparison.facets.stages import normalizer, post_processor
from tokaudit.comparison.facets.stated import stated_facets
from tokaudit.comparison.facets.trial import Trial
from tokaudit.comparison.facets.vocabulary import ids
from tokaudit.comparison.patterns.verdicts import Proved
from tokaudit.comparison.proofs.equal.files import INPUT_ROWS
from tokaudit.comparison.proofs.equal.prove import certified
from tokaudit.comparison.proofs.merges.spelling import spelling
from tokaudit.comparison.proofs.scores.prove import EqualScores
from tokaudit.comparison.recheck.proofs import objection
from tokaudit.comparison.vocabularies.relation import Relation as Vocabularies
from tokaudit.comparison.vocabularies.relation import VocabularyRelation
from tokaudit.report.comparison import Certificate, Comparison, Facet, Outcome, Proof, Relation
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.checkpoints import embedding_names
from tokaudit.subject.weights import WeightHeaders, read_headers
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.patterns import compiled

STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
Options = dict[str, Any]
Facets = Callable[[Side, Side, Trial], Any]


def spec(
    *tokens: str, model: ModelType = ModelType.BPE, stages: Options | None = None, **more: Any
) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    stated = {name: Component((stages or {}).get(name), Standing.STATED, name) for name in STAGES}
    return TokenizerSpec(model, pieces, format="tokenizer.json", **stated, **more)


def stage(name: str, *options: Options, **more: Any) -> list[TokenizerSpec]:
    """Specs that differ in one stage."""
    return [spec("a", "b", "ab", stages={name: each}, **more) for each in options]


def normal(*steps: Options) -> Options:
    return {"type": "Sequence", "normalizers": list(steps)}


def split(pattern: str) -> Options:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def template(first: str, id: int, type_id: int = 0) -> Options:
    token = {first: {"id": first, "ids": [id], "tokens": [first]}}
    one = [{"SpecialToken": {"id": first, "type_id": type_id}}, text("A", 0)]
    return {
        "type": "TemplateProcessing",
        "single": one,
        "pair": [*one, text("B", 1)],
        "special_tokens": token,
    }


def text(name: str, type_id: int) -> Options:
    return {"Sequence": {"id": name, "type_id": type_id}}


def replaced(literal: str, content: str) -> Options:
    return {"type": "Replace", "pattern": {"String": literal}, "content": content}


def cut_proof(left: Any, right: Any, classes: dict[Any, str], most: int) -> Proved:
    return Proved(tuple(classes.values()), ((0, 0, False),))


def same_vocabularies(first: TokenizerSpec, second: TokenizerSpec) -> VocabularyRelation:
    return VocabularyRelation(Vocabularies.IDENTICAL, len(first.pieces), (), (), {})


def of_ids(left: Side, right: Side, trial: Trial) -> Any:
    return ids(left, right)


def cut_by_model(left: Side, right: Side, trial: Trial) -> Any:
    return pre_tokenizer(left, right, trial, True)


def packed(start: int) -> str:
    """A map that has "x" or "y" for "A", by where its string begins."""
    units = [0] * 512
    units[0] = 0x100 << 10  # the children of the root lie at 0x100
    units[0x141] = 0x41 | 0x100 | 0x80 << 10  # "A", with a value
    units[0x1C1] = 1 << 31 | start
    return b64encode(struct.pack("<513I", 2048, *units) + b"x\0y\0").decode()


@dataclass(frozen=True)
class Fault:
    """Something that is broken by a wrong value, and two sides of which it then proves too much."""

    proof: Proof
    broken: str  # module:name
    wrong: Any
    facet: Facets
    sides: tuple[TokenizerSpec, TokenizerSpec]


BPE = ("a", "b", "c", "ab", "bc")
SWAPPED = tuple(
    spec(*BPE, merges=each) for each in ((("a", "b"), ("b", "c")), (("b", "c"), ("a", "b")))
)
FEWER = tuple(spec(*BPE, merges=each) for each in ((("a", "b"), ("b", "c")), (("a", "b"),)))
UNKNOWN = spec(*BPE, "?", merges=SWAPPED[0].merges)
RANDOM = tuple(replace(each, dropout=0.1) for each in FEWER)
WORDS = tuple(spec(*each, model=ModelType.WORDLEVEL) for each in (("a", "b"), ("a", "c")))
SCORED = tuple(
    spec("a", "b", model=ModelType.UNIGRAM, scores=each)
    for each in ({0: -1.0, 1: -2.0}, {0: -1.0, 1: -3.0})
)
ADDED = tuple(
    spec("a", "b", added_tokens=(AddedToken(7, "<e>", lstrip=each),)) for each in (True, False)
)
LOWER = tuple(stage("normalizer", {"type": "Lowercase"}, None))
LONG = tuple(stage("normalizer", normal(replaced("ab", "x")), normal(replaced("ab", "y"))))
MOVED = tuple(stage("normalizer", replaced("a", "x"), replaced("a", "y")))
MAPS = tuple(
    stage(
        "normalizer",
        *({"type": "Precompiled", "precompiled_charsmap": packed(start)} for start in (0, 2)),
    )
)
AROUND = tuple(stage("post_processor", template("<s>", 5), template("<t>", 6)))
TYPED = tuple(stage("post_processor", template("<s>", 5), template("<s>", 5, 1)))
DECODED = tuple(stage("decoder", {"type": "ByteLevel"}, {"type": "Fuse"}, byte_level=True))
JOINED = tuple(
    spec("a", "\u0120", stages={"decoder": {"type": each}}, byte_level=True)
    for each in ("ByteLevel", "Bytes")
)
CUTS = tuple(stage("pre_tokenizer", split("a+"), split("a")))
CROSSED = tuple(
    spec("?", " ", "  ", merges=((" ", " "),), unk_id=0, stages={"pre_tokenizer": split(each)})
    for each in (r"\s+|\S+", r"\s|\S+")
)
DROPPED = tuple(stage("pre_tokenizer", split("c"), split("d"), merges=(("a", "b"),)))

DIGITS = tuple(stage("pre_tokenizer", split(r"\d"), split("[0-9]")))
ACROSS_DIGITS = tuple(
    spec("?", "1", "\u0661", "1\u0661", merges=(("1", "\u0661"),), unk_id=0, stages=stages)
    for stages in ({"pre_tokenizer": split(each)} for each in (r"\d+|\s+|\S", r"[0-9]+|\s|\S"))
)

ROOM, STEPS = "tokaudit.comparison", "tokaudit_reference.steps"
COMPILED = "tokaudit_reference.text.patterns:compiled"
READ_HEADERS = "tokaudit.subject.weights.headers:read_headers"
SHARED = (COMPILED, READ_HEADERS)  # `test_checkers_are_apart.py` holds that there are no others


def charsmap_without_entries(encoded: Any) -> Any:
    class Empty:
        def first(self, chunk: str) -> None:
            return None

        def entries(self) -> Options:
            return {}

    return Empty()


def ascii_digits_only(pattern: str, **dialect: bool) -> Any:
    return compiled(pattern.replace(r"\d", "[0-9]"), **dialect)


FAULTS: list[Fault] = [
    Fault(
        Proof.EQUAL,
        f"{ROOM}.facets.vocabulary:compare_vocabularies",
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


def found_by(fault: Fault) -> tuple[Facet, str]:
    """The facet that is found, and what the checker says of it."""
    left, right = (Side(name, each) for name, each in zip("ab", fault.sides, strict=True))
    found = fault.facet(left, right, Trial(left, right, []))
    assert isinstance(found, Facet), found
    found = certified(found, left)
    model = Facet("merges", Outcome.IDENTICAL, "", certificate=Certificate(Proof.EQUAL))
    whole = Comparison("a", "b", 0, 0, Relation.SAME, facets=(found, model))
    return found, objection(left, right, found, whole)


def everywhere(monkeypatch: pytest.MonkeyPatch, was: Any, wrong: Any) -> None:
    """Break a function for every module that has imported it, prover and checker alike."""
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()):
            if value is was and module.__name__.startswith("tokaudit"):
                monkeypatch.setattr(module, name, wrong)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Fault], None]]:
    """Puts the wrong value in its place; an attribute that is a property stays one.

    What other tests left in caches was made without the fault, and what is made now is with it.
    """

    def put(fault: Fault) -> None:
        module, _, name = fault.broken.partition(":")
        owner: Any = import_module(module)
        *path, last = name.split(".")
        for each in path:
            owner = getattr(owner, each)
        was = getattr(owner, last)
        wrong = property(lambda self: fault.wrong) if isinstance(was, property) else fault.wrong
        monkeypatch.setattr(owner, last, wrong)
        if fault.broken in SHARED:
            everywhere(monkeypatch, was, wrong)

    forget()
    yield put
    forget()


def forget() -> None:
    """Empty the caches of comparisons and patterns."""
    for name, module in list(sys.modules.items()):
        if name.startswith((ROOM, "tokaudit_reference.text")):
            for each in list(vars(module).values()):
                if callable(clear := getattr(each, "cache_clear", None)):
                    clear()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.proof} {fault.broken}")
def test_a_proof_that_a_fault_gives_is_refused(
    fault: Fault, broken: Callable[[Fault], None]
) -> None:
    broken(fault)
    found, said = found_by(fault)
    assert found.certificate is not None and found.certificate.proof is fault.proof
    assert said != ""


def test_there_are_faults_for_every_kind_of_proof() -> None:
    assert {fault.proof for fault in FAULTS} == {*Proof}


def three_rows(subject: Subject) -> WeightHeaders:
    found = read_headers(subject)
    tensors = {name: replace(each, shape=(3, 1)) for name, each in found.tensors.items()}
    return replace(found, tensors=tensors)


def no_rows(subject: Subject) -> WeightHeaders:
    return replace(read_headers(subject), tensors={})


@pytest.mark.parametrize(
    ("broken", "wrong"),
    [
        ("stated:embedding_tensors", lambda headers: {}),
        ("stated:_row_counts", lambda side: {"wte.weight": (3, "model.safetensors")}),
        ("stated:read_headers", three_rows),
        ("stated:read_headers", no_rows),
    ],
)
def test_numbers_of_rows_that_a_fault_makes_equal_are_refused(
    broken: str, wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = []
    for name, rows in (("a", 3), ("b", 4)):
        folder = Folder.bpe("ab").weights(wte__weight=(rows, 1))
        subject = open_subject(folder.write(tmp_path / name))
        sides.append(Side(name, parse_all(subject).parsed[0][1], subject=subject))
    module, _, name = broken.partition(":")
    owner = import_module(f"{ROOM}.facets.{module}")
    if name == READ_HEADERS.partition(":")[2]:
        everywhere(monkeypatch, read_headers, wrong)
    monkeypatch.setattr(owner, name, wrong)
    found = next(each for each in stated_facets(*sides) if each.name == "embedding rows")
    found = certified(found, sides[0])
    whole = Comparison("a", "b", 0, 0, Relation.SAME, facets=(found,))
    assert found.certificate is not None and found.certificate.proof is Proof.EQUAL
    assert objection(*sides, found, whole) != ""


def test_the_checker_knows_each_name_of_an_embedding() -> None:
    assert all(INPUT_ROWS.fullmatch(name) for name in embedding_names())
    assert not any(INPUT_ROWS.fullmatch(name) for name in ("lm_head.weight", "xwte.weight"))
