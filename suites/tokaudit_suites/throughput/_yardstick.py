"""The yardstick: an 8k byte-level tokenizer shipped with this suite, in its own worker."""

from __future__ import annotations

import hashlib
from importlib.resources import as_file, files

from tokaudit.plugin import LoadRequest, Workers, Yardstick, need_from_worker

FILE = "yardstick.json"


@need_from_worker
def yardstick(workers: Workers) -> Yardstick:
    """Load this package's tokenizer with the library that it is written for."""
    resource = files("tokaudit_suites.throughput").joinpath(FILE)
    digest = hashlib.sha256(resource.read_bytes()).hexdigest()[:8]
    with as_file(resource) as path:
        worker = workers.open("yardstick", LoadRequest("tokenizers", str(path)))
    return Yardstick(worker, digest)
