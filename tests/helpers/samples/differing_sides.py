"""Pairs of small specs that differ in one thing."""

from __future__ import annotations

import struct
from base64 import b64encode
from dataclasses import replace
from typing import Any

from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)

STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
Options = dict[str, Any]


def spec(
    *tokens: str, model: ModelType = ModelType.BPE, stages: Options | None = None, **more: Any
) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, token) for id, token in enumerate(tokens)}
    stated = {name: Component((stages or {}).get(name), Standing.STATED, name) for name in STAGES}
    return TokenizerSpec(model, pieces, format="tokenizer.json", **stated, **more)


def without_memory(spec: TokenizerSpec) -> TokenizerSpec:
    """The same spec, which has read no step and listed no entry yet."""
    return replace(spec, **{stage: replace(getattr(spec, stage)) for stage in STAGES})


def stage(name: str, *options: Options, **more: Any) -> list[TokenizerSpec]:
    """Specs that differ in one stage."""
    return [spec("a", "b", "ab", stages={name: each}, **more) for each in options]


def normal(*steps: Options) -> Options:
    return {"type": "Sequence", "normalizers": list(steps)}


def split(pattern: str) -> Options:
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def template(first: str, id: int, type_id: int = 0) -> Options:
    token = {first: {"id": first, "ids": [id], "tokens": [first]}}
    one = [{"SpecialToken": {"id": first, "type_id": type_id}}, text("A", 0)]
    return {
        "type": "TemplateProcessing",
        "single": one,
        "pair": [*one, text("B", 1)],
        "special_tokens": token,
    }


def text(name: str, type_id: int) -> Options:
    return {"Sequence": {"id": name, "type_id": type_id}}


def replaced(literal: str, content: str) -> Options:
    return {"type": "Replace", "pattern": {"String": literal}, "content": content}


def packed(start: int, texts: bytes = b"x\0y\0") -> str:
    """A map that has "x" or "y" for "A", by where its string begins."""
    units = [0] * 512
    units[0] = 0x100 << 10  # the children of the root lie at 0x100
    units[0x141] = 0x41 | 0x100 | 0x80 << 10  # "A", with a value
    units[0x1C1] = 1 << 31 | start
    return b64encode(struct.pack("<513I", 2048, *units) + texts).decode()


BPE = ("a", "b", "c", "ab", "bc")
SWAPPED = tuple(
    spec(*BPE, merges=each) for each in ((("a", "b"), ("b", "c")), (("b", "c"), ("a", "b")))
)
FEWER = tuple(spec(*BPE, merges=each) for each in ((("a", "b"), ("b", "c")), (("a", "b"),)))
UNKNOWN = spec(*BPE, "?", merges=SWAPPED[0].merges)
RANDOM = tuple(replace(each, dropout=0.1) for each in FEWER)
WORDS = tuple(spec(*each, model=ModelType.WORDLEVEL) for each in (("a", "b"), ("a", "c")))
SCORED = tuple(
    spec("a", "b", model=ModelType.UNIGRAM, scores=each)
    for each in ({0: -1.0, 1: -2.0}, {0: -1.0, 1: -3.0})
)
ADDED = tuple(
    spec("a", "b", added_tokens=(AddedToken(7, "<e>", lstrip=each),)) for each in (True, False)
)
LOWER = tuple(stage("normalizer", {"type": "Lowercase"}, None))
LONG = tuple(stage("normalizer", normal(replaced("ab", "x")), normal(replaced("ab", "y"))))
MOVED = tuple(stage("normalizer", replaced("a", "x"), replaced("a", "y")))
MAPS = tuple(
    stage(
        "normalizer",
        *({"type": "Precompiled", "precompiled_charsmap": packed(start)} for start in (0, 2)),
    )
)
AROUND = tuple(stage("post_processor", template("<s>", 5), template("<t>", 6)))
TYPED = tuple(stage("post_processor", template("<s>", 5), template("<s>", 5, 1)))
DECODED = tuple(stage("decoder", {"type": "ByteLevel"}, {"type": "Fuse"}, byte_level=True))
JOINED = tuple(
    spec("a", "\u0120", stages={"decoder": {"type": each}}, byte_level=True)
    for each in ("ByteLevel", "Bytes")
)
CUTS = tuple(stage("pre_tokenizer", split("a+"), split("a")))
CROSSED = tuple(
    spec("?", " ", "  ", merges=((" ", " "),), unk_id=0, stages={"pre_tokenizer": split(each)})
    for each in (r"\s+|\S+", r"\s|\S+")
)
DROPPED = tuple(stage("pre_tokenizer", split("c"), split("d"), merges=(("a", "b"),)))

DIGITS = tuple(stage("pre_tokenizer", split(r"\d"), split("[0-9]")))
WORDS_OF_ASCII = tuple(stage("pre_tokenizer", split(r"\w"), split("[0-9A-Za-z_]")))
CASES = tuple(stage("pre_tokenizer", split("(?i:'s)"), split("'s")))
ACROSS_DIGITS = tuple(
    spec("?", "1", "\u0661", "1\u0661", merges=(("1", "\u0661"),), unk_id=0, stages=stages)
    for stages in ({"pre_tokenizer": split(each)} for each in (r"\d+|\s+|\S", r"[0-9]+|\s|\S"))
)
