"""What moves a short id moves a hash of the manifest; what moves neither changes no ids.

Every kind of change of a `tokenizer.json` that soundness is tried with is drawn, and of the other
formats every kind of leaf of their files.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import fields, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from law_examples import ALL

from tokaudit.engine.sides.side import Side
from tokaudit.foundation.errors import TokauditError
from tokaudit.products.compare.proofs.merges.model import MergeModel
from tokaudit.products.identity.drift import drifts_of_identity
from tokaudit.products.identity.short_id import HashPart, canonical_identities, name_of_part
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders import example_folders
from tokaudit_fuzz.sample import Files
from tokaudit_fuzz.samples import SAMPLES
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_soundness import claims
from tokaudit_soundness.changes import all_changes
from tokaudit_soundness.claims import Claims, NotParsed, identities, short_ids, side
from tokaudit_soundness.drawing import Draw
from tokaudit_soundness.library import Refused, loaded
from tokaudit_soundness.making import tokenizer
from tokaudit_soundness.pairs import ChangedPair
from tokaudit_soundness.refuting import Refutation, Sides, refutations
from tokaudit_soundness.texts import texts

EACH = 20 if ALL else 2  # changes of a kind
TEXTS = 150
Change = Callable[[random.Random], Files]
Identity = Mapping[str, str]
Parts = Callable[[TokenizerSpec, MergeModel | None], Iterator[HashPart]]


def broken_law(was: Identity, now: Identity) -> str:
    """How an id moved without a component of the manifest, or without drift; "" if it did not."""
    if short_ids(was) == short_ids(now):
        return ""
    names = [name for name in {**was, **now} if was.get(name) != now.get(name)]
    if all(name.startswith("id-v1@") for name in names):
        return "the short id moved without a component"
    gated = any(each.gated for each in drifts_of_identity(was, now))
    return "" if gated else "the short id moved and nothing drifts"


def drawn_pairs(name: str) -> Iterator[ChangedPair]:
    """Pairs that differ by one change of a kind, drawn until there are enough."""
    found, draw = 0, Draw(7)
    for _ in range(60 * EACH):
        first, of = tokenizer(draw)
        second = deepcopy(first)
        all_changes()[name].act(draw, of, second)
        if json.dumps(first) != json.dumps(second):
            found += 1
            yield ChangedPair(first, second, of, (name,))
        if found == EACH:
            return


def refuted(pair: ChangedPair, place: Path) -> Iterator[str | Refutation]:
    """What is wrong with the identities of a pair, by the law or by a text."""
    try:
        sides = Sides(loaded(pair.first), loaded(pair.second))
        folders = side("first", pair.first, place), side("second", pair.second, place)
    except (Refused, NotParsed):
        return
    was, now = map(identities, folders)
    if why := broken_law(was, now):
        yield why
    still = not any(each.gated for each in drifts_of_identity(was, now))
    same = short_ids(was) == short_ids(now)
    if (still or same) and sides.are_steady(pair):
        nothing = Claims({}, {}, False, same, still, False)
        yield from refutations(pair, sides, nothing, texts(pair)[:TEXTS])


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(all_changes()))
def test_a_change_of_a_tokenizer_json_moves_a_component_or_no_ids(
    name: str, tmp_path: Path
) -> None:
    assert [why for pair in drawn_pairs(name) for why in refuted(pair, tmp_path)] == []


BATCHES = "truncation or padding left on"


def without(name: str) -> Parts:
    """The parts of the short id, where the manifest lacks one of them."""
    return lambda spec, model: (
        each for each in canonical_identities(spec, model) if name_of_part(name, "") not in each[0]
    )


def forgetting(field: str) -> Parts:
    """The parts of the short id, where neither it nor the manifest reads a field of the spec."""
    plain = {each.name: each for each in fields(TokenizerSpec)}[field].default
    return lambda spec, model: canonical_identities(replace(spec, **{field: plain}), model)


def test_an_id_that_moves_without_a_component_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The seeded breach: truncation and padding are of the short id and not of the manifest."""
    monkeypatch.setattr(claims, "canonical_identities", without("batch settings"))
    found = {why for pair in drawn_pairs(BATCHES) for why in refuted(pair, tmp_path)}
    assert found == {"the short id moved without a component"}


