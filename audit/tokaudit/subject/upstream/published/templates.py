"""Chat templates as their makers released them, known by digest.

`templates.tsv` is drawn by `tools/draw_published_templates.py` from the package TRL, which keeps
templates of makers to recognise a model by, and names the checkpoint, and of some the revision.  A
template that TRL patches for training is listed too, if it writes every call as the maker's does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.upstream.records import HERE

LINES = "published/templates.tsv"
DIGITS = 32  # of the digest


@dataclass(frozen=True, slots=True)
class PublishedTemplate:
    """A published template: its file in the package, and a checkpoint with it.

    `revision` is that of the checkpoint's repository; both are empty where the package names none.
    """

    file: str
    checkpoint: str
    revision: str

    def __str__(self) -> str:
        """Name it for a sentence.

        >>> str(PublishedTemplate("trl 1.16.0: qwen3.jinja", "Qwen/Qwen3-8B", "895c8d1"))
        'Qwen/Qwen3-8B at 895c8d1 (trl 1.16.0: qwen3.jinja)'
        """
        if not self.checkpoint:
            return self.file
        at = f" at {self.revision}" if self.revision else ""
        return f"{self.checkpoint}{at} ({self.file})"


def digest(text: str) -> str:
    """Return the digest of a template, ignoring white space at both ends.

    >>> digest("{{ messages }}") == digest("{{ messages }}\\n")
    True
    """
    return hashlib.sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def published_template(text: str) -> PublishedTemplate | None:
    """Return the published template of this text, or None."""
    return _by_digest().get(digest(text))


@cache
def _by_digest() -> Mapping[str, PublishedTemplate]:
    lines = (HERE / LINES).read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {key: PublishedTemplate(*said) for key, *said in rows}
