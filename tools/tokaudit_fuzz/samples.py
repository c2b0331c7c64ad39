"""Small sound tokenizers in every format, and a checkpoint: what is changed in every way."""

from __future__ import annotations

import base64
import io
import json
import struct
from collections.abc import Callable, Mapping
from functools import cache

from tokaudit_reference.text.bytes_alphabet import BYTE_OF

Files = dict[str, bytes]  # the first is the main file


def written(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def tokenizer_json() -> Files:
    vocab = {"<unk>": 0, "a": 1, "b": 2, "ab": 3, "ab</w>": 4, "##b": 5, "<0x41>": 6}
    model = {
        "type": "BPE",
        "vocab": vocab,
        "merges": ["a b", ["a", "b"]],
        "unk_token": "<unk>",
        "byte_fallback": True,
        "dropout": None,
    }
    split = {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}]}
    added = {"id": 0, "content": "<unk>", "special": True}
    return {
        "tokenizer.json": written(
            {"version": "1.0", "added_tokens": [added], "pre_tokenizer": split, "model": model}
        )
    }


def unigram_json() -> Files:
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.5], ["b", -2]]}
    return {"tokenizer.json": written({"version": "1.0", "added_tokens": [], "model": model})}


def wordpiece_json() -> Files:
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 0, "a": 1, "##b": 2},
    }
    stages = {"normalizer": {"type": "Lowercase"}, "decoder": {"type": "WordPiece"}}
    return {"tokenizer.json": written({"version": "1.0", **stages, "model": model})}


def sentencepiece(kind: str = "unigram") -> Files:
    import sentencepiece as library

    writer = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat sat", "a dog and a cat"] * 3),
        model_writer=writer,
        model_type=kind,
        vocab_size=30,
        hard_vocab_limit=False,
        normalization_rule_name="identity",
        user_defined_symbols=["<b>"],
        minloglevel=5,
    )
    return {"tokenizer.model": writer.getvalue()}


def minbpe() -> Files:
    return {"small.model": b"minbpe v1\n\\w+|\\s\n1\n<|end of|> 300\n97 98\n256 99\n32 256\n"}


def tiktoken() -> Files:
    tokens = [*(bytes([byte]) for byte in range(256)), b"ab", b"abc"]
    lines = (base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    return {"small.tiktoken": b"".join(lines)}


def tekken() -> Files:
    tokens = [*(bytes([byte]) for byte in range(256)), b"ab"]
    vocab = [
        {"rank": rank, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
        for rank, token in enumerate(tokens)
    ]
    config = {"pattern": "\\w+", "default_num_special_tokens": 2, "default_vocab_size": 259}
    special = [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}]
    content = {"config": config, "vocab": vocab, "special_tokens": special}
    return {"tekken.json": b'{"token_bytes": 0,' + written(content)[1:]}


def gguf() -> Files:
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def texts(values: list[str]) -> bytes:
        return struct.pack("<IIQ", 9, 8, len(values)) + b"".join(map(text, values))

    keys = {
        "tokenizer.ggml.model": struct.pack("<I", 8) + text("gpt2"),
        "tokenizer.ggml.pre": struct.pack("<I", 8) + text("gpt-2"),
        "tokenizer.ggml.tokens": texts([*BYTE_OF, "ab"]),
        "tokenizer.ggml.merges": texts(["a b"]),
        "tokenizer.ggml.add_bos_token": struct.pack("<IB", 7, 0),
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys))
    return {"small.gguf": head + b"".join(text(key) + value for key, value in keys.items())}


CONFIG: Mapping[str, object] = {
    "tokenizer_class": "CLIPTokenizer",
    "unk_token": {"content": "<|endoftext|>", "lstrip": False},
    "additional_special_tokens": ["<extra>", {"content": "<more>", "rstrip": True}],
    "added_tokens_decoder": {"512": {"content": "<new>", "special": True, "normalized": False}},
    "add_prefix_space": False,
}


def vocab_merges() -> Files:
    tokens = [*BYTE_OF, *(f"{character}</w>" for character in BYTE_OF), "ab</w>", "<|endoftext|>"]
    return {
        "vocab.json": written({token: id for id, token in enumerate(tokens)}),
        "merges.txt": b"#version: 0.2\na b</w>\n",
        "tokenizer_config.json": written(CONFIG),
        "added_tokens.json": b'{"<late>": 600}',
    }


def characters() -> Files:
    tokens = ["<pad>", "<s>", "</s>", "<unk>", "|", *"abc"]
    return {
        "vocab.json": written({token: id for id, token in enumerate(tokens)}),
        "tokenizer_config.json": written({"tokenizer_class": "Wav2Vec2CTCTokenizer"}),
    }


def letters_of_a_language() -> Files:
    config = {"tokenizer_class": "Wav2Vec2CTCTokenizer", "target_lang": "deu"}
    return {
        "vocab.json": written({"deu": {"<unk>": 0, "|": 1, "a": 2}, "eng": {"<unk>": 0}}),
        "tokenizer_config.json": written(config),
    }


