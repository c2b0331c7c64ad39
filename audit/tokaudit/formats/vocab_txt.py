"""BERT's `vocab.txt`: a WordPiece token on each line, whose number is its id."""

from __future__ import annotations

from tokaudit.formats import Format
from tokaudit.subject import SourceFile, Subject, read_bytes
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

PREFIX = "##"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
RULE = "a vocab.txt with [UNK] is BERT's"


def recognise(name: str, head: bytes) -> bool:
    """By its name."""
    return name.rsplit("/", 1)[-1] == "vocab.txt"


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """The spec; the pipeline is BERT's, its case as `do_lower_case` states."""
    try:
        lines = read_bytes(file).decode().split("\n")
    except UnicodeDecodeError as error:
        raise SpecError(f"is no UTF-8 at byte {error.start}", file=file.name) from error
    tokens = [line.rstrip("\r") for line in lines]
    while tokens and not tokens[-1]:
        tokens.pop()
    if "[UNK]" not in tokens:
        raise SpecError("holds no [UNK], so it is no WordPiece vocabulary", file=file.name)
    seen = {token: id for id, token in enumerate(tokens)}
    return TokenizerSpec(
        family=Family.WORDPIECE,
        pieces={id: _piece(token) for token, id in seen.items()},
        unknown_id=seen["[UNK]"],
        continuation_prefix=PREFIX,
        added_tokens=tuple(
            AddedToken(seen[token], token, special=True, normalized=False)
            for token in SPECIAL
            if token in seen
        ),
        normalizer=_normalizer(subject),
        pre_tokenizer=Component({"type": "BertPreTokenizer"}, Standing.IMPLIED, RULE),
        decoder=Component({"type": "WordPiece", "prefix": PREFIX}, Standing.IMPLIED, RULE),
        format=FORMAT.name,
        files=(file.name,),
        duplicate_keys=tuple(token for id, token in enumerate(tokens) if seen[token] != id),
    )


def _normalizer(subject: Subject) -> Component:
    fact = subject.fact("do_lower_case")
    lower = True if fact is None else bool(fact.value)
    rule = "BERT lower-cases by default" if fact is None else f"{fact.file} states do_lower_case"
    return Component({"type": "BertNormalizer", "lowercase": lower}, Standing.IMPLIED, rule)


def _piece(token: str) -> Piece:
    if token == "[UNK]":
        return Piece(PieceKind.UNKNOWN, token)
    if token in SPECIAL:
        return Piece(PieceKind.CONTROL, token)
    if token.startswith(PREFIX):
        return Piece(PieceKind.CONTINUATION, token.removeprefix(PREFIX))
    return Piece(PieceKind.ORDINARY, token)


FORMAT = Format("vocab.txt", 50, "tokenizers", recognise, parse)
