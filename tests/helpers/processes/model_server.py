"""A web server on loopback that keeps models: as the Hub answers, or as plain files.

It counts what it is asked and what it sends.  A file may be large without being anywhere: bytes
beyond what it holds are zeros.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass(frozen=True)
class Large:
    """A file of `size` bytes that begins with `data`."""

    data: bytes
    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> bytes:
        found = self.data[part]
        return found + bytes(part.stop - part.start - len(found))


@dataclass
class ModelServer:
    """What a server has, and what it was asked."""

    files: dict[str, bytes | Large]
    asked: list[str] = field(default_factory=list)
    sent: int = 0
    tokens: list[str] = field(default_factory=list)  # of the Authorization headers that came
    answers: Callable[[BaseHTTPRequestHandler], bool] | None = None  # one that answers otherwise
    cdn: str = ""  # the address of a second host, to which files are redirected
    url: str = ""
    revisions: dict[str, dict[str, bytes]] = field(default_factory=dict)  # beside `files`

    def listing(self, revision: str) -> bytes:
        """What the Hub's API says of a revision of the model."""
        commit = commit_of(revision) if revision in self.revisions else COMMIT
        siblings = [
            {"rfilename": name, "size": len(data), "blobId": mark(data)}
            for name, data in self.of_commit(commit).items()
        ]
        return json.dumps({"sha": commit, "siblings": siblings}).encode()

    def of_commit(self, commit: str) -> Mapping[str, bytes | Large]:
        """The files of a revision, known by its commit."""
        found = (files for name, files in self.revisions.items() if commit_of(name) == commit)
        return next(found, self.files)


def commit_of(revision: str) -> str:
    """The commit of a revision that the server keeps by name."""
    return hashlib.sha1(revision.encode()).hexdigest()


def mark(data: bytes | Large) -> str:
    """A digest of the beginning, as an ETag."""
    return hashlib.sha1(data[0:64] + str(len(data)).encode()).hexdigest()


@contextmanager
def serving(files: dict[str, bytes | Large]) -> Iterator[ModelServer]:
    """A server for as long as the block runs."""
    model = ModelServer(files)

    class Handler(_Handler):
        server_model = model

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server_model: ModelServer
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self, body: bool) -> None:
        model, path = self.server_model, unquote(urlsplit(self.path).path)
        model.asked.append(f"{self.command} {path}")
        model.tokens.append(self.headers.get("Authorization", ""))
        if model.answers is not None and model.answers(self):
            return
        if "/revision/" in path:
            self._send(200, model.listing(path.rpartition("/")[2]), {})
            return
        commit, _, name = path.rpartition("/resolve/")[2].partition("/")
        if "/resolve/" not in path:
            commit, name = COMMIT, path.lstrip("/").removeprefix("model/")
        data = model.of_commit(commit).get(name)
        if data is None:
            self._send(404, b"", {})
        elif model.cdn and "/resolve/" in path:
            self._send(302, b"", {"Location": f"{model.cdn}/{name}"})
        else:
            self._file(data, body)

    def _file(self, data: bytes | Large, body: bool) -> None:
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        etag = {"ETag": f'"{mark(data)}"'}
        if wanted is None:
            self._send(200, data[0 : len(data)] if body else b"", etag, len(data))
            return
        start, end = int(wanted[1]), min(int(wanted[2]) + 1, len(data))
        said = {"Content-Range": f"bytes {start}-{end - 1}/{len(data)}", **etag}
        self._send(206, data[start:end], said)

    def _send(
        self, code: int, data: bytes, headers: Mapping[str, str], length: int | None = None
    ) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        self.end_headers()
        self.server_model.sent += len(data)
        self.wfile.write(data)
