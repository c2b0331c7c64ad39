"""Results shared by the subjects of one run, so that nothing is computed twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, is_dataclass, replace
from itertools import count
from typing import Any, NamedTuple, TypeVar

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
Made = TypeVar("Made")
Build = Callable[..., Any]
Arguments = Mapping[str, Any]


class Key(NamedTuple):
    """A number that is equal for equal arguments; `exact` if file names are equal too."""

    number: int
    exact: bool = False


Keys = Sequence[Key | None]  # of arguments; None for what belongs to one subject
NOTHING = Key(0)


@dataclass
class Memo:
    """Memory of all results of a run, keyed by their inputs, for later subjects.

    All that is kept follows from the spec that was seen last.  A spec that says the same in files
    of other names, as a copy in another folder does, has its number but not its files: it counts
    as that one wherever no file is named.
    """

    _made: dict[int, Any] = field(default_factory=dict)
    _numbers: dict[tuple[Any, ...], int] = field(default_factory=dict)
    _options: list[Options] = field(default_factory=list)
    _count: Iterator[int] = field(default_factory=lambda: count(1))
    _spec: TokenizerSpec | None = None
    _number_of_spec: int = -1
    _model: TokenizerSpec | None = None  # of which the next was built
    _of_model: dict[Build, tuple[Any, Key | None]] = field(default_factory=dict)

    def key_of(self, given: object) -> Key | None:
        """Return the key of an encoder, by its answers, or of a given object."""
        if given is None:
            return NOTHING
        if isinstance(given, Workers):  # whichever run an encoder, its answers are of its files
            return Key(self._number(Workers))
        if isinstance(given, Options):
            return Key(self._number(Options, self._place_of(replace(given, timeout=None))))
        transcript: Transcript | None = getattr(given, "transcript", None)
        return None if transcript is None else Key(self._number(Transcript, transcript.number))

    def built(
        self, build: Build, arguments: Arguments, keys: Keys, without_files: bool = False
    ) -> tuple[Any, Key | None]:
        """Return the built or remembered result of the arguments, and its key.

        What is `without_files` names no file of a spec and must hold no encoder: those of another
        subject, which have ended with its audit, count as the same where they answer the same.
        """
        if not keys or not all(key and (key.exact or without_files) for key in keys):
            return self._recognised(build(**arguments))
        number = self._number_of(build, keys)
        if number not in self._made:
            self._made[number] = build(**arguments)
        return self._made[number], Key(number, exact=True)

    def of_model(self, build: Build, arguments: Arguments) -> tuple[Any, Key | None]:
        """Like `built`, for results that depend only on a spec's model and entries."""
        (spec,) = arguments.values()
        if self._model is None or not _same_model(spec, self._model):
            self._model, self._of_model = spec, {}
        if build not in self._of_model:
            self._of_model[build] = build(**arguments), Key(next(self._count), exact=True)
        return self._of_model[build]

    def said(self, check: Build, arguments: Arguments, keys: Keys) -> Iterator[Any]:
        """Yield the results of a check, remembered for equal arguments."""
        if not keys or None in keys:
            return check(**arguments)  # type: ignore[no-any-return]
        number = self._number_of(check, keys)
        of_copy = Key(self._number_of_spec) in keys
        before: tuple[Any, ...] | None = self._made.get(number)
        if before is not None and not (of_copy and self._names_a_file(before)):
            return iter(before)
        said = check(**arguments)
        return said if of_copy else self._noted(number, said)

    def of_spec(self, name: str, key: Key | None, work: Callable[[], Made]) -> Made:
        """Return a result computed from a spec alone, by name, whatever its files."""
        if key is None:
            return work()
        number = self._number(name, key.number)
        if number not in self._made:
            self._made[number] = work()
        return self._made[number]  # type: ignore[no-any-return]

    def _number(self, *of: Any) -> int:
        return self._numbers.setdefault(of, next(self._count))

    def _place_of(self, options: Options) -> int:
        if options not in self._options:
            self._options.append(options)
        return self._options.index(options)

    def _number_of(self, function: Build, keys: Keys) -> int:
        return self._number(function, *(key and key.number for key in keys))

    def _noted(self, number: int, said: Iterable[Any]) -> Iterator[Any]:
        """Yield all results, and remember them if the last comes without an exception."""
        noted = []
        for each in said:
            noted.append(each)
            yield each
        self._made[number] = tuple(noted)

    def _names_a_file(self, said: Iterable[Any]) -> bool:
        """Return whether any result contains the name of one of the spec's files."""
        names = set(_files(self._spec)) if self._spec is not None else set[str]()
        return any(name in whole for whole in map(_whole, said) for name in names)

    def _recognised(self, found: Any) -> tuple[Any, Key | None]:
        """Return the earlier spec if this one is equal to it; anything else unchanged."""
        if not isinstance(found, TokenizerSpec):
            return found, self.key_of(found)
        if self._spec is not None and _same_spec(found, self._spec):
            return self._spec, Key(self._number_of_spec, exact=True)
        if self._spec is not None and replace(found, files=self._spec.files) == self._spec:
            return found, Key(self._number_of_spec)
        self._made.clear()
        self._numbers.clear()
        self._spec, self._number_of_spec = found, next(self._count)
        return found, Key(self._number_of_spec, exact=True)


def _same_spec(one: TokenizerSpec, other: TokenizerSpec) -> bool:
    """Return whether two specs are equal, including the places of their parts."""
    if one is other:
        return True
    places = [(s.origins, s.added_origins, tuple(s.merge_lines)) for s in (one, other)]
    return one == other and places[0] == places[1]


def _same_model(one: TokenizerSpec, other: TokenizerSpec) -> bool:
    """Return whether two specs differ at most outside of their models."""
    return replace(one, **{name: getattr(other, name) for name in AROUND_THE_MODEL}) == other


def _whole(said: Any) -> str:
    """Format a finding or measurement completely; its own `repr` omits parts."""
    whole = is_dataclass(said) and not isinstance(said, type)
    return repr(astuple(said) if whole else said)


def _files(spec: TokenizerSpec) -> Iterator[str]:
    """Yield the names of all files that state a part of a spec."""
    origins = (*spec.origins.values(), *spec.added_origins.values())
    yield from filter(None, (*spec.files, *(each.file for each in origins)))


@dataclass
class Shared:
    """Parsed files, encoders' answers and needs of one run over several subjects."""

    parsed: ParsedFiles = field(default_factory=ParsedFiles)
    answers: KnownAnswers = field(default_factory=KnownAnswers)
    needs: Memo = field(default_factory=Memo)
    lines: Known = field(default_factory=dict)
