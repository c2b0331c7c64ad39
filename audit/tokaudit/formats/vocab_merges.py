"""GPT-2's pair of files: `vocab.json` with ids and `merges.txt` with a merge on each line."""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit.formats import Format
from tokaudit.formats.pieces import plain_ids
from tokaudit.safe_json import parse_object
from tokaudit.subject import SourceFile, Subject, read_bytes
from tokaudit_reference.bytes_alphabet import BYTE_OF, to_bytes
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    Family,
    Piece,
    PieceKind,
    SpecError,
    Standing,
    TokenizerSpec,
)

RULE = "the vocabulary holds the 256 symbols of the byte alphabet"
SUFFIX = "</w>"


def recognise(name: str, head: bytes) -> bool:
    """By its name: the merges are looked for beside it."""
    return name.rsplit("/", 1)[-1] == "vocab.json"


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """The spec of both files; the pipeline is implied by what the vocabulary holds."""
    vocab = plain_ids(parse_object(read_bytes(file), file.name), file.name, "")
    folder = file.name.rpartition("/")[0]
    merges_name = f"{folder}/merges.txt" if folder else "merges.txt"
    merges_file = subject.file(merges_name)
    if merges_file is None:
        raise SpecError("has no merges.txt beside it", file=file.name)
    byte_level = vocab.keys() >= BYTE_OF.keys()
    merges = _merges(merges_file, byte_level)
    suffix = SUFFIX if any(token.endswith(SUFFIX) for token in vocab) else ""
    pieces = {id: _piece(token, byte_level, suffix) for token, id in vocab.items()}
    implied = Component({"type": "ByteLevel", "add_prefix_space": False}, Standing.IMPLIED, RULE)
    plain = byte_level and not suffix
    return TokenizerSpec(
        family=Family.BPE,
        pieces=pieces,
        byte_level=byte_level,
        merges=merges,
        word_end_suffix=suffix,
        added_tokens=tuple(_added(subject, vocab)),
        pre_tokenizer=implied if plain else Component(),
        decoder=implied if plain else Component(),
        format=FORMAT.name,
        files=(file.name, merges_file.name),
    )


def _piece(token: str, byte_level: bool, suffix: str) -> Piece:
    kind = PieceKind.ORDINARY
    if suffix and token.endswith(suffix):
        kind, token = PieceKind.WORD_END, token.removesuffix(suffix)
    data = to_bytes(token) if byte_level else None
    return Piece(kind, token if data is None else data)


def _merges(file: SourceFile, byte_level: bool) -> tuple[tuple[bytes | str, bytes | str], ...]:
    """Pairs in the order of the lines; the first line may say the version."""
    try:
        lines = read_bytes(file).decode().split("\n")
    except UnicodeDecodeError as error:
        text = f"is no UTF-8 at byte {error.start}"
        raise SpecError(text, file=file.name) from error
    found: list[tuple[bytes | str, bytes | str]] = []
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r")
        if not line or (number == 1 and line.startswith("#version")):
            continue
        parts = line.split(" ")
        if len(parts) != 2:
            text = f"is no pair of pieces: {line[:60]!r}"
            raise SpecError(text, file=file.name, pointer=f"line {number}")
        left, right = (to_bytes(part) if byte_level else None for part in parts)
        found.append((parts[0] if left is None else left, parts[1] if right is None else right))
    return tuple(found)


def _added(subject: Subject, vocab: Mapping[str, int]) -> list[AddedToken]:
    """What `added_tokens.json` adds, special where a configuration file names it as a role."""
    roles = {f.value for f in subject.facts if f.name.endswith("_token")}
    found = []
    for fact in subject.facts_named("added_tokens"):
        for content, id in plain_ids(fact.value, fact.file, "").items():
            found.append(AddedToken(id, content, special=content in roles))
    known = {token.content for token in found}
    for role in sorted(str(role) for role in roles if isinstance(role, str)):
        if role in vocab and role not in known:
            found.append(AddedToken(vocab[role], role, special=True))
    return found


FORMAT = Format("vocab.json+merges.txt", 40, "tokenizers", recognise, parse)
