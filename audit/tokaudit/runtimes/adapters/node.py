"""Adapter for npm packages, run by Node: `node_encoder.mjs` answers JSON lines.

The package is looked for in the folder that the user named (`NAME@/path/to/folder`, which holds
`node_modules`), else in the one that NODE_PATH names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.runtimes.json_line import answer_of
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter, Load
from tokaudit.runtimes.request import LoadRequest

SCRIPT = Path(__file__).with_name("node_encoder.mjs")
MEMORY = 64_000_000_000  # bytes of address space: the engine reserves far more than it uses
HEAP = "--max-old-space-size=1500"  # megabytes
MODULES = "node_modules"
PACKAGES = {
    "@huggingface/tokenizers": ("tokenizer.json",),
    "gpt-tokenizer": ("tiktoken",),
    "tiktoken-wasm": ("tiktoken",),
}
NPM_NAMES = {"tiktoken-wasm": "tiktoken"}
ENCODINGS = ("r50k_base", "cl100k_base", "o200k_base")


class NodePackage:
    """The running script; each line gets one line in reply."""

    def __init__(self, name: str, folder: Path, loaded: dict[str, Any]) -> None:
        command = [*program(), HEAP, str(SCRIPT), name, str(folder)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"HOME": os.sep, "OPENSSL_CONF": os.devnull},
        )
        said = self._ask(loaded)
        self.capabilities = frozenset(said["capabilities"])
        package = NPM_NAMES.get(name, name)
        notes = (str(said["note"]),) if said.get("note") else ()
        self.info = TokenizerInfo(name, package, str(said["version"]), notes=notes)

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        return answer_of(self._process, question, "Node")

    def vocab(self) -> dict[int, bytes | str]:
        """Return nothing: the packages have no common call for it."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text."""
        asked = {"op": "encode", "texts": list(texts), "add": options.add_special_tokens}
        return [_encoding(one) for one in self._ask(asked)["found"]]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids."""
        skip = options.skip_special_tokens
        asked = {"op": "decode", "ids": [list(one) for one in ids], "skip": skip}
        return [str(one) for one in self._ask(asked)["found"]]


def _encoding(found: Any) -> Encoding:
    if isinstance(found, str):
        return Encoding(error=found)
    return Encoding(ids=tuple(map(int, found)))


def program(request: LoadRequest | None = None) -> list[str]:
    """Return the command of Node, found by PATH; empty without Node."""
    found = shutil.which("node")
    return [os.path.realpath(found)] if found else []


def reads(request: LoadRequest) -> Iterable[str]:
    """Yield the files of the subject, the script, and the folder of packages."""
    yield from (request.path, *request.siblings.values(), str(SCRIPT))
    yield from (str(home(request.place) / MODULES), *program())


def home(place: str) -> Path:
    """Return the folder of packages: the named one, else that of NODE_PATH."""
    place = place or os.environ.get("NODE_PATH", "").removesuffix(MODULES)
    return Path(place or os.devnull)


def _lacking(name: str, place: str = "") -> str:
    """Return what to install to run a package."""
    package = NPM_NAMES.get(name, name)
    if not program():
        return f"{name} needs Node, and there is no node on PATH"
    if not (home(place) / MODULES / package).is_dir():
        return f"run: npm install --prefix FOLDER {package}, and name it as {name}@FOLDER"
    return ""


def _loader(name: str) -> Load:
    def load(request: LoadRequest) -> Tokenizer:
        """Load by the script, in the package's folder."""
        if lacking := _lacking(name, request.place):
            raise UsageError(lacking)
        question = {"op": "load", "path": request.path}
        config = request.siblings.get("tokenizer_config.json", "")
        encoding = _encoding_of(request) if request.format == "tiktoken" else ""
        folder = home(request.place)
        return NodePackage(name, folder, question | {"config": config, "encoding": encoding})

    return load


def _encoding_of(request: LoadRequest) -> str:
    """Return the package's own encoding with as many ranks as the file."""
    from tokaudit.subject.upstream.published.known_encodings import of_ranks

    ranks = len(Path(request.path).read_bytes().split()) // 2
    try:
        return of_ranks(ranks, ENCODINGS)
    except LookupError as error:
        known = ", ".join(ENCODINGS)
        raise ValueError(f"it reads no files, and has only these encodings: {known}") from error


ADAPTERS = tuple(
    Adapter(
        name,
        "",
        _loader(name),
        reads=reads,
        memory=MEMORY,
        formats=formats,
        wants_folder=True,
        programs=program,
        lacking=partial(_lacking, name),
    )
    for name, formats in PACKAGES.items()
)
