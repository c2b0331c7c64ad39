"""Operators on the tokens that begin, end and pad, in files of settings."""

from __future__ import annotations

from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import (
    CONFIG,
    GENERATION,
    ROLES,
    SETTINGS,
    added,
    model,
    needed,
    settings,
    template,
    word_id,
)
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft

GROUP = "roles"
IDS, PAD = "special_tokens/role-ids", "padding/pad-token"
STOPS = "chat_template/stops"
WHERE = ("special_roles", "config", "padding")


def _name(draft: Draft, role: str, content: str) -> None:
    """Name a role's token in both files of settings, and its id in the configs."""
    token = next(each for each in added(draft) if each["content"] == content)
    for name in (SETTINGS, ROLES):
        draft.settings[name][f"{role}_token"] = content
    for name in (CONFIG, GENERATION):
        if f"{role}_token_id" in draft.settings.get(name, {}):
            draft.settings[name][f"{role}_token_id"] = token["id"]


def _token(draft: Draft, role: str) -> str:
    found = settings(draft, ROLES).get(f"{role}_token")
    return str(needed(found))


@operator(GROUP, "special_tokens/exclusive-roles", PAD, blamed=WHERE, severity="warning")
def pad_with_the_unknown_token(draft: Draft, draw: Random) -> None:
    if model(draft).get("byte_fallback"):
        raise Inapplicable  # nothing is unknown there, so its token is free
    _name(draft, "pad", _token(draft, "unk"))


@operator(GROUP, PAD, blamed=WHERE, severity="warning")
def pad_with_the_end_of_text(draft: Draft, draw: Random) -> None:
    template(draft)
    _name(draft, "pad", _token(draft, "eos"))


@operator(GROUP, "special_tokens/exclusive-roles", blamed=WHERE, severity="warning")
def pad_with_a_marker_of_turns(draft: Draft, draw: Random) -> None:
    template(draft)
    _name(draft, "pad", "<|im_start|>")


@operator(GROUP, PAD, IDS, "config/tokens", blamed=WHERE)
def pad_with_what_is_no_token(draft: Draft, draw: Random) -> None:
    _token(draft, "pad")
    other = draw.choice(("<padding>", "[pad_]", "<|PAD|>", "PAD", "<PAD_TOKEN>"))
    for name in (SETTINGS, ROLES):
        draft.settings[name]["pad_token"] = other


@operator(GROUP, STOPS, blamed=(*WHERE, "chat_template", "eos"))
def stop_where_the_base_model_does(draft: Draft, draw: Random) -> None:
    template(draft)
    end = settings(draft, GENERATION)
    end["eos_token_id"] = needed(end["eos_token_id"])[0]


@operator(GROUP, IDS, "config/ids", "padding/pad-token", blamed=WHERE, severity="warning")
def give_a_role_an_ordinary_id_in_config(draft: Draft, draw: Random) -> None:
    config = settings(draft, CONFIG)
    keys = [key for key in ("bos_token_id", "eos_token_id", "pad_token_id") if key in config]
    config[draw.choice(needed(keys))] = word_id(draft, draw)


@operator(GROUP, IDS, "config/ids", blamed=WHERE)
def give_the_end_an_ordinary_id_everywhere(draft: Draft, draw: Random) -> None:
    id = word_id(draft, draw)
    if "eos_token_id" not in settings(draft, CONFIG):
        raise Inapplicable
    settings(draft, CONFIG)["eos_token_id"] = settings(draft, GENERATION)["eos_token_id"] = id


@operator(GROUP, IDS, blamed=WHERE)
def exchange_begin_and_end(draft: Draft, draw: Random) -> None:
    for name in (CONFIG, GENERATION):
        ids = settings(draft, name)
        if "bos_token_id" not in ids or "eos_token_id" not in ids:
            raise Inapplicable
        end = ids["eos_token_id"]
        first = end[0] if isinstance(end, list) else end
        rest = end[1:] if isinstance(end, list) else []
        ids["bos_token_id"], begin = first, ids["bos_token_id"]
        ids["eos_token_id"] = [begin, *rest] if rest else begin


@operator(GROUP, IDS, blamed=WHERE)
def name_another_end_in_one_file(draft: Draft, draw: Random) -> None:
    own = _token(draft, "eos")
    others = [token["content"] for token in added(draft) if token["content"] != own]
    settings(draft, ROLES)["eos_token"] = draw.choice(others)


@operator(
    *(GROUP, IDS, "config/ids", "special_tokens/exclusive-roles"),
    blamed=WHERE,
    unseen="an encoder masks what it pads with, so a wrong id in config.json is a warning",
)
def let_padding_be_a_word_everywhere(draft: Draft, draw: Random) -> None:
    id = word_id(draft, draw)
    for name in (CONFIG, GENERATION):
        if "pad_token_id" in draft.settings.get(name, {}):
            draft.settings[name]["pad_token_id"] = id
    _token(draft, "pad")


@operator(
    GROUP,
    IDS,
    "vocab/unknown-token",
    "baseline/model-settings",
    blamed=(*WHERE, "model"),
    severity="warning",
)
def name_another_unknown_token(draft: Draft, draw: Random) -> None:
    own = _token(draft, "unk")
    model(draft)
    for name in (SETTINGS, ROLES):
        others = [token["content"] for token in added(draft) if token["content"] != own]
        draft.settings[name]["unk_token"] = sorted(others)[draw.randrange(len(others))]


@operator(GROUP, IDS, "config/ids", "embeddings/rows", blamed=WHERE, severity="warning")
def give_the_end_an_id_that_no_token_has(draft: Draft, draw: Random) -> None:
    if "eos_token_id" not in settings(draft, CONFIG):
        raise Inapplicable
    id = 90_000 + draw.randrange(1000)
    settings(draft, CONFIG)["eos_token_id"] = settings(draft, GENERATION)["eos_token_id"] = id


@operator(GROUP, STOPS, blamed=(*WHERE, "chat_template", "eos"))
def list_the_end_of_a_turn_in_config_alone(draft: Draft, draw: Random) -> None:
    template(draft)
    end = settings(draft, GENERATION)
    listed = needed(end["eos_token_id"])
    settings(draft, CONFIG)["eos_token_id"] = listed
    end["eos_token_id"] = listed[0]


@operator(GROUP, "baseline/special-roles", IDS, blamed=WHERE, base=True)
def end_texts_otherwise_than_the_base(draft: Draft, draw: Random) -> None:
    own = _token(draft, "eos")
    others = [each["content"] for each in added(draft) if each["content"] != own]
    for name in (SETTINGS, ROLES):
        draft.settings[name]["eos_token"] = draw.choice(needed(others))


@operator(GROUP, "baseline/special-roles", STOPS, blamed=(*WHERE, "eos"), base=True)
def lose_a_stop_of_the_base(draft: Draft, draw: Random) -> None:
    end = settings(draft, GENERATION)
    listed = needed(end["eos_token_id"])
    if not isinstance(listed, list) or len(listed) < 2:
        raise Inapplicable
    end["eos_token_id"] = listed[:-1]


@operator(GROUP, "special_tokens/eos-is-special", blamed=(*WHERE, "added_tokens"))
def misspell_the_end_by_one_letter(draft: Draft, draw: Random) -> None:
    own = _token(draft, "eos")
    at = draw.choice([at for at, each in enumerate(own) if each.isalpha()])
    for name in (SETTINGS, ROLES):
        draft.settings[name]["eos_token"] = own[:at] + own[at] + own[at:]
