"""Defects of padding, truncation and lengths."""

from __future__ import annotations

from tokaudit_defects.fixtures import small
from tokaudit_defects.recipe import sickness
from tokaudit_folders import sick

LEFT_ON = "padding/settings-left-on"

sickness("D33", small, sick.pad_left_under_first_token_pooling, "padding/side", severity="error")
sickness("D34", small, sick.leave_truncation_on, LEFT_ON, severity="error")
sickness("D35", small, sick.leave_padding_on, LEFT_ON)
sickness("D113", small, sick.allow_more_tokens_than_positions, "padding/position-budget")
