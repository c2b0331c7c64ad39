"""Operators on merges and on settings of the model."""

from __future__ import annotations

from random import Random

from tokaudit_faults.drafts._merging import exchange_competitors, move_to_the_end
from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import learned, merges, model, needed, pair, vocab
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft

GROUP, BASE = "merges", "baseline/merges"
MODEL = "baseline/model-settings"
REACH = ("merges/missing", "vocab/unreachable", "vocab/learnable")
WHERE = ("merges", "vocab")


@operator(GROUP, BASE, blamed="merges", base=True)
def drop_a_merge(draft: Draft, draw: Random) -> None:
    del merges(draft)[_sole(draft, draw)]


@operator(GROUP, *REACH, blamed=WHERE, severity="warning")
def drop_a_merge_seen_alone(draft: Draft, draw: Random) -> None:
    drop_a_merge(draft, draw)


def _sole(draft: Draft, draw: Random) -> int:
    """The place of a merge without which its token cannot be made."""
    made = ["".join(pair(merge)) for merge in merges(draft)]
    once = {token for token in made if made.count(token) == 1}
    return draw.choice(needed([place for place, token in enumerate(made) if token in once]))


@operator(GROUP, BASE, blamed="merges", base=True)
def exchange_two_neighbours_that_compete(draft: Draft, draw: Random) -> None:
    exchange_competitors(list(map(pair, merges(draft))), merges(draft), draw)


@operator(GROUP, BASE, blamed="merges", base=True)
def move_a_merge_to_the_end(draft: Draft, draw: Random) -> None:
    move_to_the_end(list(map(pair, merges(draft))), merges(draft), draw)


@operator(GROUP, "merges/order", blamed=WHERE, severity="warning")
def reverse_the_merges(draft: Draft, draw: Random) -> None:
    merges(draft).reverse()


@operator(GROUP, *REACH, blamed=WHERE, severity="warning")
def cut_the_tail(draft: Draft, draw: Random) -> None:
    listed = merges(draft)
    del listed[-draw.randrange(len(listed) // 10, len(listed) // 2) :]


@operator(GROUP, BASE, blamed=WHERE, base=True)
def cut_the_tail_since_the_base(draft: Draft, draw: Random) -> None:
    cut_the_tail(draft, draw)


@operator(GROUP, "merges/parts-exist", blamed=WHERE)
def drop_what_a_merge_makes(draft: Draft, draw: Random) -> None:
    made = ["".join(pair(merge)) for merge in merges(draft)]
    del vocab(draft)[draw.choice(made)]


@operator(GROUP, "merges/duplicates", blamed="merges", severity="info")
def list_a_merge_twice(draft: Draft, draw: Random) -> None:
    merges(draft).append(draw.choice(merges(draft)))


@operator(GROUP, "merges/dropout", blamed=("merges", "model"))
def leave_dropout_on(draft: Draft, draw: Random) -> None:
    merges(draft)
    model(draft)["dropout"] = draw.choice((0.05, 0.1, 0.2, 0.3, 0.5))


@operator(GROUP, MODEL, "vocab/byte-coverage", blamed="model", base=True)
def turn_byte_fallback_off(draft: Draft, draw: Random) -> None:
    if not model(draft).get("byte_fallback"):
        raise Inapplicable
    model(draft)["byte_fallback"] = False


@operator(GROUP, MODEL, "round_trip/text", blamed=("model", "tokenizer"), base=True)
def take_words_as_prefixes(draft: Draft, draw: Random) -> None:
    model(draft, "WordPiece")["continuing_subword_prefix"] = draw.choice(("", "@@", "#", "_", "__"))


@operator(GROUP, MODEL, blamed="model", base=True)
def read_short_words_alone(draft: Draft, draw: Random) -> None:
    model(draft, "WordPiece")["max_input_chars_per_word"] = draw.randrange(3, 12)


@operator(GROUP, "vocab/unknown-token", MODEL, "agreement/library-loads", blamed=("model", "vocab"))
def name_an_unknown_token_that_is_not_there(draft: Draft, draw: Random) -> None:
    if not model(draft).get("unk_token") or model(draft).get("byte_fallback"):
        raise Inapplicable  # where every byte has an entry, nothing is unknown
    model(draft)["unk_token"] = draw.choice(("<UNK>", "[unk]", "<oov>", "unk", "[UNKNOWN]"))


@operator(GROUP, MODEL, blamed="model", base=True)
def take_a_word_for_unknown(draft: Draft, draw: Random) -> None:
    if model(draft)["type"] == "Unigram":
        model(draft)["unk_id"] = draw.randrange(300, 3000)
    elif model(draft)["type"] == "WordPiece":
        model(draft)["unk_token"] = draw.choice(learned(draft))
    else:
        raise Inapplicable
