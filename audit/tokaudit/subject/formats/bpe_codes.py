"""PhoBERT's and BERTweet's pair of files: `bpe.codes`, with merges, and `vocab.txt`, with words.

A line of the first is a pair and its count, with `</w>` at the end of a word; a line of the second
is a token and its count, with `@@` where it does not end a word.  The class puts four tokens before
the lines, and numbers on from there.  It drops the last word of each line of merges, whatever it
is: of `bpe.codes` as BertweetTokenizer 5.23 saves it, without counts, it reads no merge again.

Source: `PhobertTokenizer.__init__`, `add_from_file` and `bpe`, and `BertweetTokenizer`'s
`save_vocabulary`, in Hugging Face's transformers 4.57 and 5.23.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.pieces import MOST_MERGES, MOST_PIECES, refuse_many
from tokaudit.subject.formats.common.settings import added_tokens
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part, as_whole
from tokaudit.subject.places.pointers import at_line
from tokaudit.subject.upstream.tokenizer_class import made_from
from tokaudit_reference.spec import (
    Component,
    ModelType,
    Origin,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.split import Split

CODES, WORDS = "bpe.codes", "vocab.txt"
SUFFIX = "</w>"
GOES_ON = "@@"
UNKNOWN = "<unk>"
WORD = Split(Pattern(r"\S+\n?", is_regex=True), "Removed", invert=True).to_json()
RULE = "a bpe.codes with a vocab.txt is PhoBERT's"


def recognise(name: str, head: bytes) -> bool:
    """By its name: the words are looked for next to it."""
    return name.rsplit("/", 1)[-1] == CODES


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """The spec of both files."""
    folder = file.known.rpartition("/")[0]
    words = subject.file(f"{folder}/{WORDS}" if folder else WORDS)
    if words is None:
        remedy = "Put the words of this vocabulary there."
        raise SpecError(f"has no {WORDS} next to it", file=file.name, remedy=remedy)
    merges = tuple(_merges(file))
    head = made_from(CODES).vocabulary.before_lines
    ids = {token: id for id, token in enumerate(dict.fromkeys((*head, *_words(words))))}
    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces={id: _piece(token, head) for token, id in ids.items()},
        merges=tuple(pair for _, pair in merges),
        merge_lines=array("I", (number for number, _ in merges)),
        unk_id=ids[UNKNOWN],
        end_of_word_suffix=SUFFIX,
        added_tokens=added_tokens(subject, ids, head),
        normalizer=Component(None, Standing.IMPLIED, RULE),
        pre_tokenizer=Component(WORD, Standing.IMPLIED, RULE),
        format=FORMAT.name,
        files=(file.name, words.name),
        added_origins=dict.fromkeys(head, Origin(file.name, "", RULE)),
    )


def _piece(token: str, head: Collection[str]) -> Piece:
    if token in head:
        return Piece(TokenType.UNKNOWN if token == UNKNOWN else TokenType.CONTROL, token)
    if token.endswith(GOES_ON) and token != GOES_ON:
        return Piece(TokenType.ORDINARY, token.removesuffix(GOES_ON))
    return Piece(TokenType.WORD_END, token)


def _words(file: SourceFile) -> Iterator[str]:
    for number, line in _lines(file, MOST_PIECES):
        token, space, _ = line.strip().rpartition(" ")
        if not space:
            what = f"is {line[:40]!r}; expected a token and its count"
            raise SpecError(what, file=file.name, pointer=at_line(number))
        yield token


def _merges(file: SourceFile) -> Iterator[tuple[int, tuple[str, str]]]:
    for number, line in _lines(file, MOST_MERGES):
        parts = line.split()
        if len(parts) > 3:
            what = f"is {line[:40]!r}; expected two parts and their count"
            raise SpecError(what, file=file.name, pointer=at_line(number))
        if len(parts) == 3:  # the class takes a shorter line too, and makes no merge of it
            yield number, (parts[0], parts[1])


def is_short(line: str) -> bool:
    """Whether a line of merges lacks its count, so that the class makes nothing of it."""
    return 0 < len(line.split()) < 3


def _lines(file: SourceFile, most: int) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, with their numbers."""
    data = read_bytes(file)
    refuse_many(data.count(b"\n"), "lines", most, file.name)
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise SpecError(f"is not UTF-8 at byte {error.start}", file=file.name) from error
    yield from ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


FORMAT = Format(
    "bpe.codes+vocab.txt",
    45,
    "",
    recognise,
    parse,
    files=(CODES,),
    companions=(WORDS,),
    parts={"vocab": Part(file=1, entry=as_whole), "merges": Part()},
)
