"""BERT's `vocab.txt` and ProphetNet's `prophetnet.tokenizer`: a token per line.

How text is cleaned and cut before that is a matter of settings next to it, and of the class that
they name; a class with its own way to cut (MeCab, jieba) leaves that unstated.

Next to a `tokenizer.json` of another model a `vocab.txt` without `##` is a list of ids: of a
WordLevel it is another copy, of others it says nothing about how text is cut.

Source: `tokenization_bert.py` and `convert_slow_tokenizer.py` in Hugging Face's transformers.
"""

from __future__ import annotations

import re

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.formats import Format, NothingToRead, indexed_lines
from tokaudit.subject.formats.common.ends import implied_ends, in_either
from tokaudit.subject.formats.common.implied import stated_in
from tokaudit.subject.formats.common.model_types import NAMES
from tokaudit.subject.formats.common.pieces import MOST_PIECES, refuse_many
from tokaudit.subject.formats.common.settings import (
    added_tokens,
    setting,
    tokenizer_class,
    unknown_token,
)
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.places.parts import Part, by_line
from tokaudit.subject.places.pointers import at_line
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.class_reading import OwnVocabulary
from tokaudit.subject.upstream.pipeline import Stages, family, of_files
from tokaudit.subject.upstream.published.spellings import spelled
from tokaudit.subject.upstream.tokenizer_class import (
    TokenizerClass,
    class_named,
    class_reading_only,
)
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
from tokaudit_reference.steps.decoders.word_piece import WordPiece
from tokaudit_reference.steps.pre_tokenizers.whitespace_split import WhitespaceSplit

PREFIX = "##"
UNKNOWN = "[UNK]"
RULE = "a vocab.txt with an unknown token is BERT's"
FAMILY = "bert"
FILES = ("vocab.txt", "prophetnet.tokenizer")  # under the second, XLM-ProphetNet has pieces
CODES = "bpe.codes"  # merges; the vocabulary is not BERT's then
MERGES, PAIRED, PIECES = "merges.txt", "vocab.json", "sentencepiece"
SCORED = re.compile(r"\t-?[0-9.e-]+\r?$")  # a line of what SentencePiece writes next to a model
BYTE_ORDER_MARK = "\ufeff"
WHOLE = "tokenizer.json"
WORDLEVEL = NAMES[ModelType.WORDLEVEL]
BY_LINE = ("", NAMES[ModelType.WORDPIECE], WORDLEVEL)  # models that have such a list


def recognise(name: str, head: bytes) -> bool:
    """Recognise by name."""
    base = name.rsplit("/", 1)[-1]
    return base == FILES[0] or (base == FILES[1] and b"\0" not in head)


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec; the pipeline is BERT's, with the stated settings."""
    folder = file.known.rpartition("/")[0]
    if subject.file(f"{folder}/{CODES}" if folder else CODES) is not None:
        raise NothingToRead(f"is read together with {CODES}", file=file.name)
    known = _known(subject)
    if known is not None and known.listed is not None and known.listed.file == file.base:
        raise NothingToRead(f"gives the pieces of {known.name} their ids", file=file.name)
    model = _model_next_to(subject, folder)
    if model not in BY_LINE and _is_list(file):
        raise NothingToRead(f"is a list of tokens: {WHOLE} has a {model} model", file=file.name)
    read_as = _own(subject).read_as
    tokens = [read_as.get(token, token) for token in _tokens(file)]
    ids = {token: id for id, token in enumerate(tokens)}
    if model == WORDLEVEL and _is_list(file):
        return _word_level(subject, file, ids)
    if known is None and not model and _is_indexed(subject, file, tokens):
        return indexed_lines.parse(subject, file)
    unknown = _unknown(subject, ids, file)
    added = added_tokens(subject, ids, _special())
    special = {token.content for token in added if token.special}
    decoder = WordPiece(PREFIX).to_json()
    return TokenizerSpec(
        model_type=ModelType.WORDPIECE,
        pieces={id: _piece(token, unknown, special) for token, id in ids.items()},
        unk_id=ids[unknown],
        continuing_subword_prefix=PREFIX,
        added_tokens=added,
        normalizer=_normalizer(subject),
        pre_tokenizer=_pre_tokenizer(subject),
        post_processor=implied_ends(subject, file, in_either(ids, added))
        if _is_berts(subject)
        else UNSTATED,
        decoder=Component(decoder, Standing.IMPLIED, RULE),
        format=FORMAT.name,
        files=(file.name,),
        duplicate_keys=tuple(token for id, token in enumerate(tokens) if ids[token] != id),
    )


