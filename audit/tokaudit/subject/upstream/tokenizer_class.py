"""Record of a transformers tokenizer class: its files, its ids, its defaults.

Slow and fast class are one record under the name without `Fast`.  A fast class, and one that
transformers 5 builds on tokenizers, reads `tokenizer.json` before the files that are named here.

Source: the classes themselves; for layouts `convert_slow_tokenizer.py` and the slow classes of
transformers 4.57, each with the method it was read in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from tokaudit.subject.upstream.class_reading import (
    ByteIds,
    Loading,
    ModelInput,
    OwnPipelines,
    OwnVocabulary,
    Sides,
    from_table,
)
from tokaudit.subject.upstream.records import Record, class_names, class_record
from tokaudit.subject.upstream.versions import ABSENT, FOUR, NO_ARGUMENT

SLOW = " (slow "  # before what a slow class takes, where that is another
ROLES = ("bos", "eos", "sep", "pad", "cls", "mask")
ANY = ("PreTrainedTokenizer", "TokenizersBackend", "SentencePieceBackend", "PythonBackend")
"""Classes that stand for any tokenizer and do nothing to files or ids."""
AS_STATED = "PreTrainedTokenizerFast"
"""The class that takes a tokenizer.json as it is, by the name that both versions know."""
AS_FILE = "TokenizersBackend"
"""The class that version 5 takes, and writes, where no other is named; version 4 lacks it."""
LEAVES_BYTES_TO_FILE = "LlamaTokenizer"
"""The class in whose place version 5 takes `AS_FILE` where tokenizer.json is of bytes."""
NO_CLASS_OF_ITS_OWN = (*ANY, AS_STATED, "MistralCommonBackend")
"""The classes of model types that version 5 loads as the file is, whatever class a file names."""


class Ids(StrEnum):
    """The source of a class's ids."""

    FILE = "file"  # as vocab.json or tokenizer.json states them
    LINES = "lines"  # the number of the line
    PIECES = "pieces"  # the place of the piece in the model
    MOVED = "moved"  # the place of the piece, moved by the tokens of the class before it
    VOCAB_FILE = "vocab_file"  # as the vocab.json in the same folder states them
    LISTED = "listed"  # after tokens of the class, in the order of a list
    NONE = "none"  # bytes or characters; the class reads no file
    UNREAD = "unread"  # files that are never opened here, such as a pickle


@dataclass(frozen=True, slots=True)
class ClassSetting:
    """A key or role, and the class's default for it in either version.

    `-` stands for a class without such an argument, `absent` for a version without the class, and
    an empty text for None.  In version 4 it is the fast class, with the slow one's value in
    brackets where that is another.
    """

    key: str
    four: str
    five: str

    def taken(self, version: str, is_fast: bool = True, over_file: bool = False) -> str:
        """Return the default of one version; a fast class inherits from its slow one.

        It is made from none where it reads a tokenizer.json, which is `over_file`.

        >>> own = ClassSetting("clean_up_tokenization_spaces", "- (slow true)", "-")
        >>> own.taken("4.57.6"), own.taken("4.57.6", over_file=True), own.taken("5.24.0")
        ('true', '-', '-')
        """
        fast, slows, slow = (self.four if version == FOUR else self.five).partition(SLOW)
        by_slow = slows and (not is_fast or (fast == NO_ARGUMENT and not over_file))
        return slow.removesuffix(")") if by_slow else fast


@dataclass(frozen=True, slots=True)
class Layout:
    """The position of pieces in a class: after its own tokens, and before others."""

    head: tuple[str, ...]
    dropped: int  # how many of the first pieces the head replaces
    tail: tuple[str, ...]
    source: str
    unknown: str = "<unk>"

    @property
    def offset(self) -> int:
        """Return the difference between a piece's id and its index in the model."""
        return len(self.head) - self.dropped


@dataclass(frozen=True, slots=True)
class IdList:
    """A file that lists ids of pieces, between two groups of the class's tokens."""

    file: str
    head: tuple[str, ...]
    tail: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TokenizerClass:
    """One class of transformers, slow and fast together."""

    name: str
    source: str  # in `src/transformers/models/`; of version 4 where the class is there
    files: tuple[str, ...]
    ids: Ids
    four: str  # what version 4 has of it: slow, fast, both or nothing
    five: str  # what it is built on in version 5, or the one file that it reads there
    builds: str  # the kind of model that it builds in version 5; empty where it takes the file's
    tokens: Mapping[str, str] | None  # by role, where no file names one; None if it takes none
    tokens_by_version: Mapping[str, ClassSetting]  # where versions, or sides of one, do not agree
    settings: Mapping[str, ClassSetting]
    layout: Layout | None
    listed: IdList | None
    tail: tuple[str, ...]  # what it puts after the ids of a vocab.json
    loading: Loading
    vocabulary: OwnVocabulary
    bytes: ByteIds | None
    pipelines: OwnPipelines
    input: ModelInput
    sides: Sides | None  # of one that has two of each file

    @property
    def fills_masks(self) -> bool:
        """Return whether it has a mask token, as classes of encoders do.

        >>> [class_named(name).fills_masks for name in ("BertTokenizer", "LlamaTokenizer")]
        [True, False]
        """
        return "mask" in (self.tokens or {})


