"""Statements about a tokenizer in files of other engines, with one record per place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from tokaudit.subject.upstream.records import ENGINE_FILES, hand_written


class States(StrEnum):
    """The form of a statement, which decides how it is compared with the tokenizer."""

    TOKENS = "tokens"  # every token in the order of the ids
    NUMBERED = "numbered lines"  # a token and its id on each line
    COUNTED = "counted lines"  # a token and how often it was seen, in the order of the ids
    LABELS = "labels"  # tokens in the order of the ids, as a decoder of speech spells them
    ENDS = "ends"  # ids that end an answer
    IDS = "ids"
    MARKERS = "markers"  # ids of tokens that text does not hold
    WORDS = "words"  # ids of tokens that an answer is made of
    NAMED = "named id"  # the id of the token that another key names
    TOKEN = "token"  # a text that is one token
    COUNT = "count"  # how many ids the model has rows for
    PIECES = "pieces"  # a list of texts, every piece among them; the model takes their places in it
    SPELLED = "spelled words"  # words that are written with the tokens
    COPY = "template"  # a copy of the chat template
    CONVERSATION = "conversation"  # another template for chats, with the texts that end an answer


class Form(StrEnum):
    """The form of a file in which statements have their places."""

    JSON = "json"
    LINES = "lines"  # those that hold a word
    LIST = "list"  # a token on each line, an empty one too
    MODEL_INFORMATION = "rt_info"  # of a model of OpenVINO
    RECIPE = "yaml"
    INSTRUCTIONS = "modelfile"


@dataclass(frozen=True, slots=True)
class Lacking:
    """The value that an engine assumes if a file lacks a statement."""

    of: str
    takes: str
    otherwise: int


@dataclass(frozen=True, slots=True)
class EngineStatement:
    """A place of a file, its statement, and the effect in the engine that reads it."""

    file: str
    states: States
    engine: str
    does: str
    source: str
    at: str = ""
    names: str = ""  # the key with the token's text
    unstated: str = ""  # that text where no key states it
    first: int = 0  # the id of the first line
    unlike: str = ""  # a key whose ids are of the opposite
    form: Form = Form.JSON
    alone: bool = False  # the engine looks at no other file for it
    lacking: Lacking | None = None


@cache
def engine_statements() -> tuple[EngineStatement, ...]:
    """Return every record, in file order.

    >>> engine_statements()[0].file, engine_statements()[0].states
    ('vocabulary.json', <States.TOKENS: 'tokens'>)
    """
    rows = hand_written(ENGINE_FILES)["states"]
    return tuple(
        EngineStatement(
            **{
                **row,
                "states": States(row["states"]),
                "form": Form(row.get("form", Form.JSON)),
                "lacking": Lacking(**row["lacking"]) if "lacking" in row else None,
            }
        )
        for row in rows
    )


@cache
def engine_files() -> frozenset[str]:
    """Return the names of these files.

    >>> "genai_config.json" in engine_files()
    True
    """
    return frozenset(row.file for row in engine_statements())
