"""Draws what each version of a class builds of a bare SentencePiece model, and writes it down."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit.subject.upstream.piece_pipelines import (
    BY_IDS,
    BY_SCORES,
    CHARSMAP,
    LOWERED,
    SWITCHES,
    merges_by_ids,
    merges_by_scores,
    model_key,
)
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass
from tokaudit_loaders.drawing import SETTINGS, Judge
from tokaudit_loaders.piece_models import DrawnModel

HEAD = (
    "# What a version of a class builds of a bare SentencePiece model; `make loaders` draws it.\n"
)
STAGES = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
FEW = 2  # models that each switch is tried on
Built = dict[str, Any]


def drawn_rows(
    judge: Judge, known: TokenizerClass, models: Iterable[DrawnModel], folder: Path
) -> Iterator[Built]:
    """What is built of each kind of model: by default, and by each switch that changes it."""
    folder.mkdir(parents=True)
    by_kind: dict[tuple[str, bool, bool], list[DrawnModel]] = defaultdict(list)
    for each in models:
        by_kind[each.kind, each.has_map, each.has_flags].append(each)
    for (kind, has_map, flags), alike in by_kind.items():
        own: list[Built] = []
        taken = [key for key in SWITCHES if key in known.settings]
        for when in ({}, *({key: on} for key in taken for on in (False, True))):
            rows = list(_rows(judge, known, alike[: FEW if when else None], folder, when))
            if not when:
                own = rows
            for row in rows:
                if not when or row not in own:
                    yield {"model": kind, "has_map": has_map, "flags": flags, "when": when, **row}
            if not rows:
                break


def _rows(
    judge: Judge,
    known: TokenizerClass,
    alike: Sequence[DrawnModel],
    folder: Path,
    when: Mapping[str, bool],
) -> Iterator[Built]:
    """One row for models of one kind that are built alike, whatever pieces they begin with."""
    built = []
    for model in alike:
        (folder / known.files[0]).write_bytes(model.data)
        settings = {"tokenizer_class": known.name, **when}
        (folder / SETTINGS).write_text(json.dumps(settings))
        whole = judge(folder, (), whole=True).get("whole")
        if whole:
            built.append((_taken_apart(json.loads(whole), model), model))
    if not built:
        return
    common = set.intersection(*({*row["cuts"]} for row, _ in built))
    for row, _ in built:
        cuts = row.pop("cuts")
        row["dropped"], row["head"], row["tail"] = min(common or cuts, key=lambda cut: cut[0])
    for follows in (True, False):
        rows = [_of_unknown(row, model, follows) for row, model in built]
        if len(built) == len(alike) and all(row == rows[0] for row in rows):
            yield {**rows[0], "follows": follows, "first": []}
            return
    for row, model in built:
        first = list(model.pieces[: len(model.first)])
        yield {**_of_unknown(row, model, False), "follows": False, "first": first}


def _of_unknown(row: Built, model: DrawnModel, follows: bool) -> Built:
    return {**row, "unknown": row["unknown"] - (model.unknown if follows else 0)}


def _taken_apart(whole: Built, model: DrawnModel) -> Built:
    """What was built, without what comes from the model."""
    made = whole["model"]
    listed = made.pop("vocab")
    pairs = listed if isinstance(listed, list) else [[each, 0.0] for each in _in_order(listed)]
    vocab, pieces = [piece for piece, _ in pairs], list(model.pieces)
    merges, kind, unknown = made.pop("merges", None), made.pop("type"), made.pop("unk_id", None)
    cuts = [
        (dropped, _pairs(pairs[:at]), _pairs(pairs[at + len(kept) :]))
        for dropped in range(len(pieces))
        for kept in (pieces[dropped:],)
        for at in range(len(vocab) - len(kept) + 1)
        if vocab[at : at + len(kept)] == kept
    ]
    within = [each for each in whole["added_tokens"] if each["id"] < len(vocab)]
    beyond = [each for each in whole["added_tokens"] if each["id"] >= len(vocab)]
    of_comma = dict(map(tuple, pairs)).get("1,", 0.0) - model.scores["1,"]
    return {
        "builds": kind,
        "stages": {key: _stage(_without_ids(whole[key], model)) for key in STAGES},
        "options": dict(sorted(made.items())),
        "cuts": cuts or [(-1, _pairs(pairs), ())],
        "unknown": _place(vocab, "<unk>") if unknown is None else unknown,
        "lowers": isinstance(listed, list) and of_comma == -LOWERED,
        "merges": _order(merges, vocab, model) if merges else "",
        "added": [*sorted(_added(within), key=_text), *_added(beyond)],
    }


def _added(tokens: Iterable[Built]) -> list[Built]:
    return [{key: value for key, value in each.items() if key != "id"} for each in tokens]


def _pairs(pairs: Iterable[Sequence[Any]]) -> tuple[tuple[str, float], ...]:
    return tuple((piece, score) for piece, score in pairs)


def _place(vocab: Sequence[str], piece: str) -> int:
    return vocab.index(piece) if piece in vocab else -1


def _stage(stage: Any) -> Any:
    """A stage, of which nothing at all is an empty object, as null is a value of no TOML."""
    return {} if stage is None else stage


def _in_order(vocab: Mapping[str, int]) -> list[str]:
    return sorted(vocab, key=lambda piece: vocab[piece])


def _without_ids(stage: Any, model: DrawnModel) -> Any:
    """A stage with a mark in place of the character map, and no ids of tokens."""
    match stage:
        case {"precompiled_charsmap": str(), **rest}:
            return {**rest, "precompiled_charsmap": CHARSMAP}
        case {"ids": list(), **rest}:
            return {**rest, "ids": []}
        case Mapping():
            return {key: _without_ids(value, model) for key, value in stage.items()}
        case list():
            return [_without_ids(value, model) for value in stage]
        case _:
            return stage


def _order(merges: Any, vocab: Sequence[str], model: DrawnModel) -> str:
    """Which rule the merges are made by; raises `ValueError` for another one."""
    pairs = [tuple(each.split(" ")) if isinstance(each, str) else tuple(each) for each in merges]
    ids = {piece: id for id, piece in enumerate(vocab)}
    if pairs == merges_by_scores(ids, {each: model.scores.get(each, 0.0) for each in vocab}):
        return BY_SCORES
    if pairs == merges_by_ids(ids):
        return BY_IDS
    return "unknown"


def record(rows: Mapping[str, Iterable[tuple[str, Built]]]) -> str:
    """The text of the record: rows that are the same are one, and each long text stands once."""
    texts: dict[str, str] = {}
    text = ""
    for version, drawn in rows.items():
        models: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name, row in drawn:
            kind = model_key(*(row.pop(key) for key in ("model", "has_map", "flags", "when")))
            models[name, _written(row, texts)].append(kind)
        of: dict[tuple[str, str], list[str]] = defaultdict(list)
        for (name, written), kinds in models.items():
            of[_text(sorted(kinds)), written].append(name)
        for (kinds, written), names in sorted(of.items(), key=lambda each: (each[1], each[0])):
            text += f'\n[["{version}"]]\nof = {_text(sorted(names))}\nmodels = {kinds}\n{written}'
    shared = "".join(f"{key} = {_toml(value)}\n" for value, key in texts.items())
    return f"{HEAD}\n[texts]\n{shared}{text}"


def _written(row: Built, texts: dict[str, str]) -> str:
    """A row, in whose place of parts are the names of their texts."""
    short = {
        key: texts.setdefault(_text(value), f"{key}_{len(texts)}")
        if isinstance(value, dict | list | tuple)
        else value
        for key, value in {**row.pop("stages"), **row}.items()
    }
    return "".join(f"{key} = {_text(value)}\n" for key, value in short.items())


def _toml(value: str) -> str:
    return f"'{value}'" if "'" not in value else _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
