"""The law of numbers: whatever a file states as a number, no check crashes and none takes long."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tokaudit.subject.configs import NUMBER
from tokaudit.subject.upstream.setting_key import taken_kinds
from tokaudit_fuzz.every_leaf import Tried, attempt
from tokaudit_fuzz.mutation import Path as Where
from tokaudit_fuzz.mutation import changed_at, places
from tokaudit_fuzz.sample import Files
from tokaudit_fuzz.samples import SAMPLES, checkpoint

VALUES = {
    "huge": 10**18,
    "minus one": -1,
    "not a number": math.nan,
    "true": True,
    "text": "512",
    "of thousands of digits": 10**3000,
}
# Keys that checks read from files of settings in addition to those that are facts.
MORE = (
    *("max_source_positions", "max_target_positions", "num_hidden_layers", "hidden_size"),
    *("max_length", "max_new_tokens", "top_k", "num_beams", "image_seq_length", "image_token_id"),
    *("video_token_id", "audio_token_id", "mask_token_id", "pad_to_multiple_of", "num_labels"),
    *("extra_ids", "max_seq_length", "word_embedding_dimension", "chunk_length", "n_samples"),
)
BLOCKS = {
    "truncation": {"max_length": 8, "stride": 0, "strategy": "LongestFirst", "direction": "Right"},
    "padding": {
        "strategy": {"Fixed": 8},
        "direction": "Left",
        "pad_to_multiple_of": 8,
        "pad_id": 1,
        "pad_type_id": 0,
        "pad_token": "a",
    },
}


def with_every_number() -> Files:
    """The checkpoint, whose settings state each numeric key that any check reads."""
    files = dict(checkpoint())
    keys = (*(key for key, kinds in taken_kinds().items() if NUMBER in kinds), *MORE)
    for name in ("config.json", "generation_config.json", "tokenizer_config.json"):
        stated = json.loads(files[name])
        files[name] = json.dumps({**dict.fromkeys(keys, 260), **stated}).encode()
    files["tokenizer.json"] = json.dumps({**json.loads(files["tokenizer.json"]), **BLOCKS}).encode()
    files["processor_config.json"] = json.dumps(dict.fromkeys(MORE, 8)).encode()
    files["sentence_bert_config.json"] = b'{"max_seq_length": 8, "do_lower_case": false}'
    return files


BUILDS: dict[str, Callable[[], Files]] = {
    "checkpoint": with_every_number,
    **{
        f"{name} {n}": build for name, several in SAMPLES.items() for n, build in enumerate(several)
    },
}


def numbers(value: Any) -> Iterator[Where]:
    """The place of each number in a value of JSON, few of those that are alike."""
    for place in places(value):
        found = value
        for step in place:
            found = found[step]
        if isinstance(found, int | float):
            yield place


def cases() -> Iterator[Any]:
    for title, build in BUILDS.items():
        for name in sorted(build()):
            if name.endswith(".json"):
                yield pytest.param(build, name, id=f"{title}: {name}")


@pytest.mark.parametrize(("build", "name"), list(cases()))
def test_no_number_makes_a_check_crash_or_take_long(
    build: Callable[[], Files], name: str, tmp_path: Path
) -> None:
    files, tried = build(), Tried(name)
    for each, data in files.items():
        (tmp_path / each).write_bytes(data)
    value = json.loads(files[name])
    for place in numbers(value):
        for title, number in VALUES.items():
            text = json.dumps(changed_at(value, place, number))
            (tmp_path / name).write_text(text, encoding="utf-8")
            attempt(tried, tmp_path, f"/{'/'.join(map(str, place))} = {title}")
    assert tried.escapes == {}
