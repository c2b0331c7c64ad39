"""Assigns each facet of a comparison with the base to the check that reports it."""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit.engine.facet_names import (
    ADDED,
    BATCH,
    CHAT_TEMPLATE,
    DECODER,
    IDS,
    MERGES,
    NORMALIZER,
    OF_LOADERS,
    PADDING,
    POST_PROCESSOR,
    PRE_TOKENIZER,
    ROLES,
    ROWS,
    STOPS,
    TOKEN_FLAGS,
)
from tokaudit.products.compare.settings.files import SETTINGS

STAGES = (NORMALIZER, PRE_TOKENIZER, POST_PROCESSOR, DECODER)
REPORTED_BY: Mapping[str, str] = {
    IDS: "baseline/vocab",
    MERGES: "baseline/merges",
    ADDED: "baseline/added-tokens",
    **dict.fromkeys(STAGES, "baseline/components"),
    **dict.fromkeys(OF_LOADERS, "baseline/loader-settings"),
    TOKEN_FLAGS: "baseline/added-token-flags",
    ROLES: "baseline/special-roles",
    STOPS: "baseline/special-roles",
    PADDING: "baseline/padding",
    BATCH: "baseline/padding",
    CHAT_TEMPLATE: "chat_template/baseline",
    ROWS: "embeddings/base-rows",
    SETTINGS: "baseline/settings-files",
}
"""The comparison lists the facets; an audit reports only those that have a check here."""
