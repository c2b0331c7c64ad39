"""The settings of a model, of added tokens and of batches."""

from __future__ import annotations

from typing import Any

from tokaudit_soundness.changes.change import Described, change
from tokaudit_soundness.drawing import Characters, Draw
from tokaudit_soundness.making import BATCHES, FLAGS, added_content, added_token

SETTINGS: dict[str, tuple[Any, ...]] = {
    "unk_token": (None, "<unk>", "<none>"),
    "unk_id": (0, None, 1),
    "fuse_unk": (False, True),
    "byte_fallback": (False, True),
    "ignore_merges": (False, True),
    "dropout": (None, 0.0),
    "continuing_subword_prefix": (None, "", "##"),
    "end_of_word_suffix": (None, "", "</w>"),
    "max_input_chars_per_word": (0, 1, 2, 3, 100),
}


@change("a setting of the model")
def setting(draw: Draw, of: Characters, described: Described) -> None:
    """One setting drawn again; a model that looks entries up needs a text for each."""
    model = described["model"]
    stated = [each for each in SETTINGS if each in model]
    if not stated:
        return
    name = draw.one(stated)
    value = draw.one([each for each in SETTINGS[name] if each != model[name]])
    if name == "continuing_subword_prefix" and value and model.get("merges"):
        return  # the library ends the whole process on merges whose parts lack the prefix
    if value is not None or model["type"] in ("BPE", "Unigram"):
        model[name] = value


@change("a setting of the model left out")
def setting_left_out(draw: Draw, of: Characters, described: Described) -> None:
    """One setting left to its default."""
    stated = [each for each in SETTINGS if each in described["model"]]
    if stated:
        del described["model"][draw.one(stated)]


@change("a byte token less")
def byte_token_less(draw: Draw, of: Characters, described: Described) -> None:
    """A byte token that is gone."""
    vocab = described["model"]["vocab"]
    found = [entry for entry in vocab if entry[:3] == "<0x"] if isinstance(vocab, dict) else []
    if found:
        del vocab[draw.one(found)]


@change("a flag of an added token")
def flag(draw: Draw, of: Characters, described: Described) -> None:
    """One flag the other way."""
    if described["added_tokens"]:
        token, name = draw.one(described["added_tokens"]), draw.evenly("flag changed", FLAGS)
        token[name] = not token[name]


@change("added tokens in another order")
def added_moved(draw: Draw, of: Characters, described: Described) -> None:
    """The list of added tokens the other way round."""
    described["added_tokens"].reverse()


@change("an added token more")
def added_more(draw: Draw, of: Characters, described: Described) -> None:
    """One that a model might make too."""
    listed = described["added_tokens"]
    contents = {token["content"] for token in listed}
    content = added_content(draw, of)
    if content not in contents:
        listed.append(added_token(draw, content, described["model"], len(listed)))


@change("an added token at another id")
def added_id(draw: Draw, of: Characters, described: Described) -> None:
    """An id that the library may not use."""
    if described["added_tokens"]:
        draw.one(described["added_tokens"])["id"] += draw.number(1, 2)


@change("a batch setting")
def batch_setting(draw: Draw, of: Characters, described: Described) -> None:
    """Truncation or padding switched on or off."""
    name = draw.one([*BATCHES])
    described[name] = BATCHES[name][-1] if described[name] is None else None
