"""Vocabularies of characters, of one language and of several."""

from __future__ import annotations

from tokaudit_fuzz.sample import Files, Sample, written


def characters() -> Files:
    tokens = ["<pad>", "<s>", "</s>", "<unk>", "|", *"abc"]
    return {
        "vocab.json": written({token: id for id, token in enumerate(tokens)}),
        "tokenizer_config.json": written({"tokenizer_class": "Wav2Vec2CTCTokenizer"}),
    }


def letters_of_a_language() -> Files:
    config = {"tokenizer_class": "Wav2Vec2CTCTokenizer", "target_lang": "deu"}
    return {
        "vocab.json": written({"deu": {"<unk>": 0, "|": 1, "a": 2}, "eng": {"<unk>": 0}}),
        "tokenizer_config.json": written(config),
    }


SAMPLE = Sample(
    "characters",
    (
        characters,
        letters_of_a_language,
    ),
)
