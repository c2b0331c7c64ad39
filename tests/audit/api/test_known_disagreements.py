"""Disagreements of engines that were found by hand are found again, on no longer a text."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

import tokaudit
from tokaudit.comparison.referee import long_texts
from tokaudit.engine.comparing import runtime_speed, runtimes
from tokaudit.report.comparison import Outcome
from tokaudit.report.recorded import RuntimeState

pytestmark = [pytest.mark.runtimes, pytest.mark.process]
KNOWN = {
    ("phi-2", "onnxruntime-extensions", "split"): " a",
    ("phi-2", "kitoken", "split"): "\n'll",
    ("phi-3-mini", "kitoken", "added tokens"): "</s> x",
    ("clip-base", "kitoken", "normalizer"): "aΣ",
    ("t5-small", "tokie", "normalizer"): " ",
    ("t5-small", "kitoken", "normalizer"): " ",
}


@pytest.fixture(autouse=True)
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(runtimes.MOST_OF_A_KIND, "quick", 60)
    monkeypatch.setitem(long_texts.LARGEST, "quick", 10)
    monkeypatch.setattr(runtime_speed, "ROUNDS", 1)


def compared(material: Path, subject: str, runtime: str) -> tokaudit.Report:
    if find_spec(runtime.replace("-", "_")) is None:
        pytest.skip(f"{runtime} is not installed: make runtimes")
    folder = material / "tokenizers" / subject
    return tokaudit.compare_runtimes(folder, runtime=[runtime], tier="quick", timeout=600.0)


@pytest.mark.parametrize(("subject", "runtime", "cause"), KNOWN)
def test_it_is_found_again_with_its_stage(
    subject: str, runtime: str, cause: str, material: Path
) -> None:
    comparison = compared(material, subject, runtime).comparison
    assert comparison is not None
    differing = {f.name: f for f in comparison.facets if f.outcome is Outcome.DIFFERS}
    shown = differing[cause].evidence[0].text
    assert shown is not None and len(shown) <= len(KNOWN[subject, runtime, cause])


def test_an_engine_that_agrees_is_said_to(material: Path) -> None:
    comparison = compared(material, "phi-2", "tokie").comparison
    assert comparison is not None and comparison.runtime is not None
    assert comparison.runtime.state is RuntimeState.AGREES
