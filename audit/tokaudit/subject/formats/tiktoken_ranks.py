"""tiktoken's rank file: on each line a token's bytes in base64, and its rank as id."""

from __future__ import annotations

import base64
import binascii
import re

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.pieces import HIGHEST_ID, MOST_PIECES, refuse_many
from tokaudit.subject.formats.common.ranks import ranked, special_tokens
from tokaudit.subject.formats.common.settings import added_tokens
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.pointers import at_line
from tokaudit.subject.upstream.published.known_encodings import known_by_content
from tokaudit_reference.spec import Component, Piece, SpecError, Standing, TokenizerSpec, TokenType
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.text.published_patterns import GPT2

LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2} \d+\r?\n")
WHISPER = ("multilingual.tiktoken", "gpt2.tiktoken")  # whisper/tokenizer.py, get_encoding
FIRST = 5  # lines that are looked at
NOTHING = b"="  # Whisper's file keeps the place of a special token so


def recognise(name: str, head: bytes) -> bool:
    """Recognise by the suffix, or by a first line of base64 and a number.

    A list of words with their counts begins so too: under another name than that of a model, the
    first lines must number tokens of whole base64 on from one another.
    """
    if name.endswith((".tiktoken", ".model")):
        return name.endswith(".tiktoken") or LINE.match(head) is not None
    lines = [line.split() for line in head.splitlines(keepends=True)[:FIRST] if LINE.match(line)]
    if not lines or LINE.match(head) is None:
        return False
    ranks = [int(rank[:10]) for _, rank in lines]
    whole = all(len(token) % 4 == 0 or token == NOTHING for token, _ in lines)
    return whole and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec; pattern and special tokens are the user's, or of a known file.

    Tokens that a configuration file next to it states go before those of the known file: Llama 3.1
    gave other names to the reserved ones of Llama 3.0, over the same ranks.
    """
    data = read_bytes(file)
    pieces = pieces_of(data, file.name)
    pattern, special = _outside(subject, file, data)
    stated = () if subject.settings.get("special") else added_tokens(subject, {})
    tokens = stated or special_tokens(special)
    return ranked(pieces, pattern, tokens, format=FORMAT.name, file=file.name)


def _outside(subject: Subject, file: SourceFile, data: bytes) -> tuple[Component, dict[str, int]]:
    given, special = subject.settings.get("pattern"), subject.settings.get("special") or {}
    known, base = known_by_content(data), file.base
    if given:
        return split(given, Standing.STATED, "named by the user"), dict(special)
    if known is None and base in WHISPER:
        rule = f"{base} is a file of Whisper, which cuts text by GPT-2's pattern"
        return split(GPT2, Standing.IMPLIED, rule), dict(special)
    if known is None:
        return Component(), dict(special)
    name, encoding = known
    rule = f"the file's hash is that of {name}"
    return split(encoding.pattern, Standing.IMPLIED, rule), dict(special or encoding.special)


def split(pattern: str, standing: Standing, rule: str = "") -> Component:
    """Build the pre-tokenizer that keeps a pattern's matches, as tiktoken does."""
    options = Split(Pattern(pattern, is_regex=True), "Removed", invert=True, rust=True).to_json()
    return Component(options, standing, rule)


def pieces_of(data: bytes, file: str) -> dict[int, Piece]:
    """Read the pieces from lines with a token in base64 and its rank."""
    refuse_many(data.count(b"\n"), "lines", MOST_PIECES, file)
    pieces: dict[int, Piece] = {}
    tokens: set[bytes] = set()
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        token, rank = _line(line, file, number)
        if rank in pieces:
            raise SpecError(f"gives the rank {rank} twice", file=file, pointer=at_line(number))
        if token in tokens:
            raise SpecError(f"gives {token!r} twice", file=file, pointer=at_line(number))
        tokens.add(token)
        pieces[rank] = Piece(TokenType.ORDINARY, token)
    if not pieces:
        raise SpecError("holds no ranks", file=file)
    return pieces


def _line(line: bytes, file: str, number: int) -> tuple[bytes, int]:
    parts = line.split(None, 2)
    try:
        token, rank = parts
        value = int(rank)
        if not 0 <= value <= HIGHEST_ID:
            raise ValueError(f"the rank {value} is not in 0 to 2^32-1")
        return b"" if token == NOTHING else base64.b64decode(token, validate=True), value
    except (ValueError, binascii.Error) as error:
        text = f"is not a base64 token and rank: {error}"
        raise SpecError(text, file=file, pointer=at_line(number)) from error


FORMAT = Format(
    "tiktoken",
    30,
    "tiktoken",
    recognise,
    parse,
    files=("ranks.tiktoken",),
    under_any_name=True,
    settings=("pattern", "special"),
)
