"""A list of words, with the settings of its class."""

from __future__ import annotations

from tokaudit_fuzz.sample import CONFIG, Files, Sample, written


def vocab_txt() -> Files:
    stated = {"do_lower_case": True, "strip_accents": None, "tokenize_chinese_chars": True}
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "\u65e5"]
    config = {**CONFIG, **stated, "tokenizer_class": "BertTokenizer"}
    return {
        "vocab.txt": "\n".join(tokens).encode() + b"\n",
        "tokenizer_config.json": written(config),
    }


SAMPLE = Sample("vocab.txt", (vocab_txt,))
