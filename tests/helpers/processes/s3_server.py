"""A server of S3 on loopback, moto's, which counts what it is asked and what it sends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

PATIENCE = 60  # seconds until a server answers
COUNTS = "/_counts"


@dataclass
class Bucket:
    """A bucket of the server; `end` kills the server."""

    address: str
    system: Any  # of s3fs
    process: subprocess.Popen[str]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()

    def sent(self) -> tuple[int, int]:
        """The requests and the bytes of answers to GET since the last time, by the server."""
        with urlopen(self.address + COUNTS, timeout=PATIENCE) as answer:
            requests, size = json.load(answer)
        return requests, size


@contextmanager
def serving_bucket(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """A bucket that holds a folder; the environment leads its clients to it."""
    pytest.importorskip("moto")
    s3fs = pytest.importorskip("s3fs")
    command = (sys.executable, __file__)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    for key, value in {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(key, value)
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem()
    system.mkdir(name)
    system.put(str(folder), name, recursive=True)
    bucket = Bucket(address, system, process)
    bucket.sent()
    try:
        yield bucket
    finally:
        bucket.end()
        process.stdout.close()


class Counting:
    """An application of WSGI that counts the answers of another."""

    def __init__(self, counted: Any) -> None:
        self.counted, self.requests, self.bytes = counted, 0, 0

    def __call__(self, environment: dict[str, Any], start: Any) -> Any:
        if environment["PATH_INFO"] == COUNTS:
            start("200 OK", [("Content-Type", "application/json")])
            found = json.dumps([self.requests, self.bytes]).encode()
            self.requests = self.bytes = 0
            return [found]
        self.requests += 1
        answer = b"".join(self.counted(environment, start))
        self.bytes += len(answer) if environment["REQUEST_METHOD"] == "GET" else 0
        return [answer]


def main() -> None:
    """Serve on a free port until killed; the address is printed first."""
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import WSGIRequestHandler, make_server

    class Quiet(WSGIRequestHandler):
        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Nothing is logged."""

    application = Counting(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=Quiet)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
