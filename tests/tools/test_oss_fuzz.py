"""The targets in the form of OSS-Fuzz: each takes its kept corpus, and whatever else is drawn."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokaudit_fuzz.oss_fuzz as targets
from tokaudit.foundation import removal

HERE = Path(targets.__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("fuzz_*.py"))
CORPUS = [(name, path) for name in NAMES for path in sorted((HERE / "corpus" / name).iterdir())]


def target(name: str) -> Callable[[bytes], None]:
    found: Callable[[bytes], None] = importlib.import_module(
        f"{targets.__name__}.{name}"
    ).TestOneInput
    return found


@pytest.mark.parametrize(
    ("name", "path"), CORPUS, ids=[f"{name}-{path.name}" for name, path in CORPUS]
)
def test_what_is_kept_escapes_nowhere(name: str, path: Path) -> None:
    target(name)(path.read_bytes())


def test_every_target_has_a_corpus_and_is_built() -> None:
    assert sorted(path.name for path in (HERE / "corpus").iterdir()) == NAMES
    assert "fuzz_*.py" in (HERE / "build.sh").read_text()


@settings(max_examples=20, deadline=None)
@given(data=st.binary(max_size=120))
def test_any_program_on_a_folder_is_undone(data: bytes) -> None:
    target("fuzz_worker_folder")(data)


def test_a_removal_that_leaves_something_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module(f"{targets.__name__}.fuzz_worker_folder")

    def removed(path: str) -> None:
        removal.remove_tree(f"{path}/a")

    monkeypatch.setattr(module, "remove_tree", removed)
    with pytest.raises(AssertionError):
        module.TestOneInput(bytes([0, 0, 0, 1]))
