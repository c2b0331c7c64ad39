"""GGUF models with merges: `gpt2`, which is byte-level, and those written with ▁.

A pair that is listed twice has its last rank here, and its first in llama.cpp; a pair that makes no
entry of the vocabulary is merged there all the same.  A run of line feeds that is an entry is taken
whole there by gemma4 and its like.

Source: `llama-vocab.cpp` in llama.cpp.
"""

from __future__ import annotations

from collections.abc import Callable

from tokaudit.subject.formats.gguf.around import around
from tokaudit.subject.formats.gguf.attributes import added
from tokaudit.subject.formats.gguf.keys import PREFIX, Keys
from tokaudit.subject.upstream.llama_cpp.gguf_models import gguf_model
from tokaudit.subject.upstream.llama_cpp.gguf_splits import DEFAULT, pre_tokenizer, split_named
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType
from tokaudit_reference.steps.decoders.llama_cpp import LlamaCpp
from tokaudit_reference.steps.normalizers.replace import Replace
from tokaudit_reference.steps.pattern import Pattern
from tokaudit_reference.steps.pre_tokenizers.split import Split
from tokaudit_reference.text.bytes_alphabet import to_bytes

MARK = "\u2581"
MARKED_MODEL = "gemma4"  # of the models and of the names of splits alike
MARKED_RULE = "llama.cpp reads gemma4 and its like so"
Merges = tuple[tuple[bytes | str, bytes | str], ...]


def byte_level(keys: Keys) -> TokenizerSpec:
    """Build a byte-level BPE; its split pattern is unstated if its name is unknown."""
    pre = keys.text("pre")
    split = split_named(pre)
    if split.marked:
        return marked(keys)
    known = gguf_model(keys.text("model"), pre)
    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces=_byte_level_pieces(keys),
        byte_level=True,
        merges=_merges(keys, to_bytes),
        ignore_merges=split.whole_entries,
        added_tokens=added(keys),
        normalizer=Component(None, Standing.IMPLIED, "llama.cpp normalizes no byte-level text"),
        pre_tokenizer=pre_tokenizer(pre, f"{PREFIX}pre"),
        post_processor=around(keys, known, known.ends),
        decoder=_decoder(keys, marked=False),
        duplicate_keys=keys.given_twice(),
    )


def marked(keys: Keys) -> TokenizerSpec:
    """Build a BPE over characters with ▁ for a space, byte fallback, and line splits."""
    space = Replace(Pattern(" "), MARK).to_json()
    lines = Split(Pattern(r"[^\n]+|[\n]+", is_regex=True)).to_json()
    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces={id: keys.piece(id) for id in range(len(keys.tokens))},
        merges=_merges(keys, str),
        unk_id=keys.id("unknown_token_id"),
        byte_fallback=TokenType.BYTE in keys.kinds,
        added_tokens=added(keys),
        normalizer=Component(space, Standing.IMPLIED, MARKED_RULE),
        pre_tokenizer=Component(lines, Standing.IMPLIED, MARKED_RULE),
        post_processor=around(keys, gguf_model(keys.text("model"), keys.text("pre"))),
        decoder=_decoder(keys, marked=True),
        duplicate_keys=keys.given_twice(),
    )


def _decoder(keys: Keys, *, marked: bool) -> Component:
    """Return the decoder of ids; the name of the split decides its clean-up."""
    named = keys.text("pre") or DEFAULT
    if keys.text("model") == MARKED_MODEL:
        named = MARKED_MODEL
    step = LlamaCpp(
        keys.flag("add_space_prefix", gguf_model(keys.text("model")).prefixes_space),
        escape_whitespaces=marked,
        clean_spaces=split_named(named).cleans_up,
    )
    return Component(step.to_json(), Standing.IMPLIED, "llama.cpp decodes so")


def _byte_level_pieces(keys: Keys) -> dict[int, Piece]:
    """Decode ordinary tokens from the byte alphabet, and keep the others unchanged.

    One of the others that spells what an ordinary one does is an added token alone: it is taken
    from text before any merge, and the merges make the ordinary one.
    """
    found: dict[int, Piece] = {}
    spelled = set()
    for id, (token, kind) in enumerate(zip(keys.tokens, keys.kinds, strict=True)):
        if kind in (TokenType.ORDINARY, TokenType.BYTE):
            data = to_bytes(token)
            found[id] = Piece(TokenType.ORDINARY, token if data is None else data)
            spelled.add(data)
    for id, (token, kind) in enumerate(zip(keys.tokens, keys.kinds, strict=True)):
        if id not in found and token.encode() not in spelled:
            found[id] = Piece(kind, token.encode())
    return dict(sorted(found.items()))


def _merges(keys: Keys, spelling: Callable[[str], bytes | str | None]) -> Merges:
    listed: list[str] = keys.entries("merges", str)
    if not listed:
        raise keys.error("merges", "holds no merges")
    return tuple(_merge(keys, index, text, spelling) for index, text in enumerate(listed))


def _merge(
    keys: Keys, index: int, text: str, spelling: Callable[[str], bytes | str | None]
) -> tuple[bytes | str, bytes | str]:
    left, _, right = text.partition(" ")
    parts = spelling(left), spelling(right)
    if not left or not right or " " in right or parts[0] is None or parts[1] is None:
        raise keys.error("merges", f"merge {index} is {text[:40]!r}; expected two tokens")
    return parts[0], parts[1]
