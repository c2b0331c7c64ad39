"""Build each type that a function requests by annotation, once.

A need is a type.  A function decorated with `need` builds the type that it says it returns, and
its own parameters are needs themselves:

    @need
    def effective(spec: TokenizerSpec) -> EffectiveMerges: ...

It is found like every plug-in: in a module of ours, or in one of any installed suite package,
which is imported when somebody asks for what it builds where catalogues say so.
One that mostly waits for a worker is decorated with `need_from_worker` instead: it is started
before it is asked for, while checks that need no worker compute.
"""

from __future__ import annotations

import inspect
import threading
import time
import traceback
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

from tokaudit.engine.shared import Key, Memo
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import NotApplicable, OutOfMemory, Skip, TokauditError
from tokaudit.foundation.plugins import catalogue
from tokaudit.foundation.plugins.installed import Kind, held_by, installed
from tokaudit_reference.spec import TokenizerSpec

Made = TypeVar("Made")


@dataclass(frozen=True)
class Need:
    """A need and its builder; what `build` raises becomes the result of every check with it.

    It raises `Skip` where something is missing, and `NotApplicable` where it has no meaning.
    """

    made: type
    build: Callable[..., Any]
    from_worker: bool = False
    without_files: bool = False
    of_model: bool = False
    first: bool = False

    @property
    def name(self) -> str:
        """Return the full name of the type that is built."""
        return f"{self.made.__module__}.{self.made.__qualname__}"


def need(build: Callable[..., Any]) -> Need:
    """Turn a function into the `Need` of the type that it is annotated to return."""
    made = typing.get_type_hints(build).get("return")
    if not isinstance(made, type) or made is type(None):
        raise TypeError(f"{build.__module__}.{build.__qualname__} does not say what type it builds")
    return Need(made, build)


def need_from_worker(build: Callable[..., Any]) -> Need:
    """Like `need`, for a need that mostly waits for a worker process."""
    return replace(need(build), from_worker=True)


def without_files(need: Need) -> Need:
    """Mark a need without file names or encoders, so that subjects can share it.

    It is the same for each subject of a run that states the same and whose encoders load the same
    bytes, whatever its files are called and whichever worker gives the answers.
    """
    return replace(need, without_files=True)


def of_model(need: Need) -> Need:
    """Mark a need that depends only on the model of a spec and its entries.

    It is the same for each tokenizer of a run that adds other tokens, or other steps, to one model.
    """
    return replace(need, of_model=True)


def first(need: Need) -> Need:
    """Mark a need that is read before any check; an unreadable one ends the audit."""
    return replace(need, first=True)


NEEDS = Kind("need", Need, ("needs", "suites"), lambda need: (need.name,))


def all_needs() -> list[Need]:
    """Return every installed need; raise `UsageError` if two build one type."""
    return list(_all())


@cache
def _all() -> tuple[Need, ...]:
    """Return the installed needs, found at the first call of `all_needs`."""
    return tuple(installed(NEEDS).all().values())


def needs_read_first() -> list[type]:
    """Return the types that are read before any check, over all products."""
    return [need.made for need in _of_products().values() if need.first]


@cache
def _of_products() -> Mapping[str, Need]:
    return installed(replace(NEEDS, places=("needs",))).all()


@cache
def _providers() -> Mapping[type, Need]:
    """Map types to installed needs; raises like `all_needs`."""
    modules = catalogue.modules_of_needs()
    core = _of_products()
    if modules is None or core.keys() & modules.keys():
        return {need.made: need for need in all_needs()}
    return _OnDemand({need.made: need for need in core.values()}, modules)


