"""Subjects on a server: judged as their copies are, for a few requests, and never by surprise."""

from __future__ import annotations

import json
import re
import struct
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from model_server import COMMIT, Large, ModelServer, serving

import tokaudit
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.demo.checkpoints import write_checkpoints
from tokaudit.subject.remote.http import ask, ask_range, refuse_place
from tokaudit.subject.remote.opening import RemoteFile
from tokaudit.subject.remote.server import ListedFile
from tokaudit.subject.remote.web import Web
from tokaudit.subject.traffic import Traffic

pytestmark = pytest.mark.usefixtures("processes")
QUICK = {"tier": "quick", "select": ["vocab", "embeddings", "config", "special_tokens"]}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_checkpoints(folder)
    return folder


@pytest.fixture(scope="module")
def here(models: Path) -> list[str]:
    """What is said of the copy."""
    return [each.message for each in tokaudit.audit(models / "cut", **QUICK).findings]


@pytest.fixture
def hub(models: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModelServer]:
    """A Hub that has the checkpoint whose embedding lacks a row, with a second host for its files."""
    from huggingface_hub import constants

    files = {path.name: path.read_bytes() for path in (models / "cut").iterdir()}
    with serving(files) as server, serving(server.files) as second:
        server.cdn = second.url
        monkeypatch.setattr(constants, "ENDPOINT", server.url)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
        yield server


def test_a_model_of_the_hub_is_judged_as_its_copy_is(hub: ModelServer, here: list[str]) -> None:
    there = tokaudit.audit("hf:org/cut", download=True, **QUICK)
    assert [each.message for each in there.findings] == here
    assert not there.ok


def test_the_commit_and_what_was_read_are_said(hub: ModelServer) -> None:
    report = tokaudit.audit("hf:org/cut@main", download=True, **QUICK)
    assert report.subject.commit == COMMIT
    said = rf"; hf:org/cut@main at commit {COMMIT}; read \d+\.\d kB of \d+\.\d kB in \d+ requests"
    assert re.search(said, report.scope)


def test_a_token_is_for_the_hub_and_not_for_the_host_that_it_leads_to(hub: ModelServer) -> None:
    with serving(hub.files) as second:
        hub.cdn = second.url
        tokaudit.audit("hf:org/cut", download=True, **QUICK)
        assert set(hub.tokens) == {"Bearer hf_secret"}
        assert set(second.tokens) == {""}


def test_without_the_option_nothing_is_asked(hub: ModelServer) -> None:
    with pytest.raises(UnreadableError, match=r"nothing is downloaded; .*hf:org/cut --download"):
        tokaudit.audit("hf:org/cut", **QUICK)
    with pytest.raises(UnreadableError, match=r"nothing is downloaded; .*add --download"):
        tokaudit.audit("s3://bucket/model", **QUICK)
    assert hub.asked == []


def test_a_folder_of_a_web_server_is_found_by_the_usual_names(
    hub: ModelServer, here: list[str]
) -> None:
    there = tokaudit.audit(f"{hub.url}/model", download=True, **QUICK)
    assert [each.message for each in there.findings] == here


def test_a_folder_of_a_bucket_is_judged_as_its_copy_is(models: Path, here: list[str]) -> None:
    system = pytest.importorskip("fsspec").filesystem("memory")
    system.put(str(models / "cut"), "/models/", recursive=True)
    there = tokaudit.audit("memory://models/cut", download=True, **QUICK)
    assert [each.message for each in there.findings] == here


def test_two_revisions_are_compared_and_a_base_is_read(hub: ModelServer, models: Path) -> None:
    same = tokaudit.compare("hf:org/cut@a", "hf:org/cut@b", download=True, tier="quick")
    assert same.ok
    report = tokaudit.audit(
        models / "checkpoint", base="hf:org/cut", download=True, tier="quick", select=["baseline"]
    )
    assert report.others[0].commit == COMMIT


def test_a_manifest_names_the_commit_and_holds_for_the_copy(
    hub: ModelServer, models: Path, tmp_path: Path
) -> None:
    manifest = tokaudit.manifest("hf:org/cut", download=True)
    assert manifest["predicate"]["environment"]["commit"] == COMMIT
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(manifest), "utf-8")
    assert tokaudit.verify(models / "cut", path).ok


