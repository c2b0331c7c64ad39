"""Special tokens around texts, and entries at other ids, that are the same; the library judges."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from proved_facets import PIECES, holds, spec
from run_here import trial_here
from tokenizers import Tokenizer

from tokaudit.engine.sides.side import Open, Side
from tokaudit.products.compare.facets.model import merges
from tokaudit.products.compare.facets.stages import post_processor
from tokaudit.report.comparison import Facet
from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType


def template(pair: str, types: str) -> dict[str, Any]:
    """A template of `[CLS]`, `[SEP]`, A and B by their first letters, with a type id for each."""
    tokens = {"C": ("[CLS]", 4), "S": ("[SEP]", 5)}
    rows = [
        [
            {"SpecialToken": {"id": tokens[name][0], "type_id": int(type_id)}}
            if name in tokens
            else {"Sequence": {"id": name, "type_id": int(type_id)}}
            for name, type_id in zip(names, ids, strict=True)
        ]
        for names, ids in (("CAS", "000"), (pair, types))
    ]
    special = {name: {"id": name, "ids": [id], "tokens": [name]} for name, id in tokens.values()}
    return {
        "type": "TemplateProcessing",
        "single": rows[0],
        "pair": rows[1],
        "special_tokens": special,
    }


ENDS = {"sep": ["[SEP]", 5], "cls": ["[CLS]", 4]}
BERT = {"type": "BertProcessing", **ENDS}
ROBERTA = {"type": "RobertaProcessing", **ENDS, "trim_offsets": True, "add_prefix_space": True}


def around(one: dict[str, Any], other: dict[str, Any]) -> bool:
    sides = (Side("left", spec(post_processor=one)), Side("right", spec(post_processor=other)))
    found = post_processor(*sides, trial_here(*sides))
    return found.certificate is not None and holds(*sides, found)


def library(processor: dict[str, Any]) -> list[tuple[list[int], list[int]]]:
    """The ids and type ids of a text and of two."""
    vocab = {str(piece.value): id for id, piece in PIECES.items()}
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}
    described = {"version": "1.0", "model": model, "post_processor": processor}
    loaded = Tokenizer.from_str(json.dumps(described))
    found = [loaded.encode("a"), loaded.encode("a", "b"), loaded.encode("", "b")]
    return [(each.ids, each.type_ids) for each in found]


@pytest.mark.parametrize(
    ("step", "pair", "types"), [(BERT, "CASBS", "00011"), (ROBERTA, "CASSBS", "000000")]
)
def test_a_step_around_texts_is_the_template_that_does_the_same(
    step: dict[str, Any], pair: str, types: str
) -> None:
    assert around(step, template(pair, types))
    assert around(step, {"type": "Sequence", "processors": [template(pair, types)]})
    assert library(step) == library(template(pair, types))
    for at in range(len(types)):  # another type id, and another token, are something else
        other = types[:at] + ("0" if types[at] == "1" else "1") + types[at + 1 :]
        assert not around(step, template(pair, other))
        assert library(step) != library(template(pair, other))
        if pair[at] in "CS":
            changed = pair[:at] + ("S" if pair[at] == "C" else "C") + pair[at + 1 :]
            assert not around(step, template(changed, types))


def test_after_another_step_nothing_is_taken_for_a_template() -> None:
    """A template has no place for the parts that another one makes."""
    one, two = ({"type": "Sequence", "processors": [BERT, each]} for each in (BERT, ROBERTA))
    three = {"type": "Sequence", "processors": [BERT, template("CASBS", "00011")]}
    assert not around(one, two) and not around(one, three)


@pytest.mark.parametrize("changed", [{2: 1, 1: 2}, {0: 3, 3: 0}])
def test_the_same_words_at_other_ids_are_the_same_model(changed: dict[int, int]) -> None:
    moved = {changed.get(id, id): piece for id, piece in PIECES.items()}
    other = replace(spec(), pieces=moved, unk_id=changed.get(0, 0))
    sides = (Side("left", spec()), Side("right", other))
    found = merges(*sides, trial_here(*sides))
    assert isinstance(found, Facet) and holds(*sides, found)


@pytest.mark.parametrize(
    "other",
    [
        replace(spec(), unk_id=1),
        replace(spec(), pieces={**PIECES, 6: Piece(TokenType.ORDINARY, "c")}),
        replace(spec(), pieces={**PIECES, 6: Piece(TokenType.ORDINARY, "a")}),
        replace(spec(), pieces={**PIECES, 1: Piece(TokenType.CONTINUATION, "a")}),
        replace(spec(), model_type=ModelType.WORDPIECE, continuing_subword_prefix="##"),
    ],
)
def test_other_words_or_rules_are_another_model(other: TokenizerSpec) -> None:
    sides = (Side("left", spec()), Side("right", other))
    assert isinstance(merges(*sides, trial_here(*sides)), Open)
