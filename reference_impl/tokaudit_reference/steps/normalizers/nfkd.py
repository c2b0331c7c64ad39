"""NFKD: Unicode's form of compatibility decomposition."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.unicode_forms import UnicodeForm


@dataclass(frozen=True)
class NFKD(UnicodeForm):
    """The NFKD step, which has no options."""

    type = "NFKD"
