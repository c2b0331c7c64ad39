"""What is one thing in two forms: ids of two entries, contents listed twice, normal forms, batches.

Each is a way in which a map from strings to ids is no map from ids to strings, or in which ids of a
text depend on more than the text.
"""

from __future__ import annotations

from typing import Any

from tokaudit_reference.steps.sequence import flattened, sequence
from tokaudit_soundness.changes.change import Described, change
from tokaudit_soundness.drawing import Characters, Draw
from tokaudit_soundness.making import added_content, added_token

TRUNCATED: dict[str, Any] = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst"}
PADDED: dict[str, Any] = {
    "strategy": "BatchLongest",
    "direction": "Right",
    "pad_to_multiple_of": None,
    "pad_id": 0,
    "pad_type_id": 0,
    "pad_token": "[x]",
}
OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "truncation": {"max_length": (1, 2, 3, 7, 100), "direction": ("Left", "Right")},
    "padding": {
        "strategy": ("BatchLongest", {"Fixed": 2}, {"Fixed": 7}),
        "direction": ("Left", "Right"),
        "pad_to_multiple_of": (None, 2, 3),
        "pad_id": (0, 1, 2),
        "pad_type_id": (0, 1),
        "pad_token": ("[x]", "[y]"),
    },
}
SHARED, TWICE, NORMAL, BATCHES = "shared ids", "contents twice", "normal forms", "batches"


@change("an entry more at the id of another")
def entry_at_an_id(draw: Draw, of: Characters, described: Described) -> None:
    """An entry that no merge needs to make, or that one makes, with an id that is taken."""
    vocab = described["model"]["vocab"]
    entry = draw.short("shared entry", of) + draw.character("shared entry", of)
    if isinstance(vocab, dict) and vocab and entry not in vocab:
        _put_in(draw, vocab, entry, draw.one([*vocab.values()]))


@change("an entry moved to the id of another")
def entry_moved(draw: Draw, of: Characters, described: Described) -> None:
    """Two entries, whatever merges make them, at one id."""
    vocab = described["model"]["vocab"]
    if isinstance(vocab, dict) and len(vocab) > 2:
        one, other = draw.some([*vocab], 2, 2)
        vocab[one] = vocab[other]


@change("an entry that shared its id at a free one")
def entry_freed(draw: Draw, of: Characters, described: Described) -> None:
    """One of the entries of an id that several have, at an id of its own."""
    vocab = described["model"]["vocab"]
    if isinstance(vocab, dict):
        ids = list(vocab.values())
        shared = [entry for entry, id in vocab.items() if ids.count(id) > 1]
        if shared:
            vocab[draw.one(shared)] = max(ids) + 1


@change("entries that share an id in another order", same_ids=True)
def shared_moved(draw: Draw, of: Characters, described: Described) -> None:
    """The last entry of the file first."""
    vocab = described["model"]["vocab"]
    if isinstance(vocab, dict) and len(vocab) > 1:
        last = [*vocab][-1]
        described["model"]["vocab"] = {last: vocab[last], **vocab}


@change("a content listed twice")
def content_twice(draw: Draw, of: Characters, described: Described) -> None:
    """An added token again, with its own flags or others, at its id or at another."""
    listed = described["added_tokens"]
    if listed:
        again = {**draw.one(listed), "id": draw.one(listed)["id"] + draw.number(0, 1)}
        flag = draw.evenly("flag of a content twice", ("normalized", "special", "lstrip", "id"))
        again[flag] = again["id"] if flag == "id" else not again[flag]
        listed.insert(draw.number(0, len(listed)), again)


@change("two added tokens at one id")
def added_at_one_id(draw: Draw, of: Characters, described: Described) -> None:
    """Another content with the id of a token that is there."""
    listed = described["added_tokens"]
    content = added_content(draw, of)
    if listed and content not in {token["content"] for token in listed}:
        more = added_token(draw, content, described["model"], len(listed))
        listed.append({**more, "id": draw.one(listed)["id"]})


@change("an added token that has a normal form")
def added_with_a_form(draw: Draw, of: Characters, described: Described) -> None:
    """A token in capitals that is looked for in normalized text."""
    listed, content = described["added_tokens"], draw.one(("<A>", "A.", "[A]a"))
    if content not in {token["content"] for token in listed}:
        token = added_token(draw, content, described["model"], len(listed))
        listed.append({**token, "normalized": True, "single_word": False})


@change("a normalizer that rewrites added tokens")
def rewritten_tokens(draw: Draw, of: Characters, described: Described) -> None:
    """A step last, by which the normal form of a token is another text."""
    step = draw.one(
        (
            {"type": "Lowercase"},
            {"type": "Prepend", "prepend": "a"},
            {"type": "Replace", "pattern": {"String": "<"}, "content": "a"},
        )
    )
    steps = [*flattened("normalizer", described["normalizer"]), step]
    described["normalizer"] = sequence("normalizer", steps)


@change("truncation or padding left on")
def left_on(draw: Draw, of: Characters, described: Described) -> None:
    """A block where none was, with its defaults left out or written."""
    name = draw.evenly("block left on", ("truncation", "padding"))
    block = {"truncation": TRUNCATED, "padding": PADDED}[name]
    block = {**block, "stride": 0} if name == "truncation" else block
    described[name] = {**block, **_one_option(draw, name)}


@change("an option of truncation or padding", weight=2)
def option_of_a_batch(draw: Draw, of: Characters, described: Described) -> None:
    """One option of a block that is on, drawn again."""
    name = draw.evenly("option of a batch", ("truncation", "padding"))
    if described[name] is not None:
        described[name] = {**described[name], **_one_option(draw, name)}


def _one_option(draw: Draw, name: str) -> dict[str, Any]:
    option = draw.evenly(f"option of {name}", tuple(OPTIONS[name]))
    return {option: draw.one(OPTIONS[name][option])}


def _put_in(draw: Draw, vocab: dict[str, int], entry: str, id: int) -> None:
    """Write an entry at any place of the file, which says nothing about ids."""
    items = list(vocab.items())
    items.insert(draw.number(0, len(items)), (entry, id))
    vocab.clear()
    vocab.update(items)


KINDS = {
    SHARED: (entry_at_an_id, entry_moved, entry_freed, shared_moved),
    TWICE: (content_twice, added_at_one_id),
    NORMAL: (added_with_a_form, rewritten_tokens),
    BATCHES: (left_on, option_of_a_batch),
}
"""The kinds of pairs that these make, of which a quarter of all pairs are."""
