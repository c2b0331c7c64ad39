"""What the records that no library answers say, kind by kind, and the room without one of them.

Their recorded answers were read in the source that each record names.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any

import pytest
from recorded_answers import HERE, Said, said_of_class
from upstream_room import forget, without

from tokaudit.subject.upstream import known_encodings, records
from tokaudit.subject.upstream.llama_cpp import gguf_patterns, gguf_tokens
from tokaudit.subject.upstream.llama_cpp.gguf_models import (
    every_model,
    families,
    gguf_model,
    needs_bos,
)
from tokaudit.subject.upstream.llama_cpp.gguf_splits import every_split, pre_tokenizer
from tokaudit.subject.upstream.model_type import KnownModelType, every_type, known_type
from tokaudit.subject.upstream.template_engines import readings
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer as built

TEXT = "It'ſ 12345 x²³ ÉcoleÉa's (a_b)… e\u0301a [東京]\n\n\t don't <sentinel:1>   ok"
"""A text that any two rules of llama.cpp cut at other places, if they differ at all."""
Without = Callable[[pytest.MonkeyPatch, str], AbstractContextManager[None]]
ONES_THAT_NEED_PACKAGES = ("MistralCommonTokenizer", "Pop2PianoTokenizer")
"""Classes that transformers shows nobody who has not installed what they need."""


@dataclass(frozen=True)
class ByHand:
    """Records of one kind: their names, what they say, and the room without one."""

    names: Callable[[], Iterable[str]]
    said: Callable[[str], Said]
    without: Without
    sections: tuple[tuple[str, str], ...] = ()  # the files and tables of them that are of the kind


@cache
def recorded() -> Mapping[str, Said]:
    """The recorded answers by kind and name."""
    found: Mapping[str, Said] = json.loads((HERE / "by_hand.json").read_text("utf-8"))
    return found


def lost(kind: str, name: str) -> list[str]:
    """Each recorded answer that the record does not give: whose, which, the recorded and ours."""
    said = KINDS[kind].said(name)
    return [
        f"{kind} {name}: {answer} is {theirs!r} in the source, and {said.get(answer)!r} here"
        for answer, theirs in recorded().get(f"{kind} {name}", {}).items()
        if said.get(answer) != theirs
    ]


def said_of_split(name: str) -> Said:
    """What follows from a name in `tokenizer.ggml.pre`."""
    known = every_split().get(name)
    if known is None:
        return {}
    options, of_model = pre_tokenizer(name, "pre").options, gguf_model("gpt2", name)
    return {
        "known": True,
        "pieces": None if options is None else built(pre_tokenizer(name, "pre"))(TEXT, True),
        **({"BOS": True} if of_model.begins_with_bos else {}),
        **({"id of BOS": None} if of_model.ends[0] is None else {}),
        **{key: True for key in ("whole_entries", "cleans_up", "marked") if getattr(known, key)},
    }


def said_of_rule(name: str) -> Said:
    """The pieces of a text by the name of a rule, or by one that the engine cuts otherwise."""
    return {"pieces": said_of_split(name)["pieces"]}


def said_of_gguf_model(name: str) -> Said:
    """What the engine does for a model."""
    return _stated(asdict(every_model()[name])) if name in every_model() else {}


def said_of_gguf_token(name: str) -> Said:
    """Of which type a token is by its text, and by what is there with it."""
    other = gguf_tokens.unless().get(name)
    return {
        "type": gguf_tokens.types().get(name),
        **({} if other is None else {f"type with {' '.join(r)}": other.type for r in other.rows}),
    }


def said_of_gap(name: str) -> Said:
    """By what the marker of a gap is found."""
    return _stated(asdict(gguf_tokens.gaps()[name])) if name in gguf_tokens.gaps() else {}


def said_of_spaces(name: str) -> Said:
    """Which tokens take white space, and when."""
    return _stated(asdict(gguf_tokens.spaces()[name])) if name in gguf_tokens.spaces() else {}


def said_of_construct(name: str) -> Said:
    """What engines make of a construct of templates."""
    known = readings().get(name)
    return {} if known is None else {"always": known.always, **known.effects}


def said_of_encoding(name: str) -> Said:
    """Which encoding a rank file is, by its digest, and the tokens that it does not list."""
    digest = recorded().get(f"encoding {name}", {}).get("sha256", "")
    found = known_encodings.by_digest(digest)
    if found is None:
        return {}
    named, known = found
    special = sorted(known.special.items(), key=lambda pair: pair[1])
    ends = [[token, id] for token, id in (special[0], special[-1])]
    return {"name": named, "sha256": known.sha256, "special": len(special), "ends": ends}


def said_of_type(name: str) -> Said:
    """What was read of a model type."""
    known = known_type(name)
    return {} if known is None else dict(_read(known))


def _read(known: KnownModelType) -> Iterator[tuple[str, Any]]:
    if start := known.decoder_start:
        yield "decoder begins with", start.begins_with
        yield "another start is", start.otherwise
    for key, each in known.treats.items():
        yield f"treats {key}", each.does if each.value is None else [each.value, each.does]
    if known.positions:
        yield "positions", known.positions.value
    if known.begins_with_bos:
        yield "begins with BOS", True
    if any(known.tokenizers):
        yield "tokenizer", list(known.tokenizers)


def read_types() -> list[str]:
    """The model types of which something was read."""
    return [n for n in every_type() if (records.type_record(n) or {}).get(records.BY_HAND)]


def _stated(said: Mapping[str, Any]) -> Said:
    """The fields that say something, as JSON has them."""
    found: Said = json.loads(json.dumps({key: value for key, value in said.items() if value}))
    return found


@contextmanager
def without_part(
    file: str, above: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> Iterator[None]:
    """The room without one section of a file that is written by hand."""
    real = records._written_by_hand

    def hidden(asked: str) -> records.Record:
        record = copy.deepcopy(dict(real(asked)))
        if asked == file:
            record[above].pop(name, None)
        return record

    with monkeypatch.context() as patched:
        patched.setattr(records, "_written_by_hand", hidden)
        forget()
        yield
    forget()


@contextmanager
def without_token(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without the type of a token, whoever decides it."""
    with (
        without_part(records.TOKENS, "types", monkeypatch, name),
        without_part(records.TOKENS, "unless", monkeypatch, name),
    ):
        yield


