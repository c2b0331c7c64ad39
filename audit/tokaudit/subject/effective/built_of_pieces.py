"""Emulate what a transformers version builds from a SentencePiece model alone.

The class decides everything but the pieces: what it does to text before, whether it takes the
character map of the model, how it ranks merges, which tokens it puts before the pieces.  What is
built is a tokenizer.json as the class would save it, by the row that was drawn of it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.effective.class_choice import FAST, TOKENIZER, ClassChoice, class_choice
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.effective.tokenizer_file import chosen_tokenizer_file
from tokaudit.subject.formats.sentencepiece_model import BareModel, bare_model
from tokaudit.subject.formats.tokenizer_json import spec_of
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.upstream.ends import PREFIX
from tokaudit.subject.upstream.piece_pipelines import (
    BY_IDS,
    BY_SCORES,
    CHARSMAP,
    LOWERED,
    SWITCHES,
    PiecePipeline,
    merges_by_ids,
    merges_by_scores,
    piece_pipelines,
)
from tokaudit.subject.upstream.pipeline import null_turns_off
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, class_named
from tokaudit.subject.upstream.versions import FOUR
from tokaudit_reference.spec import SpecError, TokenizerSpec

KINDS = {1: "Unigram", 2: "BPE"}
UNKNOWN, CONTROL, USER_DEFINED = 2, 3, 4  # types of pieces
FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
Pair = tuple[str, float]


@dataclass(frozen=True)
class BuiltOfPieces:
    """The tokenizer that a version builds, its class, and its saved form.

    `drops_map` says that the model has a character map, and the class does not use it.
    """

    choice: ClassChoice
    saved: Mapping[str, Any]
    spec: TokenizerSpec
    drops_map: bool


def built_of_pieces(subject: Subject, version: str) -> BuiltOfPieces | None:
    """Return the tokenizer that a version builds from a folder; None without a record."""
    choice = class_choice(subject, version)
    settings = settings_object(subject, TOKENIZER)
    if choice is None or refusals(subject, version):
        return None
    known = class_named(choice.name)
    if known is None or chosen_tokenizer_file(subject, version, settings) is not None:
        return None
    file = next((file for file in subject.files if file.base in known.files), None)
    try:
        stated = _switches(settings, version, known)
        return None if file is None else _built(file, version, choice, stated)
    except (SpecError, UnreadableError):
        return None


def _built(
    file: SourceFile, version: str, choice: ClassChoice, stated: Mapping[str, Any]
) -> BuiltOfPieces | None:
    model = bare_model(read_bytes(file), file.name)
    row = _row(_rows(choice, version, model), model, stated)
    if row is None:
        return None
    saved = _tokenizer_json(row, model)
    spec = replace(spec_of(saved, file.name), files=(file.name,))
    drops_map = bool(model.charsmap) and CHARSMAP not in repr(row.stages["normalizer"])
    return BuiltOfPieces(choice, saved, spec, drops_map)


def _rows(choice: ClassChoice, version: str, model: BareModel) -> Sequence[PiecePipeline]:
    """Return the recorded rows for a model; none if its flags matter and are mixed."""
    name, has_map = choice.name.removesuffix(FAST), bool(model.charsmap)
    if model.kind not in KINDS:
        return ()
    either = [
        piece_pipelines(name, version, KINDS[model.kind], has_map, flags)
        for flags in {model.adds_prefix, model.drops_spaces}
    ]
    return either[0] if all(rows == either[0] for rows in either) else ()


def _switches(
    settings: Mapping[str, Any], version: str, known: TokenizerClass
) -> Mapping[str, Any]:
    """Return the switches that a folder states.

    No space is put where that one is null: by version 4, and by classes of version 5 whose default
    is to put one; others take a null for their default.
    """
    stated = {key: settings[key] for key in SWITCHES if settings.get(key) is not None}
    turns_off = version == FOUR or null_turns_off(known, PREFIX)
    is_off = turns_off and settings.get(PREFIX, True) is None
    return {**stated, PREFIX: False} if is_off else stated


def _row(
    rows: Sequence[PiecePipeline], model: BareModel, stated: Mapping[str, Any]
) -> PiecePipeline | None:
    """Return the row for a model and its folder's switches; None if two change it."""
    begins = [text for text, _, _ in model.pieces[:4]]
    fitting = [row for row in rows if not row.first or [*row.first] == begins[: len(row.first)]]
    plain = [row for row in fitting if not row.when]
    changed = [row for row in fitting if row.when and row.when.items() <= stated.items()]
    if len(plain) != 1 or len(changed) > 1:
        return None
    row = changed[0] if changed else plain[0]
    plain_pieces = not (row.head or row.dropped or row.first)
    return row if not row.merges or (plain_pieces and row.merges in (BY_SCORES, BY_IDS)) else None


