"""`tokaudit train`: what it refuses it says, and it writes a folder whole or not at all."""

from __future__ import annotations

import os
import pty
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

SPECIAL = ("--special", "<|endoftext|>", "--special", "<|pad|>", "--skip-audit")
PROGRAM = str(Path(sys.executable).parent / "tokaudit")
GOOD = ("--vocab-size", "300", "--out", "OUT")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--vocab-size", "300"), "--out"),
        (("--vocab-size", "many", "--out", "OUT"), "'many' is not a number"),
        (("--vocab-size", "255", "--out", "OUT"), "the 256 bytes and 0 special tokens need 256"),
        (("--vocab-size", "257", "--out", "OUT", *SPECIAL), "2 special tokens need 258"),
        ((*GOOD, "--pattern", "(a"), "does not compile"),
        ((*GOOD, "--pattern", "gpt5"), "no pattern is called 'gpt5'; known patterns: gpt2, cl100k"),
        ((*GOOD, "--pattern", r"\p{N}{1,3}+"), "leave out the '+'"),
        ((*GOOD, "--tie-break", "coin"), "lowest_id, lexicographic_max, first_seen"),
        ((*GOOD, "--special", " "), "holds characters that do not print"),
        ((*GOOD, "--role", "eos"), "expected ROLE=TOKEN"),
        ((*GOOD, "--role", "end=<x>"), "--role: 'end' is not a known role"),
        ((*GOOD, "--model", "unigram", "--pattern", "gpt2"), "--pattern has no meaning"),
        ((*GOOD, "--model", "wordpiece", "--digits", "one"), "--digits has no meaning"),
        ((*GOOD, "--alphabet", "characters", "--pattern", "gpt2"), "--pattern has no meaning"),
        ((*GOOD, "--coverage", "0.9"), "--coverage works only with --alphabet=characters"),
        ((*GOOD, "--held-out", "1.5"), "is not a share above 0 and at most 1"),
        ((*GOOD, "--report", "r.html", "--skip-audit"), "--report writes the audit's report"),
        (
            ("--vocab-size", "1k,2k", "--out", "OUT", "--report", "r.html"),
            "works only with one --vocab-size",
        ),
        (("--vocab-size", "8K", "--out", "OUT"), "'8K' is not a number"),
        (("--vocab-size", "300", "--out", "OUT/deep/er"), "make it first"),
    ],
)
def test_what_cannot_be_trained_is_said_before_the_corpus_is_read(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    arguments: tuple[str, ...],
    says: str,
) -> None:
    fifo = tmp_path / "corpus"
    os.mkfifo(fifo)  # whoever opens it waits for ever
    placed = [part.replace("OUT", str(tmp_path / "out")) for part in arguments]
    done = tokaudit_in_fork("train", fifo, *placed, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert list(tmp_path.iterdir()) == [fifo]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"good\n\xff bad", "byte 0xff at offset 5"),
        ("é".encode()[:1], "byte 0xc3 at offset 0"),
        (b"", "no text was found"),
        (None, "cannot be read: No such file"),
    ],
)
def test_a_corpus_that_cannot_be_read_ends_with_exit_3(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    content: bytes | None,
    says: str,
) -> None:
    corpus, out = tmp_path / "corpus.txt", tmp_path / "out"
    if content is not None:
        corpus.write_bytes(content)
    done = tokaudit_in_fork("train", corpus, "--vocab-size", 300, "--out", out)
    assert (done.returncode, done.stdout) == (3, "")
    assert "corpus.txt" in done.stderr and says in done.stderr
    assert list(tmp_path.iterdir()) == [corpus] * (content is not None)


@pytest.mark.parametrize("model", ["wordpiece", "unigram"])
def test_an_alphabet_too_large_for_the_vocabulary_is_said(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    model: str,
) -> None:
    (tmp_path / "c").write_text("abcdefgh " * 3)
    done = tokaudit_in_fork(
        *("train", tmp_path / "c", "--vocab-size", 6, "--model", model, "--out", tmp_path / "out")
    )
    assert done.returncode == 2
    assert "--vocab-size 6 is too small: the corpus's" in done.stderr


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One module of Python's own library."""
    file = tmp_path_factory.mktemp("corpus") / "library.txt"
    file.write_text((Path(os.__file__).parent / "textwrap.py").read_text())
    return file


def small(
    tokaudit_in_fork, corpus: Path, out: Path, *more: str
) -> subprocess.CompletedProcess[str]:  # type: ignore[no-untyped-def]
    arguments = ("--model", "wordpiece", "--vocab-size", 200, "--skip-audit", "--out", out, *more)
    return tokaudit_in_fork("train", corpus, *arguments)  # type: ignore[no-any-return]


def test_a_folder_that_holds_something_is_replaced_only_by_force(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    corpus: Path,
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert small(tokaudit_in_fork, corpus, out).returncode == 0  # an empty folder is free
    (out / "vocab.txt").write_text("stale")
    refused = small(tokaudit_in_fork, corpus, out)
    assert (refused.returncode, (out / "vocab.txt").read_text()) == (2, "stale")
    assert "--force" in refused.stderr
    assert small(tokaudit_in_fork, corpus, out, "--force").returncode == 0
    assert (out / "vocab.txt").read_text().startswith("[UNK]\n")
    assert list(tmp_path.iterdir()) == [out]


def test_force_gives_up_nothing_that_no_training_wrote(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    corpus: Path,
    tmp_path: Path,
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "model.safetensors").write_text("weights")
    done = small(tokaudit_in_fork, corpus, tmp_path / "out", "--force")
    assert done.returncode == 2
    assert "model.safetensors, which tokaudit train did not write" in done.stderr
    assert (tmp_path / "out" / "model.safetensors").read_text() == "weights"


@pytest.fixture(scope="module")
def slow_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Words enough to train on for some seconds."""
    chance = random.Random(5)
    words = ("".join(chance.choices("abcdefghij", k=chance.randint(3, 12))) for _ in range(60_000))
    file = tmp_path_factory.mktemp("slow") / "words.txt"
    file.write_text(" ".join(words))
    return file


def test_an_interrupted_training_leaves_nothing_behind(
    slow_corpus: Path, tmp_path: Path, processes: None
) -> None:
    arguments = ("--model", "unigram", "--vocab-size", "500", "--out", str(tmp_path / "out"))
    with subprocess.Popen(
        [PROGRAM, "train", str(slow_corpus), *arguments],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a job may ignore it
    ) as running:
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert [path.name[:9] for path in tmp_path.iterdir()] == [".tokaudit"]
        running.send_signal(signal.SIGINT)
        said = running.communicate(timeout=60)[1]
    assert (running.returncode, said) == (130, "tokaudit: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_sees_a_bar_with_rate_and_time_left(
    slow_corpus: Path, tmp_path: Path, processes: None
) -> None:
    arguments = ("--model", "wordpiece", "--vocab-size", "3000", "--out", str(tmp_path / "out"))
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "train", str(slow_corpus), *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    ) as running:
        os.close(theirs)
        shown = _until_closed(ours)
        printed = running.communicate(timeout=60)[0]
    assert (running.returncode, printed) == (0, b"")
    assert "merging" in shown and "%" in shown and re.search(r"[1-9]/s", shown)
    assert re.search(r"\d:\d\d:\d\d", shown) and "audit: PASS" in shown


def _until_closed(terminal: int) -> str:
    """What a terminal is shown; it has to be read all along, as its buffer is small."""
    found = b""
    with suppress(OSError):  # as Linux says that the other end is closed
        while part := os.read(terminal, 100_000):
            found += part
    os.close(terminal)
    return found.decode()
