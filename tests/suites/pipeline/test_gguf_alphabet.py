"""A GGUF file is asked whether its label fits its alphabet, and for no step of tokenizer.json."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tokaudit.report.model import Finding, Severity
from tokaudit_faults.folders import engines

Ask = Callable[..., list[object]]


def test_a_byte_level_file_that_says_so_is_silent(ask: Ask, tmp_path: Path) -> None:
    engines.alone(tmp_path / "model")
    assert ask("pipeline/byte-components", tmp_path / "model") == []


def test_a_byte_level_vocabulary_that_is_called_sentencepiece_is_an_error(
    ask: Ask, tmp_path: Path
) -> None:
    engines.alone(tmp_path / "model")
    engines.gguf_that_calls_byte_level_sentencepiece(tmp_path / "model")
    found = ask("pipeline/byte-components", tmp_path / "model")
    assert found and all(isinstance(f, Finding) and f.severity is Severity.ERROR for f in found)
