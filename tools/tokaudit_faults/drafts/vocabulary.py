"""Operators on the vocabulary."""

from __future__ import annotations

import json
from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import (
    added,
    exchange,
    learned,
    merges,
    model,
    one_added,
    pair,
    vocab,
)
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft

GROUP, BASE = "vocabulary", "baseline/vocab"
BYTES = {"Ġ": ("A", "Q"), "▁": ("<0x41>", "<0x51>")}


@operator(GROUP, BASE, blamed="vocab", base=True)
def exchange_two_ids(draft: Draft, draw: Random) -> None:
    exchange(vocab(draft), *draw.sample(learned(draft), 2))


@operator(GROUP, "vocab/id-order", "merges/order", blamed=("vocab", "merges"), severity="warning")
def exchange_two_ids_seen_alone(draft: Draft, draw: Random) -> None:
    merges(draft)  # an order of words says nothing
    exchange(vocab(draft), *draw.sample(learned(draft), 2))


@operator(GROUP, BASE, "merges/parts-exist", blamed=("vocab", "merges"), base=True)
def drop_an_entry(draft: Draft, draw: Random) -> None:
    del vocab(draft)[draw.choice(learned(draft))]


@operator(GROUP, "vocab/duplicate-id", blamed="vocab")
def give_two_entries_one_id(draft: Draft, draw: Random) -> None:
    one, other = draw.sample(learned(draft), 2)
    vocab(draft)[one] = vocab(draft)[other]


@operator(GROUP, "vocab/duplicate-id", blamed="vocab")
def write_a_new_entry_before_one_at_its_id(draft: Draft, draw: Random) -> None:
    token = draw.choice(learned(draft))
    new = f"{token}{token[-1]}{token[-1]}"
    if new in vocab(draft):
        raise Inapplicable
    model(draft)["vocab"] = {
        each: at
        for own, id in vocab(draft).items()
        for each, at in (((new, id), (own, id)) if own == token else ((own, id),))
    }


@operator(GROUP, BASE, "vocab/duplicate-id", blamed="vocab", base=True)
def write_a_new_entry_at_an_id_since_the_base(draft: Draft, draw: Random) -> None:
    write_a_new_entry_before_one_at_its_id(draft, draw)


@operator(GROUP, "vocab/duplicate-id", blamed=("vocab", "added_tokens"))
def put_an_added_token_on_an_entry(draft: Draft, draw: Random) -> None:
    token = one_added(draft, draw, lambda each: each["content"] not in vocab(draft))
    token["id"] = vocab(draft)[draw.choice(learned(draft))]


@operator(GROUP, BASE, blamed="vocab", base=True)
def shift_ids_by_one(draft: Draft, draw: Random) -> None:
    first = vocab(draft)[draw.choice(learned(draft))]
    named = {token["content"] for token in added(draft)}
    for token, id in vocab(draft).items():
        if id >= first and token not in named:
            vocab(draft)[token] = id + 1


@operator(GROUP, BASE, blamed="vocab", base=True)
def rename_an_entry(draft: Draft, draw: Random) -> None:
    token = draw.choice([t for t in learned(draft) if not _is_part(draft, t)])
    renamed = {(f"{t}{t[-1]}" if t == token else t): id for t, id in vocab(draft).items()}
    if len(renamed) < len(vocab(draft)):
        raise Inapplicable
    if "merges" in model(draft):
        kept = [merge for merge in merges(draft) if "".join(pair(merge)) != token]
        model(draft)["merges"] = kept
    model(draft)["vocab"] = renamed


def _is_part(draft: Draft, token: str) -> bool:
    return any(token in pair(merge) for merge in model(draft).get("merges", ()))


@operator(GROUP, BASE, "vocab/id-order", blamed="vocab", base=True)
def exchange_two_bytes(draft: Draft, draw: Random) -> None:
    for one, other in BYTES.values():
        if (
            one in vocab(draft)
            and "merges" in model(draft)
            and (one > "<" or "▁" not in vocab(draft))
        ):
            exchange(vocab(draft), one, other)
            return
    raise Inapplicable


@operator(GROUP, "vocab/byte-coverage", blamed=("vocab", "model"))
def drop_a_byte(draft: Draft, draw: Random) -> None:
    kinds = ("<0x",) if "<0x41>" in vocab(draft) else ()
    letters = [t for t in vocab(draft) if t.startswith(kinds)] if kinds else _letters(draft)
    del vocab(draft)[draw.choice(letters)]


def _letters(draft: Draft) -> list[str]:
    """Byte-level letters that no merge needs."""
    used = {part for merge in merges(draft) for part in pair(merge)}
    return [t for t in vocab(draft) if len(t) == 1 and t not in used and t.isascii()]


@operator(GROUP, "files/parse", "files/kind", blamed=("file", "tokenizer", "vocab", "subject"))
def cut_the_file(draft: Draft, draw: Random) -> None:
    if not draft.tokenizer:
        raise Inapplicable
    text = json.dumps(draft.tokenizer)
    draft.texts["tokenizer.json"] = text[: draw.randrange(len(text) // 2, len(text) - 1)]


@operator(GROUP, BASE, blamed="vocab", base=True)
def cut_the_end(draft: Draft, draw: Random) -> None:
    named = {token["content"] for token in added(draft)}
    tokens = [token for token in vocab(draft) if token not in named]
    tokens = sorted(tokens, key=vocab(draft).__getitem__)[-draw.randrange(20, 200) :]
    gone = {token for token in tokens if len(token) > 1}
    for token in gone:
        del vocab(draft)[token]
    if "merges" in model(draft):
        kept = [m for m in merges(draft) if not {*pair(m), "".join(pair(m))} & gone]
        model(draft)["merges"] = kept


@operator(GROUP, "baseline/scores", blamed=("vocab", "scores", "model"), base=True)
def exchange_two_scores(draft: Draft, draw: Random) -> None:
    pieces = model(draft, "Unigram")["vocab"]
    one, other = draw.sample(range(300, len(pieces)), 2)
    pieces[one][1], pieces[other][1] = pieces[other][1], pieces[one][1]


@operator(GROUP, "vocab/scores", blamed=("vocab", "scores", "model"), severity="warning")
def give_all_pieces_one_score(draft: Draft, draw: Random) -> None:
    for piece in model(draft, "Unigram")["vocab"]:
        piece[1] = -1.0


@operator(GROUP, BASE, blamed="vocab", base=True)
def exchange_two_pieces(draft: Draft, draw: Random) -> None:
    pieces = model(draft, "Unigram")["vocab"]
    one, other = draw.sample(range(300, len(pieces)), 2)
    pieces[one][0], pieces[other][0] = pieces[other][0], pieces[one][0]


@operator(GROUP, BASE, "vocab/duplicate-entries", "vocab/duplicate-id", blamed="vocab", base=True)
def list_a_piece_twice(draft: Draft, draw: Random) -> None:
    pieces = model(draft, "Unigram")["vocab"]
    one, other = draw.sample(range(300, len(pieces)), 2)
    pieces[one][0] = pieces[other][0]
