"""NFD: Unicode's form of canonical decomposition."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.unicode_forms import UnicodeForm


@dataclass(frozen=True)
class NFD(UnicodeForm):
    """The NFD step, which has no options."""

    type = "NFD"
