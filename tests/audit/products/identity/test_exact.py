"""`verify --exact`: every file counts, whatever the tokenizer is read from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from locations import ROOT
from processes import starts_processes

import tokaudit
from tokaudit.foundation.errors import UsageError


def written(place: Path) -> Path:
    """A tokenizer, a file that nobody reads, and one below a folder."""
    made = place / "subject"
    (made / "docs").mkdir(parents=True)
    source = ROOT / "suites/tokaudit_suites/throughput/yardstick.json"
    (made / "tokenizer.json").write_bytes(source.read_bytes())
    (made / "README.md").write_text("a model")
    (made / "docs" / "more.txt").write_text("of it")
    (made / "link.md").symlink_to("README.md")
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture(scope="module")
@starts_processes
def manifest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What is stated of such a folder before anything is done to it."""
    return tokaudit.manifest(written(tmp_path_factory.mktemp("before")))


def rewritten(folder: Path) -> None:
    """The same tokenizer in other bytes."""
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(json.loads(path.read_text()), indent=3))


# what is done to the folder, and the files that are then named
CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "nothing": (lambda _: None, []),
    "other words in a file nobody reads": (
        lambda folder: (folder / "docs" / "more.txt").write_text("of that"),
        ["docs/more.txt"],
    ),
    "a file that is added": (lambda f: (f / "modeling.py").write_text("1"), ["modeling.py"]),
    "an empty file that is added": (lambda f: (f / "empty").touch(), ["empty"]),
    "weights that are added": (
        lambda f: (f / "model.safetensors").write_bytes(bytes([2, *7 * [0]]) + b"{}"),
        ["model.safetensors"],
    ),
    "a file that is gone": (lambda f: (f / "docs" / "more.txt").unlink(), ["docs/more.txt"]),
    "the tokenizer written differently": (rewritten, ["tokenizer.json"]),
    "a link that leads elsewhere": (
        lambda f: ((f / "link.md").unlink(), (f / "link.md").symlink_to("gone")),
        ["link.md"],
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_file_that_differs_is_drift(
    change: str, folder: Path, manifest: dict[str, object]
) -> None:
    act, names = CHANGES[change]
    act(folder)
    drifts = tokaudit.verify(folder, manifest, exact=True)
    assert [each.name for each in drifts if each.gated] == names


def test_without_it_only_the_tokenizer_counts(folder: Path, manifest: dict[str, object]) -> None:
    (folder / "README.md").write_text("another")
    assert [each for each in tokaudit.verify(folder, manifest) if each.gated] == []


def test_weights_without_a_digest_cannot_be_verified_exactly(folder: Path, processes: None) -> None:
    (folder / "model.safetensors").write_bytes(bytes([2, *7 * [0]]) + b"{}")
    with pytest.raises(
        UsageError, match=r"no digest of model\.safetensors; write the manifest again with --hash"
    ):
        tokaudit.verify(folder, tokaudit.manifest(folder), exact=True)
    hashed = tokaudit.manifest(folder, hash_weights=True)
    assert not [each for each in tokaudit.verify(folder, hashed, exact=True) if each.gated]
    (folder / "model.safetensors").write_bytes(bytes([3, *7 * [0]]) + b"{ }")
    found = tokaudit.verify(folder, hashed, exact=True)
    assert [each.name for each in found if each.gated] == ["model.safetensors"]
