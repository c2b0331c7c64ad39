"""Judge a pair by the rules of the engines that will use it.

The facets of a comparison say what differs; an engine may refuse a pair that does not differ in
ids, or take one that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.report.comparison import EngineSuitability, Purpose
from tokaudit.report.model import Verdict
from tokaudit.subject.upstream.llama_cpp.gguf_models import GgufModel, gguf_model
from tokaudit.subject.upstream.purposes import Asks, EngineRule, Reads, engine_rules

GGUF, MODEL = "gguf", "config.json"


def judged_by_engines(purpose: Purpose, left: Side, right: Side) -> tuple[EngineSuitability, ...]:
    """Return the verdict of each engine with a rule for the purpose and these file formats."""
    rules = engine_rules(purpose)
    return tuple(_judged(rule, left, right) for rule in rules if _is_for(rule, left, right))


def accepted_nowhere(found: tuple[EngineSuitability, ...]) -> bool:
    """Return whether an engine refuses the pair, and none is known to accept it."""
    verdicts = {each.verdict for each in found}
    return Verdict.FAIL in verdicts and Verdict.PASS not in verdicts


def _is_for(rule: EngineRule, left: Side, right: Side) -> bool:
    of_gguf = [side.spec.format == GGUF for side in (left, right)]
    if rule.reads is Reads.GGUF:
        return all(of_gguf)
    folders = (side.subject is not None and len(side.subject.files) > 1 for side in (left, right))
    return not any(of_gguf) and all(folders)


def _judged(rule: EngineRule, left: Side, right: Side) -> EngineSuitability:
    if not rule.asks:
        return EngineSuitability(rule.engine, Verdict.UNVERIFIABLE, rule.source, rule.source)
    try:
        found = [each for asked in rule.asks for each in ASKED[asked](rule, left, right)]
    except _UnstatedError as unstated:
        return EngineSuitability(rule.engine, Verdict.UNVERIFIABLE, str(unstated), rule.source)
    if not found:
        return EngineSuitability(rule.engine, Verdict.PASS, "its own check holds", rule.source)
    verdict = Verdict.PASS if rule.translates else Verdict.FAIL
    return EngineSuitability(
        rule.engine, verdict, f"it {rule.refusal}: {'; '.join(found)}", rule.source
    )


class _UnstatedError(Exception):
    """Raised if the files do not state what an engine compares."""


@dataclass(frozen=True)
class _GgufEnds:
    """llama.cpp's settings in a GGUF file for one end of a text."""

    added: bool
    id: int | None


def _vocabulary_types(rule: EngineRule, left: Side, right: Side) -> Iterator[str]:
    ours, theirs = _fact(left, "gguf_model"), _fact(right, "gguf_model")
    if ours != theirs:
        yield f"the vocabularies are of the types {ours} and {theirs}"


def _ends(role: str) -> Callable[[EngineRule, Side, Side], Iterator[str]]:
    def compared(rule: EngineRule, left: Side, right: Side) -> Iterator[str]:
        ours, theirs = _gguf_ends(left, role), _gguf_ends(right, role)
        if ours.added != theirs.added:
            yield f"add_{role}_token is {str(ours.added).lower()} and {str(theirs.added).lower()}"
        elif ours.added and ours.id != theirs.id:
            yield f"{role}_token_id is {ours.id} and {theirs.id}"

    return compared


def _gguf_ends(side: Side, role: str) -> _GgufEnds:
    """Return whether a token is added, and its id: stated, or the model's default."""
    habits: GgufModel = gguf_model(_fact(side, "gguf_model") or "", _fact(side, "gguf_pre") or "")
    by_habit = habits.begins_with_bos if role == "bos" else habits.ends_with_eos
    added, id = _fact(side, f"add_{role}_token"), _fact(side, f"{role}_token_id")
    return _GgufEnds(
        by_habit if added is None else added, habits.ids.get(role) if id is None else id
    )


def _sizes(rule: EngineRule, left: Side, right: Side) -> Iterator[str]:
    ours, theirs = left.spec.size(), right.spec.size()
    if abs(ours - theirs) > rule.sizes_within:
        yield f"they have {ours:,} and {theirs:,} tokens, and may differ by {rule.sizes_within:,}"


def _texts(rule: EngineRule, left: Side, right: Side) -> Iterator[str]:
    for id in range(rule.texts_from, min(left.spec.size(), right.spec.size())):
        ours, theirs = left.names.get(id), right.names.get(id)
        if ours != theirs:
            yield f"token {id} is {ours!r} and {theirs!r}"
            return


def _sizes_of_models(rule: EngineRule, left: Side, right: Side) -> Iterator[str]:
    ours, theirs = _fact(left, "vocab_size"), _fact(right, "vocab_size")
    for side, size in ((left, ours), (right, theirs)):
        if size is None:
            raise _UnstatedError(f"no {MODEL} of {side.name} states a vocab_size")
    if ours != theirs:
        yield f"vocab_size is {ours:,} and {theirs:,}"


def _fact(side: Side, name: str) -> Any:
    fact = side.subject.fact(name) if side.subject is not None else None
    return None if fact is None else fact.value


ASKED: Mapping[Asks, Callable[[EngineRule, Side, Side], Iterator[str]]] = {
    Asks.MODEL: _vocabulary_types,
    Asks.BOS: _ends("bos"),
    Asks.EOS: _ends("eos"),
    Asks.SIZE: _sizes,
    Asks.TEXTS: _texts,
    Asks.VOCAB_SIZE: _sizes_of_models,
}