def test_two_terabytes_of_weights_cost_no_more_than_their_header_and_rows(
    hub: ModelServer,
) -> None:
    size = 2_000_000_000_000
    rows = 458
    tensors = {
        "model.embed_tokens.weight": {
            "dtype": "F32",
            "shape": [rows, 4],
            "data_offsets": [0, rows * 16],
        },
        "model.large": {
            "dtype": "U8",
            "shape": [size],
            "data_offsets": [rows * 16, rows * 16 + size],
        },
    }
    header = json.dumps(tensors).encode()
    begin = struct.pack("<Q", len(header)) + header + b"\0\0\x80\x3f" * rows * 4
    hub.files["model.safetensors"] = Large(begin, 8 + len(header) + rows * 16 + size)
    report = tokaudit.audit("hf:org/cut", download=True, **QUICK)
    assert "of 2.0 TB in" in report.scope
    fetched = int(report.subject.traffic.split()[1].replace(".", "")) * 100
    small = sum(len(data) for name, data in hub.files.items() if name != "model.safetensors")
    needed = small + len(hub.listing("main")) + 8 + len(header) + rows * 16
    assert fetched <= 1.2 * needed + 100


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (401, "needs a login that has access to it: run `hf auth login`, or set HF_TOKEN"),
        (403, "is not for this login; ask its owners for access"),
        (404, "is not there, or not for this login"),
    ],
)
def test_what_the_hub_refuses_is_said_with_what_to_do(
    hub: ModelServer, code: int, words: str
) -> None:
    hub.answers = lambda handler: _answers(handler, code)
    with pytest.raises(UnreadableError) as refused:
        tokaudit.audit("hf:org/cut", download=True, **QUICK)
    assert words in str(refused.value)
    assert len(hub.asked) == 1


def test_a_busy_server_is_asked_again(hub: ModelServer) -> None:
    hub.answers = lambda handler: (
        len(hub.asked) == 1 and _answers(handler, 429, {"Retry-After": "0"})
    )
    assert tokaudit.open("hf:org/cut", download=True).subject.served is not None


def test_a_server_that_stays_busy_is_asked_for_no_other_file(hub: ModelServer) -> None:
    hub.answers = lambda handler: (
        "/resolve/" in handler.path and _answers(handler, 503, {"Retry-After": "0"})
    )
    with pytest.raises(UnreadableError, match="the server answers 503"):
        tokaudit.audit("hf:org/cut", download=True, **QUICK)
    assert len(hub.asked) == 1 + 3


