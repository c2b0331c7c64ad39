"""Pipelines that each version of a class builds from a SentencePiece model alone.

`make loaders` draws the record: small models of each kind, with and without a character map, loaded
by both versions, each class by itself and with each of its switches.  A row is what was built, with
what comes from the model taken out: its pieces, its character map, and where its unknown token is.

A piece of a BPE is a merge of each two pieces that it is made of.  Version 4 ranks merges by the
score of what they make; classes of version 5 by its id.

Source of the merges: `generate_merges` of transformers 4.57.6, convert_slow_tokenizer.py, and
5.24.0, tokenization_utils_base.py.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit.subject.upstream.records import HERE

PIECE_PIPELINES = "piece_pipelines.toml"
CHARSMAP = "@charsmap"
STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
BY_SCORES, BY_IDS = "scores", "ids"
LOWERED = 100.0  # what some classes take from the score of a piece that ends in a digit and a comma
SWITCHES = (
    *("add_bos_token", "add_eos_token", "add_prefix_space", "do_lower_case", "keep_accents"),
    *("legacy", "split_by_punct"),
)
"""The switches of classes that change what is built around pieces."""
Part = Mapping[str, Any] | None
Merge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PiecePipeline:
    """The pipeline that a version builds around a model of one kind, for some classes.

    `first` has the pieces that such a model begins with, where it matters.  The vocabulary is
    `head`, the pieces without the first `dropped` (all if that is -1), and `tail`.  `unknown` is
    its id, or, where it `follows` the model's, how far it is from that.  `added` has the tokens
    that are added in this order, after the end of a vocabulary that lacks them.
    """

    when: Mapping[str, bool]
    first: tuple[str, ...]
    builds: str
    stages: Mapping[str, Part]
    options: Mapping[str, Any]
    head: tuple[tuple[str, float], ...]
    dropped: int
    tail: tuple[tuple[str, float], ...]
    unknown: int
    follows: bool
    lowers: bool
    merges: str
    added: tuple[Mapping[str, Any], ...]


@cache
def piece_pipelines(
    name: str, version: str, kind: str, has_map: bool, flags: bool
) -> tuple[PiecePipeline, ...]:
    """Return a class's rows for a kind of model, the one without switches first.

    `flags` says that the model puts a space before texts and makes one of several, as most do.

    >>> rows = piece_pipelines("LlamaTokenizer", "4.57.6", "BPE", True, True)
    >>> rows[0].when, rows[0].stages["normalizer"]["normalizers"][0]["type"]
    ({}, 'Prepend')
    >>> piece_pipelines("AcornTokenizer", "4.57.6", "BPE", True, True)
    ()
    """
    texts: Mapping[str, str] = _record()["texts"]
    begins = model_key(kind, has_map, flags, {})
    found = [
        _row(each, _switches(model), texts)
        for each in _record().get(version, ())
        if name in each["of"]
        for model in each["models"]
        if model.partition(" ")[0] == begins
    ]
    return tuple(sorted(found, key=lambda row: len(row.when)))


def model_key(kind: str, has_map: bool, flags: bool, when: Mapping[str, bool]) -> str:
    """Return the record's key for a kind of model with the stated switches.

    >>> model_key("BPE", True, False, {"legacy": False})
    'BPE+map legacy=false'
    """
    name = kind + "+map" * has_map + "+flags" * flags
    return " ".join((name, *(f"{key}={json.dumps(on)}" for key, on in when.items())))


def _switches(model: str) -> Mapping[str, bool]:
    pairs = (each.split("=") for each in model.split(" ")[1:])
    return {key: json.loads(on) for key, on in pairs}


def _row(
    stated: Mapping[str, Any], when: Mapping[str, bool], texts: Mapping[str, str]
) -> PiecePipeline:
    """Build a row, whose parts are stored as references to texts."""

    def part(key: str) -> Any:
        return json.loads(texts[stated[key]])

    return PiecePipeline(
        when=when,
        first=tuple(part("first")),
        builds=stated["builds"],
        stages={key: part(key) or None for key in STAGES},
        options=part("options"),
        head=tuple((piece, score) for piece, score in part("head")),
        dropped=stated["dropped"],
        tail=tuple((piece, score) for piece, score in part("tail")),
        unknown=stated["unknown"],
        follows=stated["follows"],
        lowers=stated["lowers"],
        merges=stated["merges"],
        added=tuple(part("added")),
    )


@cache
def _record() -> Mapping[str, Any]:
    return tomllib.loads((HERE / PIECE_PIPELINES).read_text("utf-8"))


def merges_by_scores(ids: Mapping[str, int], scores: Mapping[str, float]) -> list[Merge]:
    """Return the merges by descending score.

    >>> merges_by_scores({"a": 0, "b": 1, "ab": 2, "ba": 3}, {"ab": -2.0, "ba": -1.0})
    [('b', 'a'), ('a', 'b')]
    """
    found = [(scores[made], merge) for made in scores for merge in _parts(made, ids)]
    found.sort(key=lambda each: (each[0], *_lengths(each[1])), reverse=True)
    return [merge for _, merge in found]


def merges_by_ids(ids: Mapping[str, int]) -> list[Merge]:
    """Return the merges by ascending id."""
    found = [(id, merge) for made, id in ids.items() for merge in _parts(made, ids)]
    found.sort(key=lambda each: (each[0], *_lengths(each[1])))
    return [merge for _, merge in found]


def _parts(made: str, ids: Mapping[str, int]) -> Iterator[Merge]:
    """Yield the pairs of pieces that build a piece, by id."""
    cuts = ((made[:at], made[at:]) for at in range(1, len(made)))
    found = ((ids[a], ids[b], (a, b)) for a, b in cuts if a in ids and b in ids)
    yield from (merge for _, _, merge in sorted(found))


def _lengths(merge: Merge) -> tuple[int, int]:
    return len(merge[0]), len(merge[1])