class _OnDemand(Mapping[type, Need]):
    """Needs by type; those of suites are imported on demand."""

    def __init__(self, found: dict[type, Need], modules: Mapping[str, str]) -> None:
        self._found, self._modules = found, modules

    def __getitem__(self, made: type) -> Need:
        if made not in self._found:
            name = f"{made.__module__}.{getattr(made, '__qualname__', '')}"  # none of `A | B`
            self._found[made] = held_by(NEEDS, (self._modules[name],)).all()[name]
        return self._found[made]

    def __contains__(self, made: object) -> bool:
        name = f"{getattr(made, '__module__', '')}.{getattr(made, '__qualname__', '')}"
        return made in self._found or name in self._modules

    def __iter__(self) -> Iterator[type]:
        more = held_by(NEEDS, sorted({*self._modules.values()})).all().values()
        return iter({**self._found, **{need.made: need for need in more}})

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class Parameter:
    """The type of a parameter; None is passed for an `optional` one that is missing."""

    kind: type
    optional: bool = False


@cache  # evaluating annotations takes longer than many a check
def parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the needs of a function, by parameter.

    >>> def counts(size: int, name: str | None) -> None: ...
    >>> parameters(counts)["name"]
    Parameter(kind=<class 'str'>, optional=True)
    """
    hints = typing.get_type_hints(function)
    return {name: _parameter(hints[name]) for name in inspect.signature(function).parameters}


def _parameter(hint: Any) -> Parameter:
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        kinds = [kind for kind in typing.get_args(hint) if kind is not type(None)]
        if len(kinds) == 1:
            return Parameter(kinds[0], optional=True)
    return Parameter(hint)


@dataclass
class Needs:
    """Resolver of parameters from their annotations that builds each need once.

    `given` are those that exist before anybody asks, such as the subject.  Threads may ask at once:
    each need has its own lock, so that nobody waits for one that he did not ask for.
    """

    providers: Mapping[type, Need]
    given: Mapping[type, Any] = field(default_factory=dict)
    deadline: Deadline = field(default_factory=Deadline)
    kept: Memo = field(default_factory=Memo)
    _built: dict[type, Any] = field(default_factory=dict)
    _keys: dict[type, Key | None] = field(default_factory=dict)
    _seconds: dict[type, float] = field(default_factory=dict)
    _closures: dict[type, set[type]] = field(default_factory=dict)
    _locks: dict[type, threading.RLock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def installed(cls, *given: object) -> Needs:
        """Build a resolver with every installed need and the given objects."""
        return cls(_providers(), {type(one): one for one in given})

    @classmethod
    def of(cls, needs: Iterable[Need], *given: object) -> Needs:
        """Build a resolver with these needs and the given objects."""
        return cls({need.made: need for need in needs}, {type(one): one for one in given})

    def give(self, one: object) -> None:
        """Add an object that no need builds, under its own type."""
        self.given = {**self.given, type(one): one}

    def get(self, kind: type[Made]) -> Made:
        """Return the need of that type; re-raise its provider's exception every time."""
        if kind in self.given:
            return self.given[kind]  # type: ignore[no-any-return]
        self._with_all_it_asks_for(kind)  # two threads in a ring would wait for each other
        with self._lock:
            lock = self._locks.setdefault(kind, threading.RLock())
        with lock:
            if kind not in self._built:
                self._built[kind] = self._build(kind)
            built = self._built[kind]
        if isinstance(built, Exception):
            raise built
        return built  # type: ignore[no-any-return]

    def optional(self, kind: type[Made]) -> Made | None:
        """Return the need of that type, or None if it is missing or not applicable."""
        try:
            return self.get(kind)
        except (Skip, NotApplicable):
            return None

    def without_fault(self, kind: type[Made]) -> Made | None:
        """Return the need, or None after any exception, which its checks will report."""
        try:
            return self.get(kind)
        except Exception:
            return None

    def known(self, kind: type[Made]) -> Made | None:
        """Return the need if it is given or already built; else None."""
        with self._lock:
            there = kind in self.given or kind in self._built
        return self.without_fault(kind) if there else None

    def of_known(self, function: Callable[..., Made]) -> Made | None:
        """Call a function over known needs; None if one of them is not known."""
        asked = parameters(function)
        found = {name: self.known(one.kind) for name, one in asked.items()}
        if any(found[name] is None and not one.optional for name, one in asked.items()):
            return None
        return function(**found)

    def from_workers(self, function: Callable[..., Any]) -> set[type]:
        """Return the needs of a function, direct and indirect, that workers build."""
        asked = (parameter.kind for parameter in parameters(function).values())
        return set[type]().union(*map(self.built_by_workers, asked))

    def built_by_workers(self, kind: type) -> set[type]:
        """Return the need and its own needs that workers build."""
        found = self._with_all_it_asks_for(kind)
        return {one for one in found if one in self.providers and self.providers[one].from_worker}

    def before_workers(self, kinds: Iterable[type]) -> list[type]:
        """Return the needs that can be built before workers, in order of dependency."""
        closures = map(self._with_all_it_asks_for, kinds)
        found = {one for one in set[type]().union(*closures) if one in self.providers}
        ready = [one for one in found - self.given.keys() if not self.built_by_workers(one)]
        return sorted(ready, key=lambda one: (len(self._with_all_it_asks_for(one)), one.__name__))

    def loaders(self, kinds: Iterable[type]) -> set[type]:
        """Return the worker needs that depend on no other worker need: the loaders."""
        return {kind for kind in kinds if self.built_by_workers(kind) == {kind}}

    def _with_all_it_asks_for(self, kind: type, above: tuple[type, ...] = ()) -> set[type]:
        """Return a need with all its dependencies; raise `TokauditError` on a cycle."""
        if kind in above:
            ring = [*above[above.index(kind) :], kind]
            raise TokauditError(
                f"needs ask for each other: {' -> '.join(one.__name__ for one in ring)}"
            )
        if kind in self.given or kind not in self.providers:
            return {kind}
        if kind not in self._closures:
            asked = parameters(self.providers[kind].build).values()
            deeper = [self._with_all_it_asks_for(one.kind, (*above, kind)) for one in asked]
            self._closures[kind] = {kind}.union(*deeper)
        return self._closures[kind]

    def _build(self, kind: type) -> Any:
        """Build a need; return it, or its provider's exception."""
        started = time.perf_counter()
        try:
            self.deadline.refuse()
            if kind not in self.providers:
                raise TokauditError(f"no installed need builds {getattr(kind, '__name__', kind)}")
            need = self.providers[kind]
            arguments = self.arguments(need.build)
            if need.of_model:
                found, key = self.kept.of_model(need.build, arguments)
            else:
                keys = self._keys_of(need.build, arguments)
                found, key = self.kept.built(need.build, arguments, keys, need.without_files)
            self._keys[kind] = key
            return found
        except Exception as error:
            if isinstance(error, OutOfMemory | MemoryError):  # its frames hold what was too much
                traceback.clear_frames(error.__traceback__)
            return error
        finally:
            self._seconds[kind] = time.perf_counter() - started

    def said(
        self, check: Callable[..., Iterator[Any]], arguments: Mapping[str, Any]
    ) -> Iterator[Any]:
        """Yield the results of a check, reusing those of an equal subject of the run."""
        return self.kept.said(check, arguments, self._keys_of(check, arguments))

    def of_spec(self, name: str, work: Callable[[], Made]) -> Made:
        """Return a value computed from the spec alone, shared by equal specs."""
        return self.kept.of_spec(name, self._keys.get(TokenizerSpec), work)

    def _keys_of(
        self, function: Callable[..., Any], arguments: Mapping[str, Any]
    ) -> list[Key | None]:
        return [
            self._keys.get(asked.kind) or self.kept.key_of(arguments[name])
            for name, asked in parameters(function).items()
        ]

    def arguments(self, function: Callable[..., Any]) -> dict[str, Any]:
        """Build the arguments of a function."""
        return {name: self._argument(asked) for name, asked in parameters(function).items()}

    def _argument(self, asked: Parameter) -> Any:
        try:
            return self.get(asked.kind)
        except (Skip, NotApplicable):
            if asked.optional:
                return None
            raise