HOSTILE = {
    "file": (302, {"Location": "file:///etc/passwd"}),
    "ftp": (302, {"Location": "ftp://127.0.0.1/x"}),
    "link-local": (302, {"Location": "http://169.254.169.254/latest"}),
    "private": (302, {"Location": "http://10.0.0.1/x"}),
    "itself": (302, {"Location": "/api/models/org/cut/revision/main"}),
    "packed": (200, {"Content-Encoding": "gzip"}),
    "not-json": (200, {}),
    "of-the-wrong-length": (200, {"Content-Length": "5000000"}),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_server_is_refused_in_one_line(hub: ModelServer, kind: str) -> None:
    code, headers = HOSTILE[kind]
    hub.answers = lambda handler: _answers(handler, code, headers)
    with pytest.raises(UnreadableError) as refused:
        tokaudit.audit("hf:org/cut", download=True, **QUICK)
    assert "\n" not in str(refused.value)
    assert "hf_secret" not in str(refused.value)


def test_names_that_no_folder_has_are_passed_over(hub: ModelServer, here: list[str]) -> None:
    named = ("\ud800.json", "a\0.json", "", "/etc/passwd", "tokenizer.json/x", "a/" * 5000 + "x")
    _list_also(hub, *({"rfilename": name, "size": 3} for name in named))
    there = tokaudit.audit("hf:org/cut", download=True, **QUICK)
    assert [each.message for each in there.findings] == here


@pytest.mark.parametrize("size", [-1, True, 1.5, "3", None, 10**400], ids=str)
def test_a_size_that_no_file_has_is_refused(hub: ModelServer, size: object) -> None:
    _list_also(hub, {"rfilename": "generation_config.json", "size": size})
    with pytest.raises(UnreadableError, match="does not say how large generation_config"):
        tokaudit.audit("hf:org/cut", download=True, **QUICK)


def test_names_without_end_are_refused_before_they_are_parsed(hub: ModelServer) -> None:
    _list_also(hub, *({"rfilename": f"{number}", "size": 1} for number in range(300_000)))
    with pytest.raises(UnreadableError, match="sends more than 8,000,000 bytes"):
        tokaudit.audit("hf:org/cut", download=True, **QUICK)


@pytest.mark.parametrize("said", ["bytes 0-" + "9" * 5000 + "/7", "bytes 5-9/7", "bytes ٣-٤/٥"])
def test_a_range_that_was_not_asked_for_is_refused(hub: ModelServer, said: str) -> None:
    header = said.encode().decode("latin-1")
    hub.answers = lambda handler: (
        "/resolve/" in handler.path and _answers(handler, 206, {"Content-Range": header}, b"1")
    )
    with pytest.raises(UnreadableError, match="sent other bytes than requested"):
        ask_range(f"{hub.url}/resolve/x", Traffic(), {}, 0, 1, 7)


@pytest.mark.parametrize("length", ["9" * 5000, "-1", "5, 6", ""])
def test_a_length_that_is_no_number_is_refused(hub: ModelServer, length: str) -> None:
    hub.answers = lambda handler: (
        handler.command == "HEAD" and _answers(handler, 200, {"Content-Length": length}, b"")
    )
    with pytest.raises(UnreadableError, match="the server does not state the size of this file"):
        Web(f"{hub.url}/model", Traffic()).listing()


@pytest.mark.parametrize("index", [[], "x", {"a": 1}, {"a": "\ud800.safetensors"}], ids=ascii)
def test_an_index_that_names_no_files_leads_nowhere(hub: ModelServer, index: object) -> None:
    hub.files["model.safetensors.index.json"] = json.dumps({"weight_map": index}).encode()
    listed = Web(f"{hub.url}/model", Traffic()).listing()
    assert {file.name for file in listed.files} == set(hub.files)


def test_an_endless_answer_ends_at_what_was_asked_for(hub: ModelServer) -> None:
    def endless(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(10_000):
                handler.wfile.write(bytes(100_000))
        except OSError:
            pass
        handler.close_connection = True
        return True

    hub.answers = endless
    with pytest.raises(UnreadableError, match="sends more than 8,000,000 bytes"):
        tokaudit.audit("hf:org/cut", download=True, **QUICK)


def test_a_slow_answer_ends_by_the_time_that_a_server_has(hub: ModelServer) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(600):
                handler.wfile.write(b" ")
                time.sleep(0.05)
        except OSError:
            pass
        handler.close_connection = True
        return True

    hub.answers = trickle
    began = time.monotonic()
    with pytest.raises(UnreadableError, match=r"takes more than 0\.5 s of waiting"):
        ask(hub.url, Traffic(seconds=0.5), {}, 1000)
    assert time.monotonic() - began < 20


def test_names_that_leave_the_folder_are_not_looked_at(hub: ModelServer) -> None:
    hub.files["../../config.json"] = b"{}"
    hub.files["a\\b.json"] = b"{}"
    opened = tokaudit.open("hf:org/cut", download=True)
    assert {file.name for file in opened.files} == set(hub.files) - {
        "../../config.json",
        "a\\b.json",
    }


def test_a_file_that_changes_between_two_ranges_is_refused(hub: ModelServer) -> None:
    traffic = Traffic()
    hub.cdn = ""
    site = Web(f"{hub.url}/model/tokenizer.json", traffic)
    (file,) = site.listing().files
    assert site.range(file, 0, 10) == hub.files["tokenizer.json"][0:10]
    whole = hub.files["tokenizer.json"]
    assert isinstance(whole, bytes)
    hub.files["tokenizer.json"] = b"x" + whole[1:]
    with pytest.raises(UnreadableError, match="was replaced while it was being read"):
        site.range(file, 10, 10)


def test_a_server_without_ranges_is_not_read_whole_for_a_part(hub: ModelServer) -> None:
    def whole(handler: BaseHTTPRequestHandler) -> bool:
        return _answers(handler, 200, {}, bytes(1000))

    hub.answers = whole
    with pytest.raises(UnreadableError, match="sends"):
        ask_range(f"{hub.url}/x", Traffic(), {}, 100, 10, 1000)


def test_requests_and_bytes_have_a_limit(hub: ModelServer) -> None:
    with pytest.raises(UnreadableError, match="takes more than 3 requests; download the folder"):
        Web(f"{hub.url}/model", Traffic(requests=3)).listing()


@pytest.mark.parametrize(
    ("first", "scheme", "to"),
    [
        ("huggingface.co", "https", "http://huggingface.co/x"),
        ("127.0.0.1", "http", "file:///etc/passwd"),
        ("93.184.216.34", "https", "https://127.0.0.1/x"),
        ("93.184.216.34", "https", "https://10.1.2.3/x"),
        ("93.184.216.34", "https", "https://169.254.169.254/x"),
    ],
)
def test_a_redirect_leads_to_no_other_scheme_and_no_private_host(
    first: str, scheme: str, to: str
) -> None:
    with pytest.raises(UnreadableError, match="which tokaudit does not follow"):
        refuse_place(first, scheme, to)


def test_what_is_on_a_server_is_repaired_nowhere(hub: ModelServer) -> None:
    with pytest.raises(UsageError, match="download the tokenizer first"):
        tokaudit.fix("hf:org/cut", download=True)


def _list_also(hub: ModelServer, *entries: dict[str, object]) -> None:
    listed = json.loads(hub.listing("main"))
    listing = json.dumps({**listed, "siblings": [*listed["siblings"], *entries]}).encode()
    hub.answers = lambda handler: (
        "/revision/" in handler.path and _answers(handler, 200, {}, listing)
    )


def _answers(
    handler: BaseHTTPRequestHandler,
    code: int,
    headers: dict[str, str] | None = None,
    data: bytes = b"nothing",
) -> bool:
    handler.send_response(code)
    given = {"Content-Length": str(len(data)), **(headers or {})}
    for name, value in given.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)
    handler.close_connection = True
    return True


def test_a_file_that_is_read_in_a_row_takes_few_requests_and_little_more() -> None:
    asked: list[tuple[int, int]] = []

    def fetched(file: ListedFile, start: int, size: int) -> bytes:
        asked.append((start, size))
        return bytes(size)

    listed = ListedFile("model.gguf", 4_000_000_000, "mark", "")
    source = RemoteFile(listed, fetched, lambda file: file.mark, whole=False)
    for start in range(0, 10_000_000, 1 << 16):
        assert len(source.read(start, 1 << 16)) == 1 << 16
    assert len(asked) < 60
    assert sum(size for _, size in asked) < 1.15 * 10_000_000
