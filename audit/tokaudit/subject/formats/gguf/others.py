"""Other GGUF models: `bert`, a WordPiece, and `rwkv`, a longest match.

llama.cpp gives RWKV's unknown token for a byte that no token begins with, which is not represented.

Source: `llama-vocab.cpp` and `convert_hf_to_gguf.py` in llama.cpp.
"""

from __future__ import annotations

import re

from tokaudit.subject.formats.gguf.around import around, template
from tokaudit.subject.formats.gguf.attributes import added
from tokaudit.subject.formats.gguf.keys import ROLE_KEYS, Keys
from tokaudit.subject.upstream.llama_cpp.gguf_models import GgufModel, gguf_model
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType
from tokaudit_reference.steps.decoders.bytes_joined import Bytes
from tokaudit_reference.steps.decoders.llama_cpp import LlamaCpp
from tokaudit_reference.steps.normalizers.llama_cpp_words import LlamaCppWords
from tokaudit_reference.steps.pre_tokenizers.whitespace_split import WhitespaceSplit

BEGINNING = "\u2581"  # of a word; BERT's own files mark the rest of one with ## instead
PREFIX = "##"
BRACKETED = re.compile(r"\[.+\]", re.DOTALL)
RULE = "llama.cpp reads the model bert so"
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|x|.)", re.DOTALL)
CONTROLS = {"t": b"\t", "n": b"\n", "r": b"\r"}


def wordpiece(keys: Keys) -> TokenizerSpec:
    """Build BERT's WordPiece, lower-cased and without accents unless a key objects."""
    if not any(token.startswith(BEGINNING) for token in keys.tokens):
        raise keys.error("tokens", f"has no token that begins a word, marked {BEGINNING}")
    known = gguf_model(keys.text("model"))
    lower = keys.flag("normalizer.lowercase", known.lowers)
    accents = keys.flag("normalizer.strip_accents", lower)
    normalizer = LlamaCppWords(lowercase=lower, strip_accents=accents).to_json()
    decoder = LlamaCpp(
        keys.flag("add_space_prefix", known.prefixes_space), clean_spaces=known.cleans_up
    )
    said = "normalizer.lowercase" in keys
    unknown = keys.id("unknown_token_id", known.ids.get("unk"))
    return TokenizerSpec(
        model_type=ModelType.WORDPIECE,
        pieces={id: _word_piece(keys, id, unknown) for id in range(len(keys.tokens))},
        unk_id=unknown,
        continuing_subword_prefix=PREFIX,
        added_tokens=added(keys),
        normalizer=Component(normalizer, Standing.STATED if said else Standing.IMPLIED, RULE),
        pre_tokenizer=Component(WhitespaceSplit().to_json(), Standing.IMPLIED, RULE),
        post_processor=_sentence(keys, known),
        decoder=Component(decoder.to_json(), Standing.IMPLIED, RULE),
        duplicate_keys=keys.given_twice(),
    )


def _word_piece(keys: Keys, id: int, unknown: int | None) -> Piece:
    token, kind = keys.tokens[id], keys.kinds[id]
    if id == unknown:
        return Piece(TokenType.UNKNOWN, token)
    if kind is not TokenType.ORDINARY:
        return Piece(kind, token)
    if token.startswith(BEGINNING) and token != BEGINNING:
        return Piece(TokenType.ORDINARY, token.removeprefix(BEGINNING))
    if BRACKETED.fullmatch(token):  # as early converters left them
        return Piece(TokenType.ORDINARY, token)
    return Piece(TokenType.CONTINUATION, token)


def _sentence(keys: Keys, known: GgufModel) -> Component:
    """Return [CLS] and [SEP], which llama.cpp always adds to a BERT's text."""
    if not known.around_always:
        return around(keys, known, known.ends)
    default = known.ids
    first = keys.id(ROLE_KEYS["bos"], keys.id(ROLE_KEYS["cls"], default.get("bos")))
    last = keys.id(ROLE_KEYS["sep"], default.get("sep"))
    if first is None or last is None:
        return Component()
    return template(keys, [first], [last], Standing.IMPLIED, RULE)


def trie(keys: Keys) -> TokenizerSpec:
    """Build RWKV's vocabulary, whose tokens are written with Python's escapes."""
    implied = Component(None, Standing.IMPLIED, "llama.cpp reads the model rwkv so")
    return TokenizerSpec(
        model_type=ModelType.TRIE,
        pieces={id: Piece(_kind(keys, id), unescaped(t)) for id, t in enumerate(keys.tokens)},
        byte_level=True,
        added_tokens=added(keys),
        normalizer=implied,
        pre_tokenizer=implied,
        post_processor=around(keys, gguf_model(keys.text("model"))),
        decoder=Component(Bytes().to_json(), Standing.IMPLIED, "llama.cpp joins bytes"),
        duplicate_keys=keys.given_twice(),
    )


def _kind(keys: Keys, id: int) -> TokenType:
    kind = keys.kinds[id]
    return TokenType.ORDINARY if kind is TokenType.BYTE else kind


def unescaped(token: str) -> bytes:
    r"""Decode a token written with escapes.

    >>> unescaped(r"\xe6\n\\x41 é")
    b'\xe6\n\\x41 \xc3\xa9'
    """
    found, at = b"", 0
    for match in ESCAPE.finditer(token):
        found += token[at : match.start()].encode()
        what = match[1]
        found += bytes.fromhex(what[1:]) if len(what) == 3 else CONTROLS.get(what, what.encode())
        at = match.end()
    return found + token[at:].encode()
