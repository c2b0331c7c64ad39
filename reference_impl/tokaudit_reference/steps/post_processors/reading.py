"""Reads the options of a post-processor, with `SpecError` for what the library does not load.

Nothing is processed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit_reference.spec import Component, SpecError, Unsupported, components_of
from tokaudit_reference.steps.post_processors.step import Options

POINTER = "/post_processor"


def wrong(what: str, remedy: str, place: str = "") -> SpecError:
    """The error for an option that cannot be read."""
    return SpecError(what, pointer=POINTER + place, remedy=remedy)


def steps_of(component: Component) -> list[Options]:
    """The options of each step in order."""
    _refuse_what_is_no_step(component.options)
    return components_of(component, "processors")


def _refuse_what_is_no_step(options: Any) -> None:
    waiting = [] if options is None else [options]
    while waiting:
        step = waiting.pop()
        if not isinstance(step, Mapping):
            raise wrong(f"holds {str(step)[:40]!r}, which is no object", "write a type and options")
        inner = step.get("processors") or []
        if step.get("type") == "Sequence":
            if not isinstance(inner, list | tuple):
                raise wrong("has processors that are no list", "list them", "/processors")
            waiting += inner


def kind_of(options: Options, known: Mapping[str, Any]) -> str:
    """The kind that the library takes options for: their fields count before the stated type.

    >>> known = {"RobertaProcessing": 0, "BertProcessing": 0}
    >>> kind_of({"type": "RobertaProcessing", "cls": ["c", 1], "sep": ["s", 2]}, known)
    'BertProcessing'
    """
    kind = options.get("type")
    if kind is not None and not (isinstance(kind, str) and kind in known):
        raise Unsupported(f"the post-processor {kind} is not covered", pointer=POINTER)
    if _is_token(options.get("cls")) and _is_token(options.get("sep")):
        flags = (options.get("trim_offsets"), options.get("add_prefix_space"))
        trims = all(isinstance(flag, bool) for flag in flags)
        return "RobertaProcessing" if trims else "BertProcessing"
    if kind is None and not {"single", "pair", "special_tokens"} <= options.keys():
        raise Unsupported("a post-processor without a type is not covered", pointer=POINTER)
    return kind or "TemplateProcessing"


def flag(options: Options, name: str) -> bool:
    """A switch, on where it is not given."""
    value = options.get(name, True)
    if not isinstance(value, bool):
        raise wrong(f"is {value!r}", "write true or false", f"/{name}")
    return value


def token_id(options: Options, role: str) -> int:
    """The id of BERT's `cls` or `sep`, written as a pair of token and id."""
    pair = options.get(role)
    if not _is_token(pair):
        raise wrong(f"is {str(pair)[:60]}", "write the token and its id as a pair", f"/{role}")
    return int(options[role][1])


def _is_token(pair: Any) -> bool:
    good = isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str)
    return good and is_id(pair[1])


def is_id(value: Any) -> bool:
    """Whether a value is an id: 32 bits without a sign."""
    return type(value) is int and 0 <= value < 2**32


def pieces_of(options: Options, name: str) -> Iterator[tuple[str, str]]:
    """The pieces of a template as `Sequence` or `SpecialToken`, and which one."""
    pieces = options.get(name)
    if not isinstance(pieces, list | tuple):
        raise wrong(f"is {str(pieces)[:40]!r}, which is no list", "list its pieces", f"/{name}")
    for index, piece in enumerate(pieces):
        kind, inner = next(iter(piece.items())) if _is_single(piece) else ("", None)
        which = inner.get("id") if isinstance(inner, Mapping) else None
        named = kind == "SpecialToken" and isinstance(which, str)
        if not named and not (kind == "Sequence" and which in ("A", "B")):
            remedy = "name a SpecialToken, or the Sequence A or B"
            raise wrong(f"is {str(piece)[:60]}", remedy, f"/{name}/{index}")
        yield kind, str(which)


def _is_single(piece: Any) -> bool:
    return isinstance(piece, Mapping) and len(piece) == 1
