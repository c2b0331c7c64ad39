"""Folders whose settings are drawn: a class, a layout of files, and changes that are independent.

Each change sets one key of one file, so that a folder on which a rule is wrong shrinks by leaving
changes out.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.subject.configs import ROLES

SETTINGS, WHOLE, MAP = "tokenizer_config.json", "tokenizer.json", "special_tokens_map.json"
ADDED, MODEL, GENERATION = "added_tokens.json", "config.json", "generation_config.json"
TEMPLATE, NAMED = "chat_template.jinja", "additional_chat_templates"
ENCODER, MODULES = "sentence_bert_config.json", "modules.json"
TEXTS = ("the cat", " the  Cat sat", "<new>the <s> cat</s>", "caf\u00e9 .\nThe dog's")
SENTINELS = ("<extra_id_0>", "<extra_id_1>")  # of T5's classes, which miss the others
SWITCH, LATER = (True, False, None), "<new>"
LONG = int(1e30)


@dataclass(frozen=True)
class Change:
    """A value of a key of a file; without a key the whole file, without a value it is left out."""

    file: str
    key: str
    value: Any
    gone: bool = False


@dataclass(frozen=True)
class Base:
    """The files that a class loads, the texts of its special tokens, and the kind of its model."""

    name: str
    folder: Path
    ids: Mapping[str, int]  # of its special tokens
    kind: str = ""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The texts of its special tokens."""
        return tuple(self.ids)


@dataclass(frozen=True)
class DrawnFolder:
    """A base with changes."""

    base: Base
    changes: tuple[Change, ...]

    def write(self, into: Path) -> Path:
        """The folder, in place of one that is there."""
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree(self.base.folder, into)
        for change in self.changes:
            _change(into, change)
        return into

    def shown(self) -> str:
        """The class and the changes on one line."""
        parts = (
            f"{each.file}{f'#{each.key}' if each.key else ''}="
            + ("GONE" if each.gone else json.dumps(each.value))
            for each in self.changes
        )
        return f"{self.base.name}: {'; '.join(parts)}"


def shrunk(drawn: DrawnFolder, is_kept: Callable[[DrawnFolder], bool]) -> DrawnFolder:
    """The fewest changes, of one order, that keep what was seen."""
    at = 0
    while at < len(drawn.changes):
        fewer = DrawnFolder(drawn.base, drawn.changes[:at] + drawn.changes[at + 1 :])
        drawn, at = (fewer, at) if is_kept(fewer) else (drawn, at + 1)
    return drawn


def drawn_folder(bases: Sequence[Base], draw: random.Random) -> DrawnFolder:
    """One folder: a base, and one to five changes of different keys."""
    base = draw.choice(bases)
    changes = list(_changes(base, draw))
    found: dict[tuple[str, str], Change] = {}
    for change in draw.sample(changes, draw.choice((1, 1, 2, 2, 3, 4, 5))):
        found[change.file, change.key] = change
    return DrawnFolder(base, tuple(found.values()))


def _change(folder: Path, change: Change) -> None:
    path = folder / change.file
    if not change.key:
        path.parent.mkdir(exist_ok=True)
        text = isinstance(change.value, str)
        path.write_text(change.value if text else json.dumps(change.value), "utf-8")
        return
    stated = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    if change.gone:
        stated.pop(change.key, None)
    else:
        stated[change.key] = change.value
    path.write_text(json.dumps(stated), "utf-8")


def _changes(base: Base, draw: random.Random) -> Iterator[Change]:
    """A change of every kind, with a value that is drawn."""
    for changes in (_of_settings, _of_classes, _of_templates, _of_other_files, _of_model):
        yield from changes(base, draw)
    if (base.folder / WHOLE).is_file():
        yield from _of_whole(base, draw)


def _token(base: Base, draw: random.Random, role: str) -> Any:
    """A token as files write one: a text that is known or new, an object with flags, null.

    What is unknown is always a known one: of another, vocab/unknown-token speaks.
    """
    text = draw.choice((*base.tokens, *base.tokens, base.tokens[0] if role == "unk" else LATER))
    flags = {key: draw.random() < 0.3 for key in ("lstrip", "rstrip", "single_word")}
    entry = {"content": text, **flags, "normalized": draw.random() < 0.3}
    return draw.choice(
        (text, text, text, None, {"__type": "AddedToken", **entry, "special": True}, entry)
    )


def _tokens(base: Base, draw: random.Random) -> Any:
    texts = draw.sample((*base.tokens, LATER, "<more>", *SENTINELS), 2)
    objects = [{"__type": "AddedToken", "content": text, "special": True} for text in texts]
    return draw.choice((texts, texts, objects, [], None))


