"""What prover and checker of a kind both run is known, and no fault in it misleads the checker."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from alike_sides import (
    FORM_TWICE,
    FREE_ORDER,
    NOTHING_ACROSS,
    OTHER_ORDER,
    PACKED_OTHERWISE,
    SAME_ADDED,
    SAME_AROUND,
    SAME_BYTES,
    SAME_CUTS,
    SAME_ENTRIES,
    SAME_FORM,
    SAME_MERGES,
    SHUFFLED,
    SHUFFLED_SCORES,
    UNREAD_AROUND,
    UNREAD_IN_CUTS,
    UNREAD_IN_DECODING,
    Sides,
)
from broken_code import forget, put
from differing_sides import without_memory
from seeded_faults import FAULTS, ROOM, Facets, cut_by_model, found_by, of_ids

import tokaudit
import tokaudit_reference
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.added import added_tokens
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.facets.decoding import decoder
from tokaudit.products.compare.facets.model import merges
from tokaudit.products.compare.facets.stages import normalizer, post_processor
from tokaudit.products.compare.facets.stated import stated_facets
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.recheck.proofs import checkers
from tokaudit.report.comparison import Certificate, Facet, Proof
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import SpecError
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, whole
from tokaudit_reference.steps.step import Unread

HOMES = tuple(f"{Path(each.__path__[0])}/" for each in (tokaudit, tokaudit_reference))

ALIKE: list[tuple[Proof, Facets, Sides]] = [
    (Proof.EQUAL, of_ids, SAME_ENTRIES),
    (Proof.EQUAL, merges, SAME_MERGES),
    (Proof.EQUAL, added_tokens, SAME_ADDED),
    (Proof.EQUAL, normalizer, SAME_FORM),
    (Proof.ACTS_ALIKE, normalizer, FORM_TWICE),
    (Proof.ACTS_ALIKE, cut_by_model, UNREAD_IN_CUTS),
    (Proof.ACTS_ALIKE, decoder, UNREAD_IN_DECODING),
    (Proof.ACTS_ALIKE, post_processor, UNREAD_AROUND),
    (Proof.SAME_IDS, post_processor, SAME_AROUND),
    (Proof.SCALARS, normalizer, OTHER_ORDER),
    (Proof.CHARSMAPS, normalizer, PACKED_OTHERWISE),
    (Proof.TOKENS, decoder, SAME_BYTES),
    (Proof.MERGES, merges, FREE_ORDER),
    (Proof.ENTRIES, merges, SHUFFLED),
    (Proof.SCORES, merges, SHUFFLED_SCORES),
    (Proof.CUTS, cut_by_model, SAME_CUTS),
    (Proof.NO_ENTRY_ACROSS, cut_by_model, NOTHING_ACROSS),
]

ENGINE = ("tokaudit_reference.text.", "tokaudit_reference.steps.pre_tokenizers.")
READS_FILES = ("tokaudit.subject.",)
RUN_BY_BOTH = {
    Proof.ACTS_ALIKE: ("tokaudit_reference.steps.",),
    Proof.CUTS: ENGINE,
    Proof.NO_ENTRY_ACROSS: ENGINE,
}
"""The engine that runs patterns, and a stage that is run after its options were seen to be alike."""
REFERENCE = "tokaudit_reference"
UNREAD = Unread({}, SpecError("broken"))
UNCUT = Cutting(lambda text, first: [text], whole)
BROKEN: list[tuple[str, Any]] = [
    (f"{REFERENCE}.steps.component:Component.steps", ()),
    (f"{REFERENCE}.steps.registered:read", lambda stage, options: UNREAD),
    (f"{REFERENCE}.steps.sequence:flattened", lambda stage, options: iter(())),
    (f"{REFERENCE}.steps.step:Step.to_json", lambda self: {}),
    (f"{REFERENCE}.steps.step:Step.acts_as", lambda self, ids_only=False: None),
    (f"{REFERENCE}.steps.pattern:Pattern.to_json", lambda self: {}),
    (f"{REFERENCE}.steps.pattern:Pattern.literal", ""),
    (f"{REFERENCE}.steps.normalizers:Normalizer.__call__", lambda self, text: text),
    (f"{REFERENCE}.steps.post_processors:PostProcessor.__call__", lambda *a, **b: ([], None)),
    (f"{REFERENCE}.steps.decoders:Decoder.decode_bytes", lambda self, ids: b""),
    (f"{REFERENCE}.steps.pre_tokenizers.split:Split.build", lambda self: UNCUT),
    (f"{REFERENCE}.steps.pre_tokenizers.split:parts", lambda *a: [(0, a[1], False)]),
    (f"{REFERENCE}.spec:TokenizerSpec.surface", lambda self, piece: ""),
    (f"{REFERENCE}.spec:TokenizerSpec.ids_by_surface", {}),
    (f"{REFERENCE}.models.bpe.merge:merge", lambda symbols, table: [*symbols][:2]),
    (f"{REFERENCE}.models.bpe.merge:merge_textbook", lambda symbols, table: [*symbols][:2]),
    (f"{REFERENCE}.models.bpe.merge:merge_fast", lambda symbols, table: [*symbols][:2]),
    (f"{REFERENCE}.text.bytes_alphabet:to_bytes", lambda text: b""),
    (f"{REFERENCE}.text.bytes_alphabet:to_characters", lambda data: ""),
    (f"{REFERENCE}.text.unicode_then:category", lambda character, version: "Lo"),
]


def proved(facet: Facets, sides: Sides) -> Facet:
    """The facet as the prover finds it, with its certificate."""
    left, right = (Side(name, each) for name, each in zip("ab", sides, strict=True))
    found = facet(left, right, Trial(left, right, []))
    assert isinstance(found, Facet), found
    return certified(found, left, right)


def claimed(facet: str, certificate: Certificate, sides: Sides) -> Claim:
    """A certificate about specs of which nothing was asked yet."""
    first, second = map(without_memory, sides)
    return Claim(facet, certificate, first, second)


def checked(claim: Claim) -> str:
    """What the checker of its kind says of a claim."""
    try:
        return checkers()[claim.certificate.proof].objection(claim)
    except Unreadable as unknown:
        return f"not followed: {unknown}"


def run_by(call: Callable[[], Any]) -> tuple[Any, set[str]]:
    """What a call gives, and the functions of ours that it runs, by module and name."""
    found = set[str]()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        home = next((h for h in HOMES if frame.f_code.co_filename.startswith(h)), None)
        if event == "call" and home is not None and "<" not in frame.f_code.co_name:
            found.add(f"{frame.f_globals['__name__']}:{frame.f_code.co_qualname}")

    forget()
    before = sys.gettrace()
    sys.settrace(note)
    try:
        return call(), found
    finally:
        sys.settrace(before)


@pytest.fixture(autouse=True)
def in_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer characters and texts than there are: which functions run is the same."""
    few = [chr(code) for code in range(0x180)]
    put(monkeypatch, f"{ROOM}.proofs.scalars.prove:_blocks", lambda: iter(["".join(few)]))
    put(monkeypatch, f"{ROOM}.proofs.scalars.check:_rows", lambda: iter([few]))
    put(monkeypatch, f"{ROOM}.proofs.cuts.cutting:MOST_TEXTS", 50)


