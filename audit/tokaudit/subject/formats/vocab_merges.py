"""The pair of files `vocab.json`, with ids, and `merges.txt`, with a merge per line.

GPT-2's own release calls them `encoder.json` and `vocab.bpe`, GPT-1's `encoder_bpe_40000.json` and
`vocab_40000.bpe`; FSMT has a vocabulary for each side.

GPT-2 writes bytes in its alphabet and marks nothing; CLIP writes bytes and marks the end of a word
with `</w>`; GPT-1 marks it too and writes characters, as subword-nmt does.  CTRL marks with `@@`
what does not end a word, in the vocabulary alone.  What the vocabulary holds shows which it is, and
a class that is named next to it.

Source: `tokenization_gpt2.py`, `tokenization_clip.py` and `tokenization_openai.py` in Hugging
Face's transformers; `BPE::from_file` in its tokenizers.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import replace

from tokaudit.subject.formats import Format, NothingToRead, characters
from tokaudit.subject.formats.common.ends import implied_ends, in_either
from tokaudit.subject.formats.common.implied import (
    Implied,
    implied_by,
    implied_by_class,
    tokens_of_class,
)
from tokaudit.subject.formats.common.pieces import MOST_MERGES, by_id, plain_ids, refuse_many
from tokaudit.subject.formats.common.settings import added_tokens, unknown_token
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part, by_text
from tokaudit.subject.places.pointers import at_line
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.pipeline import family
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit_reference.spec import (
    UNSTATED,
    Component,
    ModelType,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.text.bytes_alphabet import BYTE_OF, to_bytes

MERGES = "merges.txt"
OLDER = {"encoder.json": "vocab.bpe", "encoder_bpe_40000.json": "vocab_40000.bpe"}
"""How OpenAI's own scripts call both files."""
SUFFIX = "</w>"
PLAIN = "gpt2"  # the family that a vocabulary of bytes is read by where no class is named
COMPLETE = "tokenizer.json"  # where it is in the same folder, only slow loaders miss the merges
PIECES = (".spm", "sentencepiece.bpe.model")  # files whose pieces get their ids from a vocab.json
RULE = "the vocabulary holds the 256 symbols of the byte alphabet"
FEW = 20  # a vocabulary that marks the end of words does so in far more than one entry of so many
Merges = tuple[tuple[bytes | str, bytes | str], ...]


def _merges_of() -> dict[str, str]:
    """Map vocabulary files to merge files, as classes name both."""
    named = (known.files for known in every_class().values() if MERGES in known.files)
    vocabularies = (name for files in named for name in files[: files.index(MERGES)])
    return dict.fromkeys(vocabularies, MERGES) | OLDER


MERGES_OF = _merges_of()


