"""Operators on added tokens."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tokaudit_faults.drafts import _parts
from tokaudit_faults.drafts._operator import Change, neutral, operator
from tokaudit_faults.drafts._parts import (
    CONFIG,
    SETTINGS,
    added,
    learned,
    model,
    needed,
    one_added,
    settings,
    vocab,
)
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft, Json, rows
from tokaudit_faults.healthy.family import added as added_token

GROUP = "added tokens"
COPIES, FLAGS = "agreement/added-tokens", "baseline/added-token-flags"
BASE, STATED = "baseline/added-tokens", "config/added-tokens"
SPECIALS, IDS = "agreement/special-tokens", "vocab/duplicate-id"
WHERE = ("added_tokens", "vocab", "tokenizer")
LOOKALIKE = {"|": "｜", "<": "＜", "_": "＿", "[": "［", "s": "ѕ", "u": "ս", "/": "∕"}


def _declared(draft: Draft) -> Json:
    return needed(draft.settings.get(SETTINGS, {}).get("added_tokens_decoder"))


def _flip(token: Json, flag: str) -> None:
    token[flag] = not token[flag]


def flipped_in_one_file(flag: str) -> Change:
    """The operator that flips a flag in tokenizer.json alone."""

    def change(draft: Draft, draw: Random) -> None:
        _declared(draft)
        _flip(one_added(draft, draw), flag)

    change.__name__ = f"flip_{flag}_in_one_file"
    return change


def flipped_in_all_files(flag: str) -> Change:
    """The operator that flips a flag wherever it is stated."""

    def change(draft: Draft, draw: Random) -> None:
        if flag in ("lstrip", "rstrip"):
            _parts.keeps_spaces(draft)
        token = one_added(draft, draw)
        _flip(token, flag)
        declared = draft.settings.get(SETTINGS, {}).get("added_tokens_decoder", {})
        if str(token["id"]) in declared:
            _flip(declared[str(token["id"])], flag)

    change.__name__ = f"flip_{flag}_in_all_files"
    return change


HARM = {"lstrip": "error", "rstrip": "error", "single_word": "error"}
for _flag in ("lstrip", "rstrip", "single_word", "normalized", "special"):
    _harm = HARM.get(_flag, "info")
    operator(GROUP, COPIES, blamed="added_tokens", severity=_harm)(flipped_in_one_file(_flag))
    operator(GROUP, FLAGS, blamed="added_tokens", severity=_harm, base=True)(
        flipped_in_all_files(_flag)
    )


@operator(GROUP, "special_tokens/skipped", FLAGS, blamed="added_tokens", severity="warning")
def look_for_a_special_token_in_lower_case(draft: Draft, draw: Random) -> None:
    kinds = {each["type"] for each in _parts.steps(_parts.stage(draft, "normalizer"))}
    if not kinds & {"Lowercase", "BertNormalizer"}:
        raise Inapplicable
    token = one_added(draft, draw, lambda each: bool(each["content"] != each["content"].lower()))
    token["normalized"] = True
    declared = draft.settings.get(SETTINGS, {}).get("added_tokens_decoder", {})
    if str(token["id"]) in declared:
        declared[str(token["id"])]["normalized"] = True


def _two(draft: Draft, draw: Random) -> tuple[Json, Json]:
    free = [token for token in added(draft) if token["content"] not in _ids(draft)]
    if len(free) < 2:
        raise Inapplicable
    one, other = draw.sample(free, 2)
    return one, other


def _ids(draft: Draft) -> dict[str, int]:
    found = _parts.model(draft)["vocab"]
    return found if isinstance(found, dict) else {piece: id for id, (piece, _) in enumerate(found)}


@operator(GROUP, COPIES, STATED, blamed=WHERE)
def exchange_two_ids_in_one_file(draft: Draft, draw: Random) -> None:
    _declared(draft)
    one, other = _two(draft, draw)
    one["id"], other["id"] = other["id"], one["id"]
    added(draft).sort(key=lambda token: int(token["id"]))


@operator(GROUP, BASE, blamed=WHERE, base=True)
def exchange_two_ids_in_all_files(draft: Draft, draw: Random) -> None:
    one, other = _two(draft, draw)
    one["id"], other["id"] = other["id"], one["id"]
    added(draft).sort(key=lambda token: int(token["id"]))
    _parts.exchange(_declared(draft), str(one["id"]), str(other["id"]))


@operator(GROUP, COPIES, SPECIALS, "chat_template/tokens", STATED, blamed=(*WHERE, "chat_template"))
def spell_one_with_a_lookalike(draft: Draft, draw: Random) -> None:
    _declared(draft)
    token = one_added(draft, draw, lambda each: bool({*each["content"]} & {*LOOKALIKE}))
    letter = draw.choice([each for each in token["content"] if each in LOOKALIKE])
    token["content"] = token["content"].replace(letter, LOOKALIKE[letter], 1)
    if isinstance(_parts.model(draft)["vocab"], dict):
        vocab(draft)[token["content"]] = token["id"]


@operator(
    *(GROUP, COPIES, SPECIALS, STATED),
    blamed=WHERE,
    unseen="a token that no prompt holds: loaders of both files add it, and a warning says so",
)
def leave_one_out_of_one_file(draft: Draft, draw: Random) -> None:
    _declared(draft)
    token = one_added(draft, draw, lambda each: each["content"] not in _ids(draft))
    added(draft).remove(token)


@operator(GROUP, COPIES, STATED, SPECIALS, blamed=(*WHERE, "config"), severity="warning")
def leave_one_out_of_the_settings(draft: Draft, draw: Random) -> None:
    del _declared(draft)[draw.choice(sorted(_declared(draft)))]


@operator(GROUP, "agreement/reference", "agreement/decoder", blamed=(*WHERE, "decoder", "model"))
def list_two_in_the_other_order(draft: Draft, draw: Random) -> None:
    """Loaders number the tokens that the model lacks in the order of the list."""
    listed = added(draft)
    known = _ids(draft)
    own = needed([at for at, token in enumerate(listed) if token["content"] not in known][1:])
    at = draw.choice(own)
    listed[at - 1], listed[at] = listed[at], listed[at - 1]


@operator(GROUP, BASE, blamed=WHERE, base=True)
def leave_one_out_of_all_files(draft: Draft, draw: Random) -> None:
    token = one_added(draft, draw, lambda each: each["content"] not in _ids(draft))
    added(draft).remove(token)
    del _declared(draft)[str(token["id"])]


@operator(GROUP, "special_tokens/ordinary-words", blamed=WHERE)
def declare_a_word_special(draft: Draft, draw: Random) -> None:
    words = [
        t for t in learned(draft) if (t.strip("Ġ▁#").isalpha() and t[0] in "Ġ▁") or t.isalpha()
    ]
    word = draw.choice([t for t in words if t.strip("Ġ▁#").isascii() and len(t) > 3])
    flags = {**added(draft)[0], "content": word.replace("Ġ", " ").replace("▁", " ").strip()}
    known = vocab(draft).get(flags["content"], max([*vocab(draft).values(), *_all(draft)]) + 1)
    added(draft).append({**flags, "id": known})


def _all(draft: Draft) -> list[int]:
    return [int(token["id"]) for token in added(draft)]


@operator(GROUP, "special_tokens/empty-content", blamed=WHERE)
def add_one_that_is_empty(draft: Draft, draw: Random) -> None:
    added(draft).append({**added(draft)[0], "id": max(_all(draft)) + 1, "content": ""})


@operator(GROUP, COPIES, blamed=WHERE)
def exchange_the_ids_of_two_in_one_file(draft: Draft, draw: Random) -> None:
    listed = _declared(draft)
    one, other = draw.sample(sorted(listed), 2) if len(listed) > 1 else needed([])
    listed[one], listed[other] = listed[other], listed[one]


def _numbered(draft: Draft, numbers: Sequence[int]) -> None:
    """Add a family of numbered tokens wherever tokens are stated, with rows for them."""
    size = settings(draft, CONFIG)["vocab_size"]
    if isinstance(model(draft)["vocab"], list):
        raise Inapplicable  # the class of such files counts its own extra tokens
    for place, number in enumerate(numbers):
        token = added_token(size + place, f"<|code_{number}|>")
        added(draft).append(token)
        declared = draft.settings[SETTINGS].get("added_tokens_decoder")
        if declared is not None:
            declared[str(token["id"])] = {key: token[key] for key in token if key != "id"}
    for matrix in draft.matrices.values():
        matrix.extend(rows(len(numbers), size) if len(matrix) == size else ())
    settings(draft, CONFIG)["vocab_size"] = size + len(numbers)


@operator(GROUP, "special_tokens/numbered", blamed=WHERE, severity="warning")
def add_numbered_tokens_in_the_order_of_their_texts(draft: Draft, draw: Random) -> None:
    _numbered(draft, sorted(range(draw.randrange(12, 60)), key=str))


@operator(GROUP, "special_tokens/numbered", blamed=WHERE, severity="warning")
def leave_out_one_of_numbered_tokens(draft: Draft, draw: Random) -> None:
    count = draw.randrange(40, 80)
    gone = draw.randrange(10, count - 10)
    _numbered(draft, [each for each in range(count) if each != gone])


@operator(GROUP, "special_tokens/numbered", blamed=WHERE, severity="warning")
def add_numbered_tokens_of_a_set(draft: Draft, draw: Random) -> None:
    count = draw.randrange(20, 80)
    _numbered(draft, draw.sample(range(count), count))


@neutral
def add_numbered_tokens_in_their_order(draft: Draft, draw: Random) -> None:
    _numbered(draft, range(draw.randrange(12, 80)))
