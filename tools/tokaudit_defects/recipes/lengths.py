"""Defects of padding, truncation and lengths."""

from __future__ import annotations

from pathlib import Path

import sick

from tokaudit_defects.fixtures import small
from tokaudit_defects.recipe import recipe, sickness

LEFT_ON = "padding/settings-left-on"

sickness("D33", small, sick.pad_left_under_first_token_pooling, "padding/side", severity="error")
sickness("D34", small, sick.leave_truncation_on, LEFT_ON, severity="error")
sickness("D35", small, sick.leave_padding_on, LEFT_ON)
sickness("D113", small, sick.allow_more_tokens_than_positions, "padding/position-budget")


@recipe("D32", small, "padding/side", severity="info")
def left_padding_with_learned_positions(folder: Path) -> None:
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(padding_side="left"))
    sick.edit(folder, "config.json", lambda c: c.update(model_type="gpt2"))
