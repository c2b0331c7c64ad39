"""Hand-written tables of a class: its loading, its vocabulary, its model input.

These are the tables under `by_hand` of a class's record.  A class that states none of one has its
defaults, which say that nothing is known.

Source: the module that the record names; `build_inputs_with_special_tokens`, the defaults of
`add_bos_token`, `set_src_lang_special_tokens` and `get_lang_token` of the classes in version 4,
`convert_slow_tokenizer.py`, `tokenization_utils_tokenizers.py` (`convert_to_native_format`) of
version 5, and the lists that `convert_marian_to_pytorch.py` and fairseq's `Dictionary` write.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Loading:
    """Files and settings that a class needs beyond the standard ones."""

    optional_files: tuple[str, ...] = ()  # read where they are there
    required_settings: tuple[str, ...] = ()  # keys of tokenizer_config.json
    meant_by: tuple[str, ...] = ()  # files that are mostly of this class, where nothing names one


@dataclass(frozen=True, slots=True)
class OwnVocabulary:
    """The way in which a class reads the entries of its vocabulary."""

    unknown: str | None = None  # where no file names the unknown token
    special: tuple[str, ...] = ()  # special without being named, where the vocabulary has them
    read_as: Mapping[str, str] = field(default_factory=dict)  # an entry that a line cannot hold
    list_begins: tuple[str, ...] = ()  # the first tokens of a list of ids next to the pieces
    before_lines: tuple[str, ...] = ()  # on the first ids, before those of the lines of a list
    mask_strips: bool = False  # its mask takes the space before it, where no file names one
    drops_unknown: bool = False  # what it has no entry for never reaches the vocabulary
    marks_spaces: bool = False  # its BPE is over text with marks for spaces, which bytes are not


@dataclass(frozen=True, slots=True)
class ByteIds:
    """Ids of a class without a vocabulary: its own tokens, the 256 bytes, the sentinels."""

    head: tuple[str, ...]
    first: int  # the id of the byte 0
    sentinel: str = ""  # the form of the tokens after the bytes, as many as `extra_ids` says
    strips: bool = False  # whether its own tokens take the spaces around them


@dataclass(frozen=True, slots=True)
class OwnPipelines:
    """Pipeline families that a class applies around its own files, and in place of a file's."""

    of_files: str = ""
    in_five: str = ""  # built by version 5 whatever tokenizer.json states; empty: the file's
    leaves_bytes: bool = False  # version 5 loads a vocabulary of bytes as its file states it


@dataclass(frozen=True, slots=True)
class Sides:
    """Source and target files of a translation class, in this order."""

    mains: tuple[str, str]  # the file of which each side is made
    vocabularies: tuple[str, str]  # the file of its ids
    sizes: tuple[str, str]  # the key of a model's config with its size


@dataclass(frozen=True, slots=True)
class ModelInput:
    """Tokens that a class adds around texts, and its models' input."""

    around: tuple[str, ...] = ()  # the tokens at both ends of every text, or the one at its end
    between: tuple[str, ...] | None = None  # those between two texts; None where it is unknown
    between_type: int = 0  # the type that the class gives to those
    second_type: int = 0  # the type that the class gives to the second of two texts
    begins_with_bos: bool = False  # unless a file says otherwise
    switches_over_file: bool = False  # version 4 puts ends by its switches over tokenizer.json's
    by_bos_in_five: bool = False  # where version 4 takes cls and sep
    ends_with_cls: bool = False  # the class token is the last one
    types_apart: bool = False  # models were trained with another type for a second text
    has_head: bool = True
    language: str = ""  # how the token of a language is written


def from_table(kind: type[T], table: Mapping[str, Any]) -> T:
    """Convert a record's table to its class; raise `TypeError` for an undeclared key."""
    return kind(**{key: tuple(v) if isinstance(v, list) else v for key, v in table.items()})
