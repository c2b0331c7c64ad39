"""A text refutes a proof, is blamed on what it refutes, and is one that a library confirms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from library_pair import LibraryPair, bpe, split, tokenizer

from tokaudit.engine.canonical_steps import acting_tokens
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.products.compare.api.tokenizers import judged
from tokaudit.products.compare.facets import splits
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.report.comparison import Comparison, Outcome, Relation
from tokaudit.report.model import Verdict
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit_reference.steps.normalizers import normalizer

SNOW = "\u2603"
PAIRS = bpe(["a", "b", "ab"])


def outcomes(found: Comparison) -> dict[str, Outcome]:
    return {facet.name: facet.outcome for facet in found.facets[:5]}


def test_a_false_lemma_is_refuted_by_the_texts_nearest_to_its_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the precondition taken out, the proof is found, tried, void and blamed on its facet."""
    monkeypatch.setattr(splits, "obstacle", lambda spec: "")
    pair = LibraryPair(tmp_path, tokenizer(PAIRS), tokenizer(PAIRS, pre_tokenizer=split(SNOW)))
    found = compared(pair.trial(), Searched(()))
    facet = next(facet for facet in found.facets if facet.name == "pre-tokenizer")
    assert facet.outcome is Outcome.DIFFERS and facet.certificate is None
    assert facet.why.startswith("the proof is void: it says")
    assert facet.evidence[0].text == f"a{SNOW}b"
    assert outcomes(found)["ids"] is Outcome.IDENTICAL
    assert found.relation is Relation.RESEGMENTED


class Otherwise:
    """A library that reads the second file otherwise: one text has other ids."""

    capabilities = frozenset({"encode"})

    def __init__(self, library: Any, text: str) -> None:
        self._library, self._text = library, text

    def encode(self, texts: Any, options: EncodeOptions = EncodeOptions()) -> list[Encoding]:
        found = self._library.encode(texts, options)
        return [
            Encoding(ids=(1,)) if text == self._text else each
            for text, each in zip(texts, found, strict=True)
        ]

    def decode(self, ids: Any, options: Any = None) -> Any:
        return self._library.decode(ids)


def test_a_text_of_a_library_alone_is_blamed_on_what_is_written_differently(tmp_path: Path) -> None:
    """The ids are stated alike; only the pre-tokenizer, proved equivalent, can be at fault."""
    other = {"type": "Split", "pattern": {"Regex": "a|b"}, "behavior": "Isolated", "invert": False}
    same = other | {"pattern": {"Regex": "[ab]"}}
    one, two = (tokenizer(PAIRS, pre_tokenizer=each) for each in (other, same))
    pair = LibraryPair(tmp_path, one, two)
    trial = pair.trial()
    library = EncoderPair("the library", pair.libraries[0], Otherwise(pair.libraries[1], "aa"))
    found = compared(
        Trial(*pair.sides, [trial.pairs[0], library], trial.mixed), Searched((), ("aa",))
    )
    assert outcomes(found)["pre-tokenizer"] is Outcome.DIFFERS
    assert outcomes(found)["ids"] is Outcome.IDENTICAL
    assert judged([found])[0] is Verdict.FAIL


def test_a_proof_stays_where_an_open_facet_explains_the_text(tmp_path: Path) -> None:
    one, other = (
        {"type": "Split", "pattern": {"Regex": r}, "behavior": "Isolated"} for r in ("a|b", "[ab]")
    )
    lower = {"type": "Lowercase"}
    pair = LibraryPair(
        tmp_path,
        tokenizer(PAIRS, pre_tokenizer=one | {"invert": False}),
        tokenizer(PAIRS, pre_tokenizer=other | {"invert": False}, normalizer=lower),
    )
    found = outcomes(pair.compared("A", "aB"))
    assert (found["normalizer"], found["pre-tokenizer"]) == (Outcome.DIFFERS, Outcome.EQUIVALENT)


def test_two_forms_that_only_newer_tables_tell_apart_are_no_difference(tmp_path: Path) -> None:
    """U+11935 and U+11930 are composed since Unicode 13, and left alone as of Unicode 9."""
    forms = {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "NFD"}]}
    model = bpe(["a", "\U00011935", "\U00011930", "\U00011938", "<unk>"], [], unk_token="<unk>")
    pair = LibraryPair(
        tmp_path, tokenizer(model, normalizer=forms), tokenizer(model, normalizer={"type": "NFD"})
    )
    text = "\U00011935\U00011930"
    assert not pair.differ(text)
    assert normalizer(pair.specs[0].normalizer)(text) == text
    found = pair.compared(text)
    assert found.different == 0 and judged([found])[0] is not Verdict.FAIL


def added(id: int, content: str, **flags: bool) -> dict[str, Any]:
    plain = dict.fromkeys(("single_word", "lstrip", "rstrip", "special"), False)
    return {"id": id, "content": content, "normalized": True, **plain, **flags}


def test_a_stated_id_that_the_library_does_not_use_is_no_difference_and_is_said(
    tmp_path: Path,
) -> None:
    one, other = (tokenizer(PAIRS, added_tokens=[added(id, "<e>")]) for id in (3, 9))
    found = LibraryPair(tmp_path, one, other).compared("<e>", "a<e>")
    facet = next(facet for facet in found.facets if facet.name == "added tokens")
    assert (found.different, facet.outcome) == (0, Outcome.UNDIFFERING)
    assert "the reference alone makes other ids; the library does not confirm it" in facet.why
    assert found.relation is Relation.UNDIFFERING and judged([found])[0] is not Verdict.FAIL


def test_added_tokens_in_another_order_are_not_the_same_where_the_order_decides_ids(
    tmp_path: Path,
) -> None:
    listed = [added(3, "<e>"), added(4, "<b>")]
    one, other = (tokenizer(PAIRS, added_tokens=each) for each in (listed, listed[::-1]))
    pair = LibraryPair(tmp_path, one, other)
    assert acting_tokens(pair.specs[0]) == acting_tokens(pair.specs[1])
    assert pair.differ("<e>") and not pair.proved()
    assert pair.facet("added tokens").outcome is Outcome.DIFFERS


def test_the_merges_facet_speaks_of_both_tables_and_not_of_one_text(tmp_path: Path) -> None:
    letters = ["a", "b", "c", "d"]
    shared = [("a", "b"), ("b", "c"), ("c", "d")]
    one, other = (
        bpe([*letters, *("".join(pair) for pair in merges)], merges)
        for merges in ([*shared, ("d", "a")], [*shared, ("d", "d")])
    )
    pair = LibraryPair(tmp_path, tokenizer(one), tokenizer(other))
    why = pair.facet("merges", "da", "dd").why
    assert why.startswith(
        f"3 usable merges are shared; 1 only in {tmp_path}/a; 1 only in {tmp_path}/b"
    )
    assert "the merges are the same" not in why
