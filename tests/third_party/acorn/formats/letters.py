"""A letter on each line of a file that ends in `.letters`; line 0 is what is unknown."""

from __future__ import annotations

from tokaudit.plugin import Format, SourceFile, Subject, read_bytes
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType


def recognise(name: str, head: bytes) -> bool:
    """By its name."""
    return name.endswith(".letters")


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """The spec: one piece for each line."""
    lines = read_bytes(file).decode().splitlines()
    return TokenizerSpec(
        model_type=ModelType.CHARACTER,
        pieces={id: Piece(TokenType.ORDINARY, line) for id, line in enumerate(lines)},
        unk_id=0,
        normalizer=Component(None, Standing.STATED),
        pre_tokenizer=Component(None, Standing.STATED),
        format=FORMAT.name,
        files=(file.name,),
    )


FORMAT = Format("letters", 70, "letters", recognise, parse)
