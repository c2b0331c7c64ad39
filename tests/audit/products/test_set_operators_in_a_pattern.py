"""A rank file whose pattern has operators in its sets is audited as tiktoken runs it."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.model import Status
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.training.textbook_bpe import train_textbook

UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]"
ENDING = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
# As published with Kimi K2.
KIMI_K2 = "|".join(
    [
        r"[\p{Han}]+",
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{ENDING}",
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{ENDING}",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
TEXT = "It's the price of the book, and the prices of all books; the 漢字 of the 漢 dynasty. мир миру\n"


@pytest.fixture(scope="module")
def rank_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rank file of 256 bytes and 60 merges, trained on pieces of the pattern."""
    pieces = Counter(compiled(KIMI_K2, rust=True).findall(TEXT))
    values = [bytes([byte]) for byte in range(256)]
    words = [(tuple(piece.encode()), count) for piece, count in pieces.items()]
    for left, right in train_textbook(words, values, 60):
        values.append(values[left] + values[right])
    lines = [f"{b64encode(token).decode()} {rank}" for rank, token in enumerate(values)]
    path = tmp_path_factory.mktemp("ranks") / "small.tiktoken"
    path.write_text("\n".join([*lines, ""]))
    return path


def test_a_text_is_cut_at_han_and_nothing_is_dropped() -> None:
    assert compiled(KIMI_K2, rust=True).findall("Hello漢字мир's 1234") == [
        *("Hello", "漢字", "мир's", " ", "123", "4"),
    ]


def test_the_audit_reports_nothing(rank_file: Path, processes: None) -> None:
    report = tokaudit.audit(str(rank_file), pattern=KIMI_K2)
    assert [finding for result in report.results for finding in result.findings] == []
    status = {result.check: result.status for result in report.results}
    assert status["agreement/reference"] is Status.PASSED