@pytest.mark.parametrize(("proof", "facet", "sides"), ALIKE)
def test_what_prover_and_checker_both_run_is_known(
    proof: Proof, facet: Facets, sides: Sides
) -> None:
    found, by_prover = run_by(lambda: proved(facet, sides))
    certificate = found.certificate
    assert certificate is not None and certificate.proof is proof
    claim = claimed(found.name, certificate, sides)
    said, by_checker = run_by(lambda: checked(claim))
    assert said == ""
    both = by_prover & by_checker
    assert {each for each in both if not each.startswith(RUN_BY_BOTH.get(proof, ()))} == set()


def test_of_the_rows_of_embeddings_both_run_what_reads_files_alone(tmp_path: Path) -> None:
    sides = []
    for name in "ab":
        folder = Folder.bpe("ab").weights(wte__weight=(3, 1))
        subject = open_subject(folder.write(tmp_path / name))
        sides.append(Side(name, parse_all(subject).parsed[0][1], subject=subject))
    left, right = sides

    def rows() -> Facet:
        found = next(each for each in stated_facets(left, right) if each.name == "embedding rows")
        return certified(found, left, right)

    found, by_prover = run_by(rows)
    certificate, subjects = found.certificate, (left.subject, right.subject)
    assert certificate is not None and certificate.proof is Proof.EQUAL
    claim = Claim(found.name, certificate, left.spec, right.spec, subjects)
    said, by_checker = run_by(lambda: checked(claim))
    assert said == ""
    assert {each for each in by_prover & by_checker if not each.startswith(READS_FILES)} == set()


def test_there_are_alike_sides_for_every_kind_of_proof() -> None:
    assert {proof for proof, _, _ in ALIKE} == {*Proof}


@pytest.mark.parametrize("proof", Proof)
def test_no_function_that_a_prover_runs_misleads_a_checker(
    proof: Proof, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof that a fault of the prover gives is put to the checker with one fault more."""
    own = (fault for fault in FAULTS if fault.broken.startswith(ROOM))
    fault = next(fault for fault in own if fault.proof is proof)
    with monkeypatch.context() as patch:
        forget()
        put(patch, fault.broken, fault.wrong)
        found, _ = found_by(fault)
    assert found.certificate is not None
    accepted = []
    for broken, wrong in BROKEN:
        claim = claimed(found.name, found.certificate, fault.sides)
        with monkeypatch.context() as patch:
            if broken.startswith(ENGINE):
                forget()
            put(patch, broken, wrong, for_all=True)
            if not checked(claim):
                accepted.append(broken)
    forget()
    assert accepted == []