def _tokenizer_json(row: PiecePipeline, model: BareModel) -> dict[str, Any]:
    """Build the tokenizer.json that the class would save."""
    kept = model.pieces[row.dropped :] if row.dropped >= 0 else ()
    pairs = [*row.head, *((text, _score(row, text, score)) for text, score, _ in kept), *row.tail]
    ids = {text: id for id, (text, _) in enumerate(pairs)}
    made: dict[str, Any] = {"type": row.builds, **row.options}
    unknown = next(at for at, (_, _, type) in enumerate(model.pieces) if type == UNKNOWN)
    if row.builds == "BPE":
        made |= {"vocab": ids, "merges": list(map(list, _merges(row, ids, pairs)))}
    else:
        at = row.unknown + unknown * row.follows
        made |= {"vocab": [list(pair) for pair in pairs], "unk_id": at if at < len(pairs) else None}
    added = list(_added(row, model, ids))
    known = ids | {token["content"]: token["id"] for token in added}
    stages = {key: _filled(stage, model, known) for key, stage in row.stages.items()}
    return {"version": "1.0", "added_tokens": added, "model": made, **stages}


def _score(row: PiecePipeline, text: str, score: float) -> float:
    """Return the score of a piece, lowered by some classes for a final digit and comma."""
    is_comma = row.lowers and len(text) > 1 and text[-1] == "," and text[-2].isdigit()
    return score - LOWERED if is_comma else score


def _merges(
    row: PiecePipeline, ids: Mapping[str, int], pairs: Sequence[Pair]
) -> list[tuple[str, str]]:
    return merges_by_ids(ids) if row.merges == BY_IDS else merges_by_scores(ids, dict(pairs))


def _added(
    row: PiecePipeline, model: BareModel, ids: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    """Yield the control and user-defined pieces, then the class's tokens, with ids."""
    of_model = [
        {"content": text, **FLAGS, "special": type == CONTROL}
        for text, _, type in model.pieces
        if type in (CONTROL, USER_DEFINED) and text in ids
    ]
    by_text = {token["content"]: token for token in (*of_model, *row.added)}
    free = max(ids.values(), default=-1) + 1
    for text, token in by_text.items():
        id = ids.get(text, free)
        free += text not in ids
        yield {"id": id, **token}


def _filled(stage: Any, model: BareModel, known: Mapping[str, int]) -> Any:
    """Fill a stage with the model's character map and its tokens' ids."""
    match stage:
        case {"precompiled_charsmap": str(), **rest}:
            return {**rest, "precompiled_charsmap": base64.b64encode(model.charsmap).decode()}
        case {"ids": [], "tokens": list(tokens), **rest}:
            ids = [known[each] for each in tokens if each in known]
            return {**rest, "ids": ids, "tokens": tokens}
        case Mapping():
            return {key: _filled(value, model, known) for key, value in stage.items()}
        case list():
            return [_filled(value, model, known) for value in stage]
        case _:
            return stage
