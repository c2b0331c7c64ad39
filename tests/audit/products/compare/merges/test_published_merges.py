"""On published tables: equal over formats and orders, and every difference seen by the library."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from locations import find_material
from merge_tables import objection_to, same_form_shuffle
from run_here import cut_of
from tokenizers import Tokenizer

from tokaudit.products.compare.proofs.merges.model import MergeModel, merge_model
from tokaudit.products.compare.proofs.merges.prove import compare_models
from tokaudit.products.compare.proofs.merges.running import Cut
from tokaudit.products.compare.proofs.merges.verdict import Differs, NotProved, Proved
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import TokenizerSpec

Pairs = Sequence[tuple[bytes | str, bytes | str]]
needs_material = pytest.mark.skipif(
    find_material() is None, reason="no outside material: set TOKAUDIT_MATERIAL to its folder"
)


def folder(name: str) -> Path:
    found = find_material()
    assert found is not None
    return found / "tokenizers" / name


@cache
def specs(name: str) -> dict[str, TokenizerSpec]:
    parsed = parse_all(open_subject(folder(name))).parsed
    return {representation.format: spec for representation, spec in parsed}


@cache
def published(name: str) -> MergeModel:
    return merge_model(specs(name)["tokenizer.json"])


@cache
def cut(name: str) -> Cut:
    return cut_of(specs(name)["tokenizer.json"])


@cache
def described(name: str) -> str:
    return (folder(name) / "tokenizer.json").read_text("utf-8")


def with_merges(name: str, places: Sequence[int]) -> tuple[MergeModel, Tokenizer]:
    """A published tokenizer with the merges at these places in this order, here and there."""
    spec, data = specs(name)["tokenizer.json"], json.loads(described(name))
    listed = data["model"]["merges"]
    data["model"]["merges"] = [listed[place] for place in places]
    merges = tuple((spec.merges or ())[place] for place in places)
    return merge_model(replace(spec, merges=merges)), Tokenizer.from_str(json.dumps(data))


@cache
def library(name: str) -> Tokenizer:
    return Tokenizer.from_str(described(name))


def tokens(tokenizer: Tokenizer, text: str) -> list[str]:
    return tokenizer.encode(text, add_special_tokens=False).tokens


def without(name: str, place: int) -> list[int]:
    return [at for at in range(len(specs(name)["tokenizer.json"].merges or ())) if at != place]


def swapped(name: str, place: int) -> list[int]:
    places = list(range(len(specs(name)["tokenizer.json"].merges or ())))
    places[place : place + 2] = [place + 1, place]
    return places


def confirm(name: str, places: Sequence[int], texts: Sequence[str] = ()) -> str:
    """Compares a changed tokenizer with its original; the library must see what is claimed.

    No text may differ for the library where equality is proved, nor a text that it was given.
    """
    model, changed = with_merges(name, places)
    verdict = compare_models(published(name), model, cut(name))
    if isinstance(verdict, Differs):
        text = verdict.witness.text
        assert tokens(library(name), text) != tokens(changed, text), verdict
    else:
        for text in texts:
            assert tokens(library(name), text) == tokens(changed, text), (verdict, text)
    return type(verdict).__name__


def shown(name: str, place: int) -> list[str]:
    """The text of the token that a merge makes: alone, after a space, after a letter."""
    left, right = (specs(name)["tokenizer.json"].merges or ())[place]
    whole = left + right  # type: ignore[operator]
    text = whole.decode("utf-8", "replace") if isinstance(whole, bytes) else whole
    text = text.replace("\u2581", " ")
    return [text, text.strip(), f" {text}", f"a{text}"]


def can_matter(merges: Pairs) -> list[int]:
    """The places of neighbours in rank of which one has a piece on its left, one on its right."""
    return [
        at
        for at, ((a, b), (c, d)) in enumerate(pairwise(merges))
        if b == c or d == a or a + b in (c, d)  # type: ignore[operator]
    ]


@needs_material
def test_gpt2_has_one_form_in_three_formats() -> None:
    forms = {format: merge_model(spec).form for format, spec in specs("gpt2").items()}
    assert set(forms) == {"tokenizer.json", "tiktoken", "vocab.json+merges.txt"}
    assert len(set(forms.values())) == 1
    assert forms["tiktoken"].name == "merges-canonical-v1"
    assert forms["tiktoken"].merges == 50_000


@needs_material
def test_of_the_neighbouring_merges_of_gpt2_33_can_change_places_with_effect() -> None:
    assert len(can_matter(specs("gpt2")["tokenizer.json"].merges or ())) == 33


@needs_material
def test_gpt2_in_another_equivalent_order_is_proved_equal() -> None:
    original = specs("gpt2")["tokenizer.json"]
    shuffled = replace(original, merges=same_form_shuffle(original, Random(7)))
    moved = sum(a != b for a, b in zip(original.merges or (), shuffled.merges or (), strict=True))
    assert moved > 45_000
    verdict = compare_models(published("gpt2"), merge_model(shuffled))
    assert isinstance(verdict, Proved)
    assert objection_to(verdict.certificate, original, shuffled) == ""


@needs_material
def test_gpt2_without_a_merge_differs_on_the_text_of_its_token() -> None:
    place = (specs("gpt2")["tokenizer.json"].merges or ()).index((b" comput", b"ers"))
    assert confirm("gpt2", without("gpt2", place)) == "Differs"


@needs_material
def test_phi3_without_one_merge_differs_on_declaring() -> None:
    merges = specs("phi-3-mini")["tokenizer.json"].merges or ()
    model, changed = with_merges(
        "phi-3-mini", without("phi-3-mini", merges.index(("▁decl", "aring")))
    )
    verdict = compare_models(published("phi-3-mini"), model, cut("phi-3-mini"))
    assert isinstance(verdict, Differs)
    found = verdict.witness
    assert (found.text, found.first) == ("declaring", ("▁declaring",))
    assert found.second == ("▁decl", "aring")
    assert found.steps == ("'▁decl' + 'aring'", "")
    assert tokens(library("phi-3-mini"), "declaring") == ["▁declaring"]
    assert tokens(changed, "declaring") == ["▁decl", "aring"]


@needs_material
@pytest.mark.published
def test_a_model_file_and_its_json_with_tied_scores_are_not_called_equal() -> None:
    mistral = specs("mistral-7b-v0.1")
    verdict = compare_models(
        *(merge_model(mistral[f]) for f in ("tokenizer.json", "sentencepiece")),
        cut=cut("mistral-7b-v0.1"),
    )
    assert isinstance(verdict, NotProved)
    assert "merges that share the piece '▁' share the rank 1e+09" in verdict.why


def ordinary_texts(count: int) -> list[str]:
    """Texts of tokens of GPT-2 next to each other."""
    random = Random(11)
    pieces = [piece.value for piece in specs("gpt2")["tokenizer.json"].pieces.values()]
    chosen = (random.choices(pieces, k=random.randint(1, 12)) for _ in range(count))
    return [b"".join(parts).decode("utf-8", "replace") for parts in chosen]  # type: ignore[arg-type]


@needs_material
@pytest.mark.published
@pytest.mark.parametrize("name", ["gpt2", "phi-3-mini"])
@pytest.mark.parametrize("part", range(20))
def test_a_deleted_merge_differs_wherever_the_library_differs_near_its_token(
    name: str, part: int
) -> None:
    count = len(specs(name)["tokenizer.json"].merges or ())
    places = Random(3).sample(range(count), 200)[part::20]
    for place in places:
        confirm(name, without(name, place), shown(name, place))


@needs_material
@pytest.mark.published
def test_each_swap_of_gpt2_that_can_matter_differs_on_a_text_or_is_said_to_be_undecided() -> None:
    found = [
        confirm("gpt2", swapped("gpt2", place))
        for place in can_matter(specs("gpt2")["tokenizer.json"].merges or ())
    ]
    assert len(found) == 33
    assert "Proved" not in found


@needs_material
@pytest.mark.published
@pytest.mark.parametrize("name", ["gpt2", "phi-3-mini"])
@pytest.mark.parametrize("part", range(20))
def test_other_swaps_are_proved_and_the_library_sees_no_difference(name: str, part: int) -> None:
    merges = specs(name)["tokenizer.json"].merges or ()
    plain = sorted(set(range(len(merges) - 1)) - set(can_matter(merges)))
    texts = ordinary_texts(500)
    for place in Random(5).sample(plain, 200)[part::20]:
        assert confirm(name, swapped(name, place), [*texts, *shown(name, place)]) == "Proved"


@needs_material
@pytest.mark.published
@pytest.mark.parametrize("name", ["gpt2", "phi-3-mini"])
@pytest.mark.parametrize("part", range(10))
def test_a_merge_moved_anywhere_is_proved_only_where_no_text_differs(name: str, part: int) -> None:
    count = len(specs(name)["tokenizer.json"].merges or ())
    random, texts = Random(part), ordinary_texts(500)
    for _ in range(5):
        source, target = random.randrange(count), random.randrange(count)
        places = without(name, source)
        places.insert(target, source)
        confirm(name, places, [*texts, *shown(name, source)])


@needs_material
@pytest.mark.published
def test_gpt2_in_another_equivalent_order_is_the_same_on_ten_thousand_texts() -> None:
    original = specs("gpt2")["tokenizer.json"]
    place = {pair: at for at, pair in enumerate(original.merges or ())}
    places = [place[pair] for pair in same_form_shuffle(original, Random(7))]  # type: ignore[index]
    assert confirm("gpt2", places, ordinary_texts(10_000)) == "Proved"
