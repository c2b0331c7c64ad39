"""Asks the upstream library, whose panics are answers too and are kept off the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # threads would blur the processor time
os.environ.setdefault("RUST_BACKTRACE", "0")

Described = dict[str, Any]
Question = TypeVar("Question")
Answer = TypeVar("Answer")
FAILED = "the library fails"
PANICS = "the library panics"


class Refused(Exception):
    """The library does not load a file."""


@dataclass(frozen=True)
class Upstream:
    """A tokenizer as the library runs it."""

    tokenizer: Any

    def encodings(self, texts: Sequence[str], second: str | None, special: bool) -> list[Any]:
        """The library's encoding of each text, or of each text and a second; `FAILED` for some."""
        inputs: list[Any] = [text if second is None else (text, second) for text in texts]
        return asked(partial(self.tokenizer.encode_batch, add_special_tokens=special), inputs)

    def decoded(self, rows: Sequence[list[int]], skip: bool) -> list[Any]:
        """The text of each list of ids."""
        return asked(partial(self.tokenizer.decode_batch, skip_special_tokens=skip), rows)

    def normalized(self, texts: Sequence[str]) -> list[Any]:
        """What the normalizer makes of each text."""
        steps = self.tokenizer.normalizer
        return list(texts) if steps is None else one_by_one(steps.normalize_str, texts)

    def is_steady(self, described: Described) -> bool:
        """Whether no two added tokens have one normal form, of which the library takes any."""
        sought = [each["content"] for each in described["added_tokens"] if each["normalized"]]
        return len({*self.normalized(sought)}) == len({*sought})

    def of_model(self, texts: Sequence[str], named: Literal["ids", "tokens"]) -> list[Any]:
        """The tokens that the model by itself makes of each text, by id or by name."""
        model, name = self.tokenizer.model, "id" if named == "ids" else "value"
        return one_by_one(lambda t: [getattr(each, name) for each in model.tokenize(t)], texts)


def loaded(described: Described, *, limits: bool = False) -> Upstream:
    """The tokenizer of a file; raises `Refused`."""
    from tokenizers import Tokenizer

    with quiet():
        try:
            found = Tokenizer.from_str(json.dumps(described))
        except BaseException as error:
            raise_if_ours(error)
            raise Refused(str(error)) from error
    if not limits:
        found.no_truncation()
        found.no_padding()
    return Upstream(found)


def asked(
    question: Callable[[list[Question]], Sequence[Answer]], inputs: Sequence[Question]
) -> list[Answer | str]:
    """The answers to a batch, asked again one by one where the batch fails."""
    with quiet():
        try:
            return list(question(list(inputs)))
        except BaseException as error:
            raise_if_ours(error)
    return one_by_one(lambda one: question([one])[0], inputs)


def one_by_one(
    question: Callable[[Question], Answer], inputs: Sequence[Question]
) -> list[Answer | str]:
    """The answer to each input, or `FAILED`."""
    with quiet():
        return [_answer(question, one) for one in inputs]


def _answer(question: Callable[[Question], Answer], one: Question) -> Answer | str:
    try:
        return question(one)
    except BaseException as error:
        raise_if_ours(error)
        return FAILED if isinstance(error, Exception) else PANICS


def raise_if_ours(error: BaseException) -> None:
    """Raise what is neither an error nor a panic of the library; a panic is no `Exception`."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error


@contextmanager
def quiet() -> Iterator[None]:
    """Without what a panicking library writes to the process's stderr."""
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
