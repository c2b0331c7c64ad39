"""No alarm on tokenizers that people use every day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.engine.check import Check
from tokaudit.engine.resolver import Needs
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Finding, Severity

SUITES = ("vocab", "merges", "special_tokens", "embeddings", "padding")
NEED_OTHERS = ("against", "independent", "upstream", "base")


def alarms(needs: Needs, checks: dict[str, Check]) -> list[str]:
    reported = []
    for id, check in checks.items():
        if check.suite not in SUITES or any(word in id for word in NEED_OTHERS):
            continue
        try:
            output = list(check.function(**needs.arguments(check.function)))
        except (NotApplicable, Skip):
            continue
        found = [item for item in output if isinstance(item, Finding)]
        reported += [f"{f.severity} {id}" for f in found if f.severity is not Severity.INFO]
    return reported


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("t5-small", []),
        ("sentencepiece-test", []),
        ("phi-3-mini", ["warning padding/pad-token"]),
    ],
)
def test_a_healthy_tokenizer_gives_only_true_warnings(
    needs_of: Callable[[Path], Needs],
    checks: dict[str, Check],
    material: Path,
    name: str,
    expected: list[str],
    processes: None,
) -> None:
    assert alarms(needs_of(material / "tokenizers" / name), checks) == expected


@pytest.mark.published
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gpt2", []),
        ("cl100k_base", []),
        ("clip-base", []),
        ("mistral-7b-v0.1", []),
        ("mpt", []),
        ("phi-2", []),
        ("roberta-base", []),
        ("whisper-large-v3", ["warning padding/pad-token", "warning special_tokens/role-ids"]),
    ],
)
def test_a_large_healthy_tokenizer_gives_only_true_warnings(
    needs_of: Callable[[Path], Needs],
    checks: dict[str, Check],
    material: Path,
    name: str,
    expected: list[str],
) -> None:
    assert alarms(needs_of(material / "tokenizers" / name), checks) == expected
