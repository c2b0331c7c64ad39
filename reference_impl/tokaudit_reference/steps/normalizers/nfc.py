"""NFC: Unicode's form of canonical composition."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.steps.normalizers.unicode_forms import UnicodeForm


@dataclass(frozen=True)
class NFC(UnicodeForm):
    """The NFC step, which has no options."""

    type = "NFC"
