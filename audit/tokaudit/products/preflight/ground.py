"""Input of every batch law: rows, tokens by role, the model and the use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.engine.evidence import token_names
from tokaudit.products.preflight.first_batch import FirstBatch, Row
from tokaudit.products.preflight.model_sizes import ModelFacts
from tokaudit.report.model import Evidence, Finding, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.published.spellings import spelled, turn_ends
from tokaudit_reference.spec import TokenizerSpec

AROUND = 6  # ids on each side of the place that a finding shows
TRAINING, GENERATING = ("sft",), ("rollouts", "serving")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Names of ids, and the ids of each role; several if files state several."""

    names: Mapping[int, str]
    size: int
    bos: frozenset[int]
    ends: frozenset[int]  # of a text, or of a turn
    pad: frozenset[int]
    mask: frozenset[int]
    adds_bos: bool

    def named(self, id: int) -> str:
        """Format the id with its token for messages."""
        return f"{id} ({self.names[id]!r})" if id in self.names else str(id)


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything that a law of a batch may use."""

    batch: FirstBatch
    tokens: Tokens
    model: ModelFacts
    use: str | None

    @property
    def trains(self) -> bool:
        """Return whether the stated use trains on the labels."""
        return self.use in TRAINING

    def severity(self, *uses: str) -> Severity:
        """Return an error if a harmed use is stated, else a warning."""
        return (
            Severity.ERROR if self.use in (uses or (*TRAINING, *GENERATING)) else (Severity.WARNING)
        )

    def rows(self) -> Iterator[tuple[int, Row, int, int]]:
        """Yield each row with ids, its number, and the range of its real ids."""
        for number, row in enumerate(self.batch.rows):
            if row.ids:
                yield number, row, *real_part(row, self.tokens)


def tokens_of(spec: TokenizerSpec, subject: Subject, model: ModelFacts) -> Tokens:
    """Return the roles stated in settings, or else by published spellings."""
    names = token_names(spec)
    ids = {name: id for id, name in reversed(names.items())}
    known = _Roles(subject, (model.config, model.generation), ids)
    turns = {ids[text] for text in turn_ends() if text in ids}
    return Tokens(
        names,
        spec.size(),
        known.of("bos"),
        known.of("eos") | turns,
        known.of("pad"),
        known.of("mask"),
        any(fact.value is True for fact in subject.facts_named("add_bos_token")),
    )


@dataclass(frozen=True, slots=True)
class _Roles:
    subject: Subject
    settings: tuple[Mapping[str, Any], ...]
    ids: Mapping[str, int]

    def of(self, role: str) -> frozenset[int]:
        """Return the ids of a role."""
        by_token = [_content(fact.value) for fact in self.subject.facts_named(f"{role}_token")]
        stated = {self.ids[text] for text in by_token if text in self.ids}
        by_id = [fact.value for fact in self.subject.facts_named(f"{role}_token_id")]
        for value in (*by_id, *(each.get(f"{role}_token_id") for each in self.settings)):
            stated |= {each for each in _listed(value) if type(each) is int}
        if stated or self.subject.fact(f"{role}_token") is not None:
            return frozenset(stated)
        return frozenset(self.ids[text] for text in spelled(role) if text in self.ids)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _content(value: Any) -> str:
    value = value.get("content") if isinstance(value, dict) else value
    return value if isinstance(value, str) else ""


def real_part(row: Row, tokens: Tokens) -> tuple[int, int]:
    """Return the start and stop of the ids that are not padding.

    By the mask where there is one.  Else by the pad token, of which one stays at the side where it
    also ends a text, or begins it.
    """
    if row.mask is not None:
        return _run(row.mask, 0, len(row.ids))
    start, stop = 0, len(row.ids)
    while start < stop and row.ids[start] in tokens.pad:
        start += 1
    while stop > start and row.ids[stop - 1] in tokens.pad:
        stop -= 1
    if stop < len(row.ids) and row.ids[stop] in tokens.ends:
        stop += 1
    if start and row.ids[start - 1] in tokens.bos:
        start -= 1
    return start, stop


def _run(mask: tuple[int, ...], start: int, stop: int) -> tuple[int, int]:
    while start < stop and not mask[start]:
        start += 1
    while stop > start and not mask[stop - 1]:
        stop -= 1
    return start, stop


def spans(
    labels: tuple[int, ...], start: int, stop: int, ignored: int
) -> Iterator[tuple[int, int]]:
    """Yield runs of labels that are trained."""
    begin = None
    for place in range(start, stop):
        if labels[place] != ignored and begin is None:
            begin = place
        elif labels[place] == ignored and begin is not None:
            yield begin, place
            begin = None
    if begin is not None:
        yield begin, stop


def fault(
    severity: Severity, cause: str, message: str, row: Row | None = None, place: int = 0
) -> Finding:
    """Build a finding about the batch, with the ids around a place."""
    evidence: tuple[Evidence, ...] = ()
    if row is not None:
        first = max(0, place - AROUND)
        near = slice(first, place + AROUND + 1)
        facts: dict[str, Any] = {"from": first}
        if row.labels is not None:
            facts["labels"] = list(row.labels[near])
        if row.mask is not None:
            facts["attention_mask"] = list(row.mask[near])
        evidence = (Evidence("ids", ids=row.ids[near], facts=facts),)
    return Finding(severity, message, (Place("batch"),), evidence, cause=cause)


def counted(count: int, what: str) -> str:
    """Format a count with its noun."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
