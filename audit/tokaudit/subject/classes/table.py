"""The tokenizer classes of transformers, a row for each; read from the tables beside this module.

`table.csv` was drawn from `vocab_files_names` and the methods that give ids, in transformers 4.57.6
and 5.23.0; `model_types.csv` from `TOKENIZER_MAPPING_NAMES`, without the types that take any
tokenizer; `languages.csv` from `FAIRSEQ_LANGUAGE_CODES` of each class, in the order of the ids;
`built_models.csv` from `model` of the classes of 5.23.0 that have an `__init__`, and from that of
two that build theirs there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

from tokaudit.subject.classes.row import ClassRow, Ids

ANY = ("PreTrainedTokenizer", "TokenizersBackend", "SentencePieceBackend", "PythonBackend")
"""Classes that stand for any tokenizer and do nothing to files or ids."""


def row_of(name: str) -> ClassRow | None:
    """The row of a class, slow or fast.

    >>> row_of("XLMRobertaTokenizerFast").files
    ('sentencepiece.bpe.model',)
    >>> row_of("AcornTokenizer") is None
    True
    """
    return rows().get(name.removesuffix("Fast"))


@cache
def rows() -> Mapping[str, ClassRow]:
    """Every row by the name of its class."""
    found = (
        ClassRow(name, tuple(files.split()), Ids(ids), four, five, source)
        for name, files, ids, four, five, source in lines_of("table.csv")
    )
    return {row.name: row for row in found}


@cache
def class_of_type() -> Mapping[str, str]:
    """The class that `AutoTokenizer` takes for each `model_type` where no file names one."""
    return {kind: name for name, kinds in lines_of("model_types.csv") for kind in kinds.split()}


def built_model(name: str) -> str:
    """The kind of model that a class of transformers 5 builds; empty where it takes the file's.

    >>> built_model("AlbertTokenizer"), built_model("PreTrainedTokenizerFast")
    ('Unigram', '')
    """
    return _built_models().get(name, "")


@cache
def _built_models() -> Mapping[str, str]:
    return {name: model for model, names in lines_of("built_models.csv") for name in names.split()}


@cache
def languages(name: str) -> tuple[str, ...]:
    """The codes of languages that a class puts behind its vocabulary."""
    return tuple(dict(lines_of("languages.csv")).get(name, "").split())


def lines_of(name: str) -> Iterator[list[str]]:
    """The rows of a table, without its head."""
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    lines = csv.reader(text.splitlines())
    next(lines)
    return lines
