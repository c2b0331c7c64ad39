"""The mark for a space, and when it is put before a text.

Source: `Metaspace` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from tokaudit_reference.steps.step import Options

SPACE = "\u2581"


def stated_scheme(options: Options) -> str:
    """Return the scheme of the mark before a text; old files state `add_prefix_space` instead.

    >>> stated_scheme({"add_prefix_space": False}), stated_scheme({"prepend_scheme": "first"})
    ('never', 'first')
    """
    scheme = options.get("prepend_scheme")
    if scheme is None:
        return "always" if options.get("add_prefix_space", True) else "never"
    return str(scheme)
