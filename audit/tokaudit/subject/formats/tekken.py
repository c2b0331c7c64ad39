"""Mistral's tekken file: tiktoken-like ranks in JSON, with the special tokens before them.

The first `default_num_special_tokens` ids are special; the entry of rank r has id r plus that
number, and entries past `default_vocab_size` are not used.  mistral-common 1.13.1 refuses a count
that the lists contradict (`Tekkenizer.__init__`).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.ranks import ranked
from tokaudit.subject.formats.tiktoken_ranks import split
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.published.spellings import control_tokens_without_list
from tokaudit_reference.spec import (
    AddedToken,
    Origin,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)

MOST_SPECIAL = 100_000  # each is made; published files have 1,000 at most
OLD = "mistral-common, as the file leaves them out"
SIZE, SPECIAL = "default_vocab_size", "default_num_special_tokens"


def recognise(name: str, head: bytes) -> bool:
    """Recognise by the first keys of such a file."""
    return name.endswith(".json") and (
        b'"default_num_special_tokens"' in head or b'"token_bytes"' in head
    )


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec that the file states."""
    data = parse_object(read_bytes(file), file.name)
    config = data.get("config")
    if not isinstance(config, dict) or not isinstance(config.get("pattern"), str):
        raise SpecError("states no pattern", file=file.name, pointer="/config/pattern")
    shift = _count(config, SPECIAL, file.name, MOST_SPECIAL)
    size = _count(config, SIZE, file.name)
    special = _special(data, file.name, shift)
    pieces = _pieces(data, file.name, shift, size)
    return ranked(
        pieces,
        split(config["pattern"], Standing.STATED),
        special,
        format=FORMAT.name,
        file=file.name,
        library="tekken",
        control_from_text=False,
        unused=len(data["vocab"]) - len(pieces),
        origins={} if "special_tokens" in data else {"added_tokens": Origin(file.name, "", OLD)},
        added_origins={
            token.content: Origin(file.name, "", OLD)
            for token in special[len(data.get("special_tokens") or ()) :]
        },
    )


def _count(config: Mapping[str, Any], key: str, file: str, limit: int = 2**31) -> int:
    value = config.get(key)
    if type(value) is not int or not 0 <= value < limit:
        raise SpecError(
            f"is {str(value)[:40]}; expected a count below {limit:,}",
            file=file,
            pointer=f"/config/{key}",
        )
    return value


def _pieces(data: Mapping[str, Any], file: str, shift: int, size: int) -> dict[int, Piece]:
    entries = data.get("vocab")
    if not isinstance(entries, list):
        raise SpecError("is not a list", file=file, pointer="/vocab")
    listed = f"{shift:,} special tokens ({SPECIAL}) and {len(entries):,} entries"
    if size < shift:
        raise _other_count(SIZE, file, f"is {size:,}, less than the {shift:,} of {SPECIAL}")
    if size > shift + len(entries):
        lack = f"{listed} make {shift + len(entries):,}"
        raise _other_count(SIZE, file, f"is {size:,}, but {lack}")
    pieces = {}
    for index, entry in enumerate(entries[: size - shift]):
        try:
            rank, token = entry["rank"], base64.b64decode(entry["token_bytes"], validate=True)
        except (KeyError, TypeError, ValueError, binascii.Error) as error:
            place = f"/vocab/{index}"
            raise SpecError("is not a rank and base64 token", file=file, pointer=place) from error
        if rank != index:
            raise SpecError(f"has the rank {rank!r}", file=file, pointer=f"/vocab/{index}/rank")
        pieces[rank + shift] = Piece(TokenType.ORDINARY, token)
    return pieces


def _other_count(key: str, file: str, text: str) -> SpecError:
    """Build an error for a count that the file's lists contradict."""
    remedy = "Take the count, or the entries, of the tokenizer that the model has."
    return SpecError(text, file=file, pointer=f"/config/{key}", remedy=remedy)


def _special(data: Mapping[str, Any], file: str, shift: int) -> tuple[AddedToken, ...]:
    listed, found = data.get("special_tokens") or [], []
    if not isinstance(listed, list):
        raise SpecError("is not a list", file=file, pointer="/special_tokens")
    if len(listed) > shift:
        more = f"is {shift:,}, but {len(listed):,} special tokens are listed"
        raise _other_count(SPECIAL, file, more)
    for index, entry in enumerate(listed):
        if not isinstance(entry, dict) or type(entry.get("rank")) is not int:
            raise SpecError("has no rank", file=file, pointer=f"/special_tokens/{index}")
        if entry["rank"] != index:  # the library writes the rank, and reads by the place
            place = f"/special_tokens/{index}/rank"
            raise SpecError(f"has the rank {entry['rank']!r}", file=file, pointer=place)
        content = str(entry.get("token_str", ""))
        found.append(AddedToken(entry["rank"], content, special=True, normalized=False))
    return (*found, *_unlisted(len(found), shift))


def _unlisted(listed: int, shift: int) -> Iterator[AddedToken]:
    """Yield unlisted special tokens, with the old names if nothing is listed."""
    names = [] if listed else [*control_tokens_without_list()[:shift]]
    names += [f"<SPECIAL_{id}>" for id in range(listed + len(names), shift)]
    for id, name in enumerate(names, listed):
        yield AddedToken(id, name, special=True, normalized=False)


FORMAT = Format(
    "tekken",
    5,
    "tiktoken",
    recognise,
    parse,
    files=("tekken.json",),
    parts={
        "vocab": Part("/vocab"),
        "size": Part("/config/default_vocab_size"),
        "added_tokens": Part("/special_tokens"),
        "pre_tokenizer": Part("/config/pattern"),
    },
    lists_every_token=True,
    types_tokens=True,
)
