"""Small tokenizers of one stage, and whether a facet of two of them is proved and checked."""

from __future__ import annotations

from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType

STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
WORDS = ("[UNK]", "a", "b", "ab", "[CLS]", "[SEP]")
PIECES = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(WORDS)}


def spec(**options: Any) -> TokenizerSpec:
    stages = {name: Component(options.get(name), Standing.STATED, name) for name in STAGES}
    return TokenizerSpec(ModelType.WORDLEVEL, PIECES, unk_id=0, format="tokenizer.json", **stages)


def holds(left: Side, right: Side, facet: Facet) -> bool:
    """Whether a facet is proved, and the checker says so too."""
    proved = certified(facet, left, right)
    whole = Comparison(left.name, right.name, 0, 0, Relation.SAME, facets=(proved,))
    assert objection(left, right, proved, whole) == ""
    return proved.outcome is Outcome.EQUIVALENT
