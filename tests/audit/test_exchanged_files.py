"""A file is exchanged at every stage of an audit, and still one file is what was judged.

The stages are events inside the command, where a hook replaces a real file; nothing waits.  Those
of its start are of the installed command, and all others of a fork that has started.  What comes out must be what comes out of an undisturbed run over the old file, or over the new one, in
every byte that speaks of the subject.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from command_door import Door
from processes import Command
from worker_door import FORK

from tokaudit.foundation.errors import UnreadableError
from tokaudit.products.identity.statement import CHANGED
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.weights import read_headers
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import TEXT, gguf, tokenizer

LONGEST = 300  # seconds
PROGRAM = str(Path(sys.executable).with_name("tokaudit"))
HOOK = """
import json, os, sys

planned = json.loads(os.environ.pop("EXCHANGE", "null"))  # popped: workers have none

def exchange(event, arguments):
    global planned
    if planned and event == planned["event"] and planned["word"] in str(arguments[0]):
        planned["nth"] -= 1
        if not planned["nth"]:
            how, new, target = planned["how"], planned["new"], planned["target"]
            planned = None
            if how == "gone":
                os.unlink(target)
            elif how == "exchanged":
                os.replace(new, target)
            else:
                with open(new, "rb") as source, open(target, "r+b") as file:
                    file.write(source.read())
                    file.truncate()

