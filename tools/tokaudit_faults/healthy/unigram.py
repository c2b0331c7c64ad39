"""T5's Unigram, cut to its first pieces; in no package, so taken from the outside material."""

from __future__ import annotations

import json

from tokaudit_faults.catalogue import NoMaterial, material
from tokaudit_faults.healthy.draft import Draft, Json, rows
from tokaudit_faults.healthy.family import Absent, Family
from tokaudit_folders.sick import declared

PIECES = 3000
ROLES = {"eos": "</s>", "pad": "<pad>", "unk": "<unk>"}


def make() -> Draft:
    """The published file with its first pieces alone, and settings of an encoder-decoder."""
    try:
        path = material() / "tokenizers/t5-small/tokenizer.json"
    except NoMaterial as error:
        raise Absent(str(error)) from error
    whole = json.loads(path.read_text("utf-8"))
    pieces = whole["model"]["vocab"][:PIECES]
    whole["model"] = {"type": "Unigram", **whole["model"], "vocab": pieces}
    whole["added_tokens"] = [each for each in whole["added_tokens"] if each["id"] < 3]
    named = {f"{role}_token": content for role, content in ROLES.items()}
    config = {
        "model_type": "t5",
        "architectures": ["T5ForConditionalGeneration"],
        "vocab_size": PIECES,
        "eos_token_id": 1,
        "pad_token_id": 0,
        "decoder_start_token_id": 0,
        "is_encoder_decoder": True,
        "n_positions": 512,
    }
    settings: dict[str, Json] = {
        "tokenizer_config.json": {
            **named,
            "added_tokens_decoder": declared(whole["added_tokens"]),
            "extra_ids": 0,
            "additional_special_tokens": [],
            "clean_up_tokenization_spaces": False,
            "model_max_length": 512,
            "tokenizer_class": "T5Tokenizer",
        },
        "special_tokens_map.json": named,
        "config.json": config,
        "generation_config.json": {
            "decoder_start_token_id": 0,
            "eos_token_id": 1,
            "pad_token_id": 0,
        },
    }
    return Draft(whole, {}, settings, {"shared.weight": rows(PIECES, 10)})


FAMILY = Family("Unigram", "t5-small of the outside material", make)
