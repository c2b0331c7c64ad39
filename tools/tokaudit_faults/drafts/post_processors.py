"""Operators on the post-processor."""

from __future__ import annotations

from random import Random
from typing import Any

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import CONFIG, needed, settings, stage, step
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft, Json

GROUP, BASE = "post-processor", "baseline/components"
OWN, PAIRS = "special_tokens/post-processor", "special_tokens/text-pairs"
WHERE = ("post_processor", "tokenizer")


def _template(draft: Draft) -> Json:
    return step(draft, "post_processor", "TemplateProcessing")


def _is_special(part: Any) -> bool:
    return "SpecialToken" in part


@operator(GROUP, OWN, blamed=WHERE)
def write_another_id(draft: Draft, draw: Random) -> None:
    token = draw.choice(sorted(needed(_template(draft)["special_tokens"])))
    _template(draft)["special_tokens"][token]["ids"] = [draw.randrange(300, 1000)]


@operator(GROUP, BASE, blamed=WHERE, base=True)
def write_no_special_token(draft: Draft, draw: Random) -> None:
    whole = _template(draft)
    for key in ("single", "pair"):
        whole[key] = [part for part in whole[key] if not _is_special(part)]


@operator(GROUP, BASE, blamed=WHERE, base=True)
def write_one_special_token_less(draft: Draft, draw: Random) -> None:
    single = _template(draft)["single"]
    single.remove(draw.choice([part for part in single if _is_special(part)]))


@operator(GROUP, BASE, blamed=WHERE, base=True)
def write_the_tokens_in_another_order(draft: Draft, draw: Random) -> None:
    _template(draft)["single"].reverse()


@operator(GROUP, BASE, PAIRS, blamed=WHERE, base=True)
def give_both_texts_one_type(draft: Draft, draw: Random) -> None:
    if settings(draft, CONFIG).get("type_vocab_size") != 2:
        raise Inapplicable  # no model reads the types
    pair = _template(draft)["pair"]
    kinds = [next(iter(part.values()))["type_id"] for part in pair]
    if len({*kinds}) < 2:
        raise Inapplicable
    for part in pair:
        next(iter(part.values()))["type_id"] = 0


@operator(GROUP, PAIRS, blamed=WHERE)
def write_the_second_text_first(draft: Draft, draw: Random) -> None:
    texts = [part["Sequence"] for part in _template(draft)["pair"] if "Sequence" in part]
    texts[0]["id"], texts[1]["id"] = "B", "A"


@operator(GROUP, BASE, PAIRS, blamed=WHERE, base=True)
def write_no_token_between_two_texts(draft: Draft, draw: Random) -> None:
    pair = _template(draft)["pair"]
    texts = [place for place, part in enumerate(pair) if "Sequence" in part]
    if texts[1] == texts[0] + 1:
        raise Inapplicable
    del pair[texts[0] + 1 : texts[1]]


@operator(GROUP, BASE, blamed=WHERE, base=True)
def drop_the_post_processor(draft: Draft, draw: Random) -> None:
    stage(draft, "post_processor")
    draft.tokenizer["post_processor"] = None
