"""The job of all pieces of ids: the plan, what the user says, and the tokenizer."""

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
    """The part that all tasks of a run share; `request` loads the tokenizer, empty for none.

    `tokenizer` is a digest of it and names what runs it: paths in the request are of this run.
    """

    version: str
    plan: Plan
    given: IdDescription
    tokenizer: str = ""
    request: Mapping[str, Any] = field(default_factory=dict)

    def loading(self, request: LoadRequest) -> Job:
        """The same with a tokenizer, whose paths are understood from any folder."""
        return replace(self, request=encoded(from_anywhere(request)))

    @property
    def settings(self) -> bytes:
        """The bytes that decide the result."""
        return packed(replace(self, request={}))
