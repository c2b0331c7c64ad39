"""Strings that share an id all encode; nothing that is proved, named or hashed knows only one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from library_pair import LibraryPair, bpe, tokenizer
from locations import find_material

import tokaudit
from tokaudit.engine.facet_names import DECODER, IDS, MERGES
from tokaudit.products.compare.canonical_rows import Written
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.recheck.as_stated import AsStated
from tokaudit.products.compare.recheck.proofs import checkers
from tokaudit.products.identity import hashes
from tokaudit.products.identity.short_id import id_of
from tokaudit.report.comparison import PROVED, Certificate, Outcome, Proof, Relation
from tokaudit.report.model import Verdict
from tokaudit.runtimes.packed_spec import packed, unpacked
from tokaudit_reference.models import model
from tokaudit_reference.spec import (
    ModelType,
    Piece,
    SpecError,
    TokenizerSpec,
    TokenType,
    Unsupported,
)
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_reference.trace import trace
from tokaudit_soundness.changes import forms
from tokaudit_soundness.claims import NotParsed, side
from tokaudit_soundness.drawing import Draw
from tokaudit_soundness.library import Refused, loaded
from tokaudit_soundness.making import tokenizer as small_tokenizer
from tokaudit_soundness.pairs import ChangedPair
from tokaudit_soundness.texts import texts

WORDS = {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "a": 1, "b": 2}}
SHARED = {**WORDS, "vocab": {"?": 0, "c": 1, "a": 1, "b": 2}}
OTHER_ORDER = {**WORDS, "vocab": {"?": 0, "a": 1, "c": 1, "b": 2}}
WORDPIECE = {
    "type": "WordPiece",
    "vocab": {"?": 0, "ab": 1, "a": 1, "##b": 2, "##c": 2},
    "unk_token": "?",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
}
IN_CHARACTERS = bpe(["a", "b", "c", "ab"], [("a", "b")])
IN_CHARACTERS = {**IN_CHARACTERS, "vocab": {"x": 0, "a": 0, "b": 1, "c": 2, "ab": 3}}
CUT = {"type": "Whitespace"}
DRAWN = 60  # models of a law


MODELS: Mapping[str, tuple[dict[str, Any], str]] = {
    "words": (SHARED, "c a b c"),
    "WordPiece": (WORDPIECE, "ab a abc ac"),
    "merges of characters": (IN_CHARACTERS, "xb ab xab"),
}


@pytest.mark.parametrize(("model", "text"), MODELS.values(), ids=MODELS)
def test_the_reference_encodes_every_entry_of_an_id_as_the_library_does(
    model: dict[str, Any], text: str, tmp_path: Path
) -> None:
    pair = LibraryPair(tmp_path, *[tokenizer(model, pre_tokenizer=CUT)] * 2)
    (library,) = pair.libraries[0].encode([text])
    assert ReferenceTokenizer(pair.specs[0]).ids(text) == list(library.ids)


def other_ids(place: Path, read: Callable[[TokenizerSpec], TokenizerSpec]) -> tuple[list[str], int]:
    """Drawn models with shared ids of which the reference gives other ids, and how many ran."""
    draw, wrong, ran = Draw(44), list[str](), 0
    while ran < DRAWN:
        described, of = small_tokenizer(draw)
        for _ in range(draw.number(1, 3)):
            draw.one((forms.entry_at_an_id, forms.entry_moved)).act(draw, of, described)
        described |= {"normalizer": None, "pre_tokenizer": None, "added_tokens": []}
        pair = ChangedPair(described, described, of, ())
        try:
            library = loaded(described)
            spec = side("drawn", described, place).spec
            if not spec.sharing:
                continue
            run = ReferenceTokenizer(read(spec))
            tried = texts(pair)[:60]
            ours = [tuple(run.encode(text, add_special_tokens=False).ids) for text in tried]
        except (Refused, NotParsed, SpecError):
            continue  # what is not run is not said to be right
        ran += 1
        theirs = library.encodings(tried, None, special=False)
        answered = ((a, b) for a, b in zip(ours, theirs, strict=True) if not isinstance(b, str))
        if any(list(a) != b.ids for a, b in answered):
            wrong.append(json.dumps(described))
    return wrong, ran


def test_drawn_entries_that_share_an_id_all_encode_as_the_library_does(tmp_path: Path) -> None:
    assert other_ids(tmp_path, lambda spec: spec) == ([], DRAWN)


def test_a_reference_with_one_entry_for_each_id_is_noticed(tmp_path: Path) -> None:
    """The seeded breach: a vocabulary that is a map from ids."""
    wrong, _ = other_ids(tmp_path, lambda spec: replace(spec, sharing=()))
    assert len(wrong) > DRAWN // 4


def test_a_merge_of_one_entry_is_one_of_all_that_have_its_id(tmp_path: Path) -> None:
    pair = LibraryPair(tmp_path, *[tokenizer(IN_CHARACTERS)] * 2)
    assert ReferenceTokenizer(pair.specs[0]).ids("xb") == [3]
    assert pair.libraries[0].encode(["xb"])[0].ids == (3,)


def test_a_trace_names_every_entry_of_an_id(tmp_path: Path) -> None:
    spec = LibraryPair(tmp_path, *[tokenizer(IN_CHARACTERS)] * 2).specs[0]
    ((segment,), *_) = (trace(ReferenceTokenizer(spec), "xbx"),)
    (piece,) = segment.pieces
    assert [token.token for token in piece.tokens] == ["ab", "x or a"]
    assert [(step.left, step.right) for step in piece.merges] == [("a", "b")]


def test_an_entry_more_at_an_id_is_other_ids_with_a_text(tmp_path: Path) -> None:
    pair = LibraryPair(tmp_path, tokenizer(WORDS), tokenizer(SHARED))
    facet = pair.facet(IDS)
    assert (facet.outcome, facet.evidence[0].text) == (Outcome.DIFFERS, "c")


def test_an_entry_more_at_an_id_moves_vocab_v1_and_the_short_id(tmp_path: Path) -> None:
    plain, shared = LibraryPair(tmp_path, tokenizer(WORDS), tokenizer(SHARED)).specs
    one, other = (hashes.vocab(spec, Written()).digest for spec in (plain, shared))
    assert one != other and id_of(plain).id != id_of(shared).id


@pytest.mark.parametrize("other", [SHARED, OTHER_ORDER], ids=["same order", "another order"])
def test_the_same_shared_entries_have_the_same_ids_and_an_unknown_decoder(
    other: dict[str, Any], tmp_path: Path
) -> None:
    pair = LibraryPair(tmp_path, tokenizer(SHARED), tokenizer(other))
    assert pair.proved()
    found = pair.facet(DECODER)
    assert found.outcome is Outcome.UNKNOWN
    assert "'c' and 'a' share the id 1" in found.why and "each load" in found.why


def test_no_checker_takes_a_certificate_over_an_entry_that_one_side_lacks(tmp_path: Path) -> None:
    first, second = LibraryPair(tmp_path, tokenizer(WORDS), tokenizer(SHARED)).specs
    taken = [
        (facet, proof)
        for proof, checker in checkers().items()
        for facet in checker.about & {IDS, MERGES, DECODER}
        for left, right in ((first, second), (second, first))
        if not checker.objection(Claim(facet, Certificate(proof, entries=3), left, right))
    ]
    assert taken == []


def test_no_checker_takes_a_decoder_of_shared_ids_for_proved(tmp_path: Path) -> None:
    first, second = LibraryPair(tmp_path, *[tokenizer(SHARED)] * 2).specs
    claims = [Claim(DECODER, Certificate(proof, entries=3), first, second) for proof in Proof]
    decoders = {proof for proof, checker in checkers().items() if DECODER in checker.about}
    assert decoders == {Proof.EQUAL, Proof.ACTS_ALIKE, Proof.TOKENS}
    for claim in claims:
        if claim.certificate.proof in decoders:
            why = checkers()[claim.certificate.proof].objection(claim)
            assert why in (
                "entries share an id, and each load may decode it as a different one of them",
                "not every token that both have is the same bytes",
            )


def test_a_reader_that_lost_an_entry_of_an_id_has_misread_the_file(tmp_path: Path) -> None:
    side = LibraryPair(tmp_path, *[tokenizer(SHARED)] * 2).sides[0]
    assert AsStated(side).misread(IDS) == ""
    lost = replace(side, spec=replace(side.spec, sharing=()))
    assert "was not read as its file states it" in AsStated(lost).misread(IDS)


def test_a_worker_gets_every_entry(tmp_path: Path) -> None:
    spec = LibraryPair(tmp_path, *[tokenizer(SHARED)] * 2).specs[0]
    assert unpacked(packed(spec)) == spec
    assert unpacked(packed(spec)).sharing == ((1, Piece(TokenType.ORDINARY, "c")),)


def test_shared_ids_of_scores_are_not_run() -> None:
    piece = Piece(TokenType.ORDINARY, "a")
    spec = TokenizerSpec(
        model_type=ModelType.UNIGRAM,
        pieces={0: piece},
        sharing=((0, Piece(TokenType.ORDINARY, "b")),),
        scores={0: -1.0},
    )
    with pytest.raises(Unsupported, match="share an id"):
        model(spec)


@pytest.fixture
def material() -> Path:
    found = find_material()
    if found is None:
        pytest.skip("no outside material: set TOKAUDIT_MATERIAL to its folder")
    return found / "tokenizers"


def written(folder: Path, content: dict[str, Any]) -> str:
    folder.mkdir()
    (folder / "tokenizer.json").write_text(json.dumps(content))
    return str(folder)


@pytest.mark.usefixtures("processes")
def test_bert_with_a_word_at_the_id_of_the_is_another_tokenizer(
    material: Path, tmp_path: Path
) -> None:
    content = json.loads((material / "bert-base-uncased" / "tokenizer.json").read_text())
    one = written(tmp_path / "one", content)
    statement = tokaudit.manifest(one)
    vocab: dict[str, int] = {}
    for token, id in content["model"]["vocab"].items():
        vocab |= {"tokaudit": 1996, token: id} if token == "the" else {token: id}
    content["model"]["vocab"] = vocab
    two = written(tmp_path / "two", content)
    report = tokaudit.compare(one, two, tier="quick")
    assert report.verdict is Verdict.FAIL and report.comparison is not None
    assert report.comparison.minimal is not None
    assert "tokaudit" in (report.comparison.minimal.text or "")
    forged = replace(report.comparison, relation=Relation.SAME)
    assert any(c.objection for c in tokaudit.recheck(replace(report, comparison=forged)))
    drifts = tokaudit.verify(two, statement)
    assert {drift.name for drift in drifts.gated} >= {"vocab-v1"}


def test_gpt2_cut_to_1500_merges_with_a_night_at_the_id_of_ler_is_known_by_it(
    material: Path, tmp_path: Path
) -> None:
    content = json.loads((material / "gpt2" / "tokenizer.json").read_text())
    model = content["model"]
    model["merges"] = model["merges"][:1500]
    made = {"".join(m.split(" ") if isinstance(m, str) else m) for m in model["merges"]}
    model["vocab"] = {t: i for t, i in model["vocab"].items() if len(t) == 1 or t in made}
    plain = json.loads(json.dumps(content))
    model["vocab"]["\u0120night"] = model["vocab"]["ler"]
    pair = LibraryPair(tmp_path, plain, content)
    first, second = pair.specs
    assert id_of(first).id != id_of(second).id
    for text in (" night", "ler", " nights and tolerable", "settler night"):
        ids = [tuple(ReferenceTokenizer(spec).ids(text)) for spec in (first, second)]
        assert ids == [library.encode([text])[0].ids for library in pair.libraries]
    assert not {MERGES} & {
        f.name for f in pair.compared(library=False).facets if f.outcome in PROVED
    }
