"""Whatever is done to a tokenizer's files, they parse or are refused, in words and at once.

Every format brings a small sound sample; a format without one fails the first test.
"""

from __future__ import annotations

import base64
import io
import json
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import class_folders
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokaudit.errors import UnreadableError
from tokaudit.subject.formats import Format, all_formats
from tokaudit.subject.material import SourceFile
from tokaudit.subject.opening import open_subject
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

Files = dict[str, bytes]  # the first is the format's main file
AT_MOST = 1.0  # seconds of the processor
OTHER_VALUES = (
    None,
    True,
    -1,
    5,
    2**40,
    10**400,
    1.5,
    "",
    "x",
    "<0x41>",
    [],
    {},
    [[]],
    ["a", "b"],
    {"a": 0},
)
OTHER_BYTES = (b"", b"\0", b"\xff", b"\r\n", b"\n\n", b" ", b"0", b"9" * 30, b'"', b"\xe2\x96\x81")


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
    library = pytest.importorskip("sentencepiece")
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
    (model,) = sentencepiece().values()
    named = {"tokenizer_class": "MarianTokenizer"}
    text = class_folders.pieces_of(model)
    vocab = {token: id for id, token in enumerate(sorted(text))}
    return {
        "source.spm": model,
        "vocab.json": written(vocab),
        "tokenizer_config.json": written(named),
    }


SAMPLES: Mapping[str, tuple[Callable[[], Files], ...]] = {
    "bpe.codes+vocab.txt": (bpe_codes,),
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
CASES = [
    pytest.param(format, build, id=f"{format.name} {number}")
    for format in all_formats()
    for number, build in enumerate(SAMPLES.get(format.name, ()), start=1)
]
AGAIN = settings(
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@cache
def built(build: Callable[[], Files]) -> Files:
    """A sample, built once."""
    return build()


def test_every_format_brings_a_sample() -> None:
    assert {format.name for format in all_formats()} <= SAMPLES.keys()


def parsed(format: Format, folder: Path, files: Files) -> TokenizerSpec | None:
    """The spec of files that were written there, or None for a refusal, in time."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    name = next(iter(files))
    started = time.process_time()
    try:
        whole = open_subject(folder)
        file = SourceFile(name, folder / name, len(files[name]), format.name)
        others = (other for other in whole.files if other.name != name)
        return format.parse(replace(whole, files=(*others, file)), file)
    except (SpecError, UnreadableError) as error:
        assert any(file in str(error) for file in files) or str(folder) in str(error)
        return None
    finally:
        assert time.process_time() - started < AT_MOST


@pytest.mark.parametrize(("format", "build"), CASES)
def test_the_sample_of_a_format_is_recognised_and_parses(
    format: Format, build: Callable[[], Files], tmp_path: Path
) -> None:
    files = built(build)
    spec = parsed(format, tmp_path, files)
    assert spec is not None and spec.pieces and spec.format == format.name
    listed = b"".join(files.values()).count(b"added_tokens_decoder")
    assert len([token for token in spec.added_tokens if token.id == 512]) == listed
    opened = open_subject(tmp_path).file(next(iter(files)))
    assert opened is not None and opened.role == format.name


@pytest.mark.parametrize(("format", "build"), CASES)
def test_a_changed_file_parses_or_is_refused(
    format: Format, build: Callable[[], Files], tmp_path: Path
) -> None:
    sample = built(build)
    places = {
        name: _places(json.loads(raw)) for name, raw in sample.items() if name.endswith(".json")
    }

    @AGAIN
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(list(sample)))
        if name in places and data.draw(st.booleans()):
            place = data.draw(st.sampled_from(places[name]))
            new = data.draw(st.sampled_from(OTHER_VALUES))
            changed = written(_with(json.loads(sample[name]), place, new))
        else:
            changed = data.draw(changed_bytes(sample[name]))
        parsed(format, tmp_path, {**sample, name: changed})

    run()


@st.composite
def changed_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """The same with one to three slices replaced."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        length = draw(st.sampled_from([0, 1, 1, 2, 8, len(data)]))
        new = draw(st.sampled_from(OTHER_BYTES) | st.binary(min_size=1, max_size=4))
        data = data[:start] + new + data[start + length :]
    return data


@pytest.mark.parametrize(("format", "build"), CASES)
def test_a_file_that_is_cut_off_parses_or_is_refused(
    format: Format, build: Callable[[], Files], tmp_path: Path
) -> None:
    sample = built(build)
    for name, data in sample.items():
        stride = max(1, len(data) // 25)
        for length in range(0, len(data), stride):
            parsed(format, tmp_path, {**sample, name: data[:length]})


def _places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value, few of those that are alike."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict | list):
        items = list(value.items() if isinstance(value, dict) else enumerate(value))
    inner = [place for key, child in items[:8] for place in _places(child, (*above, key))]
    return [above, *inner]


def _with(value: Any, place: tuple[Any, ...], new: object) -> Any:
    if not place:
        return new
    value[place[0]] = _with(value[place[0]], place[1:], new)
    return value
