"""`tokaudit.preflight`: check tokenizer, model and first batch before the first step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tokaudit.engine.check import Check, checks_named
from tokaudit.engine.opening import SubjectName, repository_of
from tokaudit.engine.options import Options, WithUse
from tokaudit.engine.resolver import Needs
from tokaudit.engine.runner import from_workers
from tokaudit.engine.settings.keywords import keywords
from tokaudit.engine.settings.settings import Opening
from tokaudit.foundation.errors import TokauditError, UsageError
from tokaudit.products.audit.loaded_tokenizer import LoadedTokenizer, is_loaded, on_disk
from tokaudit.products.audit.one_audit import Request
from tokaudit.products.audit.repository import carry_out_all
from tokaudit.products.chat.drawing import LEGEND, lines
from tokaudit.products.preflight.first_batch import IGNORED, FirstBatch, Row, first_batch
from tokaudit.products.preflight.laws import BatchChecks, size_check
from tokaudit.products.preflight.model_sizes import CONFIG, ModelFacts, model_facts
from tokaudit.report.recorded import Transcript, TranscriptToken
from tokaudit.report.report import Report

# Of the tokenizer and its settings, what is answered from files alone, without running anything.
SUITES = ("config", "padding", "special_tokens", "vocab")
SHOWN_BY_BATCH = "padding/side"  # the side that a collator pads on is the one that counts
# Of a template that is given, what it writes for training; a worker renders it.
OF_TEMPLATE = ("chat_template/bos", "chat_template/stops", "chat_template/tokens")
TEMPLATE = "chat_template.jinja"
GENERATION = "generation_config.json"
MOST_TOKENS = 400  # of a row in a report
WIDTH = 100


class Mismatch(TokauditError):
    """Raised where tokenizer, model and batch do not fit; its text is the card of the report."""

    exit_code = 1

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(_card(report))

    def __reduce__(self) -> tuple[type[Mismatch], tuple[Report]]:
        """Support pickling between the processes of a training."""
        return type(self), (self.report,)


@dataclass(frozen=True, kw_only=True)
class PreflightCall(WithUse):
    """The arguments of a preflight next to the tokenizer."""

    model: Any = None
    config: Any = None
    template: str | None = None
    batch: Any = None


@keywords(PreflightCall)
def preflight(tokenizer: SubjectName | LoadedTokenizer, given: PreflightCall) -> Report:
    """Judge a tokenizer with its model and the first batch, and return the report.

    `tokenizer` is one of transformers, tokenizers, tiktoken, sentencepiece or mistral-common, or
    is named as on the command line.  `model` is a model in memory; `config` its config as an
    object, a mapping or a path, or the number of its ids.  `template` is the chat template that
    training uses instead of the tokenizer's own.  `batch` has `input_ids` and what the collator
    put next to them: `labels`, `attention_mask`, `position_ids`, as tensors, arrays or lists.  A
    `use` that is stated makes errors of what it cannot live with.  Raises `Mismatch`, which has the
    report, where there is an error; nothing of the user's is written, and no weights are read.

    >>> import tokaudit
    >>> batch = {"input_ids": [[5, 6, 7, 458]], "labels": [[5, 6, 7, 458]]}
    >>> tokaudit.preflight("models/checkpoint", config=459, batch=batch, use="sft").ok
    True
    """
    if given.template is not None and not (
        isinstance(given.template, str) and is_loaded(tokenizer)
    ):
        raise UsageError(
            "template: expected the text of a chat template, and this option works only with a "
            "tokenizer that is already in memory"
        )
    model = model_facts(given.model, given.config)
    batch = None if given.batch is None else first_batch(given.batch)
    of_template = checks_named(OF_TEMPLATE) if given.template is not None else ()
    laws = None if batch is None else BatchChecks(model, batch, given.use)
    own = [size_check(model), *(laws.checks() if laws is not None else ())]

    def add_files(folder: Path) -> None:
        _write_settings(folder, model, given.template)

    with on_disk(tokenizer, add_files) as named:
        repository = repository_of(named, Opening())
        of_files = (c for c in _checks_of_files() if batch is None or c.id != SHOWN_BY_BATCH)
        checks = (*of_files, *of_template, *own)
        request = Request(checks=checks, options=Options(tier="quick", use=given.use))
        report = carry_out_all(repository, request).report
    if batch is not None and laws is not None:
        report = replace(report, transcripts=tuple(_drawn(batch, laws.names)))
    report = replace(report, scope=_scope(model, batch, given.use))
    if report.errors:
        raise Mismatch(report)
    return report


@cache
def _checks_of_files() -> tuple[Check, ...]:
    """Return the quick checks of these suites that use no worker."""
    needs = Needs.installed()
    return tuple(
        each
        for each in checks_named(SUITES)
        if each.tier == "quick" and not from_workers(each, needs)
    )


def _write_settings(folder: Path, model: ModelFacts, template: str | None) -> None:
    """Write the training's config and template next to the saved tokenizer."""
    known = "model_type" in model.config  # else other keys are those of another library
    config = {k: v for k, v in model.config.items() if known or k.endswith("_token_id")}
    if config:
        _write_json(folder / CONFIG, config)
    if model.generation:
        _write_json(folder / GENERATION, model.generation)
    if template is None:
        return
    own = folder / "tokenizer_config.json"
    if own.exists():
        stated = json.loads(own.read_bytes())
        if stated.pop("chat_template", None) is not None:
            _write_json(own, stated)
    (folder / TEMPLATE).write_text(template, encoding="utf-8")


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def _scope(model: ModelFacts, batch: FirstBatch | None, use: str | None) -> str:
    """Describe what was not checked, then what was."""
    judged = ["tokenizer and settings"]
    judged += [f"sizes of the model ({len(model.sizes)})"] if model.sizes else []
    if batch is not None:
        judged.append(f"first batch ({len(batch.rows):,} of {batch.count:,} rows)")
    lacking = ["values of weights"]
    lacking += [] if model.sizes else ["sizes of the model"]
    lacking += ["a batch"] if batch is None else sorted(batch.left_aside)
    lacking += ["labels"] if batch is not None and not batch.has_labels else []
    stated = f"use {use}" if use else "no use was stated"
    return f"not judged: {', '.join(dict.fromkeys(lacking))}; judged: {', '.join(judged)}; {stated}"


def _drawn(batch: FirstBatch, names: Mapping[int, str]) -> Iterator[Transcript]:
    """Yield the first row by token, in the form of a conversation."""
    for number, row in enumerate(batch.rows[:1]):
        tokens = tuple(_tokens(row, names))[:MOST_TOKENS]
        yield Transcript(f"row {number} of {batch.count:,}", tokens=tokens)


def _tokens(row: Row, names: Mapping[int, str]) -> Iterator[TranscriptToken]:
    for place, id in enumerate(row.ids):
        role = "masked" if row.mask is not None and not row.mask[place] else "batch"
        trained = None if row.labels is None else row.labels[place] != IGNORED
        yield TranscriptToken(id, names.get(id), role, trained)


def _card(report: Report) -> str:
    """Format the report in short, with the first row as `tokaudit chat` shows it."""
    drawn = [line.plain.rstrip() for one in report.transcripts for line in lines(one, WIDTH)]
    return "\n".join([str(report), *(["", *drawn, LEGEND] if drawn else [])])