def _of_settings(base: Base, draw: random.Random) -> Iterator[Change]:
    def change(key: str, *values: Any) -> Change:
        return Change(SETTINGS, key, draw.choice(values))

    for role in ROLES:
        yield change(f"{role}_token", _token(base, draw, role))
    for key in ("add_bos_token", "add_eos_token", "add_prefix_space", "do_lower_case", "legacy"):
        yield change(key, *SWITCH)
    for key in ("strip_accents", "tokenize_chinese_chars", "keep_accents", "remove_space"):
        yield change(key, *SWITCH)
    yield change("clean_up_tokenization_spaces", *SWITCH)
    yield change("split_special_tokens", *SWITCH)
    yield change("trim_offsets", True, False)
    yield change("padding_side", "left", "right", "left", None)
    yield change("truncation_side", "left", "right", "left", None)
    yield change("model_max_length", 512, 512.0, LONG, None, 0)
    yield change("max_len", 128, None)
    yield change("additional_special_tokens", _tokens(base, draw))
    named = {"image_token": LATER, "audio_token": draw.choice(base.tokens)}
    yield change("extra_special_tokens", _tokens(base, draw), named, {})
    yield change("image_token", LATER, draw.choice(base.tokens), None)
    yield change("model_input_names", ["input_ids", "attention_mask"], ["input_ids"])
    yield change("added_tokens_decoder", {}, {"0": _entry(base.tokens[0], draw)})
    yield change("added_tokens_decoder", {"9999": _entry(LATER, draw)})
    yield change("processor_class", "AcornProcessor")
    yield change("extra_ids", 3, 0)
    yield change("language", "en", None)
    yield change("fast_tokenizer_files", [WHOLE], ["tokenizer.4.0.0.json"])


def _entry(text: str, draw: random.Random) -> dict[str, Any]:
    flags = ("lstrip", "rstrip", "single_word", "normalized", "special")
    return {"content": text, **{flag: draw.random() < 0.3 for flag in flags}}


CLASSES = (
    *("PreTrainedTokenizerFast", "PreTrainedTokenizer", "TokenizersBackend", "LlamaTokenizer"),
    *(
        "LlamaTokenizerFast",
        "GPT2Tokenizer",
        "Qwen2Tokenizer",
        "BertTokenizerFast",
        "AcornTokenizer",
    ),
)
KINDS = (
    *("llama", "gpt2", "bert", "t5", "qwen2", "whisper", "mistral", "deepseek_v3", "roberta"),
    *("qwen3_5", "vit", "acorn"),  # one of version 5 alone, one without a tokenizer, one of nobody
)


def _of_classes(base: Base, draw: random.Random) -> Iterator[Change]:
    yield Change(SETTINGS, "tokenizer_class", None, gone=True)
    yield Change(MODEL, "model_type", None, gone=True)
    yield Change(SETTINGS, "tokenizer_class", draw.choice((*CLASSES, None)))
    yield Change(MODEL, "tokenizer_class", draw.choice((*CLASSES, None)))
    for _ in range(3):
        yield Change(MODEL, "model_type", draw.choice((base.kind or "llama", *KINDS)))


def _of_templates(base: Base, draw: random.Random) -> Iterator[Change]:
    named = [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}]
    yield Change(SETTINGS, "chat_template", draw.choice(("a", named, named[1:], None, "", [])))
    yield Change(TEMPLATE, "", "c")
    yield Change(f"{NAMED}/{draw.choice(('rag', 'default'))}.jinja", "", "d")


def _of_other_files(base: Base, draw: random.Random) -> Iterator[Change]:
    for role in draw.sample(ROLES, 3):
        yield Change(MAP, f"{role}_token", _token(base, draw, role))
    yield Change(MAP, "additional_special_tokens", _tokens(base, draw))
    yield Change(MAP, "extra_special_tokens", _tokens(base, draw))
    yield Change(ADDED, LATER, 9999)
    yield Change(ADDED, "<more>", 10000)


def _of_model(base: Base, draw: random.Random) -> Iterator[Change]:
    ids = (0, 1, 2, [1, 2], None, [])
    for file in (MODEL, GENERATION):
        yield Change(file, "eos_token_id", draw.choice(ids))
        yield Change(file, "pad_token_id", draw.choice((0, None)))
    yield Change(MODEL, "vocab_size", draw.choice((64, 100_000)))
    yield Change(GENERATION, "", {})


def _of_whole(base: Base, draw: random.Random) -> Iterator[Change]:
    pad = {"strategy": "BatchLongest", "direction": draw.choice(("Left", "Right"))}
    pad |= {"pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": base.tokens[0]}
    yield Change(WHOLE, "padding", pad)
    cut = {"direction": draw.choice(("Left", "Right")), "max_length": 16}
    yield Change(WHOLE, "truncation", {**cut, "strategy": "LongestFirst", "stride": 0})
    first, own = {"id": base.tokens[0], "type_id": 0}, base.ids[base.tokens[0]]
    yield Change(
        WHOLE,
        "post_processor",
        draw.choice(
            (
                None,
                {
                    "type": "TemplateProcessing",
                    "single": [{"SpecialToken": first}, {"Sequence": {"id": "A", "type_id": 0}}],
                    "pair": [{"Sequence": {"id": each, "type_id": 0}} for each in "AB"],
                    "special_tokens": {
                        base.tokens[0]: {
                            "id": base.tokens[0],
                            "ids": [own],
                            "tokens": [base.tokens[0]],
                        }
                    },
                },
            )
        ),
    )
    yield Change(WHOLE, "normalizer", draw.choice((None, {"type": "Lowercase"}, {"type": "NFC"})))
