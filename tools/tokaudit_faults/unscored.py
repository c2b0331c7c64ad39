"""The entries that no folder shows, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping

ENGINE = "a fault of an engine's code, in no file; shown with --against an encoder that has it"
RECIPE = "a fault of a training or evaluation recipe, in no file of the tokenizer"
ROWS = "only measured: a short row is no fault by itself (embeddings/norms, --read-embeddings)"

UNSCORED: Mapping[str, str] = {
    "D32": ENGINE,
    "D37": ENGINE,
    "D67": ENGINE,
    "D70": ENGINE,
    "D89": ENGINE,
    "D90": ENGINE,
    "D98": ROWS,
    "D99": RECIPE,
    "D101": RECIPE,
    "D128": RECIPE,
    "D134": ENGINE,
    "D136": RECIPE,
}
