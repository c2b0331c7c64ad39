"""Operators on the keys of a GGUF file."""

from __future__ import annotations

from random import Random
from typing import Any

from tokaudit_faults.drafts._merging import exchange_competitors
from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import needed, pair
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft
from tokaudit_folders.gguf_files import CONTROL, NORMAL, TEXT, U32

GROUP, PREFIX = "GGUF keys", "tokenizer.ggml."
VOCAB, MERGES = "baseline/vocab", "baseline/merges"
COMPONENTS, IDS = "baseline/components", "special_tokens/role-ids"
ENDS, ORDER = "special_tokens/gguf-ends", ("vocab/id-order", "merges/order")
ROLE_PLACES = ("special_roles", "config", "chat_template", "vocab")


def _list(draft: Draft, key: str) -> list[Any]:
    found: list[Any] = needed(draft.keys.get(PREFIX + key, (0, None))[1])
    return found


def _set(draft: Draft, key: str, kind: int, value: object) -> None:
    needed(draft.keys)
    draft.keys[PREFIX + key] = (kind, value)


@operator(GROUP, VOCAB, blamed="vocab", base=True)
def exchange_two_tokens(draft: Draft, draw: Random) -> None:
    tokens = _list(draft, "tokens")
    one, other = draw.sample(range(300, 1700), 2)
    tokens[one], tokens[other] = tokens[other], tokens[one]


@operator(GROUP, *ORDER, blamed=("vocab", "merges"), severity="warning")
def exchange_two_tokens_seen_alone(draft: Draft, draw: Random) -> None:
    exchange_two_tokens(draft, draw)


@operator(GROUP, "vocab/duplicate-entries", "vocab/duplicate-id", blamed="vocab")
def list_a_token_twice(draft: Draft, draw: Random) -> None:
    tokens = _list(draft, "tokens")
    one, other = draw.sample(range(300, 1700), 2)
    tokens[one] = tokens[other]


@operator(GROUP, MERGES, blamed="merges", base=True)
def leave_a_merge_out(draft: Draft, draw: Random) -> None:
    merges = _list(draft, "merges")
    del merges[draw.randrange(len(merges))]


@operator(
    GROUP, "merges/missing", "vocab/unreachable", blamed=("merges", "vocab"), severity="warning"
)
def leave_the_last_merges_out(draft: Draft, draw: Random) -> None:
    merges = _list(draft, "merges")
    del merges[-draw.randrange(100, 700) :]


@operator(GROUP, MERGES, blamed="merges", base=True)
def exchange_two_competing_merges(draft: Draft, draw: Random) -> None:
    merges = _list(draft, "merges")
    exchange_competitors([pair(merge) for merge in merges], merges, draw)


@operator(GROUP, "pipeline/split-name", blamed=("pre_tokenizer", "tokenizer"))
def name_no_rule_of_splitting(draft: Draft, draw: Random) -> None:
    needed(draft.keys)
    del draft.keys[PREFIX + "pre"]


@operator(GROUP, COMPONENTS, blamed=("pre_tokenizer", "tokenizer"), base=True)
def name_another_rule_of_splitting(draft: Draft, draw: Random) -> None:
    _set(draft, "pre", TEXT, draw.choice(("llama-bpe", "qwen2", "starcoder", "falcon", "gpt-4o")))


@operator(
    GROUP,
    *("special_tokens/piece-types", ENDS, "baseline/added-tokens", "baseline/added-token-flags"),
    blamed=("vocab", "added_tokens", "token_types", "special_roles"),
    base=True,
)
def type_a_marker_as_a_word(draft: Draft, draw: Random) -> None:
    types = _list(draft, "token_type")
    types[draw.choice([n for n, kind in enumerate(types) if kind == CONTROL])] = NORMAL


@operator(
    GROUP,
    VOCAB,
    "baseline/added-tokens",
    blamed=("vocab", "added_tokens", "token_types"),
    base=True,
    unseen="a word that no sample text holds is a warning, as nothing was run with other ids",
)
def type_a_word_as_a_marker(draft: Draft, draw: Random) -> None:
    _list(draft, "token_type")[draw.randrange(300, 1700)] = CONTROL


@operator(GROUP, IDS, blamed=ROLE_PLACES)
def end_with_a_word(draft: Draft, draw: Random) -> None:
    _set(draft, "eos_token_id", U32, draw.randrange(300, 1700))


@operator(GROUP, IDS, blamed=ROLE_PLACES, severity="warning")
def begin_with_an_id_that_no_token_has(draft: Draft, draw: Random) -> None:
    _set(draft, "bos_token_id", U32, 90_000 + draw.randrange(1000))


@operator(GROUP, COMPONENTS, blamed=("post_processor", "tokenizer"), base=True)
def write_a_begin_before_every_text(draft: Draft, draw: Random) -> None:
    kind, value = draft.keys.get(PREFIX + "add_bos_token", (0, None))
    if value is None:
        raise Inapplicable
    _set(draft, "add_bos_token", kind, not value)


@operator(
    *(GROUP, "baseline/speculative"),
    blamed=("vocab", "special_roles"),
    base=True,
    use="speculative",
)
def begin_texts_otherwise_than_the_target(draft: Draft, draw: Random) -> None:
    write_a_begin_before_every_text(draft, draw)


@operator(
    *(GROUP, "baseline/speculative"),
    blamed=("vocab", "special_roles"),
    base=True,
    use="speculative",
)
def name_a_token_otherwise_than_the_target(draft: Draft, draw: Random) -> None:
    tokens = _list(draft, "tokens")
    tokens[draw.randrange(300, 1700)] += "\u00d7"
