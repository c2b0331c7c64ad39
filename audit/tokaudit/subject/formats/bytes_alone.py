"""Classes that read no vocabulary: every byte of UTF-8 is a token, behind a few of the class.

ByT5, Perceiver and Dia have no file but their settings.  MyT5 has the same ids, and its
`byte_maps.json` rewrites text before; no step that is known here does, so that is left unstated.

Source: `tokenization_byt5.py`, `tokenization_perceiver.py`, `tokenization_dia.py` and
`tokenization_myt5.py` in Hugging Face's transformers 4.57.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.configs import LARGEST_CONFIG
from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.settings import added_tokens
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.loading_class import FIRST as SETTINGS
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.tokenizer_class import Ids, class_named
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.decoders.bytes_joined import Bytes

MAPS = "byte_maps.json"
T5 = ("<pad>", "</s>", "<unk>")
BYTES = 256
EVERY_BYTE = tuple(Piece(TokenType.ORDINARY, bytes([byte])) for byte in range(BYTES))
EXTRA = tuple(f"<extra_id_{n}>" for n in range(125))


@dataclass(frozen=True)
class _Bytes:
    """The tokens with the first ids, the id of the byte 0, and the tokens behind the bytes."""

    head: tuple[str, ...]
    first: int
    tail: tuple[str, ...] = ()
    strips: bool = False


CLASSES: Mapping[str, _Bytes] = {
    "ByT5Tokenizer": _Bytes(T5, 3, EXTRA, strips=True),
    "MyT5Tokenizer": _Bytes(T5, 3, EXTRA, strips=True),
    "PerceiverTokenizer": _Bytes(("[PAD]", "[BOS]", "[EOS]", "[MASK]", "[CLS]", "[SEP]"), 6),
    "DiaTokenizer": _Bytes(("<pad>", "[S1]", "[S2]"), 0),
}


def recognise(name: str, head: bytes) -> bool:
    """MyT5's file by its name; the other classes have none."""
    return name.rsplit("/", 1)[-1] == MAPS


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """The spec of the class that is named; `file` is the one that names it, or MyT5's."""
    rewrites = file.base == MAPS
    if rewrites:
        _refuse_others(file)
    named = class_of(subject)
    name = "MyT5Tokenizer" if rewrites or named is None else named.name
    rule = f"{MAPS} is MyT5's" if rewrites or named is None else named.rule
    known = CLASSES[name]
    ids = {token: id for id, token in enumerate(known.head)}
    ids |= {token: id for id, token in enumerate(known.tail, known.first + BYTES)}

    def stage(options: Mapping[str, Any] | None) -> Component:
        return Component() if rewrites else Component(options, Standing.IMPLIED, rule)

    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces={id: p for id, p in enumerate(EVERY_BYTE, known.first) if id >= len(known.head)},
        byte_level=True,
        merges=(),
        added_tokens=tuple(_with_flags(added_tokens(subject, ids, ids), known)),
        normalizer=stage(None),
        pre_tokenizer=stage(None),
        decoder=stage(Bytes().to_json()),
        format=FORMAT.name,
        files=(file.name,),
        ids_rule=rule,
    )


def reads_nothing(subject: Subject) -> SourceFile | None:
    """The file that names a class of bytes which reads no vocabulary; None where none is named."""
    named = class_of(subject)
    if named is None or named.known is None or named.known.ids is not Ids.NONE:
        return None
    return subject.file(named.fact.file) if named.name in CLASSES else None


def names_itself(file: SourceFile) -> bool:
    """Whether a file of settings names a class of bytes which reads no vocabulary."""
    if file.role != "config" or file.base != SETTINGS:
        return False
    try:
        data = parse_object(read_bytes(file, LARGEST_CONFIG), file.name)
    except UnreadableError:
        return False
    row = class_named(str(data.get("tokenizer_class")))
    return row is not None and row.ids is Ids.NONE and row.name in CLASSES


def _with_flags(tokens: tuple[AddedToken, ...], known: _Bytes) -> Iterator[AddedToken]:
    """The class's own first tokens take the spaces around them, where it says so."""
    for token in tokens:
        strips = known.strips and token.content in known.head
        yield replace(token, lstrip=True, rstrip=True) if strips else token


def _refuse_others(file: SourceFile) -> None:
    """Refuse what MyT5 could not load: it looks up both maps."""
    data = parse_object(read_bytes(file), file.name)
    for key in ("decompose_map", "merge_map"):
        if not isinstance(data.get(key), dict):
            raise SpecError(f"has no object {key}", file=file.name, pointer=f"/{key}")


FORMAT = Format("bytes", 55, "", recognise, parse, files=(MAPS,))
