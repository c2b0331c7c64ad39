"""Draws sentence encoders: modules, settings files under every name, pooling, prompts, lengths."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tokaudit.subject.upstream.sentence_encoders import encoder_settings, pooling_switches

WIDTH, ONE = 8, 0.5
SIZES = {
    "bert": {"hidden_size": WIDTH, "num_attention_heads": 2, "intermediate_size": WIDTH},
    "roberta": {"hidden_size": WIDTH, "num_attention_heads": 2, "intermediate_size": WIDTH},
    "gpt2": {"n_embd": WIDTH, "n_head": 2, "n_layer": 1},
    "t5": {"d_model": WIDTH, "d_kv": 4, "num_heads": 2, "d_ff": WIDTH, "num_layers": 1},
}
LENGTHS: tuple[Any, ...] = (None, 16, 128, 4096)
PROMPTS: tuple[Any, ...] = ({}, {"query": "q: "}, {"document": None, "clustering": "c: "}, None)
NAMES: tuple[Any, ...] = (None, "query", "clustering", "nothing")
PACKAGE = "sentence_transformers.models."
Files = dict[str, Any]


@dataclass(frozen=True)
class DrawnEncoder:
    """The base with its weights, the folder of its model, and the files that were drawn."""

    base: Path
    inner: str
    files: Mapping[str, Any]

    def write(self, folder: Path) -> Path:
        """The whole folder."""
        shutil.rmtree(folder, ignore_errors=True)
        (folder / self.inner).mkdir(parents=True)
        for file in self.base.iterdir():
            (folder / self.inner / file.name).hardlink_to(file)  # weights are not copied
        for name, value in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.write_text(json.dumps(value))
        return folder


def config_of(kind: str, rows: int) -> dict[str, Any]:
    """The config.json of a small model of a type."""
    return {"model_type": kind, "vocab_size": rows, "num_hidden_layers": 1, **SIZES[kind]}


def drawn_encoder(bases: Mapping[str, Path], draw: Random) -> DrawnEncoder:
    """One folder."""
    base = bases[draw.choice(sorted(bases))]
    inner = draw.choice(("", "", "0_Transformer"))
    files: Files = {"modules.json": _modules(inner, draw)}
    for name in draw.sample(encoder_settings(), draw.choice((0, 1, 1, 2))):
        files[_within(inner, name)] = _settings(draw)
    config = json.loads((base / "config.json").read_text("utf-8"))
    settings = json.loads((base / "tokenizer_config.json").read_text("utf-8"))
    for key in ("max_position_embeddings", "n_positions"):
        if draw.random() < ONE:
            config.pop(key, None)
    if draw.random() < ONE:
        settings["model_max_length"] = draw.choice((64, 512, 2048))
    files[_within(inner, "config.json")] = config
    files[_within(inner, "tokenizer_config.json")] = settings
    files["1_Pooling/config.json"] = _pooling(draw)
    if draw.random() < ONE:
        stated = {"prompts": draw.choice(PROMPTS), "default_prompt_name": draw.choice(NAMES)}
        files["config_sentence_transformers.json"] = _some(stated, draw)
    return DrawnEncoder(base, inner, files)


def _modules(inner: str, draw: Random) -> list[dict[str, Any]]:
    kinds = [("Transformer", inner), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    kept = kinds if draw.random() < ONE else kinds[:2]
    return [
        {"idx": at, "name": str(at), "path": path, "type": PACKAGE + kind}
        for at, (kind, path) in enumerate(kept)
    ]


def _settings(draw: Random) -> dict[str, Any]:
    """The settings of the model; a file may be empty, which is as if it were not there."""
    arguments: Any = draw.choice(({}, {"model_max_length": 32}))
    stated = {
        "max_seq_length": draw.choice(LENGTHS),
        "do_lower_case": draw.choice((True, False, None)),
        draw.choice(("tokenizer_args", "processor_kwargs")): arguments,
    }
    return {} if draw.random() < ONE / 2 else _some(stated, draw)


def _pooling(draw: Random) -> dict[str, Any]:
    width = draw.choice(("word_embedding_dimension", "embedding_dimension"))
    switches = pooling_switches()
    stated: dict[str, Any] = {key: draw.random() < ONE / 2 for key in switches}
    modes = [*switches.values(), ["mean", "max"], ["cls"], "first"]
    stated |= {"pooling_mode": draw.choice(modes), "include_prompt": draw.random() < ONE}
    return {width: WIDTH, **_some(stated, draw)}


def _some(stated: Mapping[str, Any], draw: Random) -> dict[str, Any]:
    return {key: value for key, value in stated.items() if draw.random() < ONE}


def _within(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
