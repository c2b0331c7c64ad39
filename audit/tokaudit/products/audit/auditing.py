"""Audit function: open a subject, run the checks, and return a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.engine.check import Check, check_ids, checks_named
from tokaudit.engine.needs import Others
from tokaudit.engine.opening import SubjectName, repository_of
from tokaudit.engine.options import Options
from tokaudit.engine.outcome.verdict import exit_code
from tokaudit.engine.runner import choose
from tokaudit.engine.settings.check_names import left_by, names, required
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import AuditSettings, Hashing, Opening
from tokaudit.foundation.progress import OnStep, silently
from tokaudit.foundation.settings.setting import checked, part
from tokaudit.foundation.settings.words import only
from tokaudit.products.audit.loaded_tokenizer import LoadedTokenizer, on_disk
from tokaudit.products.audit.one_audit import OnResult, Request
from tokaudit.products.audit.repository import carry_out_all
from tokaudit.products.audit.shared_files import shared_out
from tokaudit.report.report import Report
from tokaudit.runtimes.named_runtimes import well_formed

A_CHECK = "a check; name installed ones by select"


@dataclass(frozen=True, kw_only=True)
class AuditCall(AuditSettings):
    """The settings of `audit`, and what only a program can give."""

    checks: Sequence[Check] | None = None
    on_result: OnResult | None = None
    on_step: OnStep | None = None


@dataclass(frozen=True)
class Audited:
    """A report, with the statement of a manifest if requested."""

    report: Report
    statement: Mapping[str, Any] | None = None

    def exit_code(self, fail_on: str) -> int:
        """Return the command's exit code; `fail_on` is the least severity that counts."""
        return exit_code(self.report, fail_on)


@keywords(AuditCall)
def audit(subject: SubjectName | LoadedTokenizer, asked: AuditCall) -> Report:
    """Audit a tokenizer and its checkpoint, and return the report.

    `subject` and `base` are named as on the command line (a folder, a file, `pkg:...`, `hf:...`,
    `tiktoken:...`), or the subject is one that `tokaudit.open` gave, or a loaded tokenizer of
    transformers, tokenizers, tiktoken, sentencepiece or mistral-common, which is saved to a private
    folder; `checks` are asked instead of every installed one; `on_result` is called with each
    result as it comes, how many are done and how many there will be, and `on_step` with how many
    bytes of a corpus or of ids are read.  What is not reached within `timeout` seconds (by default
    four minutes, half an hour and four hours at the three tiers) is skipped, and one question to a
    worker may take `question_timeout`.  This process and its workers may use `memory` megabytes
    together, without what this process has used before.  `conversations` is a JSONL file of chats
    that templates are rendered over in addition to ours.  `read_embeddings` reads rows of the
    embedding, a bounded number, to measure their norms; broken rows are found without it.  `files`
    gives a role to a file whose name does not say it, such as `{"merges.txt": "pairs.txt"}`, in
    each of subject, `base` and `against` that holds it.  Raises `UsageError` for a wrong setting,
    before any work, and `UnreadableError` when there is nothing to audit.  No code of the subject
    is run.
    Of a repository of several tokenizers each is audited by itself; `report.parts` says how.

    >>> import tokaudit
    >>> report = tokaudit.audit("models/checkpoint", select=["vocab/holes"], tier="quick")
    >>> report.ok
    True
    """
    request = requested(asked, asked.checks)
    with on_disk(subject) as named:
        return _audited(named, asked, request, None, asked.on_result, asked.on_step).report


def audited(
    subject: SubjectName,
    asked: AuditSettings,
    manifest: Hashing | None = None,
    on_result: OnResult | None = None,
    on_step: OnStep | None = None,
) -> Audited:
    """Audit a subject, with a manifest if requested."""
    request = requested(asked, whole_identity=manifest is not None)
    return _audited(subject, asked, request, manifest, on_result, on_step)


def _audited(
    subject: SubjectName,
    how: Opening,
    request: Request,
    manifest: Hashing | None,
    on_result: OnResult | None,
    on_step: OnStep | None = None,
) -> Audited:
    mine, others = shared_out(subject, request.others, how.files)
    repository = repository_of(subject, replace(how, files=mine))
    request = replace(request, others=others)
    done = carry_out_all(repository, request, on_result, on_step=on_step or silently)
    if manifest is None:
        return Audited(done.report)
    from tokaudit.products.identity.statement import statement_of

    statement = statement_of(
        done.whole, done.main, hash_weights=manifest.hash_weights, more_files=repository.files
    )
    return Audited(done.report, statement)


def requested(
    asked: AuditSettings,
    checks: Sequence[Check] | None = None,
    *,
    whole_identity: bool = False,
) -> Request:
    """Return the request of an audit; raise `UsageError` for an invalid setting."""
    valid = checked(asked)
    given = None if checks is None else only(Check, A_CHECK, "checks", checks)
    ids = check_ids() if given is None else [check.id for check in given]
    chosen = names("select", valid.select, ids)
    ignored = names("ignore", valid.ignore, ids)
    known = checks_named(chosen) if given is None else given
    return Request(
        checks=left_by(choose(known, chosen, ignored, valid.tier), chosen, ignored),
        others=Others(
            base=None if valid.base is None else str(valid.base),
            against=None if valid.against is None else well_formed(str(valid.against)),
            download=valid.download,
            tokenizer=None if valid.tokenizer is None else str(valid.tokenizer),
        ),
        require=required("require", valid.require, ids),
        options=part(valid, Options),
        whole_identity=whole_identity,
    )
