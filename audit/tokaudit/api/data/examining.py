"""`tokaudit.data`: ids on disk, examined with the tokenizer that is to have written them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tokaudit.api.asked.keywords import keywords
from tokaudit.api.auditing import Audited, audited
from tokaudit.api.audits.one_audit import OnResult
from tokaudit.api.data.settings import DataSettings
from tokaudit.api.opening import SubjectName
from tokaudit.foundation.progress import OnStep
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import checked
from tokaudit.report.report import Report

DataNames = NamedPath | Sequence[NamedPath]


@keywords(DataSettings)
def data(data: DataNames, tokenizer: SubjectName, asked: DataSettings) -> Report:
    """Examine ids on disk with a tokenizer, and return the report.

    `data` is a file, a folder, a glob or a URL, or a list of them.  Formats are recognised; `dtype`
    is the type of ids in files that state none.  Every id is counted; documents are drawn by hash,
    decoded and encoded again, as many as the tier says.  `jobs` processes read pieces at a time,
    and `resume` is a folder where finished pieces are kept: neither changes the result.  Needs
    `tokaudit[data]`.  Raises `UnreadableError` where nothing holds ids.
    """
    return examined(data, tokenizer, asked).report


def examined(
    data: DataNames,
    tokenizer: SubjectName,
    asked: DataSettings,
    on_result: OnResult | None = None,
    on_step: OnStep | None = None,
) -> Audited:
    """What `data` does, for the command too."""
    settings = checked(asked).for_audit(names_of(data))
    return audited(tokenizer, settings, on_result=on_result, on_step=on_step)


def names_of(data: DataNames) -> tuple[NamedPath, ...]:
    """One name or several, as a tuple.

    >>> names_of("ids"), names_of(["a", "b"])
    (('ids',), ('a', 'b'))
    """
    return (data,) if isinstance(data, str | os.PathLike) else tuple(data)
