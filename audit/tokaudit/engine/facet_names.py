"""Names of facets in reports and certificates."""

from __future__ import annotations

IDS, MERGES, NORMALIZER, PRE_TOKENIZER = "ids", "merges", "normalizer", "pre-tokenizer"
ADDED, ROLES, POST_PROCESSOR, DECODER = (
    "added tokens",
    "special roles",
    "post-processor",
    "decoder",
)
CHAT_TEMPLATE, PADDING, STOPS, ROWS = (
    "chat template",
    "padding side",
    "generation stops",
    "embedding rows",
)
BATCH = "batch settings"  # truncation and padding that a file leaves on
SWITCHES, TOKENIZER_CLASS, CLEAN_UP = "BOS and EOS switches", "tokenizer class", "clean-up"
PREFIX_SPACE, MAX_LENGTH = "prefix space", "model max length"
TRUNCATION_SIDE, TOKEN_FLAGS = "truncation side", "added tokens of loaders"
TOKENS_AROUND = "tokens around texts"  # by the roles that settings name
SPLITS_SPECIAL = "special tokens in text"  # cut into pieces, or taken as they are
CLASS_OPTIONS = "class options"  # which a class puts over the pipeline of a tokenizer.json
SPECIAL_MASK = "special-token mask"  # where the class is an encoder's
OF_LOADERS = (
    *(SWITCHES, TOKENIZER_CLASS, CLEAN_UP, PREFIX_SPACE, MAX_LENGTH, TRUNCATION_SIDE, TOKEN_FLAGS),
    *(TOKENS_AROUND, SPLITS_SPECIAL, CLASS_OPTIONS, SPECIAL_MASK),
)
"""The facets of settings next to a tokenizer: there where they differ."""
CORPUS = "corpus"  # the documents of a user
DECIDE_IDS = (IDS, MERGES, NORMALIZER, PRE_TOKENIZER, ADDED)
STAGES = {
    NORMALIZER: "normalizer",
    PRE_TOKENIZER: "pre_tokenizer",
    POST_PROCESSOR: "post_processor",
    DECODER: "decoder",
}
"""The field of a spec that holds each stage."""
TYPE_IDS = "type ids"  # so begins the note on a text of which they are what differs
