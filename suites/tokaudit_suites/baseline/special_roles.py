"""Special roles and stops that changed since the base model."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tokaudit.engine.facet_names import ROLES, STOPS
from tokaudit.plugin import (
    Base,
    BaseTrial,
    Basis,
    Change,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Repair,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.products.compare.facets.stated import Stated, stated_of
from tokaudit.report.recorded import LoaderValue, values_by_key
from tokaudit.subject.effective.loaders import CURRENT
from tokaudit.subject.effective.value_table import value_table
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import base_decides, repaired, taken
from tokaudit_suites.shared.stated_roles import content_of, place_of
from tokaudit_suites.shared.uses import if_it_generates
from tokaudit_suites.shared.wording import plural, quote, some
from tokaudit_suites.shared.written_tokens import LONGEST, with_roles

LESS = ("pad_token", "unk_token")  # no text ends or begins with these
COMPONENT = "special_roles"
ADAPTER = "adapter_config.json"


@check(
    "baseline/special-roles",
    title="Special roles and stops are the base model's",
    why="tokenizer.json can be identical to the base model's, while a settings file makes another "
    "token EOS. If EOS is another token than in the base model, a trainer ends texts with a token "
    "that the base model never writes, and generation waits for this token.",
    remedy="Copy the setting (such as eos_token) from {other|the base model's "
    "tokenizer_config.json}, unless this model expects another token.",
    repair=base_decides("which token plays the role is in no other file of this folder"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.BASELINE,
    incident="A fine-tune was saved with the base's end of text in place of the end of a turn "
    "(unslothai/unsloth #5386).",
)
def special_roles(
    subject: Subject, found: Representations, base: Base, by: BaseTrial
) -> Iterator[Finding]:
    """Compare the token of each role, then the ids that end generation."""
    sides = _Sides(subject, found, base, by)
    if not any(stated for name in (ROLES, STOPS) for stated in sides.stated(name)):
        raise NotApplicable("neither side states a special role or a stop")
    yield from _roles(sides)
    for each in _stops(sides):
        yield if_it_generates(each, subject)


@dataclass(frozen=True)
class _Sides:
    """The subject and its base, with what their files state."""

    subject: Subject
    found: Representations
    base: Base
    by: BaseTrial

    @cached_property
    def taken(self) -> Mapping[str, Mapping[str, LoaderValue]]:
        """The value of each key that each loader takes of the subject."""
        return values_by_key(value_table(self.subject, self.found.parsed))

    def of_loaders(self, key: str) -> set[object]:
        """The values that the versions of transformers take, by a file or by their class."""
        row, names = self.taken.get(key, {}), (f"{each.name} (emulated)" for each in CURRENT)
        return {row[name].value if name in row else None for name in names}

    def stated(self, name: str) -> tuple[Stated, Stated]:
        """Return a facet's statements by the subject, then by the base."""
        trial = self.by.trial
        return stated_of(trial.right, name), stated_of(trial.left, name)

    def names(self, ids: Collection[object], *, of_base: bool = False) -> Mapping[str, object]:
        """Map ids to the names of their tokens."""
        known = (self.by.trial.left if of_base else self.by.trial.right).names
        return {known.get(id, str(id)) if isinstance(id, int) else str(id): id for id in ids}

    def has(self, token: str) -> bool:
        """Return whether the subject has a token of that text."""
        return token in self.by.trial.right.names.values()

    def retrained(self, *tokens: str) -> bool:
        """Return whether a template unlike the base's writes one of the tokens.

        What a model of its own turns is ended by is its template's to say.
        """
        own, others = (
            {str(fact.value) for fact in each.facts_named("chat_template") if fact.value}
            for each in (self.subject, self.base.subject)
        )
        texts = [text for new in own - others for text in with_roles(new[:LONGEST])]
        return any(token in text for token in tokens for text in texts)


def _roles(sides: _Sides) -> Iterator[Finding]:
    """Compare the token of each role that the base states."""
    mine, theirs = sides.stated(ROLES)
    for key, (there, stated) in theirs.items():
        if key not in mine and sides.of_loaders(key) != {there}:
            yield _unstated(sides, key, str(there), stated)
        elif key in mine and mine[key][0] != there:
            yield _another(sides, key, (str(mine[key][0]), mine[key][1]), (str(there), stated))


