"""`tokaudit.data`: examine ids on disk with the tokenizer that should have written them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from tokaudit.engine.opening import SubjectName
from tokaudit.engine.settings.keywords import keywords
from tokaudit.foundation.progress import OnStep
from tokaudit.foundation.settings.places import NamedPath
from tokaudit.foundation.settings.setting import checked
from tokaudit.foundation.settings.words import listed
from tokaudit.products.audit.auditing import Audited, audited
from tokaudit.products.audit.one_audit import OnResult
from tokaudit.products.data.api.settings import DataSettings, Stamping
from tokaudit.products.data.api.stamping import refuse_without_folder, write_stamp
from tokaudit.report.report import Report

DataNames = NamedPath | Sequence[NamedPath]


@dataclass(frozen=True, kw_only=True)
class DataCall(Stamping, DataSettings):
    """The settings of `data`, and what only a program can give."""

    on_result: OnResult | None = None
    on_step: OnStep | None = None


@keywords(DataCall)
def data(data: DataNames, tokenizer: SubjectName, asked: DataCall) -> Report:
    """Examine ids on disk with a tokenizer, and return the report.

    `data` is a file, a folder, a glob or a URL, or a list of them.  Formats are recognised; `dtype`
    is the type of ids in files that state none.  Every id is counted; documents are drawn by hash,
    decoded and encoded again, as many as the tier says.  `jobs` processes read pieces at a time,
    and `resume` is a folder where finished pieces are kept: neither changes the result.  `stamp` is
    a file to write: what was examined, as `expect_data` and `verify` read it.  Needs
    `tokaudit[data]`.  Raises `UnreadableError` where nothing holds ids.
    """
    return examined(data, tokenizer, asked).report


def examined(data: DataNames, tokenizer: SubjectName, asked: DataCall) -> Audited:
    """Examine ids on disk like `data`, also for the command."""
    names = names_of(data)
    if asked.stamp is not None:
        refuse_without_folder(asked.stamp)
    settings = checked(asked).for_audit(names)
    done = audited(tokenizer, settings, on_result=asked.on_result, on_step=asked.on_step)
    if asked.stamp is not None:
        write_stamp(asked.stamp, names, tokenizer, done.report, asked)
    return done


def names_of(data: DataNames) -> tuple[NamedPath, ...]:
    """Return one or several names as a tuple.

    >>> names_of("ids"), names_of(["a", "b"])
    (('ids',), ('a', 'b'))
    """
    return (data,) if isinstance(data, str | os.PathLike) else listed("data", data)