def recognise(name: str, head: bytes) -> bool:
    """Recognise by name: the merges are in the file next to it."""
    return name.rsplit("/", 1)[-1] in MERGES_OF


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec of both files; the class or the content implies the pipeline.

    Where the class that is named reads no merges, the file is a vocabulary by itself.
    """
    if characters.belongs(subject, file):
        return characters.parse(subject, file)
    merges_file = _companion(subject, file)
    vocab = plain_ids(parse_object(read_bytes(file), file.name), file.name, "")
    writing = _Writing(subject, vocab, tokens_of_class(subject, file.base))
    merges, lines = _merges(merges_file, writing)
    pieces, sharing = by_id((id, writing.piece(token)) for token, id in vocab.items())
    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces=pieces,
        byte_level=writing.byte_level,
        merges=merges,
        merge_lines=lines,
        unk_id=None if writing.unknown is None else vocab.get(writing.unknown),
        end_of_word_suffix=writing.suffix,
        added_tokens=writing.added,
        normalizer=writing.stage("normalizer"),
        pre_tokenizer=writing.stage("pre_tokenizer"),
        post_processor=writing.ends(subject, file, vocab),
        decoder=writing.stage("decoder"),
        format=FORMAT.name,
        files=(file.name, merges_file.name),
        sharing=sharing,
    )


def _companion(subject: Subject, file: SourceFile) -> SourceFile:
    folder, _, base = file.known.rpartition("/")
    name = MERGES_OF[base]
    found = subject.file(f"{folder}/{name}" if folder else name)
    if found is None:
        raise _without_merges(subject, file, f"has no {name} next to it")
    return found


def _without_merges(subject: Subject, file: SourceFile, text: str) -> SpecError:
    """Build an error for missing merges, by the kind of vocabulary."""
    folder = file.known.rpartition("/")[0]
    names = [f.known for f in subject.files if f.known.rpartition("/")[0] == folder]
    if pieces := next((name for name in names if name.endswith(PIECES)), None):
        return NothingToRead(f"{text}: it gives the pieces of {pieces} their ids", file=file.name)
    if any(name.rpartition("/")[2] == COMPLETE for name in names):
        return NothingToRead(f"{text}, which only slow loaders miss: {COMPLETE} is", file=file.name)
    listed = parse_object(read_bytes(file), file.name)
    kind = SpecError if listed.keys() >= BYTE_OF.keys() else NothingToRead
    return kind(text, file=file.name, remedy="Put the merges of this vocabulary there.")


class _Writing:
    """The spelling of pieces: bytes or characters, with a mark or without."""

    def __init__(self, subject: Subject, vocab: Mapping[str, int], own: Mapping[str, bool]) -> None:
        of_class = implied_by_class(subject)
        self.implied = known = of_class or _by_content(subject, vocab)
        self.built_by_class = of_class is not None and not of_class.is_open
        spelling = known.family.spelling if known else None
        self.byte_level = spelling.bytes if spelling else vocab.keys() >= BYTE_OF.keys()
        self.suffix = spelling.ends_words if spelling else _suffix(vocab)
        self.goes_on = spelling.goes_on if spelling else ""
        self.unknown = known.unknown if known else None
        if self.unknown or not self.byte_level:
            self.unknown = unknown_token(subject, self.unknown)
        special = (*(known.special if known else ()), *own)
        self.added = tuple(
            replace(token, lstrip=True) if own.get(token.content) else token
            for token in added_tokens(subject, vocab, special)
        )
        self._special = {token.content for token in self.added if token.special}

    def stage(self, name: str) -> Component:
        """Return a stage of the pipeline, if one is implied."""
        known = self.implied
        if known is None or known.is_open:
            return Component()
        return Component(getattr(known.stages, name), Standing.IMPLIED, known.rule)

    def ends(self, subject: Subject, file: SourceFile, vocab: Mapping[str, int]) -> Component:
        """Return the tokens around texts, if a named class builds a pipeline."""
        return (
            implied_ends(subject, file, in_either(vocab, self.added))
            if self.built_by_class
            else UNSTATED
        )

    def piece(self, token: str) -> Piece:
        """Return a vocabulary entry without its mark, which its type shows."""
        if token == self.unknown:
            return Piece(TokenType.UNKNOWN, self.value(token))
        if token in self._special:
            return Piece(TokenType.CONTROL, self.value(token))
        if self.goes_on and token.endswith(self.goes_on) and token != self.goes_on:
            return Piece(TokenType.ORDINARY, self.value(token.removesuffix(self.goes_on)))
        if self.goes_on:
            return Piece(TokenType.WORD_END, self.value(token))
        if self.suffix and token.endswith(self.suffix):
            return Piece(TokenType.WORD_END, self.value(token.removesuffix(self.suffix)))
        return Piece(TokenType.ORDINARY, self.value(token))

    def value(self, token: str) -> bytes | str:
        """Return the value of a token or of a merge's part."""
        data = to_bytes(token) if self.byte_level else None
        return token if data is None else data


def _by_content(subject: Subject, vocab: Mapping[str, int]) -> Implied | None:
    plain = vocab.keys() >= BYTE_OF.keys() and not _suffix(vocab)
    return implied_by(family(PLAIN), None, subject, RULE) if plain else None


def _suffix(vocab: Mapping[str, int]) -> str:
    """Return the end-of-word mark, if enough entries have it; one may by chance.

    Where words are long, few merges end one: then a second entry of most letters shows it.
    """
    marked = sum(token.endswith(SUFFIX) and token != SUFFIX for token in vocab)
    letters = [token for token in vocab if len(token) == 1]
    twins = sum(letter + SUFFIX in vocab for letter in letters)
    return SUFFIX if marked * FEW > len(vocab) or 2 * twins > len(letters) else ""


def _merges(file: SourceFile, writing: _Writing) -> tuple[Merges, array[int]]:
    """Return the pairs and their lines, in order; the first line may be a version."""
    try:
        data = read_bytes(file)
        refuse_many(data.count(b"\n"), "lines", MOST_MERGES, file.name)
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        text = f"is not UTF-8 at byte {error.start}"
        raise SpecError(text, file=file.name) from error
    found, numbers = [], array("I")
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r")
        if not line or (number == 1 and line.startswith("#version")):
            continue
        parts = line.split(" ", 3)
        if len(parts) == 3 and parts[2].isdecimal() and not writing.byte_level:
            parts.pop()  # how often the pair was there, as XLM's files say
        if len(parts) != 2:
            text, remedy = (
                f"is not a pair of pieces: {line[:60]!r}",
                "Write two pieces and one space.",
            )
            raise SpecError(text, file=file.name, pointer=at_line(number), remedy=remedy)
        found.append((writing.value(parts[0]), writing.value(parts[1])))
        numbers.append(number)
    return tuple(found), numbers


FORMAT = Format(
    "vocab.json+merges.txt",
    40,
    "tokenizers",
    recognise,
    parse,
    files=tuple(MERGES_OF),
    companions=tuple(dict.fromkeys(MERGES_OF.values())),
    parts={"vocab": Part(entry=by_text), "merges": Part(file=1)},
)
