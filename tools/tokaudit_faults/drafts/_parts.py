"""Parts of a draft by name; `Inapplicable` where a family lacks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft, Json

CONFIG, SETTINGS = "config.json", "tokenizer_config.json"
ROLES, GENERATION = "special_tokens_map.json", "generation_config.json"
LONG = 3  # characters of an entry that text surely holds

_Part = TypeVar("_Part")


def needed(part: _Part | None) -> _Part:
    """The part, which must be there."""
    if not part:
        raise Inapplicable
    return part


def stage(draft: Draft, name: str) -> Json:
    """A stage of tokenizer.json that does something."""
    found: Json = needed(draft.tokenizer.get(name))
    return found


def steps(stage: Json) -> list[Json]:
    """The steps of a stage, in a list that may be changed if it is a sequence."""
    for key in ("normalizers", "pretokenizers", "processors", "decoders"):
        if key in stage:
            listed: list[Json] = stage[key]
            return listed
    return [stage]


def step(draft: Draft, name: str, type: str) -> Json:
    """The step of that type."""
    found = [each for each in steps(stage(draft, name)) if each["type"] == type]
    return needed(found)[0]


def model(draft: Draft, *types: str) -> Json:
    """The model of tokenizer.json, which must be of one of these types if any are named."""
    found: Json = needed(draft.tokenizer.get("model"))
    if types and found["type"] not in types:
        raise Inapplicable
    return found


def vocab(draft: Draft) -> dict[str, int]:
    """The vocabulary of a model that maps tokens to ids."""
    found = model(draft)["vocab"]
    if not isinstance(found, dict):
        raise Inapplicable
    return found


def learned(draft: Draft) -> list[str]:
    """Entries that text is written with and that are neither specials nor single letters."""
    known = vocab(draft)
    named = {token["content"] for token in added(draft)}
    tokens = (t for t in known if t not in named and not t.startswith(("[unused", "<0x")))
    return needed([t for t in tokens if len(t) >= LONG and t.lstrip("Ġ▁").isascii()])


def merges(draft: Draft) -> list[Any]:
    """The list of merges."""
    found: list[Any] = needed(model(draft).get("merges"))
    return found


def pair(merge: str | Sequence[str]) -> tuple[str, str]:
    """The two parts of a merge in either spelling."""
    left, right = merge.split(" ") if isinstance(merge, str) else merge
    return left, right


def added(draft: Draft) -> list[Json]:
    """The added tokens of tokenizer.json."""
    found: list[Json] = needed(draft.tokenizer.get("added_tokens"))
    return found


def one_added(draft: Draft, draw: Random, keep: Callable[[Json], bool] = bool) -> Json:
    """One added token."""
    return draw.choice(needed([token for token in added(draft) if keep(token)]))


def settings(draft: Draft, name: str) -> Json:
    """A file of settings."""
    return needed(draft.settings.get(name))


def template(draft: Draft) -> str:
    """The chat template."""
    if draft.keys:
        found = draft.keys.get("tokenizer.chat_template", (0, ""))[1]
    else:
        found = draft.settings.get(SETTINGS, {}).get("chat_template")
    return str(needed(found))


def write_template(draft: Draft, text: str) -> None:
    """Replace the chat template, which must become another."""
    if text == template(draft):
        raise Inapplicable
    if draft.keys:
        kind = draft.keys["tokenizer.chat_template"][0]
        draft.keys["tokenizer.chat_template"] = (kind, text)
    else:
        draft.settings[SETTINGS]["chat_template"] = text


def keeps_spaces(draft: Draft) -> None:
    """Raise `Inapplicable` where the pre-tokenizer drops white space, as no id shows any."""
    own = str(draft.tokenizer.get("pre_tokenizer"))
    if any(type in own for type in ("BertPreTokenizer", "WhitespaceSplit", "'Whitespace'")):
        raise Inapplicable


def word_id(draft: Draft, draw: Random) -> int:
    """The id of an entry that text is written with."""
    known = model(draft)["vocab"]
    if isinstance(known, list):
        return draw.randrange(300, len(known))
    return int(known[draw.choice(learned(draft))])


def exchange(mapping: dict[Any, Any], one: Any, other: Any) -> None:
    """Exchange the values of two keys."""
    mapping[one], mapping[other] = mapping[other], mapping[one]
