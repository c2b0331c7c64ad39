"""Share of a text that gets no meaningful id: lost text is not cheap text.

A tokenizer that turns a whole Thai sentence into one unknown token would look like the cheapest
there is.  So text counts as lost where the unknown token covers it, and where no token does.
White space and control characters are left out: pipelines tidy them away, and no word is lost.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from tokaudit.report.replacement import MOST_LOST as MOST_LOST
from tokaudit.runtimes.protocol import Encoding


def lost_share(texts: Sequence[str], encodings: Sequence[Encoding], unknown: int | None) -> float:
    """Return the share of lost characters, or of lost ids without offsets.

    >>> lost_share(["ab กขคงจฉ"], [Encoding((7, 0), ((0, 2), (3, 9)))], unknown=0)
    0.75
    >>> lost_share(["ab กขคงจฉ"], [Encoding((7, 0))], unknown=0)
    0.5
    """
    pairs = [(t, e) for t, e in zip(texts, encodings, strict=True) if e.error is None]
    if all(encoding.offsets is not None for _, encoding in pairs):
        sizes = [_lost_and_all(text, encoding, unknown) for text, encoding in pairs]
        lost, whole = sum(lost for lost, _ in sizes), sum(whole for _, whole in sizes)
    else:
        ids = [id for _, encoding in pairs for id in encoding.ids]
        lost, whole = (0 if unknown is None else ids.count(unknown)), len(ids)
    return lost / whole if whole else 0.0


def _lost_and_all(text: str, encoding: Encoding, unknown: int | None) -> tuple[int, int]:
    """Count the visible characters that no known token covers, and all visible ones."""
    covered: set[int] = set()
    for id, (start, end) in zip(encoding.ids, encoding.offsets or (), strict=False):
        if id != unknown:
            covered.update(range(start, end))
    visible = [at for at, c in enumerate(text) if unicodedata.category(c)[0] not in "CZ"]
    return sum(at not in covered for at in visible), len(visible)
