"""Golden ids that other projects published for published tokenizers, read from the material.

The files are described in the material's own README: cases one per line with `\\n`, `\\s` and `\\x`
for a newline, a space and nothing, or texts parted by a line of their own.  Here they are held to
the reference; `compare` holds it to the libraries.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tokaudit.foundation.errors import UnreadableError, UpstreamTrouble
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import Representation, parse_all
from tokaudit_conformance.both import Mismatch
from tokaudit_conformance.compare import SHOWN, ComparedStrings
from tokaudit_reference.spec import TokenizerSpec

KITOKEN_FOLDERS = {
    "gpt2": "gpt2",
    "clip_base": "clip-base",
    "mpt": "mpt",
    "mistral01": "mistral-7b-v0.1",
    "modernbert": "modernbert-base",
    "cl100k_base": "cl100k_base",
}
KITOKEN_FORMATS = {
    "tokenizers": "tokenizer.json",
    "sentencepiece": "sentencepiece",
    "tiktoken": "tiktoken",
}
LLAMA_CPP = {"gpt-2": ("gpt2", "gguf-gpt2"), "mpt": ("mpt",), "phi-3": ("gguf-phi-3", "phi-3-mini")}
PARTED = "\n__ggml_vocab_test__\n"
MARKS = {"\\n": "\n", "\\s": " ", "\\x": ""}


@dataclass(frozen=True)
class Golden:
    """Texts and the ids that a tokenizer of the material gives; `format` "" means any.

    `decoded` is what the ids decode to; it is empty where nobody said.
    """

    source: str
    folder: str
    format: str
    texts: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...]
    decoded: tuple[str, ...] = ()


def golden(material: Path) -> Iterator[Golden]:
    """Every vector of the material."""
    kitoken = material / "vectors" / "kitoken"
    for family, format in KITOKEN_FORMATS.items():
        for file in sorted((kitoken / family).glob("*_tokens_*.txt")):
            kind, _, name = file.stem.partition("_tokens_")
            if name in KITOKEN_FOLDERS:
                texts = tuple(_cases(kitoken / f"{kind}_input.txt", kind))
                output = file.with_name(f"{kind}_output_{name}.txt")
                decoded = tuple(_cases(output, kind)) if output.is_file() else texts
                source, folder = f"kitoken/{family}/{file.name}", KITOKEN_FOLDERS[name]
                yield Golden(source, folder, format, texts, tuple(_ids(file)), decoded)
    for name, folders in LLAMA_CPP.items():
        stem = material / "vectors" / "llama.cpp" / f"ggml-vocab-{name}.gguf"
        inputs, outputs = Path(f"{stem}.inp"), Path(f"{stem}.out")
        if inputs.is_file() and outputs.is_file():
            texts = tuple(inputs.read_bytes().decode().removesuffix(PARTED).split(PARTED))
            for folder in folders:
                yield Golden(f"llama.cpp/{outputs.name}", folder, "", texts, tuple(_ids(outputs)))


def golden_rows(material: Path, vector: Golden) -> Iterator[ComparedStrings]:
    """The reference's ids next to the golden ones, for each representation that they are for."""
    try:
        subject = open_subject(str(material / "tokenizers" / vector.folder))
    except UnreadableError:
        return
    for representation, spec in parse_all(subject).parsed:
        if vector.format in ("", representation.format):
            yield _row(representation, spec, vector)


def _row(representation: Representation, spec: TokenizerSpec, vector: Golden) -> ComparedStrings:
    row = ComparedStrings(f"{vector.folder} ({representation.format})", vector.source, "golden")
    started = time.perf_counter()
    with WorkerTokenizer(reference_request(spec)) as tokenizer:
        try:
            for mismatch in _mismatches(tokenizer, vector, row):
                row.mismatches += 1
                row.examples = [*row.examples, mismatch][:SHOWN]
        except UpstreamTrouble as error:
            row.trouble = str(error)
    row.seconds = time.perf_counter() - started
    return row


def _mismatches(
    tokenizer: WorkerTokenizer, vector: Golden, row: ComparedStrings
) -> Iterator[Mismatch]:
    for text, ids, one in zip(
        vector.texts, vector.ids, tokenizer.encode(vector.texts), strict=True
    ):
        row.strings += 1
        if one.ids != ids:
            yield Mismatch("ids", text, str(list(ids)), one.error or str(list(one.ids)))
    if vector.decoded:
        row.compared = "ids, decoded"
        found = tokenizer.decode(vector.ids)
        for text, reported, other in zip(vector.texts, vector.decoded, found, strict=True):
            if reported != other:
                yield Mismatch("decoded", text, repr(reported), repr(other))


def _cases(file: Path, kind: str) -> Iterator[str]:
    text = file.read_bytes().decode()
    if kind == "utf8":
        yield text
        return
    for line in text.removesuffix("\n").split("\n"):
        for mark, meant in MARKS.items():
            line = line.replace(mark, meant)
        yield line


def _ids(file: Path) -> Iterator[tuple[int, ...]]:
    for line in file.read_text().removesuffix("\n").split("\n"):
        yield tuple(map(int, line.replace(",", " ").split()))
