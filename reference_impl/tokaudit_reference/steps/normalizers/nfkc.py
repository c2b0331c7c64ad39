"""NFKC: Unicode's form of compatibility composition."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.unicode_forms import UnicodeForm


@dataclass(frozen=True)
class NFKC(UnicodeForm):
    """The NFKC step, which has no options."""

    type = "NFKC"
