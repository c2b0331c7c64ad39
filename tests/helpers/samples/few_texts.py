"""Comparisons of runtimes with few texts, where not their number but what becomes of them is tested."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokaudit.engine.samples import Sample, Samples
from tokaudit.products.engines import compared_runtimes as runtimes
from tokaudit.products.engines import runtime_speed
from tokaudit.products.engines.referee import long_texts


def few_texts(monkeypatch: pytest.MonkeyPatch, of_a_kind: int, largest: int) -> None:
    """So many drawn of each kind, long ones up to a power of two, and two sentences a language."""
    monkeypatch.setitem(runtimes.MOST_OF_A_KIND, "quick", of_a_kind)
    monkeypatch.setitem(long_texts.LARGEST, "quick", largest)
    monkeypatch.setattr(runtime_speed, "ROUNDS", 1)
    monkeypatch.setattr(Samples, "of_kind", _of_kind)


def _of_kind(samples: Samples, kind: str) -> tuple[Sample, ...]:
    few = (replace(each, sentences=each.sentences[:2]) for each in samples.all)
    return tuple(sample for sample in few if sample.kind == kind)
