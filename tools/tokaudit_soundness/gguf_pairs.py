"""Pairs of small GGUF files, what the product says of them, and what refutes it.

No library runs such a file here: texts are run by the reference, and what llama.cpp makes of a
draft is read once more in its source, by the keys of both files.

Source: `common_speculative_are_compatible` in `common/speculative.cpp` of ggml-org/llama.cpp at
001d906a.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import Searched, compared, ids_are_proved
from tokaudit.products.compare.judging.engine_rules import judged_by_engines
from tokaudit.products.compare.judging.purposes import suitability
from tokaudit.products.identity.drift import drifts_of_identity
from tokaudit.report.comparison import Purpose
from tokaudit.report.model import Verdict
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders import gguf_files
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.tokenizer import ReferenceTokenizer
from tokaudit_soundness.claims import NotParsed, identities, short_ids
from tokaudit_soundness.drawing import Draw

Keys = dict[str, Any]
GGUF = "GGUF with purposes"
PREFIX = "tokenizer.ggml."
FIRST_CHECKED, MOST_MORE = 5, 128  # of llama.cpp's check: an id, and how many tokens
AROUND = (Purpose.SERVING, Purpose.TRAINING, Purpose.CACHED_IDS)
TEXTS = tuple("".join(each) for n in range(4) for each in product("ab z", repeat=n))
MERGED: Keys = {
    "model": "gpt2",
    "pre": "gpt-2",
    "tokens": [*BYTE_OF, "ab", "aba", "<s>", "</s>"],
    "token_type": [1] * 258 + [3, 3],
    "merges": ["a b", "ab a"],
    "bos_token_id": 258,
    "eos_token_id": 259,
    "add_bos_token": False,
    "add_eos_token": False,
}
SCORED: Keys = {
    "model": "llama",
    "tokens": ["<unk>", "<s>", "</s>", "\u2581", "a", "b", "ab", "\u2581a", "ba", "<0x7A>"],
    "token_type": [2, 3, 3, 1, 1, 1, 1, 1, 1, 6],
    "scores": [0.0, 0.0, 0.0, -9.0, -8.0, -7.0, -2.0, -1.0, -3.0, 0.0],
    "unknown_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "add_bos_token": True,
    "add_eos_token": False,
    "add_space_prefix": True,
}


@dataclass(frozen=True)
class GgufPair:
    """Two files by their keys, and what was changed in the second."""

    first: Keys
    second: Keys
    changes: tuple[str, ...]
    kind: str = GGUF


def gguf_pair(draw: Draw) -> GgufPair:
    """A file of either model, and one with none, one or two changes."""
    first = deepcopy(draw.evenly("GGUF model", (MERGED, SCORED)))
    second, names = deepcopy(first), list[str]()
    for _ in range(draw.evenly("GGUF changes", (0, 1, 1, 1, 2))):
        name = draw.evenly("GGUF change", tuple(CHANGES))
        CHANGES[name](draw, second)
        names.append(name)
    return GgufPair(first, second, tuple(names))


def _switch(draw: Draw, keys: Keys) -> None:
    name = draw.one(("add_bos_token", "add_eos_token"))
    keys[name] = not keys[name]


def _other_end(draw: Draw, keys: Keys) -> None:
    name = draw.one(("bos_token_id", "eos_token_id"))
    keys[name] = draw.number(0, len(keys["tokens"]) - 1)


def _other_text(draw: Draw, keys: Keys) -> None:
    keys["tokens"][draw.number(0, 8)] = draw.one(("zz", "a", "<x>"))


def _other_type(draw: Draw, keys: Keys) -> None:
    keys["token_type"][draw.number(0, 8)] = draw.one((1, 3, 4, 5))


def _exchanged(draw: Draw, keys: Keys) -> None:
    one, other = draw.some(range(len(keys["tokens"])), 2, 2)
    tokens = keys["tokens"]
    tokens[one], tokens[other] = tokens[other], tokens[one]


def _more(draw: Draw, keys: Keys) -> None:
    many = draw.one((1, 2, MOST_MORE, MOST_MORE + 1))
    keys["tokens"] += [f"<more{at}>" for at in range(many)]
    keys["token_type"] += [draw.one((1, 3))] * many
    if "scores" in keys:
        keys["scores"] += [-99.0] * many


def _repeated(draw: Draw, keys: Keys) -> None:
    keys["tokens"][draw.number(5, 8)] = draw.one(keys["tokens"])


def _ranked(draw: Draw, keys: Keys) -> None:
    if "merges" in keys:
        keys["merges"].reverse()
    else:
        keys["scores"][draw.number(3, 8)] = draw.one((-1.0, -2.5, -9.5))


def _in_order(draw: Draw, keys: Keys) -> None:
    for name in sorted(keys):
        keys[name] = keys.pop(name)


def _prefix(draw: Draw, keys: Keys) -> None:
    keys["add_space_prefix"] = not keys.get("add_space_prefix", False)


CHANGES: dict[str, Callable[[Draw, Keys], None]] = {
    "GGUF: a switch of an end": _switch,
    "GGUF: the id of an end": _other_end,
    "GGUF: another text": _other_text,
    "GGUF: another type": _other_type,
    "GGUF: two tokens exchanged": _exchanged,
    "GGUF: tokens more": _more,
    "GGUF: a text repeated": _repeated,
    "GGUF: ranks": _ranked,
    "GGUF: keys in another order": _in_order,
    "GGUF: a space before texts": _prefix,
}


def refuses_draft(first: Keys, second: Keys) -> bool:
    """Whether llama.cpp refuses the second for a draft of the first."""
    if first["model"] != second["model"]:
        return True
    for switch, end in (("add_bos_token", "bos_token_id"), ("add_eos_token", "eos_token_id")):
        if first[switch] != second[switch] or (first[switch] and first[end] != second[end]):
            return True
    ours, theirs = first["tokens"], second["tokens"]
    if abs(len(ours) - len(theirs)) > MOST_MORE:
        return True
    both = [*zip(ours, theirs, strict=False)][FIRST_CHECKED:]
    return any(one != other for one, other in both)


def written(keys: Keys) -> bytes:
    """The file."""
    return gguf_files.gguf({PREFIX + key: (_type(value), value) for key, value in keys.items()})


def _type(value: Any) -> int:
    first = value[0] if isinstance(value, list) else value
    for kind, of in ((bool, gguf_files.BOOL), (float, gguf_files.F32), (str, gguf_files.TEXT)):
        if isinstance(first, kind):
            return of
    return gguf_files.U32


def opened(name: str, keys: Keys, place: Path) -> Side:
    """A side of a comparison, from a folder with the file."""
    folder = place / f"gguf-{name}"
    folder.mkdir(exist_ok=True)
    (folder / "model.gguf").write_bytes(written(keys))
    subject = open_subject(str(folder))
    found = parse_all(subject)
    if not found.parsed:
        raise NotParsed("; ".join(each.error for each in found.all))
    return Side(name, found.parsed[0][1], subject)


@dataclass(frozen=True)
class GgufClaims:
    """What is said of a pair, by name: claims about ids, about ids with ends, about all."""

    ids: bool
    same_id: bool
    no_drift: bool
    passed: frozenset[Purpose]
    refused: bool | None  # as a draft; None where nothing is said


def claims_of(left: Side, right: Side) -> GgufClaims:
    """The proofs, hashes and purposes of a pair; no text is run."""
    trial = Trial(left, right, ())
    found = compared(trial, Searched(()))
    was, now = identities(left), identities(right)
    verdicts = {each: suitability(each, trial, found).verdict for each in Purpose}
    engines = [
        e for e in judged_by_engines(Purpose.SPECULATIVE, left, right) if "llama" in e.engine
    ]
    said = engines[0].verdict if engines else Verdict.UNVERIFIABLE
    return GgufClaims(
        ids_are_proved(found.facets),
        short_ids(was) == short_ids(now),
        not any(each.gated for each in drifts_of_identity(was, now)),
        frozenset(each for each, verdict in verdicts.items() if verdict is Verdict.PASS),
        None if said is Verdict.UNVERIFIABLE else said is Verdict.FAIL,
    )


def refutations_of(
    pair: GgufPair, sides: tuple[Side, Side], found: GgufClaims
) -> Iterator[tuple[str, Any, Any, Any]]:
    """A claim, what refutes it, and what either side makes of it."""
    if found.refused is not None and found.refused != refuses_draft(pair.first, pair.second):
        yield "speculative, by llama.cpp", "its check", found.refused, not found.refused
    try:
        runs = [ReferenceTokenizer(side.spec) for side in sides]
    except SpecError:
        return
    claims = {
        "ids of every text": (found.ids, False),
        "equal short id": (found.same_id, True),
        "no drift": (found.no_drift, True),
        **{f"for {each}": (each in found.passed, True) for each in AROUND},
        f"for {Purpose.SPECULATIVE}": (Purpose.SPECULATIVE in found.passed, False),
    }
    for special in (False, True):
        names = [name for name, (made, around) in claims.items() if made and around is special]
        for text in TEXTS if names else ():
            ours, theirs = (run.encode(text, add_special_tokens=special).ids for run in runs)
            if ours != theirs:
                yield from ((name, text, ours, theirs) for name in names)
                break
    if found.same_id or found.no_drift:
        known = [[id] for id in sides[0].spec.pieces]
        for row in known:
            one, other = (run.decode_bytes(row) for run in runs)
            if one != other:
                yield "equal short id, decoded", row, one, other
                break