def test_ids_that_change_and_leave_the_short_id_are_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The seeded breach: nothing reads the added tokens."""
    monkeypatch.setattr(claims, "canonical_identities", forgetting("added_tokens"))
    monkeypatch.setattr(claims.hashes, "identities", lambda *of: ())
    pairs = [*drawn_pairs("two added tokens at one id"), *drawn_pairs("an added token more")]
    found = [why for pair in pairs for why in refuted(pair, tmp_path)]
    assert any(isinstance(why, Refutation) for why in found)


KEYS: dict[str, Any] = {
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "gpt-2",
    "tokenizer.ggml.tokens": [*BYTE_OF, "ab", "<|end|>"],
    "tokenizer.ggml.token_type": [*[1] * 257, 3],
    "tokenizer.ggml.merges": ["a b"],
    "tokenizer.ggml.bos_token_id": 257,
    "tokenizer.ggml.eos_token_id": 257,
    "tokenizer.ggml.add_bos_token": False,
    "tokenizer.ggml.add_eos_token": False,
}
PIECES: dict[str, Any] = {
    "pieces": [["<unk>", 2], ["<s>", 3], ["</s>", 3], ["\u2581a", 1], ["b", 1], ["<b>", 4]],
    "trainer_spec": {"model_prefix": "m"},
}
PACKED: Mapping[str, tuple[str, dict[str, Any], Callable[[Any], bytes]]] = {
    "gguf": ("small.gguf", KEYS, example_folders.gguf),
    "sentencepiece": ("tokenizer.model", PIECES, example_folders.sentencepiece),
}
"""Formats of bytes: the file's name, what it holds, and what writes it."""
ENTRIES = 20  # of an object, after which its keys are entries and no names


def kinds(files: Files) -> dict[str, list[Change]]:
    """The kinds of leaves of some files, each with the changes of its leaves."""
    found: dict[str, list[Change]] = {}
    for name, data in files.items():
        if name.endswith(".json"):
            content = json.loads(data)
            for kind, path in leaves(content):
                found.setdefault(f"{name}{kind}", []).append(
                    lambda draw, name=name, content=content, path=path: {  # type: ignore[misc]
                        **files,
                        name: json.dumps(put(content, path, draw)).encode(),
                    }
                )
        elif b"\0" not in data:
            for kind, change in of_lines(data):
                found.setdefault(f"{name}{kind}", []).append(
                    lambda draw, name=name, change=change: {**files, name: change(draw)}  # type: ignore[misc]
                )
    return found


def of_packed(format: str) -> dict[str, list[Change]]:
    """The same of a format of bytes, by what its file holds."""
    name, content, pack = PACKED[format]
    found: dict[str, list[Change]] = {}
    for kind, path in leaves(content):
        found.setdefault(kind, []).append(
            lambda draw, path=path: {name: pack(put(content, path, draw))}  # type: ignore[misc]
        )
    return found


