"""SentencePiece's `.model`: a protobuf of pieces with scores, trainer and normalizer settings.

Source: `sentencepiece_model.proto` of the sentencepiece repository.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.arranged import arranged
from tokaudit.subject.formats.common.as_loaded import as_loaded
from tokaudit.subject.formats.common.pieces import MOST_PIECES, PIECE_TYPES, byte_piece, refuse_many
from tokaudit.subject.formats.common.protobuf import Value, fields, float32
from tokaudit.subject.formats.tiktoken_ranks import LINE as RANK_LINE
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Origin,
    Piece,
    Priority,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.decoders.sentencepiece import SentencePiece as SentencePieceDecoder
from tokaudit_reference.steps.normalizers.sentencepiece import SentencePiece

SUFFIXES = (".model", ".spm")
MODEL_TYPES = {
    1: ModelType.UNIGRAM,
    2: ModelType.BPE,
    3: ModelType.WORDLEVEL,
    4: ModelType.CHARACTER,
}
TRAINER = {
    3: "model_type",
    24: "treat_whitespace_as_suffix",
    35: "byte_fallback",
    44: "unk_surface",
    46: "bos_piece",
}
TRAINING = {  # of TrainerSpec, what says how and where; the other fields decide ids
    1: "input",
    2: "model_prefix",
    4: "vocab_size",
    5: "accept_language",
    11: "input_sentence_size",
    18: "max_sentence_length",
    20: "max_sentencepiece_length",
    6: "self_test_sample_size",
}
NORMALIZER = {
    1: "name",
    2: "precompiled_charsmap",
    3: "add_dummy_prefix",
    4: "remove_extra_whitespaces",
    5: "escape_whitespaces",
}

LONGEST, MOST_SHOWN = 400, 20  # characters of a setting, and settings of one name


@dataclass
class _Model:
    """Fields of the protobuf, before validation."""

    pieces: list[tuple[str, float, int]] = field(default_factory=list)
    trainer: dict[str, Value] = field(default_factory=dict)
    normalizer: dict[str, Value] = field(default_factory=dict)
    denormalizer: dict[str, Value] = field(default_factory=dict)


LEFT_OUT = "the library, as the file leaves it out"


def recognise(name: str, head: bytes) -> bool:
    """Recognise by the suffix and a first field that is a piece."""
    base = name.rsplit("/", 1)[-1]
    named = base.endswith(SUFFIXES) or ".model." in base or (base in _NAMES and b"\0" in head)
    return named and not head.startswith((b"minbpe", b"{")) and not RANK_LINE.match(head)


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec that the file states, with the ids of its class."""
    model = _read(read_bytes(file), file.name)
    kind = int(model.trainer.get("model_type", 1))
    if kind not in MODEL_TYPES:
        raise SpecError(f"has the model type {kind}; known are 1 to 4", file=file.name)
    _refuse(model, file.name)
    pieces = {id: _piece(text, type) for id, (text, _, type) in enumerate(model.pieces)}
    scores = {id: score for id, (_, score, _) in enumerate(model.pieces)}
    options = _options(model)
    spec = TokenizerSpec(
        model_type=MODEL_TYPES[kind],
        pieces=pieces,
        priority=Priority.PRODUCT,
        product_ranks={id: -score for id, score in scores.items()},
        scores=scores,
        unk_id=next(id for id, p in pieces.items() if p.token_type is TokenType.UNKNOWN),
        fuse_unk=True,
        byte_fallback=bool(model.trainer.get("byte_fallback", 0)),
        added_tokens=tuple(_control(pieces)),
        control_from_text=False,
        begin_id=_begin_id(model),
        normalizer=Component(SentencePiece.stated(**options), Standing.STATED),
        pre_tokenizer=Component(None, Standing.STATED),
        post_processor=Component(),
        decoder=Component(
            SentencePieceDecoder.stated(**options, **_decoding(model)), Standing.STATED
        ),
        format=FORMAT.name,
        files=(file.name,),
        origins={} if model.normalizer else {"normalizer": Origin(file.name, "", LEFT_OUT)},
    )
    return as_loaded(subject, file, arranged(subject, file, spec))