def _model_next_to(subject: Subject, folder: str) -> str:
    """Return the model type in the folder's `tokenizer.json`; empty if it states none."""
    whole = subject.file(f"{folder}/{WHOLE}" if folder else WHOLE)
    if whole is None or whole.impostor:
        return ""
    try:
        model = parse_object(read_bytes(whole), whole.name).get("model")
    except (UnreadableError, SpecError):
        return ""
    kind = model.get("type") if isinstance(model, dict) else None
    return kind if isinstance(kind, str) else ""


def _is_list(file: SourceFile) -> bool:
    """Return whether no line continues a word, so that nothing shows a WordPiece."""
    return b"\n" + PREFIX.encode() not in read_bytes(file)


def _is_indexed(subject: Subject, file: SourceFile, tokens: list[str]) -> bool:
    """Return whether a model's own code uses the line numbers, without an unknown token."""
    named = {UNKNOWN, unknown_token(subject, UNKNOWN)}
    return not named & {*tokens} and _is_list(file) and indexed_lines.belongs(subject, tokens)


def _word_level(subject: Subject, file: SourceFile, ids: dict[str, int]) -> TokenizerSpec:
    """Build a WordLevel of the entries; `tokenizer.json` has the normalization and splits."""
    stated = unknown_token(subject, UNKNOWN)
    unknown = next((token for token in (stated, UNKNOWN, "<unk>") if token in ids), "")
    added = added_tokens(subject, ids, _special())
    special = {token.content for token in added if token.special}
    return TokenizerSpec(
        model_type=ModelType.WORDLEVEL,
        pieces={
            id: Piece(TokenType.UNKNOWN, token)
            if token == unknown
            else Piece(TokenType.CONTROL if token in special else TokenType.ORDINARY, token)
            for token, id in ids.items()
        },
        unk_id=ids.get(unknown),
        added_tokens=added,
        format=FORMAT.name,
        files=(file.name,),
    )


def _tokens(file: SourceFile) -> list[str]:
    """Return the lines without empty ones at the end; an empty one in between has an id."""
    try:
        data = read_bytes(file)
        refuse_many(data.count(b"\n"), "lines", MOST_PIECES, file.name)
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise SpecError(f"is not UTF-8 at byte {error.start}", file=file.name) from error
    if lines[0].startswith(BYTE_ORDER_MARK):
        raise SpecError(
            "begins with a byte order mark, which loaders take for a part of the first token",
            file=file.name,
            pointer=at_line(1),
            remedy="Save it as UTF-8 without one.",
        )
    tokens = [line.removesuffix("\r") for line in lines]
    while tokens and not tokens[-1]:
        tokens.pop()
    return tokens


def _unknown(subject: Subject, ids: dict[str, int], file: SourceFile) -> str:
    """Return the unknown token: the stated one, if present, else the class's or BERT's."""
    default = _own(subject).unknown or UNKNOWN
    stated = unknown_token(subject, default)
    found = next((token for token in (stated, default, UNKNOWN) if token in ids), None)
    if found is None:
        raise _of_another_kind(subject, ids, file, f"holds no {stated}")
    return found


