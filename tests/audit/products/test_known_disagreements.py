"""Disagreements of engines that were found by hand are found again, on no longer a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from locations import ROOT

import tokaudit
from tokaudit.products.engines import compared_runtimes as runtimes
from tokaudit.products.engines import runtime_speed
from tokaudit.products.engines.referee import long_texts
from tokaudit.report.comparison import Outcome
from tokaudit.report.recorded import RuntimeState
from tokaudit.runtimes.registry import lacks
from tokaudit.subject.upstream.versions import FIVE

pytestmark = pytest.mark.runtimes
JS = "@huggingface/tokenizers"
KNOWN = {
    ("phi-2", "onnxruntime-extensions", "split"): " a",
    ("modernbert-base", "onnxruntime-extensions", "split"): " a",
    ("phi-3-mini", "onnxruntime-extensions", "merges"): "\u00a0",
    ("t5-small", "onnxruntime-extensions", "merges"): "0",
    ("phi-2", "kitoken", "split"): "\n'll",
    ("phi-3-mini", "kitoken", "added tokens"): "</s> x",
    ("roberta-base", "kitoken", "added tokens"): " <mask>",
    ("bert-base-uncased", "kitoken", "added tokens"): "[PAD]",
    ("clip-base", "kitoken", "normalizer"): "aΣ",
    ("t5-small", "kitoken", "split"): " ",
    ("t5-small", "tokie", "split"): " ",
    ("clip-base", "tokie", "split"): " ",
    ("bert-base-uncased", "tokie", "normalizer"): "\u007f",
    ("whisper-large-v3", "tokie", "split"): "'S'T'RE",
    ("t5-small", JS, "split"): "\u0085",
    ("bert-base-uncased", JS, "normalizer"): "aΣ",
    ("clip-base", JS, "normalizer"): "aΣ",
    ("modernbert-base", JS, "added tokens"): "a[UNK]b",
    ("cl100k_base/cl100k_base.tiktoken", "gpt-tokenizer", "merges"): "\ufeff",
    ("phi-3-mini", "transformers", "normalizer"): " ",
}
PLACES = {
    JS: ".venv/node",
    "gpt-tokenizer": ".venv/node",
    "transformers": f".venv/transformers-{FIVE}/bin/python",
}


@pytest.fixture(autouse=True)
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(runtimes.MOST_OF_A_KIND, "quick", 400)
    monkeypatch.setitem(long_texts.LARGEST, "quick", 10)
    monkeypatch.setattr(runtime_speed, "ROUNDS", 1)


def compared(material: Path, subject: str, runtime: str) -> tokaudit.Report:
    place = ROOT / PLACES.get(runtime, "")
    if not place.exists() or (place == ROOT and lacks(runtime)):
        pytest.skip(f"{runtime} is not installed: make runtimes")
    name = runtime if place == ROOT else f"{runtime}@{place}"
    folder = material / "tokenizers" / subject
    return tokaudit.compare_runtimes(folder, runtime=[name], tier="quick", timeout=600.0)


@pytest.mark.parametrize(("subject", "runtime", "cause"), KNOWN)
def test_it_is_found_again_with_its_stage(
    subject: str, runtime: str, cause: str, material: Path, processes: None
) -> None:
    comparison = compared(material, subject, runtime).comparison
    assert comparison is not None
    differing = {f.name: f for f in comparison.facets if f.outcome is Outcome.DIFFERS}
    assert cause in differing, comparison
    shown = differing[cause].evidence[0].text
    assert shown is not None and len(shown) <= len(KNOWN[subject, runtime, cause])


def test_an_engine_that_agrees_is_said_to(material: Path, processes: None) -> None:
    comparison = compared(material, "phi-2", "tokie").comparison
    assert comparison is not None and comparison.runtime is not None
    assert comparison.runtime.state is RuntimeState.AGREES
