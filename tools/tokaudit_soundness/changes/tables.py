"""The tables of a model: entries, merges and scores added, left out, moved or exchanged."""

from __future__ import annotations

from typing import Any

from tokaudit_soundness.changes.change import Described, change
from tokaudit_soundness.drawing import Characters, Draw
from tokaudit_soundness.models import SCORES, joined


@change("an entry more")
def entry_more(draw: Draw, of: Characters, described: Described) -> None:
    """An entry that a model may make of a text, or that nothing makes."""
    entry = draw.short("entry", of) + draw.character("entry", of)
    vocab = described["model"]["vocab"]
    if isinstance(vocab, list):
        vocab.append([entry, draw.one(SCORES)])
    elif entry not in vocab:
        vocab[entry] = max(vocab.values(), default=-1) + 1


@change("an entry less")
def entry_less(draw: Draw, of: Characters, described: Described) -> None:
    """An entry that no merge needs, with its id left free."""
    model = described["model"]
    if isinstance(model["vocab"], list):
        model["vocab"].pop(draw.number(0, len(model["vocab"]) - 1))
        return
    made = {part for merge in model.get("merges", ()) for part in (*merge, "".join(merge))}
    marks = [model.get(name) or "" for name in ("continuing_subword_prefix",)]
    free = [entry for entry in model["vocab"] if entry not in made and not any(marks)]
    if free:
        del model["vocab"][draw.one(free)]


@change("two ids exchanged")
def ids_exchanged(draw: Draw, of: Characters, described: Described) -> None:
    """Two entries at each other's ids."""
    vocab = described["model"]["vocab"]
    if len(vocab) < 2:
        return
    one, other = draw.some(list(range(len(vocab)) if isinstance(vocab, list) else vocab), 2, 2)
    vocab[one], vocab[other] = vocab[other], vocab[one]


@change("entries in another order", same_ids=True)
def entries_moved(draw: Draw, of: Characters, described: Described) -> None:
    """The same entries at the same ids, in another order of the file."""
    vocab = described["model"]["vocab"]
    if isinstance(vocab, dict):
        moved = draw.some([*vocab], len(vocab), len(vocab))
        described["model"]["vocab"] = {entry: vocab[entry] for entry in moved}


@change("two merges exchanged")
def merges_exchanged(draw: Draw, of: Characters, described: Described) -> None:
    """Two merges in the other order, wherever they are."""
    merges = described["model"].get("merges") or []
    if len(merges) > 1:
        one, other = draw.some(range(len(merges)), 2, 2)
        merges[one], merges[other] = merges[other], merges[one]


@change("a merge less")
def merge_less(draw: Draw, of: Characters, described: Described) -> None:
    """A merge left out, its entry kept."""
    merges = described["model"].get("merges") or []
    if merges:
        merges.pop(draw.number(0, len(merges) - 1))


@change("a merge more")
def merge_more(draw: Draw, of: Characters, described: Described) -> None:
    """Another way to an entry, or an entry more."""
    model = described["model"]
    if model.get("merges") is None:
        return
    left, right = draw.one([*model["vocab"]]), draw.one([*model["vocab"]])
    product = joined(left, right, model)
    if product is not None and [left, right] not in model["merges"]:
        model["merges"].insert(draw.number(0, len(model["merges"])), [left, right])
        model["vocab"].setdefault(product, max(model["vocab"].values()) + 1)


@change("a merge twice")
def merge_twice(draw: Draw, of: Characters, described: Described) -> None:
    """A merge listed again."""
    merges = described["model"].get("merges") or []
    if merges:
        merges.insert(draw.number(0, len(merges)), list(draw.one(merges)))


@change("merges as text", same_ids=True)
def merges_as_text(draw: Draw, of: Characters, described: Described) -> None:
    """Each merge as its parts with a space between, where no part holds one."""
    model = described["model"]
    merges: list[Any] = model.get("merges") or []
    if merges and not any(" " in part for merge in merges for part in merge):
        model["merges"] = [" ".join(merge) for merge in merges]


@change("all scores by a factor")
def scores_scaled(draw: Draw, of: Characters, described: Described) -> None:
    """The scores of a Unigram model times a number."""
    vocab = described["model"]["vocab"]
    if isinstance(vocab, list):
        factor = draw.one((0.5, 2.0, 3.0))
        described["model"]["vocab"] = [[entry, score * factor] for entry, score in vocab]


@change("another score")
def score_redrawn(draw: Draw, of: Characters, described: Described) -> None:
    """One score drawn again."""
    vocab = described["model"]["vocab"]
    if isinstance(vocab, list):
        draw.one(vocab)[1] = draw.one(SCORES)
