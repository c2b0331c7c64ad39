"""Small `tokenizer.json` files of every family of models, as plain data that a test may change."""

from __future__ import annotations

from typing import Any

from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import CHARACTER_OF, to_characters

Described = dict[str, Any]
MERGES = [("a", "b"), ("ab", "c"), ("t", "h"), ("th", "e"), (" ", "the"), (" ", "a"), ("i", "n")]
LETTERS = [*"abcdefghijklmnopqrstuvwxyzA12."]
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
METASPACE = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"}
ENDS = {"sep": ["<|pad|>", 1001], "cls": ["<|end|>", 1000]}


def _described(model: Described, **stages: Any) -> Described:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    added = [
        {"id": id, "content": content, "special": True, **flags}
        for id, content in ((1000, "<|end|>"), (1001, "<|pad|>"))
    ]
    empty = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder"))
    return {"version": "1.0", "added_tokens": added, **empty, **stages, "model": model}


def _bpe(tokens: list[str], merges: list[tuple[str, str]], **settings: Any) -> Described:
    whole = dict.fromkeys([*tokens, *(left + right for left, right in merges)])
    vocab = {token: id for id, token in enumerate(whole)}
    return dict(Folder.bpe(vocab, merges, **settings).tokenizer["model"])


def byte_level() -> Described:
    """As GPT-2: bytes, and a pattern that cuts words."""
    merges = [(to_characters(a.encode()), to_characters(b.encode())) for a, b in MERGES]
    model = _bpe([*CHARACTER_OF.values()], merges)
    return _described(model, pre_tokenizer=dict(BYTE_LEVEL), decoder=dict(BYTE_LEVEL))


def byte_fallback() -> Described:
    """As Llama: characters with a mark for spaces, and bytes for what has no token."""
    marked = [(a.replace(" ", "\u2581"), b.replace(" ", "\u2581")) for a, b in MERGES]
    tokens = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "\u2581", *LETTERS]
    model = _bpe(tokens, marked, unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    spaces = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
    back = {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}
    decoders = [back, {"type": "ByteFallback"}, {"type": "Fuse"}]
    return _described(model, normalizer=spaces, decoder={"type": "Sequence", "decoders": decoders})


def word_ends() -> Described:
    """As CLIP: a mark on the token that ends a word."""
    ends = [("a", "b</w>"), ("a", "b"), ("ab", "c</w>"), ("t", "h"), ("th", "e</w>")]
    tokens = [*LETTERS, *(letter + "</w>" for letter in LETTERS), "<unk>"]
    model = _bpe(tokens, ends, unk_token="<unk>", end_of_word_suffix="</w>")
    cut = {"type": "WhitespaceSplit"}
    around = {"type": "RobertaProcessing", **ENDS, "trim_offsets": False, "add_prefix_space": False}
    return _described(
        model, normalizer={"type": "Lowercase"}, pre_tokenizer=cut, post_processor=around
    )


def word_piece() -> Described:
    """As BERT: the longest entry that fits, within words with a mark."""
    tokens = ["[UNK]", *LETTERS, *(f"##{letter}" for letter in LETTERS), "ab", "the", "##ing"]
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 20,
        "vocab": {token: id for id, token in enumerate(tokens)},
    }
    return _described(
        model,
        normalizer={"type": "Lowercase"},
        pre_tokenizer={"type": "BertPreTokenizer"},
        post_processor={"type": "BertProcessing", **ENDS},
        decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
    )


def unigram() -> Described:
    """As T5: the likeliest entries."""
    words = ["\u2581", *LETTERS, "\u2581the", "ab", "abc", "th", "in"]
    vocab = [["<unk>", 0.0], *([word, -1.5 - 0.31 * at] for at, word in enumerate(words))]
    model = {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False}
    return _described(model, pre_tokenizer=dict(METASPACE), decoder=dict(METASPACE))


def word_level() -> Described:
    """Whole words."""
    words = ["[UNK]", "the", "ab", "abc", "a", "in", ".", "1"]
    vocab = {token: id for id, token in enumerate(words)}
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}
    lower, cut = {"type": "Lowercase"}, {"type": "Whitespace"}
    return _described(model, normalizer=lower, pre_tokenizer=cut)


FAMILIES = {
    made.__name__: made
    for made in (byte_level, byte_fallback, word_ends, word_piece, unigram, word_level)
}
