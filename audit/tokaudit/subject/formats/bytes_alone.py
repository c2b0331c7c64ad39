"""Classes without a vocabulary: each UTF-8 byte is a token, after a few of the class.

ByT5, Perceiver and Dia have no file but their settings.  MyT5 has the same ids, and its
`byte_maps.json` rewrites text before; no step that is known here does, so that is left unstated.

Source: `tokenization_byt5.py`, `tokenization_perceiver.py`, `tokenization_dia.py` and
`tokenization_myt5.py` in Hugging Face's transformers 4.57.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.configs import LARGEST_CONFIG
from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.ends import ends_of_class
from tokaudit.subject.formats.common.settings import added_tokens
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.class_reading import ByteIds
from tokaudit.subject.upstream.loading_class import FIRST as SETTINGS
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.tokenizer_class import (
    Ids,
    TokenizerClass,
    class_named,
    class_reading_only,
)
from tokaudit.subject.upstream.versions import FOUR
from tokaudit_reference.spec import (
    UNSTATED,
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
BYTES = 256
EVERY_BYTE = tuple(Piece(TokenType.ORDINARY, bytes([byte])) for byte in range(BYTES))


def recognise(name: str, head: bytes) -> bool:
    """Recognise MyT5's file by name; the other classes have none."""
    return name.rsplit("/", 1)[-1] == MAPS


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec of the named class; `file` names it, or is MyT5's."""
    rewrites = file.base == MAPS
    if rewrites:
        _refuse_others(file)
    named = class_of(subject)
    known, rule = class_reading_only(MAPS), f"{MAPS} is MyT5's"
    if named is not None and not rewrites:
        known, rule = named.known, named.rule
    if known is None or known.bytes is None:
        raise SpecError("names no class that reads bytes alone", file=file.name)
    own = known.bytes
    ids = {token: id for id, token in enumerate(own.head)}
    ids |= {token: id for id, token in enumerate(_sentinels(known), own.first + BYTES)}

    ends = UNSTATED
    if named is not None and not rewrites:
        ends = ends_of_class(subject, named, ids.get)

    def stage(options: Mapping[str, Any] | None) -> Component:
        return Component() if rewrites else Component(options, Standing.IMPLIED, rule)

    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces={id: p for id, p in enumerate(EVERY_BYTE, own.first) if id >= len(own.head)},
        byte_level=True,
        merges=(),
        added_tokens=tuple(_with_flags(added_tokens(subject, ids, ids), own)),
        normalizer=stage(None),
        pre_tokenizer=stage(None),
        post_processor=ends,
        decoder=stage(Bytes().to_json()),
        format=FORMAT.name,
        files=(file.name,),
        ids_rule=rule,
    )


def reads_nothing(subject: Subject) -> SourceFile | None:
    """Return the file that names a class without a vocabulary; None if there is none."""
    named = class_of(subject)
    if named is None or named.known is None or not _reads_bytes(named.known):
        return None
    return subject.file(named.fact.file)


def names_itself(file: SourceFile) -> bool:
    """Return whether a settings file names a class without a vocabulary."""
    if file.role != "config" or file.base != SETTINGS:
        return False
    try:
        data = parse_object(read_bytes(file, LARGEST_CONFIG), file.name)
    except UnreadableError:
        return False
    row = class_named(str(data.get("tokenizer_class")))
    return row is not None and _reads_bytes(row)


def _reads_bytes(known: TokenizerClass) -> bool:
    return known.ids is Ids.NONE and known.bytes is not None


def _sentinels(known: TokenizerClass) -> list[str]:
    """Return the tokens after the bytes, in the class's default number."""
    count = known.settings.get("extra_ids")
    if known.bytes is None or not known.bytes.sentinel or count is None:
        return []
    return [known.bytes.sentinel.format(n) for n in range(int(count.taken(FOUR)))]


def _with_flags(tokens: tuple[AddedToken, ...], known: ByteIds) -> Iterator[AddedToken]:
    """Yield the class's first tokens, which strip spaces if it says so."""
    for token in tokens:
        strips = known.strips and token.content in known.head
        yield replace(token, lstrip=True, rstrip=True) if strips else token


def _refuse_others(file: SourceFile) -> None:
    """Refuse what MyT5 could not load: it needs both maps."""
    data = parse_object(read_bytes(file), file.name)
    for key in ("decompose_map", "merge_map"):
        if not isinstance(data.get(key), dict):
            raise SpecError(f"has no object {key}", file=file.name, pointer=f"/{key}")


FORMAT = Format("bytes", 55, "", recognise, parse, files=(MAPS,))
