"""Changes that nobody could notice, of which no check may say anything."""

from __future__ import annotations

import json
from random import Random

from tokaudit.subject.upstream.setting_key import every_setting
from tokaudit_faults.drafts._operator import neutral
from tokaudit_faults.drafts._parts import (
    CONFIG,
    GENERATION,
    ROLES,
    SETTINGS,
    added,
    merges,
    model,
    needed,
    pair,
    settings,
    stage,
    steps,
    template,
)
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft, Json, rows
from tokaudit_faults.healthy.family import added as added_token
from tokaudit_folders.gguf_files import TEXT


def _shuffled(mapping: Json, draw: Random) -> Json:
    return dict(draw.sample(list(mapping.items()), len(mapping)))


@neutral
def write_keys_in_another_order(draft: Draft, draw: Random) -> None:
    draft.tokenizer = _shuffled(draft.tokenizer, draw)
    for name, keys in draft.settings.items():
        draft.settings[name] = _shuffled(keys, draw) if isinstance(keys, dict) else keys
    draft.matrices = dict(reversed(draft.matrices.items()))


@neutral
def write_one_value_a_line(draft: Draft, draw: Random) -> None:
    indent = draw.randrange(1, 8)
    needed(draft.tokenizer)
    for name, content in {"tokenizer.json": draft.tokenizer, **draft.settings}.items():
        draft.texts[name] = json.dumps(content, indent=indent, ensure_ascii=False) + "\n"


@neutral
def add_a_reserved_token_everywhere(draft: Draft, draw: Random) -> None:
    size = settings(draft, CONFIG)["vocab_size"]
    for matrix in draft.matrices.values():
        matrix.extend(rows(1, size) if len(matrix) == size else ())
    token = added_token(size, f"<|reserved_{draw.randrange(1000)}|>")
    added(draft).append(token)
    settings(draft, CONFIG)["vocab_size"] = size + 1
    declared = draft.settings[SETTINGS].get("added_tokens_decoder")
    if declared is not None:
        declared[str(size)] = {key: value for key, value in token.items() if key != "id"}
    if isinstance(model(draft)["vocab"], list):
        raise Inapplicable  # the class of such files counts its own extra tokens


@neutral
def write_a_pattern_in_another_way(draft: Draft, draw: Random) -> None:
    listed = steps(stage(draft, "pre_tokenizer"))
    split = draw.choice(needed([each for each in listed if each["type"] == "Split"]))
    split["pattern"]["Regex"] = f"(?:{split['pattern']['Regex']})"


@neutral
def normalize_twice(draft: Draft, draw: Random) -> None:
    own = stage(draft, "normalizer")
    if own["type"] not in ("NFC", "BertNormalizer"):
        raise Inapplicable
    draft.tokenizer["normalizer"] = {"type": "Sequence", "normalizers": [own, own]}


@neutral
def put_a_stage_into_a_sequence(draft: Draft, draw: Random) -> None:
    name, key = draw.choice((("normalizer", "normalizers"), ("pre_tokenizer", "pretokenizers")))
    own = stage(draft, name)
    draft.tokenizer[name] = {"type": "Sequence", key: [own]}


@neutral
def write_merges_as_lists(draft: Draft, draw: Random) -> None:
    model(draft)["merges"] = [list(pair(merge)) for merge in merges(draft)]


@neutral
def state_what_is_the_default(draft: Draft, draw: Random) -> None:
    merges(draft)
    stated = {"ignore_merges": False, "byte_fallback": False, "fuse_unk": False, "dropout": None}
    key = draw.choice(sorted(stated))
    model(draft).setdefault(key, stated[key])


@neutral
def declare_roles_with_their_flags(draft: Draft, draw: Random) -> None:
    flags = {t["content"]: {k: v for k, v in t.items() if k != "id"} for t in added(draft)}
    named = settings(draft, ROLES)
    for role, content in named.items():
        plain = {key: value for key, value in flags[content].items() if key != "special"}
        named[role] = plain


@neutral
def list_the_stops_in_another_order(draft: Draft, draw: Random) -> None:
    stops = settings(draft, GENERATION)["eos_token_id"]
    if not isinstance(stops, list):
        raise Inapplicable
    stops.reverse()


@neutral
def state_null_for_what_is_absent(draft: Draft, draw: Random) -> None:
    stated = settings(draft, GENERATION)
    absent = (each for each in every_setting() if each.file == GENERATION)
    keys = [each.key for each in absent if each.default == "none" and each.key not in stated]
    stated[draw.choice(needed(keys))] = None


@neutral
def keep_the_template_in_its_own_file(draft: Draft, draw: Random) -> None:
    text = template(draft)
    if draft.keys:
        raise Inapplicable
    del draft.settings[SETTINGS]["chat_template"]
    draft.texts["chat_template.jinja"] = text


@neutral
def name_the_model(draft: Draft, draw: Random) -> None:
    needed(draft.keys)
    draft.keys["general.name"] = (TEXT, f"Small {draw.randrange(1000)}")
    draft.keys = dict(draw.sample(list(draft.keys.items()), len(draft.keys)))
