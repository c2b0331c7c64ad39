"""Pickles, programs and code next to a tokenizer are reported as their harm deserves."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_tokenizers import put

import tokaudit
import tokaudit_suites.throughput
from tokaudit.report.model import Severity, Status

YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
PICKLE, ZIP, ELF = b"\x80\x04\x95\x00", b"PK\x03\x04\x00\x00", b"\x7fELF\x02\x01\x01\x00"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    put(tmp_path / "tokenizer.json", YARDSTICK.read_bytes())
    return tmp_path


def reported(folder: Path) -> list[tuple[Severity, str]]:
    return [(f.severity, f.cause) for f in tokaudit.run_check("files/remote-code", folder).findings]


@pytest.mark.parametrize(
    ("name", "data", "severity", "cause"),
    [
        ("training_args.bin", ZIP, Severity.INFO, "pickle"),
        ("checkpoint/optimizer.pt", ZIP, Severity.INFO, "pickle"),
        ("scaler.pkl", b"(dp0\n.", Severity.INFO, "pickle"),
        ("notes.dat", PICKLE, Severity.INFO, "pickle"),
        ("tokenizer.pkl", PICKLE, Severity.WARNING, "tokenizer"),
        ("old_vocab.pt", ZIP, Severity.WARNING, "tokenizer"),
        ("modeling_own.py", b"import os\n", Severity.INFO, "source"),
        ("merge.sh", b"#!/bin/sh\n", Severity.INFO, "source"),
        ("kernels.so", ELF, Severity.WARNING, "program"),
        ("helper", ELF, Severity.WARNING, "program"),
        ("setup.dat", b"MZ\x90\x00\x03\x00", Severity.WARNING, "program"),
    ],
)
def test_what_runs_code_is_told(
    model: Path, name: str, data: bytes, severity: Severity, cause: str
) -> None:
    put(model / name, data)
    assert reported(model) == [(severity, cause)]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("pytorch_model.bin", ZIP),
        ("pytorch_model-00001-of-00002.bin", ZIP),
        ("2_Dense/pytorch_model.bin", ZIP),
        ("consolidated.00.pth", ZIP),
        ("adapter_model.bin", PICKLE),
        ("tokenizer.bin", b"\x1b\x00\x00\x00<unk>"),
        ("vocab.txt", b"MZ\nabc\n"),
        ("README.md", b"# model\n"),
    ],
)
def test_weights_of_torch_and_plain_files_are_not(model: Path, name: str, data: bytes) -> None:
    put(model / name, data)
    assert reported(model) == []


def test_a_package_is_code_itself(model: Path) -> None:
    put(model / "__init__.py", b"")
    put(model / "kernels.so", ELF)
    assert tokaudit.run_check("files/remote-code", model).status is Status.PASSED
