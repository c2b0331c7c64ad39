"""Operators on rows of the embedding and of the output matrix."""

from __future__ import annotations

import math
from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import CONFIG, added, needed
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import WIDTH, Draft, Rows

GROUP, VALUES = "weights", "embeddings/row-values"
INPUTS = ("model.embed_tokens.weight", "shared.weight", "token_embd.weight")
WORDS = "embeddings.word_embeddings.weight"
OUTPUTS = ("lm_head.weight", "output.weight")
WHERE = ("embeddings", "config")


def _matrix(draft: Draft, names: tuple[str, ...]) -> Rows:
    return needed(next((draft.matrices[name] for name in names if name in draft.matrices), None))


def _marker(draft: Draft, content: str) -> int:
    """The id of a token that the template writes."""
    if draft.keys:
        found = draft.keys["tokenizer.ggml.tokens"][1]
        return int(found.index(content))
    ids = {token["content"]: token["id"] for token in added(draft)}
    if content not in ids:
        raise Inapplicable
    return int(ids[content])


@operator(GROUP, "embeddings/rows", "embeddings/config-vocab-size", blamed=WHERE)
def cut_the_embedding_short(draft: Draft, draw: Random) -> None:
    matrix = _matrix(draft, (*INPUTS, WORDS))
    del matrix[-draw.randrange(1, 60) :]


@operator(GROUP, "embeddings/output-rows", blamed=WHERE)
def cut_the_output_short(draft: Draft, draw: Random) -> None:
    del _matrix(draft, OUTPUTS)[-draw.randrange(1, 60) :]


@operator(GROUP, VALUES, "embeddings/base-rows", blamed=WHERE, base=True)
def exchange_two_rows(draft: Draft, draw: Random) -> None:
    matrix = _matrix(draft, (*INPUTS, WORDS))
    one, other = draw.sample(range(300, len(matrix)), 2)
    matrix[one], matrix[other] = matrix[other], matrix[one]


@operator(GROUP, "embeddings/tied", blamed=WHERE)
def leave_out_the_output(draft: Draft, draw: Random) -> None:
    if draft.settings.get(CONFIG, {}).get("tie_word_embeddings") is not False:
        raise Inapplicable
    del draft.matrices["lm_head.weight"]


@operator(GROUP, VALUES, blamed=WHERE)
def write_zeros_for_a_marker(draft: Draft, draw: Random) -> None:
    _matrix(draft, INPUTS)[_marker(draft, "<|im_start|>")] = (0.0,) * WIDTH


@operator(GROUP, VALUES, blamed=WHERE)
def write_zeros_for_a_stop_in_the_output(draft: Draft, draw: Random) -> None:
    _matrix(draft, OUTPUTS)[_marker(draft, "<|im_end|>")] = (0.0,) * WIDTH


@operator(GROUP, VALUES, blamed=WHERE)
def write_almost_nothing_for_a_marker(draft: Draft, draw: Random) -> None:
    tiny = 10.0 ** -draw.randrange(8, 20)
    _matrix(draft, INPUTS)[_marker(draft, "<|im_start|>")] = (tiny,) * WIDTH


@operator(GROUP, VALUES, blamed=WHERE)
def write_what_is_no_number(draft: Draft, draw: Random) -> None:
    bad = draw.choice((math.nan, math.inf, -math.inf))
    matrix = _matrix(draft, (*INPUTS, WORDS))
    matrix[draw.choice((len(matrix) - 1, len(matrix) - 2))] = (bad,) * WIDTH


@operator(GROUP, VALUES, blamed=WHERE)
def give_two_markers_one_row(draft: Draft, draw: Random) -> None:
    matrix = _matrix(draft, INPUTS)
    matrix[_marker(draft, "<|im_start|>")] = matrix[_marker(draft, "<|im_end|>")]


@operator(
    *(GROUP, "embeddings/shape"),
    blamed=WHERE,
    severity="warning",
    unseen="no check claims that weights lack a matrix: the audit is unverifiable, and says why",
)
def leave_out_the_embedding(draft: Draft, draw: Random) -> None:
    for name in (*INPUTS, WORDS, *OUTPUTS):
        draft.matrices.pop(name, None)
    draft.matrices = needed(draft.matrices)
