"""From the default tier on, both encoders are asked for the text of every vocabulary entry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit

pytestmark = pytest.mark.usefixtures("processes")

ENTRIES = [f"w{number}" for number in range(4000)]  # more than a tier draws


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    """A tokenizer of whole words."""
    vocab = {word: id for id, word in enumerate(ENTRIES)}
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "w0"}
    whole = {"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}}
    (tmp_path / "tokenizer.json").write_text(json.dumps({**whole, "model": model}))
    return tmp_path


def compared(subject: Path, tier: str) -> tuple[int, str]:
    """On how many texts the two encoders were compared, and on which."""
    report = tokaudit.audit(subject, select=["agreement/reference"], tier=tier)
    (measured,) = report.result("agreement/reference").measurements
    return measured.n, measured.method


def test_every_entry_is_compared_in_the_default_tier(subject: Path) -> None:
    n, method = compared(subject, "default")
    assert "and 1,499 texts of other vocabulary entries" in method  # one of 4,000 is unknown
    assert n > len(ENTRIES)


def test_the_quick_tier_keeps_to_its_sample(subject: Path) -> None:
    n, method = compared(subject, "quick")
    assert "and 0 texts of other vocabulary entries" in method
    assert n < len(ENTRIES)


def test_what_the_library_refuses_is_counted_among_the_entries_too(subject: Path) -> None:
    whole = json.loads((subject / "tokenizer.json").read_text())
    whole["pre_tokenizer"] = {"type": "FixedLength", "length": 0}
    (subject / "tokenizer.json").write_text(json.dumps(whole))
    report = tokaudit.audit(subject, select=["round_trip/encodes"])
    (finding,) = report.result("round_trip/encodes").findings
    assert "refuses 8,452 of 8,453 texts" in finding.message
