"""Servers on loopback: the forms that are known, and servers that do what none should."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from few_texts import few_texts

import tokaudit
from tokaudit.foundation.errors import UsageError
from tokaudit.products.engines import compared_runtimes as runtimes
from tokaudit.report.recorded import RuntimeRecord, RuntimeState
from tokaudit.runtimes.adapters import server
from tokaudit.runtimes.adapters.server import host_and_port
from tokaudit.runtimes.named_runtimes import RuntimeRequest, runtime_request
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerTokenizer
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("workers_in_forks")
Answer = Callable[[str, Any], tuple[int, bytes | Iterable[bytes]]]


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """A server on a free port of loopback that answers each POST."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, data = answer(self.path, body)
            with suppress(ConnectionError):  # a client that has read enough disconnects
                self.send_response(status)
                self.send_header("Location", "http://192.0.2.1/")
                self.end_headers()
                for part in [data] if isinstance(data, bytes) else data:
                    self.wfile.write(part)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}"
    finally:
        running.shutdown()
        running.server_close()


def opened(url: str) -> WorkerTokenizer:
    return WorkerTokenizer(LoadRequest("server", place=url))


def of_vllm(path: str, body: Any) -> tuple[int, bytes]:
    """The form of vLLM: an id for each code point, 1 first where special tokens are asked for."""
    if path == "/detokenize":
        return 200, json.dumps({"prompt": "".join(map(chr, body["tokens"]))}).encode()
    if "prompt" not in body:
        return 400, b"{}"
    ids = [1] * body["add_special_tokens"] + [ord(each) for each in body["prompt"]]
    return 200, json.dumps({"count": len(ids), "tokens": ids}).encode()


def test_a_server_of_the_form_of_vllm_encodes_and_decodes(processes: None) -> None:
    with served(of_vllm) as url, opened(url) as tokenizer:
        assert tokenizer.info.version == "(vLLM or SGLang)"
        assert tokenizer.encode(["ab"])[0].ids == (97, 98)
        assert tokenizer.encode(["a"], EncodeOptions(add_special_tokens=True))[0].ids == (1, 97)
        assert tokenizer.decode([[97, 98]]) == ["ab"]


def test_a_server_of_the_form_of_tgi_only_encodes(processes: None) -> None:
    def answer(path: str, body: Any) -> tuple[int, bytes]:
        if "inputs" not in body:
            return 422, b"{}"
        return 200, json.dumps([{"id": ord(each)} for each in body["inputs"]]).encode()

    with served(answer) as url, opened(url) as tokenizer:
        assert tokenizer.encode(["ab"])[0].ids == (97, 98)
        assert "decode" not in tokenizer.capabilities


@pytest.mark.parametrize(
    ("status", "data", "reason"),
    [
        (302, b"", "status 302"),
        (200, b"no JSON", "JSONDecodeError"),
        (200, b'{"tokens": "abc"}', "not a list of numbers"),
        (200, b'{"tokens": [NaN]}', "not a list of numbers"),
        (200, b"[" + b"1," * (17 << 20), "more than 33,554,432 bytes"),
    ],
    ids=["redirects", "no JSON", "letters", "NaN", "34 MB"],
)
def test_a_server_that_answers_something_else_is_refused_with_the_reason(
    status: int, data: bytes, reason: str, processes: None
) -> None:
    with served(lambda path, body: (status, data)) as url, opened(url) as tokenizer:
        with pytest.raises(UpstreamRefused, match="no known form of server") as refused:
            _ = tokenizer.info
        assert reason in str(refused.value)


@pytest.fixture
def ended() -> Iterator[threading.Event]:
    """What a server may wait for that is never to answer: it comes after the test."""
    event = threading.Event()
    yield event
    event.set()


def test_a_server_that_stalls_is_not_waited_for(ended: threading.Event) -> None:
    def stall(path: str, body: Any) -> tuple[int, bytes]:
        ended.wait()
        return 200, b"{}"

    with served(stall) as url, pytest.raises(ValueError, match=r"no answer within 0\.05 s"):
        server.load(LoadRequest("server", place=url, patience=0.05))


