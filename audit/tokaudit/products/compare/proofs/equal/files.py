"""Statements in files next to a tokenizer about a facet, read by the checker."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tokaudit.engine.facet_names import BATCH, PADDING, ROLES, ROWS, STOPS
from tokaudit.foundation.errors import NotApplicable
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.weights import read_headers
from tokaudit_reference.spec import TokenizerSpec

SPECIAL = ("bos", "eos", "pad", "unk", "cls", "sep", "mask")
INPUT_ROWS = re.compile(
    r"(?:.*\.)?(?:embed_tokens|wte|word_embeddings|shared|embed_in|tok_embeddings"
    r"|token_embedding|text_embedding|token_embd|embeddings)\.weight"
)
"""The names of tensors that have a row for each id of the input."""
LEFT_OPEN: dict[str, dict[str, Any]] = {
    "truncation": {"direction": "Right", "strategy": "LongestFirst", "stride": 0},
    "padding": {"direction": "Right", "pad_to_multiple_of": None, "pad_type_id": 0},
}
"""What the library takes for an option of a batch that a file leaves out."""


def in_files(facet: str, spec: TokenizerSpec, subject: Subject | None) -> Any:
    """Return the statements of one facet: names with values, or row counts."""
    if facet == BATCH:
        return dict(_batch(spec))
    if facet == ROWS:
        return _rows(subject)
    facts = subject.facts if subject is not None else ()
    known = [fact for fact in facts if fact.value is not None]
    if facet == STOPS:
        return dict(_stops(known))
    names = [f"{role}_token" for role in SPECIAL] if facet == ROLES else []
    names = ["padding_side"] if facet == PADDING else names or ["chat_template"]
    found: dict[str, Any] = {}
    for fact in known:
        if fact.name in names:
            found.setdefault(fact.name, _content(fact.value))
    if "chat_template" in found:
        found |= _written(str(found["chat_template"]), known, spec)
    return found


def _written(template: str, facts: list[Fact], spec: TokenizerSpec) -> Iterator[tuple[str, str]]:
    """Yield the special tokens that a template names: stated, or in GGUF by id."""
    for name in (f"{role}_token" for role in SPECIAL if f"{role}_token" in template):
        texts = [fact.value for fact in facts if fact.name == name and isinstance(fact.value, str)]
        in_gguf = (fact for fact in facts if fact.file.endswith(".gguf"))
        ids = [fact.value for fact in in_gguf if fact.name == f"{name}_id"]
        found = next(iter(texts), "") or next((_text(spec, id) for id in ids), "")
        if found:
            yield name, found


def _text(spec: TokenizerSpec, id: Any) -> str:
    """Return the text of an id, by added tokens or the vocabulary."""
    for token in reversed(spec.added_tokens):
        if token.id == id:
            return token.content
    value = spec.pieces[id].value if id in spec.pieces else ""
    return value if isinstance(value, str) else value.decode("utf-8", "replace")


def _batch(spec: TokenizerSpec) -> Iterator[tuple[str, Any]]:
    for name, component in (("truncation", spec.truncation), ("padding", spec.padding)):
        if component.options:
            yield name, {**LEFT_OPEN[name], **component.options}


def _stops(facts: list[Fact]) -> Iterator[tuple[str, Any]]:
    ends = [fact for fact in facts if fact.name == "eos_token_id"]
    first = [fact for fact in ends if "generation_config" in fact.file] or ends
    for fact in first[:1]:
        value = fact.value if isinstance(fact.value, list) else [fact.value]
        yield fact.name, tuple(value)


def _content(value: Any) -> Any:
    return value.get("content", value) if isinstance(value, dict) else value


def _rows(subject: Subject | None) -> list[int]:
    if subject is None:
        return []
    try:
        shapes = {name: each.shape for name, each in read_headers(subject).tensors.items()}
    except NotApplicable:
        shapes = {}
    shapes |= _in_safetensors(subject)  # whatever the reader of headers makes of these files
    found = (shape for name, shape in shapes.items() if INPUT_ROWS.fullmatch(name))
    return sorted({shape[0] for shape in found if len(shape) == 2})


def _in_safetensors(subject: Subject) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor, read again in case the prover's reader is wrong."""
    found: dict[str, tuple[int, ...]] = {}
    for file in subject.files:
        if file.role == "weights" and not file.impostor:
            length = int.from_bytes(file.content.read(0, 8), "little")
            for name, tensor in json.loads(file.content.read(8, length)).items():
                if name != "__metadata__" and _is_of(subject, name):
                    found.setdefault(name, tuple(tensor["shape"]))
    return found


def _is_of(subject: Subject, name: str) -> bool:
    """Return whether a tensor belongs to this tokenizer, if two share a checkpoint."""
    return not subject.side.not_of or subject.side.not_of not in name.split(".")
