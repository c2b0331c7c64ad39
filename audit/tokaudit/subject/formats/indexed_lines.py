"""A `vocab.txt` that a model's own code indexes by line: one character on each.

Nothing says how text is cut before that. The first line is a space, whose id stands for every
character that is on no line; the end of a line is cut off as one character, whatever it is.

Source: f5-tts 1.1.22, `get_tokenizer` and `list_str_to_idx` of model/utils.py.
"""

from __future__ import annotations

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.pieces import MOST_PIECES, refuse_many
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part, by_line
from tokaudit.subject.upstream.checkpoints import stated_rows
from tokaudit_reference.spec import ModelType, Piece, SpecError, TokenizerSpec, TokenType

NAME, UNKNOWN = "indexed lines", 0
HEAD = 2**20  # bytes of a file of weights
WEIGHTS = (".safetensors", ".pt", ".pth", ".bin")


def recognise(name: str, head: bytes) -> bool:
    """Recognise nothing: only a model with such code makes a `vocab.txt` this format."""
    return False


def belongs(subject: Subject, lines: list[str]) -> bool:
    """Return whether the list begins with a space, or lost it, or weights have line rows."""
    return (lines[:1] in ([" "], [""]) and len(lines) > 1) or _has_rows_of_lines(subject)


def _has_rows_of_lines(subject: Subject) -> bool:
    """Return whether the weights' headers name a matrix with rows for lines."""
    rows = (row for row in stated_rows().values() if row.filler is not None)
    names = [name.encode() for row in rows for name in row.tensors]
    weights = (file for file in subject.files if file.base.endswith(WEIGHTS) and not file.impostor)
    heads = (file.content.read(0, HEAD) for file in weights)
    return any(name in head for head in heads for name in names)


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec: the last of two equal lines counts, and a cut last line too."""
    try:
        data = read_bytes(file)
        refuse_many(data.count(b"\n"), "lines", MOST_PIECES, file.name)
        text = data.decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise SpecError(f"is not UTF-8 at byte {error.start}", file=file.name) from error
    lines = text.split("\n")
    last = lines.pop()
    tokens = [*lines, last[:-1]] if last else lines
    ids = {token: id for id, token in enumerate(tokens)}
    return TokenizerSpec(
        model_type=ModelType.WORDLEVEL,
        pieces={
            id: Piece(TokenType.UNKNOWN if id == UNKNOWN else TokenType.ORDINARY, token)
            for token, id in ids.items()
        },
        unk_id=UNKNOWN,
        format=NAME,
        files=(file.name,),
        duplicate_keys=tuple(token for id, token in enumerate(tokens) if ids[token] != id),
    )


FORMAT = Format(NAME, 51, "", recognise, parse, parts={"vocab": Part(entry=by_line)})