def byte_maps() -> Files:
    maps = {"decompose_map": {"41": "c0 61"}, "merge_map": {"74 68": "c1"}}
    return {
        "byte_maps.json": written(maps),
        "tokenizer_config.json": written({"tokenizer_class": "MyT5Tokenizer"}),
    }


def vocab_txt() -> Files:
    stated = {"do_lower_case": True, "strip_accents": None, "tokenize_chinese_chars": True}
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "\u65e5"]
    config = {**CONFIG, **stated, "tokenizer_class": "BertTokenizer"}
    return {
        "vocab.txt": "\n".join(tokens).encode() + b"\n",
        "tokenizer_config.json": written(config),
    }


def rwkv() -> Files:
    return {"rwkv_vocab.txt": b"1 '\\x00' 1\n2 b'\\xff' 1\n3 'ab' 2\n4 \"'\" 1\n5 '\xc3\xa9' 2\n"}


def bpe_codes() -> Files:
    return {"bpe.codes": b"a b</w> 9\nc a 7\n", "vocab.txt": b"ab 4\na@@ 3\nb 2\nca@@ 1\nc@@ 1\n"}


def tiktoken_json() -> Files:
    ranks = " ".join(base64.b64encode(bytes([byte])).decode() for byte in range(256))
    data = {
        "pat_str": "\\\\S+",
        "special_tokens": {"<|end|>": 257},
        "bpe_ranks": f"! 0 {ranks}\n! 256 YWI=",
    }
    return {"small.json": written(data)}


def marian() -> Files:
    from sentencepiece import SentencePieceProcessor

    (model,) = sentencepiece().values()
    processor = SentencePieceProcessor(model_proto=model)
    pieces = [processor.id_to_piece(place) for place in range(processor.get_piece_size())]
    return {
        "source.spm": model,
        "vocab.json": written({token: id for id, token in enumerate(sorted(pieces))}),
        "tokenizer_config.json": written({"tokenizer_class": "MarianTokenizer"}),
    }


SAMPLES: Mapping[str, tuple[Callable[[], Files], ...]] = {
    "bpe.codes+vocab.txt": (bpe_codes,),
    "bytes": (byte_maps,),
    "characters": (characters, letters_of_a_language),
    "gguf": (gguf,),
    "minbpe": (minbpe,),
    "rwkv": (rwkv,),
    "sentencepiece": (
        sentencepiece,
        marian,
        lambda: sentencepiece("char"),
        lambda: sentencepiece("word"),
    ),
    "tekken": (tekken,),
    "tiktoken": (tiktoken,),
    "tiktoken.json": (tiktoken_json,),
    "tokenizer.json": (tokenizer_json, unigram_json, wordpiece_json),
    "vocab.json+merges.txt": (vocab_merges,),
    "vocab.txt": (vocab_txt,),
}


TEMPLATE = """{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}
{%- if add_generation_prompt %}<|assistant|>{% endif %}"""


def checkpoint() -> Files:
    """A folder with a byte-level tokenizer, every config, a template and weights."""
    specials = ["<|end|>", "<|user|>", "<|assistant|>"]
    vocab = {character: id for id, character in enumerate([*BYTE_OF, "ab", "Ġa"])}
    added = [{"id": 258 + n, "content": each, "special": True} for n, each in enumerate(specials)]
    stage = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    model = {"type": "BPE", "vocab": vocab, "merges": [["a", "b"], ["Ġ", "a"]]}
    stages = {"pre_tokenizer": stage, "decoder": stage, "post_processor": stage}
    tokenizer = {"version": "1.0", "added_tokens": added, **stages, "model": model}
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|end|>",
        "pad_token": {"content": "<|end|>", "special": True},
        "padding_side": "left",
        "chat_template": TEMPLATE,
        "added_tokens_decoder": {str(each["id"]): each for each in added},
    }
    sizes = {"vocab_size": 261, "eos_token_id": 258, "tie_word_embeddings": False}
    tensors: dict[str, object] = {
        "model.embed_tokens.weight": {"dtype": "U8", "shape": [261, 2], "data_offsets": [0, 522]},
        "lm_head.weight": {"dtype": "U8", "shape": [261, 2], "data_offsets": [522, 1044]},
    }
    header = json.dumps(tensors).encode()
    return {
        "tokenizer.json": written(tokenizer),
        "tokenizer_config.json": written(config),
        "special_tokens_map.json": written({"eos_token": "<|end|>", "unk_token": None}),
        "config.json": written({**sizes, "text_config": {"pad_token_id": 258}}),
        "generation_config.json": written({"eos_token_id": [258], "suppress_tokens": [1]}),
        "chat_template.jinja": TEMPLATE.encode(),
        "model.safetensors": struct.pack("<Q", len(header)) + header + bytes(1044),
    }


@cache
def built(build: Callable[[], Files]) -> Files:
    """A sample, built once."""
    return build()