def test_nor_is_one_whose_answer_never_ends(ended: threading.Event) -> None:
    def drips() -> Iterator[bytes]:
        while not ended.wait(0.01):
            yield b" "

    answered = served(lambda path, body: (200, drips()))
    with answered as url, pytest.raises(ValueError, match=r"no answer within 0\.1 s"):
        server.load(LoadRequest("server", place=url, patience=0.1))


def test_after_three_answers_in_a_row_that_are_none_a_server_is_not_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def answer(path: str, body: Any) -> tuple[int, bytes]:
        asked.append(body["content"])
        return 200, b'{"tokens": [7]}' if body["content"] == "a" else b"[" * 200

    monkeypatch.setattr(server, "LARGEST", 100)
    with served(answer) as url:
        tokenizer = server.load(LoadRequest("server", place=url))
        found = tokenizer.encode(["b", "a", *"cdefg"])
    assert [one.ids for one in found] == [(), (7,), *[()] * 5]
    assert ["given up" in str(one.error) for one in found] == [False] * 5 + [True] * 2
    assert asked == ["a", "b", "a", "c", "d", "e"]


@pytest.mark.parametrize(
    ("status", "data", "state", "why"),
    [
        (302, b"", RuntimeState.REFUSES, "status 302"),
        (200, b'{"tokens": [NaN]}', RuntimeState.REFUSES, "not a list of numbers"),
        (200, b'{"tokens": "' + b"1" * 1_000_000, RuntimeState.REFUSES, "Unterminated string"),
        (200, b'{"tokens": [1180591620717411303424]}', RuntimeState.REFUSES, "no 32 bits hold"),
    ],
    ids=["redirects", "NaN", "1 MB that ends in the middle", "an id beyond all"],
)
def test_a_server_that_begins_well_and_ends_badly_leaves_the_other_rows_whole(
    status: int,
    data: bytes,
    state: RuntimeState,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    processes: None,
) -> None:
    hostile, sound = compared(lambda: (status, data), tmp_path, monkeypatch)
    assert (hostile.state, sound.state) == (state, RuntimeState.AGREES)
    assert why in hostile.why


def test_a_server_that_sends_a_gigabyte_leaves_the_other_rows_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    megabyte = b"1," * (1 << 19)
    hostile, sound = compared(lambda: (200, repeat(megabyte, 1_000)), tmp_path, monkeypatch)
    assert (hostile.state, sound.state) == (RuntimeState.REFUSES, RuntimeState.AGREES)
    assert "more than 33,554,432 bytes" in hostile.why


def test_a_server_that_stalls_leaves_the_other_rows_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: threading.Event, processes: None
) -> None:
    def stall() -> tuple[int, bytes]:
        ended.wait()
        return 200, b""

    def hurried(*asked: Any) -> RuntimeRequest:
        found = runtime_request(*asked)
        return replace(found, request=replace(found.request, patience=1.0))

    monkeypatch.setattr(runtimes, "runtime_request", hurried)
    hostile, sound = compared(stall, tmp_path, monkeypatch)
    assert (hostile.state, sound.state) == (RuntimeState.HANGS, RuntimeState.AGREES)
    assert "no answer within 1 s" in hostile.why


def compared(
    answer: Callable[[], tuple[int, bytes | Iterable[bytes]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[RuntimeRecord, RuntimeRecord]:
    """The rows of a server that begins well, and answers so from then on, and of the library."""

    def begins_well(path: str, body: Any) -> tuple[int, bytes | Iterable[bytes]]:
        return (200, b'{"tokens": [0]}') if body.get("content") == "a" else answer()

    few_texts(monkeypatch, of_a_kind=1, largest=8)
    folder = Folder.bpe("ab ", ["a b"]).added("<s>").write(tmp_path)
    with served(begins_well) as url:
        report = tokaudit.compare_runtimes(
            folder, runtime=[url, "tokenizers"], tier="quick", timeout=1_200.0
        )
    rows = [each.runtime for each in report.comparisons]
    hostile, sound = rows
    assert hostile is not None and sound is not None
    return hostile, sound


@pytest.mark.parametrize(
    "url", ["https://127.0.0.1", "http://example.org", "http://u@127.0.0.1", "http://127.0.0.1/x"]
)
def test_an_address_that_would_have_to_be_looked_up_or_followed_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        host_and_port(url)
