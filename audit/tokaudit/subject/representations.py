"""Parse every tokenizer file of a subject; a parse error is a result, not an exception."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.formats import Format, NothingToRead, all_formats, bytes_alone
from tokaudit.subject.formats.common.template_alone import parse, template_alone
from tokaudit.subject.material import LARGEST_READ, SourceFile, Subject
from tokaudit.subject.origins import with_origins
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import Piece, SpecError, TokenizerSpec, TokenType

Value = bytes | str
ORDINARY = TokenType.ORDINARY
MOST_CHARACTERS = 12_000_000  # of all tokens together; the largest published have 2.5 million
OF_A_MODEL = 3_500_000  # bytes; what the vocabulary of a file of a whole model counts as


@dataclass(frozen=True, repr=False)
class Representation:
    """One file form of the subject's tokenizer; `error` is the reason if it cannot be read."""

    format: str
    files: tuple[str, ...]
    spec: TokenizerSpec | None
    error: str = ""
    pointer: str = ""
    sound: bool = False  # nothing is wrong with the file, there is only nothing to read in it
    blamed: str = ""  # the file that cannot be read, of those that are read together

    def __repr__(self) -> str:
        """Return the format, and the tokenizer or the error."""
        return f"<Representation {self.format}: {self.error or self.spec!r}>"


@dataclass(frozen=True)
class Representations:
    """All representations found, in the order in which loaders prefer them."""

    all: tuple[Representation, ...]

    @property
    def parsed(self) -> list[tuple[Representation, TokenizerSpec]]:
        """Return the parsed representations, with their specs."""
        return [(r, r.spec) for r in self.all if r.spec is not None]

    @property
    def errors(self) -> str:
        """Return the errors of all, if none can be read."""
        return "; ".join(each.error for each in self.all) or "no tokenizer file found"


def parse_all(subject: Subject) -> Representations:
    """Parse each tokenizer file, in the order in which loaders prefer them."""
    listed = [*in_order(subject)]
    # One alone shares its entries with nothing, and a second vocabulary of it would fill memory.
    found, left, entries = [], LARGEST_READ, OneOfEach() if len(listed) > 1 else None
    for format, file in listed:
        left -= OF_A_MODEL if format.facts else file.size
        read = left >= 0
        found.append(_parse(subject, format, file, entries) if read else _too_much(format, file))
    return Representations(tuple(found))


def readable(subject: Subject) -> Representations:
    """Parse like `parse_all`, but raise `UnreadableError` with all errors if none parses."""
    found = parse_all(subject)
    if not found.parsed:
        raise UnreadableError(f"{subject.name}: {found.errors}")
    return found


def in_order(subject: Subject) -> Iterator[tuple[Format, SourceFile]]:
    """Yield each file of a format, outermost first, then those that class or loaders prefer."""
    named = class_of(subject)
    of_class = named.known.files if named is not None and named.known is not None else ()

    def place(names: tuple[str, ...], file: SourceFile) -> int:
        return names.index(file.base) if file.base in names else len(names)

    for format in all_formats():
        mine = (file for file in subject.files if file.role == format.name)
        for file in sorted(
            mine,
            key=lambda file: (
                file.name.count("/"),
                place(of_class, file),
                place(format.files, file),
                file.name,
            ),
        ):
            yield format, file
    if (alone := bytes_alone.reads_nothing(subject)) is not None:
        yield bytes_alone.FORMAT, alone
    if (template := template_alone(subject)) is not None:
        yield replace(bytes_alone.FORMAT, parse=parse), template


def _refuse_long(spec: TokenizerSpec, file: SourceFile) -> None:
    """Refuse tokens that are so long in total that processing them takes minutes."""
    size = sum(len(piece.value) for piece in spec.every_piece())
    if size > MOST_CHARACTERS:
        most = f"at most {MOST_CHARACTERS:,} are read"
        raise SpecError(f"has tokens of {size:,} characters together; {most}", file=file.name)


def _too_much(format: Format, file: SourceFile) -> Representation:
    """Refuse a file that would exceed the memory limit together with earlier ones.

    A vocabulary takes about 25 times its file.
    """
    what = f"{file.name}: has {file.size:,} bytes"
    most = f"at most {LARGEST_READ:,} of all tokenizers together are read"
    return Representation(format.name, (file.name,), None, f"{what}; {most}")


def _parse(
    subject: Subject, format: Format, file: SourceFile, entries: OneOfEach | None
) -> Representation:
    try:
        parsed = format.parse(subject, file)
        spec = with_origins(subject, parsed if entries is None else entries.of(parsed))
        _refuse_long(spec, file)
    except SpecError as error:
        sound = isinstance(error, NothingToRead)
        return Representation(
            format.name, (file.name,), None, error.advice, error.pointer, sound, error.file
        )
    except UnreadableError as error:
        return Representation(format.name, (file.name,), None, str(error))
    except RecursionError:
        return Representation(format.name, (file.name,), None, f"{file.name}: nested too deeply")
    return Representation(spec.format or format.name, spec.files or (file.name,), spec)


@dataclass
class OneOfEach:
    """Entries, texts and ids of the files parsed so far, to share equal objects.

    A file of merges names each token many times, and copies of a tokenizer have equal entries; as
    parsers make them, each is an object of its own, which takes several times its text.
    """

    _ordinary: dict[Value, Piece] = field(default_factory=dict)
    _ids: dict[int, int] = field(default_factory=dict)

    def of(self, spec: TokenizerSpec) -> TokenizerSpec:
        """Return an equal spec that shares its objects with earlier ones.

        >>> from tokaudit_reference.spec import ModelType, TokenType
        >>> one, other = (
        ...     TokenizerSpec(ModelType.WORDLEVEL, {7: Piece(TokenType.ORDINARY, text.lower())})
        ...     for text in ("ACORN", "Acorn")
        ... )
        >>> known = OneOfEach()
        >>> known.of(one).pieces[7] is known.of(other).pieces[7]
        True
        """
        number, ordinary = self._ids.setdefault, self._ordinary.setdefault
        pieces = {
            number(id, id): ordinary(piece.value, piece) if piece.token_type is ORDINARY else piece
            for id, piece in spec.pieces.items()
        }
        return replace(
            spec,
            pieces=pieces,
            sharing=tuple((id, self._piece(piece)) for id, piece in spec.sharing),
            merges=None if spec.merges is None else self._merges(spec.merges),
            scores=_keyed(spec.scores, pieces),
            product_ranks=_keyed(spec.product_ranks, pieces),
        )

    def _piece(self, piece: Piece) -> Piece:
        """Return the first equal piece; only ordinary ones, nearly all, are kept."""
        if piece.token_type is not ORDINARY:
            return piece
        return self._ordinary.setdefault(piece.value, piece)

    def _merges(self, merges: tuple[tuple[Value, Value], ...]) -> tuple[tuple[Value, Value], ...]:
        known = {value: value for value in self._ordinary}
        parts = list(chain.from_iterable(merges))
        each = map(known.get, parts, parts)
        return tuple(zip(each, each, strict=True))


def _keyed(numbers: Mapping[int, float], pieces: Mapping[int, Piece]) -> Mapping[int, float]:
    """Return the numbers keyed by the pieces' own id objects, if they match."""
    if not numbers or list(numbers) != list(pieces):
        return numbers
    return dict(zip(pieces, numbers.values(), strict=True))
