"""Operators on sizes in config.json and on generation_config.json."""

from __future__ import annotations

from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import CONFIG, GENERATION, needed, settings, template, word_id
from tokaudit_faults.healthy.draft import Draft

SIZE = "embeddings/config-vocab-size"
WHERE = ("config", "embeddings", "special_roles")


@operator("config", SIZE, blamed=WHERE)
def declare_too_few_ids(draft: Draft, draw: Random) -> None:
    settings(draft, CONFIG)["vocab_size"] -= draw.randrange(1, 40)


@operator("config", SIZE, "embeddings/rows", blamed=WHERE)
def declare_more_ids_than_rows(draft: Draft, draw: Random) -> None:
    settings(draft, CONFIG)["vocab_size"] += draw.randrange(1, 500)


@operator("generation", "special_tokens/suppressed", blamed=WHERE)
def suppress_the_end(draft: Draft, draw: Random) -> None:
    template(draft)
    end = needed(settings(draft, GENERATION)["eos_token_id"])
    settings(draft, GENERATION)["suppress_tokens"] = end


@operator("generation", "special_tokens/role-ids", blamed=WHERE)
def stop_at_a_word_too(draft: Draft, draw: Random) -> None:
    ends = needed(settings(draft, GENERATION)["eos_token_id"])
    listed = ends if isinstance(ends, list) else [ends]
    word = word_id(draft, draw)
    settings(draft, GENERATION)["eos_token_id"] = [*listed, word]


@operator("generation", "special_tokens/decoder-start", blamed=WHERE)
def begin_with_another_token(draft: Draft, draw: Random) -> None:
    for name in (CONFIG, GENERATION):
        needed(settings(draft, name).get("is_encoder_decoder") or name == GENERATION)
        settings(draft, name)["decoder_start_token_id"] = draw.choice((1, 2, 5, 300))
