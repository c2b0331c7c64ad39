"""Vocabulary inside a GGUF file, which llama.cpp runs.

The spec is in llama.cpp's dialect: which tokens it takes from text (`attributes`), how it splits
and merges (`merges`), runs the other models (`scored`, `others`) and decodes.  What it does not
represent is said in these three, where it is built.

Source: `llama-vocab.cpp` in llama.cpp; `gguf-py` for the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.subject.formats import Format, NothingToRead
from tokaudit.subject.formats.gguf import merges, others, scored
from tokaudit.subject.formats.gguf.attributes import ARCHITECTURE, NAME
from tokaudit.subject.formats.gguf.facts import facts
from tokaudit.subject.formats.gguf.keys import ENGINE, PREFIX, Keys
from tokaudit.subject.formats.gguf.metadata import MAGIC, metadata
from tokaudit.subject.formats.gguf.tensors import tensors
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.places.parts import Part
from tokaudit_reference.spec import Dialect, Origin, SpecError, TokenizerSpec

BUILDERS: Mapping[str, Callable[[Keys], TokenizerSpec]] = {
    "gpt2": merges.byte_level,
    "gemma4": merges.marked,
    "llama": scored.bpe,
    "t5": scored.unigram,
    "bert": others.wordpiece,
    "rwkv": others.trie,
}
NAMES = (NAME, ARCHITECTURE)  # which bring rules of their own
NO_TOKENIZER = ("none", "no_vocab")


def recognise(name: str, head: bytes) -> bool:
    """Recognise by the first four bytes, or the suffix."""
    return head.startswith(MAGIC) or name.lower().endswith(".gguf")


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec that the file's keys state."""
    found = metadata(file, lambda key: key.startswith(PREFIX) or key in NAMES)
    build = BUILDERS[_model(found, file.name)]
    keys = Keys(found, file.name)
    untyped = {} if TYPE in keys else {"token_types": Origin(file.name, "", ENGINE)}
    spec = replace(build(keys), dialect=Dialect.LLAMA_CPP)
    return replace(spec, format=FORMAT.name, files=(file.name,), origins=untyped)


def _model(found: Mapping[str, Any], file: str) -> str:
    """Return the name of a supported model; raise if there is none or another."""
    model, pointer = found.get(f"{PREFIX}model"), f"{PREFIX}model"
    covered = f"read are: {', '.join(BUILDERS)}"
    if not any(key.startswith(PREFIX) for key in found) or model in NO_TOKENIZER:
        raise NothingToRead(f"has no tokenizer; {covered}", file=file, pointer=pointer)
    if not isinstance(model, str):
        what = "is not there, though other keys of a tokenizer are"
        raise SpecError(
            what if model is None else "is not text",
            file=file,
            pointer=pointer,
            remedy="Convert the model again with the llama.cpp that is to run it.",
        )
    if model not in BUILDERS:
        text = f"names the model {model[:40]!r}, which is not read yet; {covered}"
        raise NothingToRead(text, file=file, pointer=pointer)
    return model


TYPE = "token_type"
PARTS = {
    "vocab": Part(f"{PREFIX}tokens", typed=True),
    "merges": Part(f"{PREFIX}merges"),
    "token_types": Part(PREFIX + TYPE),
    "model": Part(f"{PREFIX}model"),
}
FORMAT = Format(
    "gguf",
    40,
    "llama.cpp",
    recognise,
    parse,
    facts,
    tensors,
    files=("model.gguf",),
    parts=PARTS,
    lists_every_token=True,
    types_tokens=True,
    under_any_name=True,
    stated=lambda file: metadata(file, lambda _: True),
)