def _of_another_kind(
    subject: Subject, ids: dict[str, int], file: SourceFile, text: str
) -> SpecError:
    """Describe a list without an unknown token by its lines and neighbouring files."""
    folder = file.known.rpartition("/")[0]
    near = [each for each in subject.files if each.known.rpartition("/")[0] == folder]
    model = next((each.name for each in near if each.role == PIECES and not each.impostor), "")
    if all(SCORED.search(token) for token in ids if token):
        read = model or "the .model that belongs to it"
        return NothingToRead(f"lists pieces with their scores: {read} is read", file=file.name)
    if model:
        return NothingToRead(f"is a list of tokens: {model} is read", file=file.name)
    if {PAIRED, MERGES} <= {each.base for each in near}:
        raise NothingToRead(f"is a list of tokens: {PAIRED} is read with {MERGES}", file=file.name)
    if any(each.base == MERGES for each in near):
        text = f"{text}, and {MERGES} is next to it"
        remedy = f"Write it as {PAIRED}, token and id."
    elif own := next((token for token in spelled("unk") if token in ids), None):
        text = f"{text}, so it is no WordPiece vocabulary of BERT's; it has {own!r}"
        remedy = (
            f'Write "unk_token": "{own}" and the class that reads the list into '
            "tokenizer_config.json."
        )
    else:
        text = f"{text}, so it is no WordPiece vocabulary"
        remedy = "Add its line at the id of its embedding row, or name another unk_token."
    return SpecError(text, file=file.name, remedy=remedy)


def _special() -> tuple[str, ...]:
    """Return tokens that are special in every list, as for the first class that reads one."""
    known = class_reading_only(FILES[0])
    return (UNKNOWN, *((known and known.tokens) or {}).values())


def _known(subject: Subject) -> TokenizerClass | None:
    fact = tokenizer_class(subject)
    return None if fact is None else class_named(str(fact.value))


def _own(subject: Subject) -> OwnVocabulary:
    """Return the class's record of this vocabulary; empty if it reads another file."""
    known = _known(subject)
    reads = known is not None and set(FILES) & set(known.files)
    return known.vocabulary if known is not None and reads else OwnVocabulary()


def _is_berts(subject: Subject) -> bool:
    known = _known(subject)
    named = tokenizer_class(subject) is not None
    return not named or (known is not None and known.pipelines.of_files == FAMILY)


def _basic(subject: Subject) -> bool:
    """Return whether text is cleaned and split at punctuation, not only at white space."""
    fact = setting(subject, "do_basic_tokenize")
    return fact is None or bool(fact.value)


def _normalizer(subject: Subject) -> Component:
    if not _is_berts(subject):
        return Component()
    if not _basic(subject):
        return Component(None, Standing.IMPLIED, "do_basic_tokenize is false")
    stated = {
        name: setting(subject, name)
        for name in ("tokenize_chinese_chars", "strip_accents", "do_lower_case")
    }
    reported = [f"{fact.file} states {name}" for name, fact in stated.items() if fact is not None]
    rule = "; ".join(reported) or "BERT lower-cases by default"
    return Component(_stages(subject).normalizer, Standing.IMPLIED, rule)


def _pre_tokenizer(subject: Subject) -> Component:
    if not _is_berts(subject):
        return Component()
    if not _basic(subject):
        options = WhitespaceSplit().to_json()
        return Component(options, Standing.IMPLIED, "do_basic_tokenize is false")
    return Component(_stages(subject).pre_tokenizer, Standing.IMPLIED, RULE)


def _stages(subject: Subject) -> Stages:
    return of_files(family(FAMILY), _known(subject), stated_in(subject))


def _piece(token: str, unknown: str, special: set[str]) -> Piece:
    if token == unknown:
        return Piece(TokenType.UNKNOWN, token)
    if token in special:
        return Piece(TokenType.CONTROL, token)
    if token.startswith(PREFIX):
        return Piece(TokenType.CONTINUATION, token.removeprefix(PREFIX))
    return Piece(TokenType.ORDINARY, token)


FORMAT = Format(
    "vocab.txt",
    50,
    "tokenizers",
    recognise,
    parse,
    files=FILES,
    parts={"vocab": Part(entry=by_line)},
)
