"""The store that the subjects of one run share, so that nothing is worked out twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, is_dataclass, replace
from typing import Any, TypeVar

from tokaudit.engine.options import Options
from tokaudit.engine.parsed_files import ParsedFiles
from tokaudit.engine.workers import Workers
from tokaudit.runtimes.worker.known_answers import KnownAnswers, Transcript
from tokaudit.subject.places.pointers import Known
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.component import STAGES

AROUND_THE_MODEL = (
    *STAGES,
    *("added_tokens", "control_from_text", "begin_id"),
    *("format", "files", "origins", "added_origins", "merge_lines"),
)
_Made = TypeVar("_Made")
_Key = tuple[Any, ...]
_Findings = tuple[Any, ...]  # and measurements
_NO_ENCODER = object()


@dataclass
class KeptNeeds:
    """The store of needs and findings, for other subjects of the run with the same arguments.

    All that is kept follows from the spec that was seen last.  It is known by its identity: what
    is held here cannot be something else at the same place.  A spec that says the same in files
    of other names, as a copy in another folder does, counts as that one wherever no file is named.
    """

    _held: dict[int, Any] = field(default_factory=dict)
    _built: dict[_Key, Any] = field(default_factory=dict)
    _options: list[Options] = field(default_factory=list)
    _spec: TokenizerSpec | None = None
    _copy: TokenizerSpec | None = None  # the last that differs in the names of files alone
    _model: TokenizerSpec | None = None  # of which the next was built
    _of_model: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def built(self, build: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
        """Return what `build` makes of the arguments, or has made of the very same before."""
        key = (build, *map(id, arguments.values()))
        if not arguments or not all(map(self._is_held, arguments.values())):
            return self._interned(build(**arguments))
        return self._once(key, build, arguments)

    def without_files(self, build: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
        """As `built`, of what names no file of a spec; encoders that answer the same are the same.

        It must hold no encoder itself: that of another subject has ended with its audit.
        """
        key = self._key(build, arguments)
        return build(**arguments) if key is None else self._once(key, build, arguments)

    def of_model(self, build: Callable[..., Any], arguments: Mapping[str, TokenizerSpec]) -> Any:
        """As `built`, of what follows from the model of a spec and its entries alone."""
        (spec,) = arguments.values()
        if self._model is None or not _same_model(spec, self._model):
            self._model, self._of_model = spec, {}
        if build not in self._of_model:
            self._of_model[build] = build(**arguments)
        found = self._of_model[build]
        self._held[id(found)] = found
        return found

    def said(
        self, check: Callable[..., Iterable[Any]], arguments: Mapping[str, Any]
    ) -> Iterator[Any]:
        """Yield what a check finds, or has found where it was asked the same; each as it comes."""
        key = self._key(check, arguments)
        copy = self._copy is not None and any(one is self._copy for one in arguments.values())
        before: _Findings | None = None if key is None else self._built.get(key)
        if before is not None and not (copy and self._names_a_file(before)):
            return iter(before)
        return self._noted(None if copy else key, check(**arguments))

    def of_spec(self, name: str, spec: TokenizerSpec, work: Callable[[], _Made]) -> _Made:
        """Return what is worked out of a spec alone, whatever its files, by name."""
        known = self._known(spec)
        if known is None:
            return work()
        key = (name, known)
        if key not in self._built:
            self._built[key] = work()
        return self._built[key]  # type: ignore[no-any-return]

    def _once(self, key: _Key, build: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
        if key not in self._built:
            self._built[key] = found = build(**arguments)
            self._held[id(found)] = found
        return self._built[key]

    def _noted(self, key: _Key | None, said: Iterable[Any]) -> Iterator[Any]:
        """All of it, kept under its key when the last has come without an exception."""
        noted = []
        for each in said:
            noted.append(each)
            yield each
        if key is not None:
            self._built[key] = tuple(noted)

    def _names_a_file(self, said: _Findings) -> bool:
        """Return whether any of it holds the name of a file of the spec that it was said of."""
        names = set(_files(self._spec)) if self._spec is not None else set[str]()
        return any(name in whole for whole in map(_whole, said) for name in names)

    def _key(self, ask: Callable[..., Any], arguments: Mapping[str, Any]) -> _Key | None:
        """Return a key that is equal for the same question; None where nobody can tell."""
        known = [self._known(one) for one in arguments.values()]
        return None if not known or None in known else (ask, *known)

    def _known(self, argument: Any) -> int | None:
        """Return the same number for arguments that are the same to whoever asks; else None."""
        if isinstance(argument, Workers):
            return 0  # whichever processes run an encoder, its answers are those of its files
        if isinstance(argument, Options):
            return self._place_of(replace(argument, timeout=None))
        transcript: Transcript | object | None = getattr(argument, "transcript", _NO_ENCODER)
        if transcript is None:  # of an encoder whose answers are not the same for others
            return None
        if transcript is not _NO_ENCODER:
            argument = self._held[id(transcript)] = transcript
        if argument is None:
            return id(None)
        if argument is self._copy:
            return id(self._spec)
        return id(argument) if self._is_held(argument) else None

    def _is_held(self, argument: Any) -> bool:
        return id(argument) in self._held

    def _place_of(self, options: Options) -> int:
        if options not in self._options:
            self._options.append(options)
        return self._options.index(options)

    def _interned(self, found: Any) -> Any:
        """The spec that was seen before, where this one is equal to it; anything else as it is."""
        if not isinstance(found, TokenizerSpec):
            return found
        if self._spec is not None and _same_spec(found, self._spec):
            return self._spec
        if self._spec is not None and replace(found, files=self._spec.files) == self._spec:
            self._copy = found
        else:
            self._spec, self._copy = found, None
            self._built.clear()
            self._held = {id(found): found}
        return found


def _same_spec(one: TokenizerSpec, other: TokenizerSpec) -> bool:
    """Return whether two specs say the same, and name the same places for it."""
    if one is other:
        return True
    places = [(s.origins, s.added_origins, tuple(s.merge_lines)) for s in (one, other)]
    return one == other and places[0] == places[1]


def _same_model(one: TokenizerSpec, other: TokenizerSpec) -> bool:
    """Return whether two specs differ at most in what lies around their models."""
    return replace(one, **{name: getattr(other, name) for name in AROUND_THE_MODEL}) == other


def _whole(said: Any) -> str:
    """A finding or measurement with all that it holds; its own `repr` leaves things out."""
    whole = is_dataclass(said) and not isinstance(said, type)
    return repr(astuple(said) if whole else said)


def _files(spec: TokenizerSpec) -> Iterator[str]:
    """The names of all files that state a part of a spec."""
    origins = (*spec.origins.values(), *spec.added_origins.values())
    yield from filter(None, (*spec.files, *(each.file for each in origins)))


@dataclass
class Shared:
    """The parsed files, the encoders' answers and the needs of one run over several subjects."""

    parsed: ParsedFiles = field(default_factory=ParsedFiles)
    answers: KnownAnswers = field(default_factory=KnownAnswers)
    needs: KeptNeeds = field(default_factory=KeptNeeds)
    lines: Known = field(default_factory=dict)
