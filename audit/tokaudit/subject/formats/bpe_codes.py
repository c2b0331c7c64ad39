"""PhoBERT's and BERTweet's pair of files: `bpe.codes`, with merges, and `vocab.txt`, with words.

A line of the first is a pair and its count, with `</w>` at the end of a word; a line of the second
is a token and its count, with `@@` where it does not end a word.  The class puts four tokens before
the lines, and numbers on from there.  It drops the last word of each line of merges, whatever it
is: of `bpe.codes` as BERTweet's class in version 5 saves it, without counts, it reads no merge.

Source: `__init__`, `add_from_file` and `bpe` of phobert/tokenization_phobert.py, and
`save_vocabulary` of bertweet/tokenization_bertweet.py, in both versions of Hugging Face's
transformers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.ends import implied_ends, in_either
from tokaudit.subject.formats.common.implied import Implied, implied_by, implied_by_class
from tokaudit.subject.formats.common.pieces import MOST_MERGES, MOST_PIECES, refuse_many
from tokaudit.subject.formats.common.settings import added_tokens
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part, as_whole
from tokaudit.subject.places.pointers import at_line
from tokaudit.subject.upstream.pipeline import family
from tokaudit.subject.upstream.tokenizer_class import made_from
from tokaudit_reference.spec import (
    UNSTATED,
    Component,
    ModelType,
    Origin,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)

CODES, WORDS = "bpe.codes", "vocab.txt"
FAMILY = "codes"  # of the classes that read this pair
RULE = f"a {CODES} with a {WORDS} is what {{}} reads"


def recognise(name: str, head: bytes) -> bool:
    """Recognise by name: the words are in the file next to it."""
    return name.rsplit("/", 1)[-1] == CODES


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec of both files."""
    folder = file.known.rpartition("/")[0]
    words = subject.file(f"{folder}/{WORDS}" if folder else WORDS)
    if words is None:
        remedy = "Put the words of this vocabulary there."
        raise SpecError(f"has no {WORDS} next to it", file=file.name, remedy=remedy)
    merges = tuple(_merges(file))
    known = _implied(subject)
    head, goes_on = made_from(CODES).vocabulary.before_lines, known.family.spelling.goes_on
    ids = {token: id for id, token in enumerate(dict.fromkeys((*head, *_words(words))))}
    kinds = {
        token: TokenType.UNKNOWN if token == known.unknown else TokenType.CONTROL for token in head
    }
    added = added_tokens(subject, ids, head)
    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces={id: _piece(token, kinds, goes_on) for token, id in ids.items()},
        merges=tuple(pair for _, pair in merges),
        merge_lines=array("I", (number for number, _ in merges)),
        unk_id=None if known.unknown is None else ids[known.unknown],
        end_of_word_suffix=known.family.spelling.ends_words,
        added_tokens=added,
        normalizer=_stage(known, "normalizer"),
        pre_tokenizer=_stage(known, "pre_tokenizer"),
        post_processor=UNSTATED
        if known.is_open
        else implied_ends(subject, file, in_either(ids, added)),
        format=FORMAT.name,
        files=(file.name, words.name),
        added_origins=dict.fromkeys(head, Origin(file.name, "", known.rule)),
    )


def _implied(subject: Subject) -> Implied:
    """Return what the named class implies, or else the class for such a pair."""
    named = implied_by_class(subject)
    if named is not None and named.family.name == FAMILY:
        return named
    known = made_from(CODES)
    return implied_by(family(FAMILY), known, subject, RULE.format(known.name))


def _stage(known: Implied, name: str) -> Component:
    """Return a stage as the class builds it; unstated if no known step does it."""
    if known.is_open:
        return Component()
    return Component(getattr(known.stages, name), Standing.IMPLIED, known.rule)


def _piece(token: str, kinds: Mapping[str, TokenType], goes_on: str) -> Piece:
    if token in kinds:
        return Piece(kinds[token], token)
    if token.endswith(goes_on) and token != goes_on:
        return Piece(TokenType.ORDINARY, token.removesuffix(goes_on))
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
        parts = line.split(None, 3)
        if len(parts) > 3:
            what = f"is {line[:40]!r}; expected two parts and their count"
            raise SpecError(what, file=file.name, pointer=at_line(number))
        if len(parts) == 3:  # the class takes a shorter line too, and makes no merge of it
            yield number, (parts[0], parts[1])


def is_short(line: str) -> bool:
    """Return whether a merge's line lacks its count, so that the class ignores it."""
    return 0 < len(line.split(None, 2)) < 3


def _lines(file: SourceFile, most: int) -> Iterator[tuple[int, str]]:
    """Yield the non-empty lines, with their numbers."""
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
