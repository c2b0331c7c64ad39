"""tiktoken's ranks in JSON, as its JavaScript ports ship them.

`bpe_ranks` is a text of lines, each a mark, the first rank of the line and its tokens in base64.

Source: `ranks/*.json` and `Tiktoken`'s constructor in the js-tiktoken package of dqbd/tiktoken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.pieces import MOST_PIECES, plain_ids, refuse_many
from tokaudit.subject.formats.common.ranks import ranked, special_tokens
from tokaudit.subject.formats.tiktoken_ranks import pieces_of, split
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part, as_whole, by_text
from tokaudit.subject.safe_json import parse_object
from tokaudit_reference.spec import SpecError, Standing, TokenizerSpec

RANKS, PATTERN, SPECIAL = "bpe_ranks", "pat_str", "special_tokens"


def recognise(name: str, head: bytes) -> bool:
    """Recognise by an object whose first keys are this format's."""
    start = head.lstrip()
    return start.startswith(b"{") and any(f'"{key}"'.encode() in start for key in (RANKS, PATTERN))


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec that the file states."""
    data = parse_object(read_bytes(file), file.name)
    ranks = ranks_of(data, file.name)
    try:
        pieces = pieces_of(ranks, file.name)
    except SpecError as error:  # its line is one of the text, and not of the file
        what = ": ".join(filter(None, (error.pointer, error.what)))
        raise SpecError(what, file=file.name, pointer=f"/{RANKS}") from error
    pattern = data.get(PATTERN)
    if not isinstance(pattern, str):
        raise SpecError("is not a text", file=file.name, pointer=f"/{PATTERN}")
    special = plain_ids(data.get(SPECIAL, {}), file.name, f"/{SPECIAL}")
    stages = split(pattern, Standing.STATED)
    return ranked(pieces, stages, special_tokens(special), format=FORMAT.name, file=file.name)


def ranks_of(data: Mapping[str, Any], file: str) -> bytes:
    """Convert the ranks to a rank file's lines: a token and its rank on each.

    >>> ranks_of({"bpe_ranks": "! 0 IQ== Ig=="}, "ranks.json")
    b'IQ== 0\\nIg== 1'
    """
    stated = data.get(RANKS)
    if not isinstance(stated, str):
        raise SpecError("is not a text", file=file, pointer=f"/{RANKS}")
    refuse_many(stated.count(" "), "tokens", MOST_PIECES, file, f"/{RANKS}")
    lines = []
    for line in filter(None, stated.split("\n")):
        first, *tokens = line.split(" ")[1:] or [""]
        if not first.isdecimal() or len(first) > 10:
            what = f"has a line without its first rank: {line[:40]!r}"
            raise SpecError(what, file=file, pointer=f"/{RANKS}")
        if not line.isascii():
            what = f"has a line that is not base64: {line[:40]!r}"
            raise SpecError(what, file=file, pointer=f"/{RANKS}")
        lines += [f"{token} {rank}" for rank, token in enumerate(tokens, start=int(first))]
    return "\n".join(lines).encode()


FORMAT = Format(
    "tiktoken.json",
    31,
    "tiktoken",
    recognise,
    parse,
    files=("ranks.json",),
    parts={
        "vocab": Part(f"/{RANKS}", entry=as_whole),
        "added_tokens": Part(f"/{SPECIAL}", entry=by_text),
        "pre_tokenizer": Part(f"/{PATTERN}"),
    },
)
