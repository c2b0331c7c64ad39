"""A tekken.json that mistral-common 1.13.1 refuses, whichever library runs it here."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.upstream.published.mistral_common import tokens_needed

CHECK = "agreement/library-loads"
IMAGES = ("[IMG]", "[IMG_BREAK]", "[IMG_END]")
OTHERS = ("<unk>", "</s>", "<pad>", "[TRANSCRIBE]", *IMAGES)
SOUND = {
    "sampling_rate": 16000,
    "frame_rate": 12.5,
    "audio_encoding_config": {"num_mel_bins": 128, "hop_length": 160, "window_size": 400},
    "chunk_length_s": None,
}


def sound_file() -> dict[str, Any]:
    """A file of version 13 with images and sound, which mistral-common loads."""
    texts = [*tokens_needed("v13"), *OTHERS]
    entries = [bytes((value,)) for value in range(256)]
    config = {"pattern": r"[^\s]+|\s+", "num_vocab_tokens": 256, "version": "v13"}
    return {
        "config": {**config, "default_vocab_size": 296, "default_num_special_tokens": 40},
        "vocab": [
            {"rank": rank, "token_bytes": base64.b64encode(each).decode(), "token_str": None}
            for rank, each in enumerate(entries)
        ],
        "special_tokens": [
            {"rank": rank, "token_str": text, "is_control": True} for rank, text in enumerate(texts)
        ],
        "image": {"image_patch_size": 14, "max_image_size": 1540},
        "audio": SOUND,
    }


def found(folder: Path, stated: dict[str, Any], check: str = CHECK) -> list[str]:
    """The messages of a check about the file alone."""
    (folder / "tekken.json").write_text(json.dumps(stated), "utf-8")
    report = tokaudit.audit(folder, tier="quick", select=[check])
    return [each.message for result in report.results for each in result.findings]


def renamed(stated: dict[str, Any], old: str, new: str) -> None:
    for entry in stated["special_tokens"]:
        entry["token_str"] = new if entry["token_str"] == old else entry["token_str"]


def other_key(stated: dict[str, Any]) -> None:
    stated["vocab"][70]["score"] = 0


def other_byte(stated: dict[str, Any]) -> None:
    stated["vocab"][70]["token_bytes"] = "YWI="


def test_nothing_is_said_of_a_file_that_the_library_loads(tmp_path: Path) -> None:
    assert found(tmp_path, sound_file()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f["config"].update(version="13"), "there is no version 13"),
        (lambda f: f["config"].pop("version"), "it states no version"),
        (lambda f: f.pop("special_tokens"), "v13 needs its list of special tokens"),
        (lambda f: renamed(f, "[ARGS]", "[ARG]"), "v13 writes [ARGS], which is not there"),
        (lambda f: renamed(f, "<pad>", "</s>"), "the special token </s> is listed twice"),
        (
            lambda f: renamed(f, "<pad>", "<SPECIAL_39>"),
            "<SPECIAL_39> is the name of a place that it lists nothing for",
        ),
        (lambda f: f["image"].pop("max_image_size"), "image lacks max_image_size"),
        (lambda f: renamed(f, "[IMG]", "<img>"), "image needs [IMG], which is not there"),
        (
            lambda f: f["image"].update(image_patch_size="14"),
            "image_patch_size is 14, and no number above zero",
        ),
        (lambda f: f["image"].update(patches=1), "image has no patches"),
        (
            lambda f: f.update(multimodal=f.pop("image")),
            "v13 has the section image, and none that is called multimodal",
        ),
        (
            lambda f: f["config"].update(version="v3"),
            "v3 has no section audio, which v7 is the first to have",
        ),
        (
            lambda f: f.update(audio={**SOUND, "audio_encoding_config": None}),
            "audio_encoding_config is no object",
        ),
        (
            lambda f: f.update(audio={**SOUND, "frame_rate": 400}),
            "a token of 40 samples is shorter than the hop_length",
        ),
        (
            lambda f: f.update(model_settings_builder={}),
            "v13 has no section model_settings_builder",
        ),
        (
            lambda f: f["config"].update(version="v15"),
            "v15 writes [MODEL_SETTINGS], which is not there",
        ),
        (other_key, "its entry 70 has other keys than rank, token_bytes and token_str"),
        (other_byte, "its entry 70 is not the byte 70"),
    ],
)
def test_what_mistral_common_refuses_is_an_error(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    stated = sound_file()
    change(stated)
    assert f"mistral-common 1.13.1 refuses tekken.json: {said}." in found(tmp_path, stated)


def test_a_special_token_whose_rank_is_not_its_place_has_two_ids(tmp_path: Path) -> None:
    stated = sound_file()
    stated["special_tokens"][3]["rank"] = 4
    with pytest.raises(UnreadableError, match="special_tokens/3/rank: has the rank 4"):
        found(tmp_path, stated)


def test_the_end_of_a_config_is_the_token_that_the_library_looks_up(tmp_path: Path) -> None:
    stated = sound_file()
    ids = {entry["token_str"]: entry["rank"] for entry in stated["special_tokens"]}
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"bos_token_id": ids["<s>"], "eos_token_id": ids["<pad>"]}))
    [message] = found(tmp_path, stated, "special_tokens/role-ids")
    assert message == (
        f"config.json gives eos id {ids['<pad>']}, which is '<pad>', but mistral-common 1.13.1 "
        f"takes '</s>', id {ids['</s>']}."
    )
    config.write_text(json.dumps({"bos_token_id": ids["<s>"], "eos_token_id": [7, ids["</s>"]]}))
    assert found(tmp_path, stated, "special_tokens/role-ids") == []
