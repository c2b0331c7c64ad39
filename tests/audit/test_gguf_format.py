"""Vocabularies inside GGUF files: what they state, and what of a stranger's file is refused."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tokaudit
import tokaudit_suites.throughput
from tokaudit.errors import UnreadableError
from tokaudit.formats.gguf import FORMAT
from tokaudit.opening import open_subject
from tokaudit.representations import parse_all
from tokaudit.subject import SourceFile, Subject
from tokaudit.words import Severity
from tokaudit_reference.bytes_alphabet import BYTE_OF
from tokaudit_reference.spec import PieceKind, SpecError, Standing, TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer

LETTERS = sorted(BYTE_OF)
KEYS: dict[str, tuple[int, Any]] = {
    "general.architecture": (8, "gpt2"),
    "tokenizer.ggml.model": (8, "gpt2"),
    "tokenizer.ggml.pre": (8, "gpt-2"),
    "tokenizer.ggml.tokens": (8, [*LETTERS, "he", "ll", "<|end|>"]),
    "tokenizer.ggml.token_type": (5, [1] * 258 + [3]),
    "tokenizer.ggml.merges": (8, ["h e", "l l"]),
    "tokenizer.ggml.add_bos_token": (7, 1),
}
FORMATS = {4: "I", 5: "i", 6: "f", 7: "B"}


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def packed(kind: int, value: Any) -> bytes:
    return text(value) if kind == 8 else struct.pack("<" + FORMATS[kind], value)


def gguf(keys: dict[str, tuple[int, Any]]) -> bytes:
    """A GGUF file without tensors."""
    out = b"GGUF" + struct.pack("<IQQ", 3, 0, len(keys))
    for key, (kind, value) in keys.items():
        if isinstance(value, list):
            entries = b"".join(packed(kind, entry) for entry in value)
            out += text(key) + struct.pack("<IIQ", 9, kind, len(value)) + entries
        else:
            out += text(key) + struct.pack("<I", kind) + packed(kind, value)
    return out


def parsed(folder: Path, data: bytes) -> TokenizerSpec:
    path = folder / "model.gguf"
    path.write_bytes(data)
    file = SourceFile("model.gguf", path, len(data), "gguf")
    return FORMAT.parse(Subject("model.gguf", folder, (file,)), file)


def test_a_byte_level_vocabulary_has_its_bytes_merges_and_control_tokens(tmp_path: Path) -> None:
    spec = parsed(tmp_path, gguf(KEYS))
    assert (spec.byte_level, spec.merges) == (True, ((b"h", b"e"), (b"l", b"l")))
    assert spec.pieces[256].value == b"he"
    assert [(t.id, t.content, t.special) for t in spec.added_tokens] == [(258, "<|end|>", True)]
    assert ReferenceTokenizer(spec).encode("hell<|end|>").ids == [256, 257, 258]


def test_a_split_name_that_is_not_known_leaves_the_pattern_unstated(tmp_path: Path) -> None:
    spec = parsed(tmp_path, gguf(KEYS | {"tokenizer.ggml.pre": (8, "brand-new")}))
    assert spec.pre_tokenizer.standing is Standing.UNSTATED


def test_a_scored_vocabulary_is_read_as_sentencepiece_does(tmp_path: Path) -> None:
    keys = {
        "tokenizer.ggml.model": (8, "llama"),
        "tokenizer.ggml.tokens": (8, ["<unk>", "<s>", "▁", "a", "b", "ab", "▁ab", "<0xC3>", "zz"]),
        "tokenizer.ggml.scores": (6, [0.0, 0.0, -9.0, -9.0, -9.0, -1.0, -2.0, 0.0, 0.0]),
        "tokenizer.ggml.token_type": (5, [2, 3, 1, 1, 1, 1, 1, 6, 4]),
        "tokenizer.ggml.unknown_token_id": (4, 0),
    }
    spec = parsed(tmp_path, gguf(keys))
    assert spec.pieces[8].kind is PieceKind.USER_DEFINED
    assert ReferenceTokenizer(spec).encode("abzza<s>").ids[:3] == [6, 8, 3]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"tokenizer.ggml.model": (8, "bert")}, "model: has the model 'bert'"),
        ({"tokenizer.ggml.tokens": (8, [])}, "tokens: holds no tokens"),
        ({"tokenizer.ggml.tokens": (5, [1])}, "tokens: is no list of str"),
        ({"tokenizer.ggml.token_type": (5, [1])}, "token_type: has 1 entries for 259 tokens"),
        ({"tokenizer.ggml.token_type": (5, [9] * 259)}, "has the type 9 for token 0"),
        ({"tokenizer.ggml.merges": (8, ["he"])}, "merges: merge 0 is 'he'; expected two tokens"),
        ({"tokenizer.ggml.merges": (8, [])}, "merges: holds no merges"),
        ({"tokenizer.ggml.tokens": (8, ["東"] * 259)}, "token 0 is '東', which stands for no"),
    ],
)
def test_what_is_wrong_is_said_with_its_key(
    tmp_path: Path, changed: dict[str, tuple[int, Any]], says: str
) -> None:
    with pytest.raises(SpecError) as caught:
        parsed(tmp_path, gguf(KEYS | changed))
    assert says in str(caught.value)
    assert "model.gguf at tokenizer.ggml." in str(caught.value)


def test_weights_without_a_tokenizer_beside_one_are_told_and_no_error(tmp_path: Path) -> None:
    yardstick = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
    shutil.copy(yardstick, tmp_path / "tokenizer.json")
    (tmp_path / "images.gguf").write_bytes(gguf({"general.architecture": (8, "clip")}))
    report = tokaudit.audit(str(tmp_path), tier="quick", select=["vocab/files-parse"])
    [finding] = [f for result in report.results for f in result.findings]
    assert (finding.severity, finding.places[0].file) == (Severity.INFO, "images.gguf")
    assert "has no tokenizer" in finding.message


def test_a_key_that_stands_twice_is_refused(tmp_path: Path) -> None:
    data = gguf({"a": (4, 1)})
    twice = data[:16] + struct.pack("<Q", 2) + data[24:] * 2
    with pytest.raises(SpecError, match=r"model\.gguf at a: stands twice"):
        parsed(tmp_path, twice)


@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=9), st.integers(0, 10**6))
def test_a_spoilt_file_parses_or_is_refused(
    tmp_path: Path, place: int, new: bytes, end: int
) -> None:
    data = bytearray(gguf(KEYS))
    place %= len(data)
    data[place : place + len(new)] = new
    try:
        parsed(tmp_path, bytes(data[: len(data) - end % 40]))
    except (SpecError, UnreadableError) as error:
        assert "model.gguf" in str(error)


def test_the_published_gpt2_is_the_same_in_both_formats(material: Path) -> None:
    folder = material / "tokenizers"
    ours, other = (
        next(s for r, s in parse_all(open_subject(str(folder / n))).parsed if r.format == f)
        for n, f in (("gguf-gpt2", "gguf"), ("gpt2", "tokenizer.json"))
    )
    assert ours.pieces == other.pieces
    assert ours.merges == other.merges


@pytest.mark.parametrize(("folder", "vector"), [("gguf-gpt2", "gpt-2"), ("gguf-phi-3", "phi-3")])
def test_the_ids_are_those_of_llama_cpp(material: Path, folder: str, vector: str) -> None:
    stem = material / "vectors" / "llama.cpp" / f"ggml-vocab-{vector}.gguf"
    texts = Path(f"{stem}.inp").read_bytes().decode().split("\n__ggml_vocab_test__\n")
    expected = [
        [int(id) for id in line.split()] for line in Path(f"{stem}.out").read_text().splitlines()
    ]
    [(_, spec)] = parse_all(open_subject(str(material / "tokenizers" / folder))).parsed
    tokenizer = ReferenceTokenizer(spec)
    assert [tokenizer.encode(text).ids for text in texts[: len(expected)]] == expected
