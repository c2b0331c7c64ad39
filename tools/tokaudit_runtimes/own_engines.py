"""Thirty faults of engines that people write in Python, Node and Rust, each as its language has it.

`engine_faults.csv` has the name of each, its language, the tokenizer that it is tried on and its
half of the list, which was drawn with the seed 51 before the table of deviations was written.  The
engines in `engines/` are sound without a fault, and speak the protocol of `docs/engines.md`.
"""

from __future__ import annotations

import csv
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import regex

from tokaudit.runtimes.adapters import command
from tokaudit.runtimes.engine_protocol import ProtocolEngine
from tokaudit.runtimes.request import LoadRequest
from tokaudit_reference.spec import AddedToken, Component, Standing, TokenizerSpec

HERE = Path(__file__).parent
TABLE = HERE / "engine_faults.csv"
SOUND = "none"
COMPILERS: Mapping[str, str] = {"Python": sys.executable, "Node": "node", "Rust": "rustc"}
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
WORDS = ("<bos>", "<eos>", "<|im|>", "<|im|>user", "<|Im_End|>")


@dataclass(frozen=True)
class OwnFault:
    """A fault by its name, the language of its engine, and the tokenizer that it is tried on."""

    name: str
    language: str
    subject: str
    half: str


def own_faults() -> list[OwnFault]:
    """The list, as it was committed."""
    with TABLE.open(encoding="utf-8", newline="") as rows:
        return [OwnFault(**row) for row in csv.DictReader(rows)]


def own_spec(base: TokenizerSpec, fault: OwnFault) -> TokenizerSpec:
    """A byte-level tokenizer with common steps around the merges of another."""
    last = max(base.pieces)
    steps = {"cased": {"type": "NFC"}, "uncased": {"type": "Lowercase"}}
    first = Component(steps[fault.subject], Standing.STATED)
    bare = fault.language == "Rust" and fault.subject == "cased"  # it composes nothing
    normalizer = Component(None, Standing.STATED) if bare else first
    if fault.subject == "uncased" and fault.language != "Rust":
        both = [steps["cased"], steps["uncased"]]
        normalizer = Component({"type": "Sequence", "normalizers": both}, Standing.STATED)
    split = {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated"}
    added = tuple(
        AddedToken(last + at, word, special=True, normalized=False)
        for at, word in enumerate(WORDS, 1)
    )
    template = [
        {"SpecialToken": {"id": "<bos>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "<eos>", "type_id": 0}},
    ]
    named = {
        word: {"id": word, "ids": [last + at], "tokens": [word]}
        for at, word in enumerate(WORDS[:2], 1)
    }
    around = {"type": "TemplateProcessing", "single": template, "special_tokens": named}
    pieces = [split | {"invert": False}, LEVEL]
    return replace(
        base,
        added_tokens=added,
        normalizer=normalizer,
        pre_tokenizer=Component({"type": "Sequence", "pretokenizers": pieces}, Standing.STATED),
        post_processor=Component(around | {"pair": template}, Standing.STATED),
    )


@contextmanager
def own_engine(spec: TokenizerSpec, fault: OwnFault, name: str) -> Iterator[ProtocolEngine]:
    """An engine of the fault's language, with the fault of a name, or sound."""
    words = [*_started(fault.language), str(_table(spec)), fault.subject, name]
    engine = command.load(LoadRequest("cmd", shlex.join(words)))
    assert isinstance(engine, ProtocolEngine)
    close, engine.close = engine.close, lambda: None  # none but a worker starts it anew
    try:
        yield engine
    finally:
        close()


def absent(language: str) -> str:
    """The reason that an engine of a language cannot be run here; empty where it can."""
    return "" if shutil.which(COMPILERS[language]) else f"{COMPILERS[language]} is not installed"


@cache
def _started(language: str) -> tuple[str, ...]:
    if language == "Python":
        return sys.executable, str(HERE / "engines" / "bpe.py")
    if language == "Node":
        return "node", str(HERE / "engines" / "bpe.mjs")
    made = str(Path(mkdtemp()) / "bpe")
    subprocess.run(["rustc", "-O", "-o", made, str(HERE / "engines" / "bpe.rs")], check=True)
    return (made,)


_TABLES: dict[int, Path] = {}


def _table(spec: TokenizerSpec) -> Path:
    """The file that an engine loads: tokens, merges, added tokens, letters and digits."""
    if id(spec.merges) not in _TABLES:
        path = Path(mkdtemp()) / "table.txt"
        rows = [f"merge {_hex(left)} {_hex(right)}" for left, right in spec.merges or ()]
        rows += [f"added {_hex(token.content)} {token.id}" for token in spec.added_tokens]
        own = ((number, piece.value) for number, piece in spec.pieces.items())
        contents = {token.content for token in spec.added_tokens}
        rows += [f"token {_hex(value)} {number}" for number, value in own if value not in contents]
        rows += [f"{name} {a} {b}" for name in ("letters", "digits") for a, b in _ranges(name)]
        path.write_text("\n".join(rows) + "\n")
        _TABLES[id(spec.merges)] = path
    return _TABLES[id(spec.merges)]


def _hex(value: bytes | str) -> str:
    return (value.encode() if isinstance(value, str) else value).hex()


def _ranges(name: str) -> Iterator[tuple[int, int]]:
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    for run in regex.finditer({"letters": r"\p{L}+", "digits": r"\p{N}+"}[name], every):
        yield ord(run[0][0]), ord(run[0][-1])