def class_named(name: str) -> TokenizerClass | None:
    """Return the class of a name, slow or fast; None if unknown.

    >>> class_named("XLMRobertaTokenizerFast").files
    ('sentencepiece.bpe.model',)
    >>> class_named("AcornTokenizer") is None
    True
    """
    return _class_named(name.removesuffix("Fast"))


@cache
def _class_named(name: str) -> TokenizerClass | None:
    record = class_record(name)
    return None if record is None else _of(name, record)


@cache
def every_class() -> Mapping[str, TokenizerClass]:
    """Map names to classes with a record."""
    return {name: known for name in class_names() if (known := _class_named(name)) is not None}


def made_from(file: str) -> TokenizerClass:
    """Return the only class that reads a file; raise `LookupError` without one.

    >>> made_from("bpe.codes").vocabulary.before_lines
    ('<s>', '<pad>', '</s>', '<unk>')
    """
    found = [known for known in every_class().values() if file in known.files]
    if not found:
        raise LookupError(f"no class reads {file}")
    return found[0]


def input_of(name: str) -> ModelInput:
    """Return the tokens that a class adds around texts; empty if unknown.

    >>> input_of("BertTokenizer").around, input_of("AcornTokenizer").around
    (('[CLS]', '[SEP]'), ())
    """
    known = class_named(name)
    return ModelInput() if known is None else known.input


@cache
def meant_by_files() -> Mapping[str, str]:
    """Map file names to the class assumed if nothing names one.

    >>> meant_by_files()["source.spm"]
    'MarianTokenizer'
    """
    known = every_class().items()
    return {file: name for name, each in known for file in each.loading.meant_by}


def sides_with(main: str) -> Sides | None:
    """Return both sides of a class whose source file has this name.

    >>> sides_with("source.spm").mains[1]
    'target.spm'
    """
    of_classes = (known.sides for known in every_class().values() if known.sides is not None)
    return next((sides for sides in of_classes if sides.mains[0] == main), None)


def class_reading_only(file: str) -> TokenizerClass | None:
    """Return the first class that reads only a file of this name.

    >>> class_reading_only("byte_maps.json").name
    'MyT5Tokenizer'
    """
    return next((known for known in every_class().values() if known.files == (file,)), None)


def setting_of(name: str, key: str) -> ClassSetting | None:
    """Return a class's default for a key; None if neither version has the argument.

    >>> setting_of("BertTokenizer", "do_lower_case")
    ClassSetting(key='do_lower_case', four='true', five='true')
    """
    known = class_named(name)
    return None if known is None else known.settings.get(key)


def _of(name: str, record: Record) -> TokenizerClass:
    """Build a class from its record; a new one has only hand-written parts at first."""
    read: Mapping[str, Any] = record["by_hand"]
    four, five = record.get("has", (ABSENT, ABSENT))
    return TokenizerClass(
        name=name,
        source=record.get("source", ""),
        files=tuple(record.get("files", ())),
        ids=Ids(read["ids"]),
        four=four,
        five=five,
        builds=read.get("builds", record.get("builds", "")),
        tokens=record.get("tokens"),
        tokens_by_version=_by_version(record, "tokens_by_version"),
        settings=_by_version(record, "settings"),
        layout=from_table(Layout, read["layout"]) if "layout" in read else None,
        listed=from_table(IdList, read["list"]) if "list" in read else None,
        tail=tuple(read.get("tail", ())),
        loading=from_table(Loading, read.get("loading", {})),
        vocabulary=from_table(OwnVocabulary, read.get("vocabulary", {})),
        bytes=from_table(ByteIds, read["bytes"]) if "bytes" in read else None,
        pipelines=from_table(OwnPipelines, read.get("pipeline", {})),
        input=from_table(ModelInput, read.get("input", {})),
        sides=from_table(Sides, read["sides"]) if "sides" in read else None,
    )


def _by_version(record: Record, table: str) -> Mapping[str, ClassSetting]:
    return {key: ClassSetting(key, *pair) for key, pair in record.get(table, {}).items()}