@dataclass(frozen=True, slots=True)
class BareModel:
    """The part that other libraries load: pieces with score and type, and the map."""

    pieces: tuple[tuple[str, float, int], ...]
    kind: int
    charsmap: bytes
    adds_prefix: bool
    drops_spaces: bool


def bare_model(data: bytes, file: str) -> BareModel:
    """Read a file's model as stated; raise `SpecError` as `parse` does."""
    model = _read(data, file)
    _refuse(model, file)
    charsmap = model.normalizer.get("precompiled_charsmap", b"")
    return BareModel(
        tuple(model.pieces),
        int(model.trainer.get("model_type", 1)),
        charsmap if isinstance(charsmap, bytes) else b"",
        bool(model.normalizer.get("add_dummy_prefix", 1)),
        bool(model.normalizer.get("remove_extra_whitespaces", 1)),
    )


def training(data: bytes, file: str) -> dict[str, list[str]]:
    """Return the trainer's settings by name; a setting may be repeated."""
    found: dict[str, list[str]] = {}
    for number, value in fields(data, file):
        if number == 2:
            for key, setting in _named(_message(value, file), TRAINING, file):
                text = setting.decode("utf-8", "replace") if isinstance(setting, bytes) else setting
                found.setdefault(key, []).append(str(text)[:LONGEST])
    return {key: texts[:MOST_SHOWN] for key, texts in found.items()}


def stated(file: SourceFile) -> dict[str, Any]:
    """Return pieces and settings by pointer; a repeated trainer setting is a list."""
    data = read_bytes(file)
    model = _read(data, file.name)
    pieces = [{"piece": text, "score": score, "type": type} for text, score, type in model.pieces]
    given = {key: texts if texts[1:] else texts[0] for key, texts in training(data, "").items()}
    found: dict[str, Any] = {"pieces": pieces}
    messages: dict[str, Mapping[str, Any]] = {
        "trainer_spec": {**given, **model.trainer},
        "normalizer_spec": model.normalizer,
        "denormalizer_spec": model.denormalizer,
    }
    for name, values in messages.items():
        found[name] = {key: _readable(value) for key, value in values.items()}
        found |= {f"{name}.{key}": value for key, value in found[name].items()}
    return found


