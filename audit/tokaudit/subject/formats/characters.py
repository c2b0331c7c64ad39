"""A `vocab.json` of characters or phonemes with ids, as speech classes use.

What a class does before it looks them up is implied where steps can say it: Wav2Vec2 takes
characters, with a mark for every space, and entries of several characters whole.  A class that
filters, reads aloud or puts blanks between leaves that unstated.

Source: `tokenization_wav2vec2.py`, `tokenization_mgp_str.py` and `tokenization_vits.py` in Hugging
Face's transformers 4.57.
"""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.implied import implied_by_class
from tokaudit.subject.formats.common.pieces import by_id, plain_ids
from tokaudit.subject.formats.common.settings import added_tokens, setting, unknown_token
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.class_reading import OwnVocabulary
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)

NAME = "characters"


def recognise(name: str, head: bytes) -> bool:
    """Recognise nothing: only the named class makes a `vocab.json` this format."""
    return False


def belongs(subject: Subject, file: SourceFile) -> bool:
    """Return whether the named class reads only this file."""
    named = class_of(subject)
    return named is not None and named.known is not None and named.known.files == (file.base,)


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec of the file; the class implies the steps before the vocabulary."""
    named = class_of(subject)
    known = None if named is None else named.known
    own = OwnVocabulary() if known is None else known.vocabulary
    implied = implied_by_class(subject)
    vocab = _vocabulary(subject, file)
    unknown = unknown_token(subject, own.unknown)
    added = added_tokens(subject, vocab, own.special)
    if implied is not None and implied.family.spelling.whole_entries:
        added = _with_long(added, vocab)
    special = {token.content for token in added if token.special}

    def stage(name: str) -> Component:
        if implied is None or implied.is_open or named is None:
            return Component()
        return Component(getattr(implied.stages, name), Standing.IMPLIED, named.rule)

    pieces, sharing = by_id(
        (id, Piece(_type(text, unknown, special), text)) for text, id in vocab.items()
    )
    return TokenizerSpec(
        model_type=ModelType.WORDLEVEL,
        pieces=pieces,
        sharing=sharing,
        unk_id=None if unknown is None else vocab.get(unknown),
        added_tokens=added,
        normalizer=stage("normalizer"),
        pre_tokenizer=stage("pre_tokenizer"),
        format=NAME,
        files=(file.name,),
    )


def delimiter_of(subject: Subject) -> str | None:
    """Return the class's mark for a space; None if it writes none."""
    implied = implied_by_class(subject)
    writes = None if implied is None else implied.stages.normalizer
    return None if writes is None else str(writes["content"])


def vocabularies_of_languages(subject: Subject) -> dict[str, int]:
    """Return the entry count of each language's vocabulary; empty if there is only one."""
    file = next((file for file in subject.files if file.base == "vocab.json"), None)
    data = {} if file is None else parse_object(read_bytes(file), file.name)
    return {language: len(each) for language, each in data.items() if isinstance(each, dict)}


def _with_long(added: tuple[AddedToken, ...], vocab: Mapping[str, int]) -> tuple[AddedToken, ...]:
    """Add every entry of several characters, which strips the spaces around it."""
    known = {token.content for token in added}
    long = [text for text in vocab if len(text) > 1 and text not in known]
    more = (AddedToken(vocab[t], t, lstrip=True, rstrip=True, normalized=False) for t in long)
    return tuple(sorted((*added, *more), key=lambda token: token.id))


def _vocabulary(subject: Subject, file: SourceFile) -> dict[str, int]:
    """Map tokens to ids; of several languages' vocabularies, use the selected one."""
    data, language = parse_object(read_bytes(file), file.name), setting(subject, "target_lang")
    if language is None or not isinstance(data.get(language.value), dict):
        return plain_ids(data, file.name, "")
    return plain_ids(data[language.value], file.name, f"/{language.value}")


def _type(text: str, unknown: str | None, special: set[str]) -> TokenType:
    if text == unknown:
        return TokenType.UNKNOWN
    return TokenType.CONTROL if text in special else TokenType.ORDINARY


FORMAT = Format(NAME, 39, "", recognise, parse)
