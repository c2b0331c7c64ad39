"""Statements in files of other engines, with the tokenizer to compare them with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokaudit.plugin import Contents, Place, SourceFile, Subject, UnreadableError, need
from tokaudit.subject.upstream.engine_files import EngineStatement, Form, States, engine_statements
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.config._engine_forms import READERS
from tokaudit_suites.shared.stated_roles import ids_in, role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import IdsByText, entries, spelled

LARGEST = 32_000_000  # bytes of one file
LONGEST = 1_000_000  # of one that people write
OF_LINES = {States.NUMBERED, States.COUNTED}


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer to compare statements with."""

    subject: Subject
    spec: TokenizerSpec

    @cached_property
    def ids(self) -> IdsByText:
        """Return the id of each token's text."""
        return IdsByText(self.spec)

    @cached_property
    def texts(self) -> Mapping[int, frozenset[str]]:
        """Return the spellings of the token at each id."""
        found: dict[int, set[str]] = {}
        for id, _, surface in entries(self.spec):
            found.setdefault(id, set()).add(spelled(surface))
        for token in self.spec.added_tokens:
            found.setdefault(token.id, set()).add(token.content)
        return {id: frozenset(texts) for id, texts in found.items()}

    @cached_property
    def ends(self) -> Mapping[int, str]:
        """Map the ids that end an answer to the file that says so."""
        named = [(fact, self.ids.of(text)) for fact, text in role_tokens(self.subject, "eos")]
        found = {id: fact.file for fact, id in named if id is not None}
        for fact, ids in role_ids(self.subject, "eos"):
            found |= {id: fact.file for id in ids if id not in found}
        return found

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """Map the text of each special token to its role."""
        roles = ("unk", "pad", "eos", "bos")
        return {text: role for role in roles for _, text in role_tokens(self.subject, role)}


@dataclass(frozen=True)
class Stated:
    """A record's statement, with the value that a file has for it."""

    row: EngineStatement
    file: str
    value: Any
    named: str = ""
    opposite: Any = None
    lacks: bool = False  # the file has no such place, and the value is what the engine takes then

    def place(self, *inside: str | int) -> Place:
        """Return the place of the value, or of an entry in it."""
        component = "vocab" if isinstance(self.value, list | dict) and inside else "config"
        if self.row.states in OF_LINES:
            return Place("vocab", self.file)
        if self.row.form is not Form.JSON:
            return Place("config", self.file)
        if self.lacks:
            return Place("config", self.file, self.row.at.rpartition("/")[0])
        value = self.value[inside[0]] if inside else self.value
        return Place(component, self.file, self.row.at + "".join(f"/{at}" for at in inside), value)


@dataclass(frozen=True)
class EngineStatements:
    """Statements in a subject's files of other engines."""

    tokenizer: Tokenizer
    all: tuple[Stated, ...]


@need
def found_statements(subject: Subject, contents: Contents, spec: TokenizerSpec) -> EngineStatements:
    """Collect the statements that the subject's files contain."""
    rows: dict[str, list[EngineStatement]] = {}
    for row in engine_statements():
        rows.setdefault(row.file, []).append(row)
    found = [
        stated
        for file in subject.files
        if file.base in rows and not file.impostor and file.size <= _most(rows[file.base][0])
        for stated in _of_file(file, rows[file.base], contents)
    ]
    return EngineStatements(Tokenizer(subject, spec), tuple(found))


def _most(row: EngineStatement) -> int:
    return LONGEST if row.form in (Form.INSTRUCTIONS, Form.RECIPE) else LARGEST


def _of_file(file: SourceFile, rows: list[EngineStatement], contents: Contents) -> Iterator[Stated]:
    data = contents.whole(file)
    try:
        read = None if rows[0].states in OF_LINES else READERS[rows[0].form](data, file.name)
    except UnreadableError:
        return  # files/parse says so where loaders read the file
    for row in rows:
        value = _lines(data, row) if row.states in OF_LINES else _at(read, row.at)
        lacks = value is None and row.lacking is not None and _at(read, row.lacking.of) is not None
        if lacks and row.lacking is not None:
            other = _at(read, row.lacking.takes)
            value = row.lacking.otherwise if other is None else other
        if value is not None:
            text = _at(read, row.names) if row.names else None
            named = text if isinstance(text, str) else row.unstated
            opposite = _at(read, row.unlike) if row.unlike else None
            yield Stated(row, file.name, value, named, opposite, lacks)


def _at(data: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _lines(data: bytes, row: EngineStatement) -> dict[int, str] | None:
    """Read tokens by id from the lines of a file; None if the lines have another form."""
    found: dict[int, str] = {}
    for at, line in enumerate(data.decode("utf-8", "replace").splitlines()):
        text, _, number = line.rpartition(" ")
        if not text or not number.isdecimal() or len(number) > 18:
            return None
        found[int(number) if row.states is States.NUMBERED else row.first + at] = text
    return found or None


def stated_ids(value: Any) -> list[int]:
    """Return the ids of a statement, without negative ones, which mean none."""
    return [id for id in ids_in(value) if id >= 0]
