"""A step of the pipeline: its options as typed fields, how it runs, and its effects.

One step is one frozen dataclass in one file.  Whoever wants to know what a step does asks for its
declared `Effects`, and nobody for its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self, TypeVar

from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.steps.pattern import Pattern, SplitAt

Options = Mapping[str, Any]


def unchanged(text: str) -> str:
    """The text itself."""
    return text


@dataclass(frozen=True, slots=True)
class Added:
    """A special token that a step adds, by its name; it may stand for several tokens.

    `defined` is false where a template names a token and says nowhere what it is.
    """

    name: str
    tokens: tuple[Any, ...] = ()
    ids: tuple[Any, ...] = ()  # as they are stated; what is not an id is refused in running
    defined: bool = True

    @classmethod
    def one(cls, token: str, id: int) -> Added:
        """A token that stands for itself alone."""
        return cls(token, (token,), (id,))


@dataclass(frozen=True, slots=True)
class Laid:
    """One piece of a post-processor's output: the text `A` or `B`, or a special token.

    The type id, which tells a model the two texts apart, is as it is stated.
    """

    name: str
    is_text: bool = False
    type_id: Any = 0


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a step, as far as others need them; the defaults are no effect."""

    # To a text that is encoded and decoded again.
    loses: str = ""  # what it does away with for good, with a verb: "drops white space"
    keeps: Callable[[str], str] = unchanged  # the text that comes back, where none is lost
    # To characters.
    character_wise: bool = False  # each by itself, whatever is next to it
    lower_cases: bool = False
    decomposes: bool = False
    strips_marks: bool = False  # those that were decomposed
    tables: frozenset[str] = frozenset()  # the Unicode tables that it consults
    pattern: Pattern | None = None  # what it looks for
    writes: str | None = None  # the only text that it puts into a text; None: any other
    mark: str = ""  # what it writes for a space, or reads as one
    by_charsmap: bool = False  # it maps characters by a table that the file holds
    charsmap: str = ""  # that table, in base64, if it is the precompiled one
    prefix_space: bool | None = None  # a space before the text; None: it has no such switch
    absorbs: frozenset[str] = frozenset()  # steps just before it that change nothing in the end
    idle_after: frozenset[str] = frozenset()  # steps after which it changes nothing
    # With bytes.
    writes_bytes: bool = False  # as characters of GPT-2's alphabet
    stays_in_alphabet: bool = False  # of a text in this alphabet it makes texts in it
    reads_bytes: bool = False  # from characters of this alphabet
    reads_byte_pieces: bool = False  # such as <0x0A>
    joins_bytes: bool = False  # of all tokens, and makes one text of them
    cleans_joined: bool = False  # and then takes spaces out of that text
    # To words.
    cuts_words: bool = False  # or may, by its pattern
    splits: tuple[SplitAt, ...] | None = None  # all its cuts, if it cuts at patterns and no more
    model_cuts_words: bool = False  # it marks where words begin, and the model cuts there
    joins_continuations: bool = False
    asks_for_beginning: bool = False  # it acts on the beginning of the whole text alone
    # Around texts: the special tokens, and the pieces that it makes of one text and of two.
    adds: tuple[Added, ...] = ()
    one_text: tuple[Laid, ...] | None = None
    two_texts: tuple[Laid, ...] | None = None

    @property
    def around(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The names of the special tokens before and after a single text, if it has a place."""
        pieces = self.one_text
        if pieces is None:
            return None
        first = next((at for at, piece in enumerate(pieces) if piece.is_text), len(pieces))
        before, after = pieces[:first], pieces[first:]
        return _tokens(before), _tokens(after)


def _tokens(pieces: tuple[Laid, ...]) -> tuple[str, ...]:
    return tuple(piece.name for piece in pieces if not piece.is_text)


NOTHING = Effects()
NOT_KNOWN = Effects(loses="may lose text: what it does is not known here")


class Step:
    """The base of every step: a frozen dataclass whose fields are the options, defaults filled in.

    `type` is the name that `tokenizer.json` has for it.  A step whose table grew with the versions
    of the library has an older `library` where it runs as that one.
    """

    type: ClassVar[str]
    grew: ClassVar[bool] = False
    library: ClassVar[str] = ""

    @classmethod
    def from_json(cls, options: Options) -> Self:
        """Build the step from the options; raises `SpecError` for an invalid value."""
        own = fields(cls)  # type: ignore[arg-type]
        return cls(**{each.name: cls.option(options, each.name, each.default) for each in own})

    @classmethod
    def option(cls, options: Options, name: str, default: Any) -> Any:
        """Read one option; a value of another type is converted to a switch or a text."""
        value = options.get(name, default)
        return type(default)(value) if isinstance(default, bool | str) else value

    def to_json(self) -> dict[str, Any]:
        """All options, as `tokenizer.json` writes them."""
        own = fields(self)  # type: ignore[arg-type]
        return {"type": self.type, **{each.name: getattr(self, each.name) for each in own}}

    @classmethod
    def stated(cls, **options: Any) -> dict[str, Any]:
        """Some options as a file may state them, the others left to the defaults."""
        cls.from_json(options)
        return {"type": cls.type, **options}

    @property
    def effects(self) -> Effects:
        """The effects of the step."""
        return NOTHING

    def acts_as(self, *, ids_only: bool = False) -> Step | None:
        """Return the plainest equivalent step, so that equal ones compare equal; None if idle.

        With `ids_only` what a step does to offsets does not count.
        """
        return self

    def in_version(self, library: str) -> Self:
        """The step as an older version of the library runs it: itself, if nothing differs."""
        if not self.grew or not library:
            return self
        own = fields(self)  # type: ignore[arg-type]
        run_by: type[Self] = _run_by(type(self), library)  # type: ignore[arg-type, assignment]
        return run_by(**{each.name: getattr(self, each.name) for each in own})

    def published(self) -> dict[str, Any] | None:
        """Return the published steps that an engine's own step stands for, if any."""
        return None

    @classmethod
    def takes(cls, options: Options) -> bool:
        """Return whether the library reads these options as this step, despite a stated type."""
        return False


@cache
def _run_by(step: type[Step], library: str) -> type[Step]:
    """The class of a step, run by an older version."""
    return type(step.__name__, (step,), {"library": library})


@dataclass(frozen=True)
class Unread(Step):
    """A step that is unknown here, or has wrong options; running it raises the error."""

    options: Any
    error: SpecError = field(compare=False, repr=False)

    @property
    def type(self) -> str:  # type: ignore[override]
        """Return the type that the options state."""
        stated = self.options.get("type", "") if isinstance(self.options, Mapping) else ""
        return str(stated)[:40]

    def to_json(self) -> dict[str, Any]:
        """Return the options as they are."""
        return dict(self.options) if isinstance(self.options, Mapping) else {}

    @property
    def effects(self) -> Effects:
        """State no effect, as none is certain."""
        return NOT_KNOWN


S = TypeVar("S", bound=Step)


def readable(steps: Iterable[Step], of: type[S]) -> Iterator[S]:
    """Yield the steps of one stage; raises the error of one that could not be read."""
    for step in steps:
        if isinstance(step, Unread):
            raise step.error
        if not isinstance(step, of):
            raise Unsupported(f"the step {step.type} belongs to another stage")
        yield step
