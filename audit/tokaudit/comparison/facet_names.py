"""The names of the facets, as reports and certificates have them."""

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
CORPUS = "corpus"  # the documents of a user
DECIDE_IDS = (IDS, MERGES, NORMALIZER, PRE_TOKENIZER, ADDED)
STAGES = {
    NORMALIZER: "normalizer",
    PRE_TOKENIZER: "pre_tokenizer",
    POST_PROCESSOR: "post_processor",
    DECODER: "decoder",
}
"""The field of a spec that holds each stage."""
