"""Common job of all pieces of ids: the plan, the user's settings, and the tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tokaudit.products.data.files.files import IdDescription
from tokaudit.products.data.ids.plan import Plan
from tokaudit.runtimes.request import LoadRequest, encoded, from_anywhere
from tokaudit.shards.work import packed


@dataclass(frozen=True)
class Job:
    """The common part of all tasks of a run; `request` loads the tokenizer, if any.

    `tokenizer` is a digest of it and names what runs it: paths in the request are of this run.
    """

    version: str
    plan: Plan
    given: IdDescription
    tokenizer: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)

    def loading(self, request: LoadRequest) -> Job:
        """Return the job with a tokenizer, with paths independent of the folder."""
        return replace(self, request=encoded(from_anywhere(request)))

    @property
    def settings(self) -> bytes:
        """Return the bytes that decide the result."""
        return packed(replace(self, request={}))
