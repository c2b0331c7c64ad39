"""Differences of older versions of Hugging Face's tokenizers from the newest.

The reference follows the newest version.  A spec that names an older one in `library` is run as
that version runs it, since its answers are compared with those of the version that is installed.
"""

from __future__ import annotations

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.older_tables import version_number

FOLLOWED = (0, 23, 1)  # the oldest version that does as the reference does by itself


def older_version(installed: str) -> str:
    """Return the installed version if it is older than those that the reference follows, or "".

    >>> older_version("0.22.2"), older_version("0.23.3")
    ('0.22.2', '')
    """
    return installed if (0,) < version_number(installed) < FOLLOWED else ""


def decodes_contents(spec: TokenizerSpec) -> bool:
    """Return whether decoding writes added tokens as the file does, even normalized ones.

    Measured in tokenizers 0.20.3 to 0.22.2; since 0.23.1 a token that is looked for in normalized
    text is decoded as its normal form.
    """
    return spec.library != ""
