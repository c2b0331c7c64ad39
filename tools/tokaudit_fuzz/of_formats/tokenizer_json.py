"""A tokenizer.json of each kind of model."""

from __future__ import annotations

from tokaudit_folders.folder import Folder
from tokaudit_fuzz.sample import Files, Sample, written


def tokenizer_json() -> Files:
    vocab = {"<unk>": 0, "a": 1, "b": 2, "ab": 3, "ab</w>": 4, "##b": 5, "<0x41>": 6}
    options = {"unk_token": "<unk>", "byte_fallback": True, "dropout": None}
    model = Folder.bpe(vocab, ["a b", ["a", "b"]], **options).tokenizer["model"]
    split = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}]}
    added = {"id": 0, "content": "<unk>", "special": True}
    return {
        "tokenizer.json": written(
            {"version": "1.0", "added_tokens": [added], "pre_tokenizer": split, "model": model}
        )
    }


def unigram_json() -> Files:
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.5], ["b", -2]]}
    return {"tokenizer.json": written({"version": "1.0", "added_tokens": [], "model": model})}


def wordpiece_json() -> Files:
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 0, "a": 1, "##b": 2},
    }
    stages = {"normalizer": {"type": "Lowercase"}, "decoder": {"type": "WordPiece"}}
    return {"tokenizer.json": written({"version": "1.0", **stages, "model": model})}


SAMPLE = Sample(
    "tokenizer.json",
    (
        tokenizer_json,
        unigram_json,
        wordpiece_json,
    ),
)
