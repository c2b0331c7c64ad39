"""Small sound tokenizers in every format, and a checkpoint: what is changed in every way."""

from __future__ import annotations

import importlib
import json
import pkgutil
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from tokaudit_folders.folder import Folder
from tokaudit_fuzz import of_formats
from tokaudit_fuzz.sample import Files, Sample, written
from tokaudit_reference.text.bytes_alphabet import BYTE_OF


def _samples() -> Iterator[Sample]:
    for module in pkgutil.iter_modules(of_formats.__path__, f"{of_formats.__name__}."):
        yield importlib.import_module(module.name).SAMPLE


SAMPLES: Mapping[str, tuple[Callable[[], Files], ...]] = {
    sample.format: sample.builds for sample in sorted(_samples(), key=lambda each: each.format)
}


TEMPLATE = """{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}"""


def checkpoint() -> Files:
    """A folder with a byte-level tokenizer, every config, a template and weights."""
    specials = ["<|end|>", "<|user|>", "<|assistant|>"]
    vocab = {character: id for id, character in enumerate([*BYTE_OF, "ab", "Ġa"])}
    added = [{"id": 258 + n, "content": each, "special": True} for n, each in enumerate(specials)]
    stage = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    model = Folder.bpe(vocab, [["a", "b"], ["Ġ", "a"]]).tokenizer["model"]
    stages = {"pre_tokenizer": stage, "decoder": stage, "post_processor": stage}
    tokenizer = {"version": "1.0", "added_tokens": added, **stages, "model": model}
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|end|>",
        "pad_token": {"content": "<|end|>", "special": True},
        "padding_side": "left",
        "chat_template": TEMPLATE,
        "added_tokens_decoder": {str(each["id"]): each for each in added},
    }
    sizes = {"vocab_size": 261, "eos_token_id": 258, "tie_word_embeddings": False}
    tensors: dict[str, object] = {
        "model.embed_tokens.weight": {"dtype": "U8", "shape": [261, 2], "data_offsets": [0, 522]},
        "lm_head.weight": {"dtype": "U8", "shape": [261, 2], "data_offsets": [522, 1044]},
    }
    header = json.dumps(tensors).encode()
    return {
        "tokenizer.json": written(tokenizer),
        "tokenizer_config.json": written(config),
        "special_tokens_map.json": written({"eos_token": "<|end|>", "unk_token": None}),
        "config.json": written({**sizes, "text_config": {"pad_token_id": 258}}),
        "generation_config.json": written({"eos_token_id": [258], "suppress_tokens": [1]}),
        "chat_template.jinja": TEMPLATE.encode(),
        "model.safetensors": struct.pack("<Q", len(header)) + header + bytes(1044),
    }


def speech() -> Files:
    """The checkpoint with the tokens and the settings of a Whisper."""
    files = checkpoint()
    tokenizer = json.loads(files["tokenizer.json"])
    texts = ("startoftranscript", "en", "transcribe", "translate", "startofprev", "notimestamps")
    for id, text in enumerate(texts, 261):
        token = {"id": id, "content": f"<|{text}|>", "special": True}
        tokenizer["added_tokens"].append(token)
    forced = {"forced_decoder_ids": [[1, 262], [2, 263]], "prev_sot_token_id": 265}
    files["generation_config.json"] = written({**forced, "task": "transcribe"})
    files["config.json"] = written({"model_type": "whisper", "vocab_size": 267})
    return {**files, "tokenizer.json": written(tokenizer)}


@cache
def built(build: Callable[[], Files]) -> Files:
    """A sample, built once."""
    return build()