def leaves(value: Any, kind: str = "", path: tuple[Any, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Each leaf: its kind, in which entries are not told apart, and its place."""
    if isinstance(value, dict | list) and value:
        of = value.items() if isinstance(value, dict) else enumerate(value)
        many = isinstance(value, list) or len(value) > ENTRIES
        for key, each in of:
            yield from leaves(each, f"{kind}/{'*' if many else key}", (*path, key))
    else:
        yield kind, path


def put(content: Any, path: tuple[Any, ...], draw: random.Random) -> Any:
    """The content with another value at a place, or without it."""
    changed = deepcopy(content)
    at = changed
    for key in path[:-1]:
        at = at[key]
    old = at[path[-1]]
    at[path[-1]] = other_value(old, draw)
    return changed


def other_value(old: Any, draw: random.Random) -> Any:
    match old:
        case bool():
            return not old
        case int():
            return max(0, old + draw.choice([-2, -1, 1, 2, 3]))
        case float():
            return old + draw.choice([-1.5, 0.5, 2.0])
        case str():
            return other_text(old, draw)
    return draw.choice([True, "a", 1])


def other_text(old: str, draw: random.Random) -> str:
    at = draw.randrange(len(old) + 1)
    return draw.choice([old[:at] + draw.choice("abc <") + old[at:], old[:at], old.swapcase()])


def of_lines(data: bytes) -> Iterator[tuple[str, Callable[[random.Random], bytes]]]:
    """Each field of each line, by its column; and each line gone."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        for column, field in enumerate(re.finditer(rb"[^ ]+", line)):

            def change(draw: random.Random, number: int = number, field: Any = field) -> bytes:
                text = field[0].decode()
                new = str(other_value(int(text), draw)) if text.isdecimal() else None
                new = other_text(text, draw) if new is None else new
                own = lines[number]
                made = own[: field.start()] + new.encode() + own[field.end() :]
                return b"\n".join([*lines[:number], made, *lines[number + 1 :]])

            yield f"/{column}", change


def spec_of(files: Files, place: Path) -> Side | None:
    """The first tokenizer of some files; None where they are refused."""
    place.mkdir(parents=True)
    for name, data in files.items():
        (place / name).write_bytes(data)
    try:
        subject = open_subject(str(place), settings={"pattern": r"\w+|\W"})
        found = parse_all(subject)
    except (TokauditError, SpecError):
        return None
    return Side(str(place), found.parsed[0][1], subject) if found.parsed else None


def rows(spec: TokenizerSpec, written: tuple[str, ...]) -> list[Any]:
    """The ids of texts by the reference, with and without what is put around them."""
    try:
        run = ReferenceTokenizer(spec)
        return [
            run.encode(text, add_special_tokens=special).ids
            for text in written
            for special in (False, True)
        ]
    except SpecError as unknown:
        return [str(unknown)]


def written_by(*specs: TokenizerSpec) -> tuple[str, ...]:
    """Texts of the entries and added tokens of both sides, alone and in twos."""
    found = dict.fromkeys(token.content for spec in specs for token in spec.added_tokens)
    for spec in specs:
        for piece in [*spec.every_piece()][-12:]:
            value = piece.value
            text = value if isinstance(value, str) else value.decode("utf-8", "ignore")
            found |= dict.fromkeys((text, text.replace("\u2581", " ")))
    some = [*found, "a", "b", "c", "ab", " a", "A b", "\u00e9"][-14:]
    return (*found, *("".join(two) for two in product(some, repeat=2)))


OTHERS = [format for format in SAMPLES if format not in ("tokenizer.json", *PACKED)]


@pytest.mark.long
@pytest.mark.parametrize("format", [*OTHERS, *PACKED])
def test_a_leaf_of_another_format_moves_a_component_or_no_ids(format: str, tmp_path: Path) -> None:
    tried = [*tried_leaves(format, tmp_path)]
    assert [each for each in tried if each[1]] == []
    assert tried


def test_a_leaf_of_another_format_that_is_forgotten_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The seeded breach: neither the short id nor the manifest reads what is put around a text."""
    monkeypatch.setattr(claims, "canonical_identities", forgetting("post_processor"))
    monkeypatch.setattr(claims.hashes, "identities", lambda *of: ())
    wrong = {(kind, why) for kind, why, _ in tried_leaves("gguf", tmp_path) if why}
    said = "ids of a text differ and the short id is the same"
    assert ("/tokenizer.ggml.add_eos_token", said) in wrong


def tried_leaves(format: str, tmp_path: Path) -> Iterator[tuple[str, str, Files]]:
    """Each drawn change of a leaf that is read: its kind, what is wrong with it, and the files."""
    built = [of_packed(format)] if format in PACKED else [kinds(b()) for b in SAMPLES[format]]
    for at, found in enumerate(built):
        for number, (kind, changes) in enumerate(found.items()):
            draw = random.Random(f"{format} {kind}")
            done = 0
            for count in range(10 * EACH):  # many a change is of a file that nobody reads
                if done == EACH:
                    break
                place = tmp_path / f"{at}-{number}-{count}"
                files = draw.choice(changes)(draw)
                one, other = (
                    spec_of(each, place / name)
                    for name, each in (("a", original(format, at)), ("b", files))
                )
                if one is None or other is None:
                    continue
                done += 1
                was, now = identities(one), identities(other)
                why = broken_law(was, now)
                if not why and short_ids(was) == short_ids(now):
                    about = written_by(one.spec, other.spec)
                    same = rows(one.spec, about) == rows(other.spec, about)
                    why = "" if same else "ids of a text differ and the short id is the same"
                yield kind, why, files


def original(format: str, at: int) -> Files:
    if format in PACKED:
        name, content, pack = PACKED[format]
        return {name: pack(content)}
    return SAMPLES[format][at]()
