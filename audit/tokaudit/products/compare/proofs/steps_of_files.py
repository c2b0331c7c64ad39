"""Steps of a stage as a file lists them, completed with default options.

This is the checkers' own reading: no step of the reference is asked, as provers ask them.  What
a file states that no library takes is kept as it is, so that it is like nothing but itself.

Source: the deserializers of Hugging Face's tokenizers; for the steps of other engines the settings
that those read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.products.compare.proofs.defaults import DEFAULTS
from tokaudit_reference.spec import TokenizerSpec

Options = dict[str, Any]
LISTED = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}
"""Under which key a sequence of each stage lists its steps."""
LENIENT = ("normalizer", "pre_tokenizer")
"""The stages in which a switch or a text of another type is taken for what it means."""


def steps_of(spec: TokenizerSpec, stage: str) -> list[Options]:
    """Return the steps of a stage in order, with all options and flattened sequences."""
    return [_written_out(stage, each) for each in _flat(stage, getattr(spec, stage).options)]


def _flat(stage: str, options: Any) -> Iterator[Any]:
    waiting = [] if options is None else [options]
    while waiting:
        step = waiting.pop()
        if isinstance(step, Mapping) and step.get("type") == "Sequence":
            step = step.get(LISTED[stage]) or []
        if isinstance(step, list | tuple):
            waiting += reversed(step)
        else:
            yield step


def _written_out(stage: str, stated: Any) -> Options:
    if not isinstance(stated, Mapping):
        return _unread(stated)
    kind = _kind(stage, stated)
    defaults = DEFAULTS[stage].get(kind)
    if defaults is None:
        return _unread(stated)
    try:
        found = {name: _option(stage, stated, name, each) for name, each in defaults.items()}
        return {"type": kind, **_of_kind(stage, kind, stated, found)}
    except (AttributeError, TypeError, ValueError):
        return _unread(stated)


def _unread(stated: Any) -> Options:
    """Return an unknown step without a type, so that no rule applies to it."""
    return {"type": "", "unread": stated}


def _kind(stage: str, stated: Mapping[str, Any]) -> str:
    """Return the type of a step; for an untyped post-processor, by its fields."""
    kind = stated.get("type")
    known = isinstance(kind, str) and kind in DEFAULTS[stage]
    if stage == "post_processor" and (known or kind is None):
        if _is_named(stated.get("cls")) and _is_named(stated.get("sep")):
            trims = (stated.get(name) for name in ("trim_offsets", "add_prefix_space"))
            both = all(isinstance(each, bool) for each in trims)
            return "RobertaProcessing" if both else "BertProcessing"
        if kind in ("BertProcessing", "RobertaProcessing"):
            return ""
        if kind is None and {"single", "pair", "special_tokens"} <= stated.keys():
            return "TemplateProcessing"
    return str(kind) if known else ""


def _is_named(pair: Any) -> bool:
    """Return whether a value is a token with its id."""
    good = isinstance(pair, list | tuple) and len(pair) == 2
    return good and isinstance(pair[0], str) and type(pair[1]) is int


def _option(stage: str, stated: Mapping[str, Any], name: str, default: Any) -> Any:
    value = stated.get(name, default)
    if value is None and isinstance(default, list):
        return []
    if stage in LENIENT and isinstance(default, bool | str):
        nothing = value is None and name == "precompiled_charsmap"
        return "" if nothing else type(default)(value)
    return [*value] if isinstance(value, tuple) else value


def _of_kind(stage: str, kind: str, stated: Mapping[str, Any], found: Options) -> Options:
    """Return a step's options in one canonical form."""
    if kind in ("Replace", "Split"):
        found["pattern"] = _pattern(stated.get("pattern"), stage)
    if kind == "Split":
        found |= {name: True for name in ("rust", "python") if stated.get(name)}
    if kind == "Metaspace":
        found["prepend_scheme"] = _scheme(stated)
    if kind == "LlamaCppSplit":
        found = {name: [str(each) for each in value] for name, value in found.items()}
    if kind == "TemplateProcessing":
        found = _template(stated)
    if stage == "decoder" and found.get("denormalizer") is not None:
        inner = {**stated["denormalizer"], "type": "SentencePiece"}
        found["denormalizer"] = _written_out("normalizer", inner)
    return found


def _pattern(stated: Any, stage: str) -> Options:
    """Return a literal or an expression; a decoder needs one."""
    if stage == "decoder" and not stated.keys() & {"String", "Regex"}:
        raise ValueError(stated)
    if isinstance(stated, str):
        stated = {"String": stated}
    literal = stated.get("String") if isinstance(stated, Mapping) else None
    if literal is not None and (literal or stage != "decoder"):
        return {"String": str(literal)}
    return {"Regex": str(stated.get("Regex", "")) if isinstance(stated, Mapping) else ""}


def _scheme(stated: Mapping[str, Any]) -> str:
    """Return the scheme of the prefix mark; old files state `add_prefix_space`."""
    scheme = stated.get("prepend_scheme")
    if scheme is None:
        return "always" if stated.get("add_prefix_space", True) else "never"
    return str(scheme)


def _template(stated: Mapping[str, Any]) -> Options:
    """Return both templates, if present, and the ids of their tokens."""
    rows = {name: [*map(_piece, stated[name])] for name in ("single", "pair") if name in stated}
    tokens = {
        name: {"id": name, **{key: [*(each.get(key) or [])] for key in ("ids", "tokens")}}
        for name, each in stated.get("special_tokens", {}).items()
    }
    return {**rows, "special_tokens": tokens}


def _piece(stated: Any) -> Options:
    ((kind, inner),) = stated.items()
    if kind not in ("Sequence", "SpecialToken"):
        raise ValueError(kind)
    return {kind: {"id": inner["id"], "type_id": inner.get("type_id", 0)}}