def _readable(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _read(data: bytes, file: str) -> _Model:
    model = _Model()
    for number, value in fields(data, file):
        if number == 1:
            refuse_many(len(model.pieces), "pieces", MOST_PIECES, file)
            model.pieces.append(_read_piece(_message(value, file), file, len(model.pieces)))
        elif number == 2:
            model.trainer.update(_named(_message(value, file), TRAINER, file))
        elif number == 3:
            model.normalizer.update(_named(_message(value, file), NORMALIZER, file))
        elif number == 5:
            model.denormalizer.update(_named(_message(value, file), NORMALIZER, file))
    if not model.pieces:
        raise SpecError("holds no pieces", file=file)
    return model


def _read_piece(data: bytes, file: str, index: int) -> tuple[str, float, int]:
    text, score, type = b"", 0.0, 1
    for number, value in fields(data, file):
        if number == 1:
            text = _message(value, file)
        elif number == 2:
            score = float32(value, file)
        elif number == 3 and isinstance(value, int):
            type = value
    try:
        return text.decode(), score, type
    except UnicodeDecodeError as error:
        place = f"pieces/{index}"
        raise SpecError(f"is not UTF-8: {text[:20]!r}", file=file, pointer=place) from error


def _named(data: bytes, names: dict[int, str], file: str) -> Iterator[tuple[str, Value]]:
    return ((names[number], value) for number, value in fields(data, file) if number in names)


def _message(value: Value, file: str) -> bytes:
    if not isinstance(value, bytes):
        raise SpecError("is not a SentencePiece model: a number where a message belongs", file=file)
    return value


def _refuse(model: _Model, file: str) -> None:
    """Refuse what the library refuses: unknown tokens, pieces and scores that are invalid."""
    unknowns = sum(type == 2 for _, _, type in model.pieces)
    if unknowns != 1:
        raise SpecError(f"has {unknowns} unknown pieces; expected one", file=file)
    seen: set[str] = set()
    for index, (text, score, type) in enumerate(model.pieces):
        place = f"pieces/{index}"
        if type not in PIECE_TYPES:
            raise SpecError(f"has the type {type}; known are 1 to 6", file=file, pointer=place)
        if not text:
            raise SpecError("is empty", file=file, pointer=place)
        if text in seen:
            raise SpecError(f"repeats {text[:40]!r}", file=file, pointer=place)
        if not math.isfinite(score):
            raise SpecError(f"has the score {score}", file=file, pointer=place)
        if type == 6 and byte_piece(text) is None:
            raise SpecError(f"is a byte named {text[:40]!r}", file=file, pointer=place)
        seen.add(text)


def _piece(text: str, type: int) -> Piece:
    return Piece(PIECE_TYPES[type], text)


def _control(pieces: dict[int, Piece]) -> Iterator[AddedToken]:
    """Yield control pieces as special tokens; the model itself matches user-defined ones."""
    for id, piece in pieces.items():
        if piece.token_type in (TokenType.CONTROL, TokenType.UNKNOWN):
            yield AddedToken(id, str(piece.value), special=True, normalized=False)


def _begin_id(model: _Model) -> int | None:
    """Return the control piece that the library adds as BOS on request, or None."""
    stated = model.trainer.get("bos_piece") or b"<s>"
    name = stated.decode("utf-8", "replace") if isinstance(stated, bytes) else ""
    controls = (id for id, (text, _, type) in enumerate(model.pieces) if (text, type) == (name, 3))
    return next(controls, None)


def _options(model: _Model) -> dict[str, Any]:
    return {
        **_normalizing(model.normalizer),
        "user_defined_symbols": [text for text, _, type in model.pieces if type == 4],
        "treat_whitespace_as_suffix": bool(model.trainer.get("treat_whitespace_as_suffix", 0)),
    }


def _normalizing(stated: Mapping[str, Value]) -> dict[str, Any]:
    charsmap = stated.get("precompiled_charsmap", b"")
    raw = charsmap if isinstance(charsmap, bytes) else b""
    flags = ("add_dummy_prefix", "remove_extra_whitespaces", "escape_whitespaces")
    return {
        "precompiled_charsmap": base64.b64encode(raw).decode(),
        **{flag: bool(stated.get(flag, 1)) for flag in flags},
    }


def _decoding(model: _Model) -> dict[str, Any]:
    """Return the stated options that affect only decoding."""
    options: dict[str, Any] = {}
    surface = model.trainer.get("unk_surface")
    if isinstance(surface, bytes):
        options["unk_surface"] = surface.partition(b"\0")[0].decode("utf-8", "replace")
    if model.denormalizer.get("precompiled_charsmap"):
        options["denormalizer"] = _normalizing(model.denormalizer)
    return options


_NAMES = tuple(
    dict.fromkeys(
        name
        for known in every_class().values()
        for name in known.files
        if name.endswith(SUFFIXES) or known.layout is not None
    )
)
FORMAT = Format(
    "sentencepiece",
    25,
    "sentencepiece",
    recognise,
    parse,
    files=_NAMES,
    companions=tuple(k.listed.file for k in every_class().values() if k.listed is not None),
    parts={
        "vocab": Part("pieces", typed=True),
        "model": Part("trainer_spec"),
        "normalizer": Part("normalizer_spec"),
    },
    types_tokens=True,
    stated=stated,
)