def _another(sides: _Sides, key: str, here: tuple[str, Fact], there: tuple[str, Fact]) -> Finding:
    """Report another token in a role: an error, unless this model's own template writes it."""
    (own, fact), (token, stated), called = here, there, sides.base.called
    meant = sides.retrained(own)
    severity = Severity.WARNING if key in LESS else Severity.ERROR
    why = ", and the chat template, which is not the base's, writes it" if meant else ""
    return Finding(
        Severity.INFO if meant else severity,
        f"{key} is {quote(own)} in {fact.file}, but {quote(token)} in {called}{why}.",
        (place_of(fact, COMPONENT), of_base(sides.base, place_of(stated, COMPONENT))),
        cause=key,
        repair=_role_taken(sides, key, own, token, stated),
    )


def _unstated(sides: _Sides, key: str, token: str, stated: Fact) -> Finding:
    """Report a role that only the base states."""
    return Finding(
        Severity.WARNING,
        f"No file that loaders read states {key}, which is {quote(token)} in {sides.base.called}.",
        (of_base(sides.base, place_of(stated, COMPONENT)),),
        cause=f"{key} unstated",
    )


def _role_taken(sides: _Sides, key: str, own: str, token: str, stated: Fact) -> Repair | None:
    """Set the base's token in each file that states another one."""
    if not sides.has(token):
        return None
    facts = [f for f in sides.subject.facts_named(key) if content_of(f.value) == own]
    return repaired(*(_taken(sides, fact, stated) for fact in facts))


def _taken(sides: _Sides, fact: Fact, stated: Fact) -> Change:
    source = of_base(sides.base, place_of(stated, COMPONENT))
    return taken(place_of(fact, COMPONENT), source, from_base=True)


def _stops(sides: _Sides) -> Iterator[Finding]:
    """Compare the ids that end generation, by their tokens."""
    mine, theirs = (next(iter(each.values()), None) for each in sides.stated(STOPS))
    if theirs is None:
        return
    if mine is None and any(file.base == ADAPTER for file in sides.subject.files):
        return  # which is loaded into the base, and stops where that does
    had = sides.names(theirs[0], of_base=True)
    source = of_base(sides.base, place_of(theirs[1], COMPONENT))
    if mine is None:
        yield Finding(
            Severity.WARNING,
            f"No file says which token ends generation; it is {_named(had)} in "
            f"{sides.base.called}.",
            (source,),
            cause="stops unstated",
        )
        return
    have = sides.names(mine[0])
    lost, new = had.keys() - have.keys(), have.keys() - had.keys()
    place = place_of(mine[1], COMPONENT)
    if lost:
        meant = new and sides.retrained(*new) and not sides.retrained(*lost)
        some_lost = _named({k: had[k] for k in sorted(lost)})
        where = "that token" if lost == had.keys() else some_lost
        yield Finding(
            Severity.INFO if meant else Severity.ERROR,
            f"{mine[1].file} stops generation at {_named(have)}, but {sides.base.called} stops it "
            f"at {_named(had)}: an engine goes on generating after {where}.",
            (place, source),
            cause="stops lost",
            repair=_stops_taken(sides, place, source, had),
        )
    elif new:
        yield Finding(
            Severity.INFO,
            f"{mine[1].file} lists {plural(len(new), 'stop token')} that {sides.base.called} does "
            f"not have: {_named({k: have[k] for k in sorted(new)})}.",
            (place, source),
            cause="stops new",
        )


def _stops_taken(
    sides: _Sides, place: Place, source: Place, had: Mapping[str, object]
) -> Repair | None:
    """Set the base's list, if its ids are the same tokens here."""
    own = sides.by.trial.right.names
    same = all(isinstance(id, int) and own.get(id) == name for name, id in had.items())
    return repaired(taken(place, source, from_base=True)) if same else None


def _named(tokens: Mapping[str, object]) -> str:
    return some([f"{quote(name)} (id {id})" for name, id in tokens.items()])
