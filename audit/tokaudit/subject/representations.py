"""Parses every tokenizer file of a subject; a file that does not parse is a result, not an end."""

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
    """One way in which the subject states its tokenizer; `error` says why it cannot be read."""

    format: str
    files: tuple[str, ...]
    spec: TokenizerSpec | None
    error: str = ""
    pointer: str = ""
    sound: bool = False  # nothing is wrong with the file, there is only nothing to read in it
    blamed: str = ""  # the file that cannot be read, of those that are read together

    def __repr__(self) -> str:
        """The format, and the tokenizer or why there is none."""
        return f"<Representation {self.format}: {self.error or self.spec!r}>"


@dataclass(frozen=True)
class Representations:
    """Every representation found, in the order in which loaders prefer them."""

    all: tuple[Representation, ...]

    @property
    def parsed(self) -> list[tuple[Representation, TokenizerSpec]]:
        """Those that parse, with their specs."""
        return [(r, r.spec) for r in self.all if r.spec is not None]

    @property
    def errors(self) -> str:
        """The reasons why none can be read, where none can."""
        return "; ".join(each.error for each in self.all) or "no tokenizer file found"


def parse_all(subject: Subject) -> Representations:
    """One representation for each tokenizer file, in the order in which loaders prefer them."""
    listed = [*in_order(subject)]
    # One alone shares its entries with nothing, and a second vocabulary of it would fill memory.
    found, left, entries = [], LARGEST_READ, OneOfEach() if len(listed) > 1 else None
    for format, file in listed:
        left -= OF_A_MODEL if format.facts else file.size
        read = left >= 0
        found.append(_parse(subject, format, file, entries) if read else _too_much(format, file))
    return Representations(tuple(found))


def readable(subject: Subject) -> Representations:
    """The same, of which one parses; raises `UnreadableError` with what is wrong with each."""
    found = parse_all(subject)
    if not found.parsed:
        raise UnreadableError(f"{subject.name}: {found.errors}")
    return found


def in_order(subject: Subject) -> Iterator[tuple[Format, SourceFile]]:
    """Each file of a format, the outermost first, then those that the class or loaders take."""
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
    """Refuse tokens that are so long together that only looking at each of them takes minutes."""
    size = sum(len(piece.value) for piece in spec.every_piece())
    if size > MOST_CHARACTERS:
        most = f"at most {MOST_CHARACTERS:,} are read"
        raise SpecError(f"has tokens of {size:,} characters together; {most}", file=file.name)


def _too_much(format: Format, file: SourceFile) -> Representation:
    """One that is not read, because it would fill memory together with those before it.

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
    """The entries, texts and ids of the files that were parsed so far.

    A file of merges names each token many times, and copies of a tokenizer have equal entries; as
    parsers make them, each is an object of its own, which takes several times its text.
    """

    _ordinary: dict[Value, Piece] = field(default_factory=dict)
    _ids: dict[int, int] = field(default_factory=dict)

    def of(self, spec: TokenizerSpec) -> TokenizerSpec:
        """The same spec, made of the objects that others are made of.

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
        """The first piece that is equal; nearly all are ordinary, and only those are kept."""
        if piece.token_type is not ORDINARY:
            return piece
        return self._ordinary.setdefault(piece.value, piece)

    def _merges(self, merges: tuple[tuple[Value, Value], ...]) -> tuple[tuple[Value, Value], ...]:
        known = {value: value for value in self._ordinary}
        parts = list(chain.from_iterable(merges))
        each = map(known.get, parts, parts)
        return tuple(zip(each, each, strict=True))


def _keyed(numbers: Mapping[int, float], pieces: Mapping[int, Piece]) -> Mapping[int, float]:
    """The numbers by the very ids that the pieces have, where each piece has one."""
    if not numbers or list(numbers) != list(pieces):
        return numbers
    return dict(zip(pieces, numbers.values(), strict=True))
