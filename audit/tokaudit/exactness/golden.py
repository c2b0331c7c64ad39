"""Golden ids that other projects published for published tokenizers, read from the material.

The files are described in the material's own README: cases one per line with `\\n`, `\\s` and `\\x`
for a newline, a space and nothing, or texts parted by a line of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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
LLAMA_CPP = {"gpt-2": ("gpt2", "gguf-gpt2"), "mpt": ("mpt",), "phi-3": ("gguf-phi-3",)}
PARTED = "\n__ggml_vocab_test__\n"
MARKS = {"\\n": "\n", "\\s": " ", "\\x": ""}


@dataclass(frozen=True)
class Golden:
    """Texts and the ids that a tokenizer of the material gives; `format` "" means any."""

    source: str
    folder: str
    format: str
    texts: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...]


def golden(material: Path) -> Iterator[Golden]:
    """Every vector of the material."""
    vectors = material / "vectors"
    for family, format in KITOKEN_FORMATS.items():
        for file in sorted((vectors / "kitoken" / family).glob("*_tokens_*.txt")):
            kind, _, name = file.stem.partition("_tokens_")
            if name in KITOKEN_FOLDERS:
                texts = tuple(_cases(vectors / "kitoken" / f"{kind}_input.txt", kind))
                source = f"kitoken/{family}/{file.name}"
                yield Golden(source, KITOKEN_FOLDERS[name], format, texts, tuple(_ids(file)))
    for name, folders in LLAMA_CPP.items():
        base = vectors / "llama.cpp" / f"ggml-vocab-{name}.gguf"
        inputs, outputs = Path(f"{base}.inp"), Path(f"{base}.out")
        if inputs.is_file() and outputs.is_file():
            texts = tuple(inputs.read_bytes().decode().split(PARTED))
            for folder in folders:
                yield Golden(outputs.name, folder, "", texts, tuple(_ids(outputs)))


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