@contextmanager
def without_rule(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without the patterns of a rule."""
    with monkeypatch.context() as patched:
        for table in (gguf_patterns.SPLITS, gguf_patterns.OF_THE_ENGINE):
            patched.delitem(table, name, raising=False)  # type: ignore[arg-type]
        forget()
        yield
    forget()


@contextmanager
def without_encoding(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without a published encoding."""
    with monkeypatch.context() as patched:
        patched.delitem(known_encodings.KNOWN, name)
        yield


def _section(
    file: str, above: str, names: Callable[[], Iterable[str]], said: Callable[[str], Said]
) -> ByHand:
    return ByHand(names, said, partial(without_part, file, above), ((file, above),))


KINDS: Mapping[str, ByHand] = {
    "class": ByHand(
        lambda: ONES_THAT_NEED_PACKAGES,
        said_of_class,
        lambda patch, name: without(patch, records.CLASSES, name),
    ),
    "model type": ByHand(
        read_types, said_of_type, lambda patch, name: without(patch, records.TYPES, name)
    ),
    "split": _section(records.SPLITS, "splits", every_split, said_of_split),
    "rule": ByHand(
        lambda: gguf_patterns.SPLITS | gguf_patterns.OF_THE_ENGINE, said_of_rule, without_rule
    ),
    "model of GGUF": _section(records.GGUF, "models", every_model, said_of_gguf_model),
    "family of GGUF": _section(
        records.GGUF, "families", families, lambda name: {"needs BOS": needs_bos(name)}
    ),
    "token of GGUF": ByHand(
        gguf_tokens.types,
        said_of_gguf_token,
        without_token,
        ((records.TOKENS, "types"), (records.TOKENS, "unless")),
    ),
    "gap": _section(records.TOKENS, "gaps", gguf_tokens.gaps, said_of_gap),
    "spaces": _section(records.TOKENS, "spaces", gguf_tokens.spaces, said_of_spaces),
    "construct": _section(records.ENGINES, "constructs", readings, said_of_construct),
    "encoding": ByHand(lambda: known_encodings.KNOWN, said_of_encoding, without_encoding),
}
