"""The request to an adapter: one type for every caller, its form in a frame, its files in a folder.

An audit, a trace, a comparison and the conformance tool all fill in a `LoadRequest`; a worker
decodes it strictly, so a field that one side misspells is an error and never a default.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from tokaudit.foundation.typed_values import read_value
from tokaudit_reference.spec import AddedToken

Side = Literal["left", "right"]
CODE_PREFIXES = {"call:": "call", "cmd:": "cmd"}  # of names that run what the user wrote


@dataclass(frozen=True, slots=True)
class Padding:
    """Padding of batches by configs next to a tokenizer; None if unstated.

    A pad token that has no id is not passed on: no library can pad with it.
    """

    token: str | None = None
    id: int | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The stages around a bare model, in the form of `tokenizer.json`."""

    normalizer: Mapping[str, Any] | None = None
    pre_tokenizer: Mapping[str, Any] | None = None
    decoder: Mapping[str, Any] | None = None
    post_processor: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class AsLoaded:
    """A class's changes to texts that differ from its file; None if it follows the file.

    `before` and `after` are ids, of which either may be none.
    """

    before: tuple[int, ...] | None = None
    after: tuple[int, ...] | None = None
    prefix: bool | None = None  # whether a text begins with a space that was put there


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """An adapter, what it loads, and what the files leave open.

    `path` is a file; for `call` and `cmd` it is what the user wrote after the colon.  The reference
    gets no file but the spec that was parsed, packed (`packed_spec`).
    `held` is never sent: the copies that are named are there for as long as somebody holds it.
    """

    adapter: str
    path: str = ""
    format: str = ""
    files: tuple[str, ...] = ()  # the paths of a tokenizer in several files, in the format's order
    pattern: str | None = None
    byte_level: bool = False
    unknown_token: str | None = None
    end_of_word_suffix: str = ""
    added_tokens: tuple[AddedToken, ...] = ()
    pipeline: Pipeline = Pipeline()
    padding: Padding = Padding()
    as_loaded: AsLoaded = AsLoaded()
    siblings: Mapping[str, str] = field(default_factory=dict)  # name -> path, where asked
    threads: int = 1  # that the library may use
    place: str = ""  # the interpreter, folder or address that the user named for it
    piece_ids: tuple[int, ...] = ()  # the id of each entry of the file, where a class moves them
    looked_up: Mapping[str, int] = field(default_factory=dict)  # ids of text unknown to the file
    spec: bytes = field(default=b"", repr=False)  # for the reference
    other: bytes = field(default=b"", repr=False)  # a spec of which fields may be taken over
    patience: float = 10.0  # seconds that a server at an address has for an answer
    held: object = field(default=None, repr=False, compare=False)


def from_anywhere(request: LoadRequest) -> LoadRequest:
    """Return the request with absolute paths, for a process in another folder.

    >>> from_anywhere(LoadRequest("reference", "hf:acorn/tiny")).path
    'hf:acorn/tiny'
    """
    from tokaudit.subject.naming.locate import absolute  # not in a worker, which imports this too

    files = tuple(str(Path(file).absolute()) for file in request.files)
    path = str(Path(request.path).absolute()) if files else absolute(request.path)
    return replace(request, path=path, files=files)


def encoded(request: LoadRequest) -> dict[str, Any]:
    """Convert the request to JSON values, every field except `held`.

    >>> encoded(LoadRequest("tiktoken", "a.tiktoken"))["path"]
    'a.tiktoken'
    """
    found: dict[str, Any] = msgspec.to_builtins(replace(request, held=None))
    del found["held"]
    return found


def decoded(values: Mapping[str, Any]) -> LoadRequest:
    """Restore a request; raise `ValueError` for a wrong type or an unknown field.

    >>> decoded({"adapter": "call", "colour": "red"})
    Traceback (most recent call last):
    ValueError: a LoadRequest has no field 'colour'
    """
    request = read_value(values, LoadRequest)
    for part, kind in _parts(values):
        unknown = sorted(
            part.keys() - {known.name for known in fields(kind)} | part.keys() & {"held"}
        )
        if unknown:
            raise ValueError(f"a {kind.__name__} has no field {unknown[0]!r}")
    return request


def _parts(values: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], type]]:
    """Yield every object of the request with its class, to find unknown fields."""
    yield values, LoadRequest
    nested = {"pipeline": Pipeline, "padding": Padding, "as_loaded": AsLoaded}
    yield from ((values[name], kind) for name, kind in nested.items() if values.get(name))
    yield from ((token, AddedToken) for token in values.get("added_tokens", ()))


def laid_out(request: LoadRequest) -> str:
    """Create a folder with a link to the copy of each file, with a neutral name.

    Only the last part of each name is used, so that no name leads out of the folder.
    """
    import tempfile  # which few workers need

    Path(request.path).stat()  # so that a file that is not there is refused by its name
    folder = Path(tempfile.mkdtemp(prefix="subject-"))
    for name, path in request.siblings.items():
        base = name.rpartition("/")[2]
        if base not in ("", os.curdir, os.pardir) and not (folder / base).exists():
            (folder / base).symlink_to(path)
    return str(folder)