sys.addaudithook(exchange)
"""
OLD, NEW = "old", "new"
AT_START = "import "
A_WORKER, ANOTHER_WORKER = (f"{FORK} worker {number}" for number in (1, 2))
STAGES: Mapping[str, tuple[str, str, bool]] = {
    "the options are parsed": ("import argparse 1", NEW, False),
    "the folder is listed": ("os.scandir subject 1", NEW, False),
    "its kind is looked at": ("open tokenizer.json 1", NEW, False),
    "the plug-ins are imported": ("import tokaudit.products.chat.work.injection 1", NEW, True),
    "a config is copied": ("open tokaudit-read- 1", NEW, True),
    "it is read": ("open tokenizer.json 2", NEW, True),
    "its copy is written": ("open tokaudit-read- 5", OLD, True),
    "its copy is read": ("open tokaudit-read- 6", OLD, True),
    "a worker starts": (A_WORKER, OLD, True),
    "another worker starts": (ANOTHER_WORKER, OLD, True),
    "the result is written": ("open manifest.json 1", OLD, False),
}


def write_subject(folder: Path, ids: tuple[int, int]) -> None:
    folder.mkdir()
    Folder.bpe({"a": ids[0], "b": ids[1], "ab": 2}, [["a", "b"]]).write(folder)
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": ids[0]}))


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    """A folder with a tokenizer and a config, next to other forms of both in `new`."""
    write_subject(tmp_path / "subject", (0, 1))
    write_subject(tmp_path / "new", (1, 0))
    return tmp_path / "subject"


@pytest.fixture(scope="module")
def undisturbed(
    tmp_path_factory: pytest.TempPathFactory, tokaudit_in_fork: Command
) -> dict[str, dict[str, Any]]:
    """What a manifest says of the old tokenizer, and of the new one with the old config."""

    def manifest(folder: Path) -> dict[str, Any]:
        return about_the_subject(tokaudit_in_fork("manifest", folder).stdout)[0]

    folder = tmp_path_factory.mktemp("undisturbed") / "subject"
    write_subject(folder, (0, 1))
    old, config = manifest(folder), (folder / "tokenizer_config.json").read_text()
    shutil.rmtree(folder)
    write_subject(folder, (1, 0))
    (folder / "tokenizer_config.json").write_text(config)
    return {OLD: old, NEW: manifest(folder)}


Exchange = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def exchange(tmp_path: Path, door: Door) -> Exchange:
    """Runs the command, and exchanges a file of the subject when an event happens inside."""

    def run(
        arguments: list[str | Path],
        stage: str,
        file: str = "tokenizer.json",
        how: str = "exchanged",
    ) -> subprocess.CompletedProcess[str]:
        event, word, nth = stage.split()
        plan = {"event": event, "word": word, "nth": int(nth), "how": how}
        plan |= {"new": str(tmp_path / "new" / file), "target": str(tmp_path / "subject" / file)}
        environment = {**os.environ, "EXCHANGE": json.dumps(plan)}
        command = list(map(str, arguments))
        if stage.startswith(AT_START):
            return installed(command, environment, tmp_path / "site")
        return door.run(command, LONGEST, environment, hook=HOOK)

    return run


def installed(
    arguments: list[str], environment: dict[str, str], site: Path
) -> subprocess.CompletedProcess[str]:
    """The installed command, which meets the hook as Python starts."""
    site.mkdir()
    (site / "sitecustomize.py").write_text(HOOK)
    return subprocess.run(
        [PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
        env={**environment, "PYTHONPATH": str(site)},
    )


def about_the_subject(text: str) -> tuple[dict[str, Any], bool]:
    """What a manifest says of the subject, and whether it says that the subject has changed."""
    statement = json.loads(text)
    environment = statement["predicate"].pop("environment")
    return statement, CHANGED in environment


@pytest.mark.parametrize("stage", STAGES)
def test_a_file_that_is_exchanged_is_judged_as_one_and_the_change_is_said(
    subject: Path,
    tmp_path: Path,
    exchange: Exchange,
    undisturbed: dict[str, dict[str, Any]],
    stage: str,
) -> None:
    event, which, said = STAGES[stage]
    out = tmp_path / "manifest.json"
    done = exchange(["manifest", subject, "--out", out], event)
    assert (done.returncode, done.stderr) == (0, "")
    assert about_the_subject(out.read_text()) == (undisturbed[which], said)


@pytest.mark.parametrize("how", ["written to", "gone"])
@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json"])
def test_a_file_that_is_written_to_or_gone_is_judged_as_it_was(
    subject: Path,
    tmp_path: Path,
    exchange: Exchange,
    undisturbed: dict[str, dict[str, Any]],
    file: str,
    how: str,
) -> None:
    out = tmp_path / "manifest.json"
    done = exchange(["manifest", subject, "--out", out], A_WORKER, file, how)
    assert (done.returncode, done.stderr) == (0, "")
    assert about_the_subject(out.read_text()) == (undisturbed[OLD], True)


def test_an_audit_says_after_its_scope_which_file_was_exchanged(
    subject: Path, tmp_path: Path, exchange: Exchange
) -> None:
    out = tmp_path / "report.json"
    arguments = ["audit", subject, "--select=agreement/reference", "--quiet", "--out", out]
    before = hashlib.sha256((subject / "tokenizer.json").read_bytes()).hexdigest()
    done = exchange(arguments, STAGES["its copy is read"][0])
    report = json.loads(out.read_text())
    assert (done.returncode, report["verdict"]) == (0, "pass")
    said = "; changed during the audit, judged as first read: tokenizer.json"
    assert report["scope"].endswith(said)
    [tokenizer] = [file for file in report["subject"]["files"] if file["name"] == "tokenizer.json"]
    assert (tokenizer["sha256"], tokenizer["changed"]) == (before, True)


def test_verify_notes_what_was_exchanged_and_compares_what_it_read_first(
    subject: Path, tmp_path: Path, exchange: Exchange, tokaudit_in_fork: Command
) -> None:
    out = tmp_path / "manifest.json"
    tokaudit_in_fork("manifest", subject, "--out", out)
    done = exchange(["verify", subject, out], A_WORKER)
    said = "was exchanged or written to meanwhile; compared is what was read first"
    assert (done.returncode, done.stdout) == (0, f"note: tokenizer.json {said}\n")


@pytest.mark.parametrize("option", ["--base", "--against"])
def test_what_a_subject_is_compared_with_is_read_once_too(
    subject: Path, tmp_path: Path, exchange: Exchange, option: str
) -> None:
    out, other = tmp_path / "report.json", tmp_path / "other"
    other.mkdir()
    (other / "tokenizer.json").write_bytes((subject / "tokenizer.json").read_bytes())
    before = hashlib.sha256((subject / "tokenizer.json").read_bytes()).hexdigest()
    arguments = ["audit", other, option, subject, "--tier=quick", "--quiet", "--out", out]
    arguments += ["--select=agreement"]
    done = exchange(arguments, ANOTHER_WORKER)
    report = json.loads(out.read_text())
    assert (done.returncode, done.stderr) == (0, "")
    [compared] = report["others"]
    [file] = [file for file in compared["files"] if file["name"] == "tokenizer.json"]
    assert (file["sha256"], file["changed"]) == (before, True)


def exchanged(folder: Path, name: str, data: bytes) -> None:
    """Put another file in the place of one, as a download does."""
    new = folder / f"{name}.part"
    new.write_bytes(data)
    new.replace(folder / name)


def encoded(request: Any) -> tuple[int, ...]:
    with WorkerTokenizer(request) as tokenizer:
        return tokenizer.encode(["ab"])[0].ids


def in_two_files(folder: Path) -> Path:
    (folder / "vocab.json").write_text('{"a": 0, "b": 1, "ab": 2}')
    (folder / "merges.txt").write_text("a b\n")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2Tokenizer"}')
    return folder


@pytest.mark.usefixtures("workers_in_forks")
def test_workers_load_every_file_of_a_tokenizer_from_what_was_parsed(
    tmp_path: Path, processes: None
) -> None:
    subject = open_subject(in_two_files(tmp_path))
    [(representation, spec)] = parse_all(subject).parsed
    exchanged(tmp_path, "vocab.json", b'{"a": 5, "b": 6}')
    exchanged(tmp_path, "merges.txt", b"")
    assert encoded(reference_request(spec)) == (2,)
    assert encoded(upstream_request(subject, representation, spec)) == (2,)


@pytest.mark.usefixtures("workers_in_forks")
def test_a_request_keeps_the_copies_that_it_names(tmp_path: Path, processes: None) -> None:
    subject = open_subject(in_two_files(tmp_path))
    [(representation, spec)] = parse_all(subject).parsed
    request = upstream_request(subject, representation, spec)
    copies = [Path(file) for file in request.files]
    del subject
    assert encoded(request) == (2,)
    assert all(copy.is_file() for copy in copies)
    del request
    assert not any(copy.exists() for copy in copies)


@pytest.mark.usefixtures("workers_in_forks")
def test_of_a_model_in_one_file_the_header_is_copied_and_the_weights_are_not(
    tmp_path: Path,
    processes: None,
) -> None:
    path, size = tmp_path / "model.gguf", 10_000_000
    keys = tokenizer("gpt2", ["a", "b", "ab"], merges=(TEXT, ["a b"]), pre=(TEXT, "gpt-2"))
    path.write_bytes(gguf(keys, [("w", (1000,), 0, 0)], weights=size))
    header = path.stat().st_size - size
    subject = open_subject(tmp_path)
    [(_, spec)] = parse_all(subject).parsed
    read_headers(subject)
    [file] = subject.files
    digest, read = file.content.digest()
    assert digest == hashlib.sha256(path.read_bytes()[:read]).hexdigest()
    assert header - 32 < read <= header
    copy = file.content.copy
    assert copy is not None and copy.stat().st_size < 1_000_000
    exchanged(tmp_path, path.name, b"GGUF, and no more")
    assert read_headers(subject).tensors.keys() == {"w"}
    assert encoded(reference_request(spec)) == (2,)
    with pytest.raises(UnreadableError, match="was replaced while it was being read"):
        file.content.digest_of_all()


def test_a_header_of_weights_is_digested_as_far_as_it_goes(tmp_path: Path) -> None:
    header = json.dumps({"w": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}}).encode()
    data = len(header).to_bytes(8, "little") + header
    (tmp_path / "model.safetensors").write_bytes(data + b"1234")
    (tmp_path / "vocab.json").write_text("{}")
    (tmp_path / "merges.txt").write_text("")
    subject = open_subject(tmp_path)
    assert read_headers(subject).tensors.keys() == {"w"}
    weights = subject.file("model.safetensors")
    assert weights is not None
    assert weights.content.digest() == (hashlib.sha256(data).hexdigest(), len(data))
    exchanged(tmp_path, "model.safetensors", data + b"4321")
    assert not weights.content.has_changed()
    exchanged(tmp_path, "model.safetensors", data.replace(b"U8", b"I8") + b"1234")
    assert weights.content.has_changed()
    with pytest.raises(UnreadableError, match="was replaced while it was being read"):
        weights.content.digest_of_all()


def test_where_nothing_can_be_copied_the_parent_still_reads_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vocab.json").write_text('{"a": 0}')
    (tmp_path / "merges.txt").write_text("")
    subject = open_subject(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    assert [spec.pieces.keys() for _, spec in parse_all(subject).parsed] == [{0}]
    exchanged(tmp_path, "vocab.json", b'{"b": 1}')
    assert [spec.pieces.keys() for _, spec in parse_all(subject).parsed] == [{0}]
    vocab = subject.file("vocab.json")
    assert vocab is not None and vocab.content.has_changed()
