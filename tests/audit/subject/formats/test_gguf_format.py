"""What is read from a GGUF file in addition to its models, and what of a stranger's file is refused."""

from __future__ import annotations

import shutil
import struct
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_examples import some
from llama_cpp_extra import runs_llama_cpp, without_llama_cpp

import tokaudit
import tokaudit_suites.throughput
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.model import Severity, Verdict
from tokaudit.subject.facts import collect
from tokaudit.subject.formats.gguf.tensors import tensors
from tokaudit_folders.gguf_files import (
    BOOL,
    CONTROL,
    F32,
    I32,
    LIST,
    NORMAL,
    TEXT,
    U8,
    U32,
    U64,
    Value,
    gguf,
    packed,
    pair,
    parsed,
    source,
    text,
    tokenizer,
)
from tokaudit_reference.spec import SpecError
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

LETTERS = sorted(BYTE_OF)
KEYS: dict[str, Value] = {
    "general.architecture": (TEXT, "gpt2"),
    **tokenizer(
        "gpt2",
        [*LETTERS, "he", "ll", "<|end|>"],
        pre=(TEXT, "gpt-2"),
        token_type=(I32, [NORMAL] * 258 + [CONTROL]),
        merges=(TEXT, ["h e", "l l"]),
        eos_token_id=(U32, 258),
        add_bos_token=(BOOL, 0),
    ),
    "tokenizer.chat_template": (TEXT, "{{ messages }}<|end|>"),
}
G = "tokenizer.ggml."


def test_ids_of_roles_flags_and_templates_are_facts_with_their_keys(tmp_path: Path) -> None:
    facts = collect([source(tmp_path, gguf(KEYS))])
    assert {(f.name, f.value, f.pointer) for f in facts} == {
        ("eos_token_id", 258, G + "eos_token_id"),
        ("add_bos_token", False, G + "add_bos_token"),
        ("gguf_pre", "gpt-2", G + "pre"),
        ("gguf_model", "gpt2", G + "model"),
        ("gguf_architecture", "gpt2", "general.architecture"),
        ("chat_template", "{{ messages }}<|end|>", "tokenizer.chat_template"),
    }


@pytest.mark.parametrize(("pre", "found"), [("gpt-2", []), ("", ["unnamed"]), (None, ["unnamed"])])
def test_a_file_that_does_not_name_its_splitting_is_an_error(
    tmp_path: Path, pre: str | None, found: list[str], processes: None
) -> None:
    keys = {key: value for key, value in KEYS.items() if key != G + "pre"}
    if pre is not None:
        keys[G + "pre"] = (TEXT, pre)
    (tmp_path / "m.gguf").write_bytes(gguf(keys))
    [result] = tokaudit.audit(tmp_path, select=["pipeline/split-name"]).results
    assert [finding.cause for finding in result.findings] == found
    assert all(finding.severity is Severity.ERROR for finding in result.findings)


def test_an_id_beyond_the_vocabulary_is_an_error_that_blames_its_key(tmp_path: Path) -> None:
    path = source(tmp_path, gguf(KEYS | {G + "eos_token_id": (U32, 9999)})).path
    report = tokaudit.audit(path, tier="quick", select=["special_tokens/role-ids"])
    [finding] = [f for result in report.results for f in result.findings]
    assert (finding.severity, finding.places[0].pointer) == (Severity.ERROR, G + "eos_token_id")
    assert "gives eos id 9999, but the tokenizer's ids go from 0 to 258" in finding.message


def test_a_healthy_file_is_unverifiable_without_the_extra_that_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    without_llama_cpp(monkeypatch)
    select = ["vocab", "agreement"]
    report = tokaudit.audit(source(tmp_path, gguf(KEYS)).path, tier="quick", select=select)
    assert report.verdict is Verdict.UNVERIFIABLE
    assert "pip install 'tokaudit[gguf]'" in report.verdict_reason
    assert [f for result in report.results for f in result.findings] == []


@runs_llama_cpp
def test_a_healthy_file_passes_where_the_engine_agrees(tmp_path: Path, processes: None) -> None:
    keys = {"general.architecture": (TEXT, "llama"), **KEYS}
    select = ["agreement/reference", "agreement/decoder", "agreement/library-loads"]
    report = tokaudit.audit(source(tmp_path, gguf(keys)).path, tier="quick", select=select)
    assert (report.verdict, report.verdict_reason) == (Verdict.PASS, "no errors")


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (256, "token_embd.weight has 256 rows, so 3 tokens have no row"),
        (259, ""),
        (320, "token_embd.weight in model.gguf has 320 rows, but the file lists 259 tokens: "),
    ],
)
def test_the_rows_of_the_embedding_are_those_of_the_tensor(
    tmp_path: Path, rows: int, says: str
) -> None:
    embedding = ("token_embd.weight", (32, rows), 8, 0)  # Q8_0: 34 bytes for 32 weights
    path = source(tmp_path, gguf(KEYS, [embedding], 34 * rows)).path
    report = tokaudit.audit(path, tier="quick", select=["embeddings/rows"])
    [result] = report.results
    assert [m.value for m in result.measurements] == [rows]
    errors = [f.message for f in result.findings if f.severity is Severity.ERROR]
    assert [message[: len(says)] for message in errors] == [says] * bool(says)


@pytest.mark.parametrize(
    ("tensor", "weights", "says"),
    [
        (("t", (8,), 0, 0), 31, r"model\.gguf at t: ends at 32 of 31 bytes of weights"),
        (("t", (8,), 0, 2**62), 32, "at t: ends at 4,611,686,018,427,387,936 of 32 bytes"),
        (("t", (2**63, 2**63), 0, 0), 32, "at t: ends at"),
        (("t", (8,) * 9, 0, 0), 32, "at t: has 9 dimensions; at most 8 are read"),
        (("t", (8,), 12, 0), 32, "at t: has rows of 8 weights, which are not blocks of 256"),
    ],
)
def test_a_tensor_that_lies_is_refused(
    tmp_path: Path, tensor: tuple[str, tuple[int, ...], int, int], weights: int, says: str
) -> None:
    with pytest.raises(UnreadableError, match=says):
        tensors(source(tmp_path, gguf(KEYS, [tensor], weights)))


def test_a_tensor_of_a_type_that_is_not_known_has_a_shape_and_no_size(tmp_path: Path) -> None:
    found = tensors(source(tmp_path, gguf(KEYS, [("t", (8, 3), 99, 0)], 1)))
    assert {n: (t.dtype, t.shape, t.nbytes) for n, t in found.items()} == {
        "t": ("type 99", (3, 8), 0)
    }


def test_two_tensors_of_one_name_are_refused(tmp_path: Path) -> None:
    twice = [("t", (8,), 0, 0), ("t", (8,), 0, 32)]
    with pytest.raises(UnreadableError, match="at t: is given twice"):
        tensors(source(tmp_path, gguf(KEYS, twice, 64)))


def test_an_alignment_that_is_no_power_of_two_is_refused(tmp_path: Path) -> None:
    for wrong in (0, 24):
        data = gguf({"general.alignment": (U32, wrong)}, [("t", (1,), 0, 0)], 32)
        with pytest.raises(UnreadableError, match=f"general.alignment: is {wrong}; expected a pow"):
            tensors(source(tmp_path, data))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"model": (U32, 1)}, "model: is not text"),
        ({"model": (TEXT, "plamo2")}, "model: names the model 'plamo2', which is not read yet"),
        ({"model": (TEXT, "none")}, "model: has no tokenizer; read are: gpt2, gemma4, llama"),
        ({"tokens": (TEXT, [])}, "tokens: holds no tokens"),
        ({"tokens": (I32, [1])}, "tokens: is not a list of str"),
        ({"token_type": (I32, [1])}, "token_type: has 1 entries for 259 tokens"),
        ({"token_type": (I32, [9] * 259)}, "token_type: has the type 9 for token 0"),
        ({"merges": (TEXT, ["he"])}, "merges: merge 0 is 'he'; expected two tokens"),
        ({"merges": (TEXT, ["h e l"])}, "merges: merge 0 is 'h e l'; expected two tokens"),
        ({"merges": (TEXT, [])}, "merges: holds no merges"),
        ({"pre": (I32, 3)}, "pre: is not text"),
        ({"add_bos_token": (U8, 1)}, "add_bos_token: is '1'; expected true or false"),
        ({"model": (TEXT, "llama"), "scores": (F32, [1.0])}, "scores: has 1 entries for 259"),
        ({"model": (TEXT, "llama"), "scores": (F32, [float("nan")] * 259)}, "score nan for tok"),
        (
            {"model": (TEXT, "llama"), "unknown_token_id": (U32, 259)},
            "unknown_token_id: is 259; expected an id from 0 to 258",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_key(
    tmp_path: Path, changed: dict[str, Value], says: str
) -> None:
    with pytest.raises(SpecError) as caught:
        parsed(tmp_path, KEYS | {G + key: value for key, value in changed.items()})
    assert says in str(caught.value)
    assert "model.gguf at tokenizer.ggml." in str(caught.value)


def test_keys_of_a_tokenizer_without_a_model_are_an_error(tmp_path: Path) -> None:
    keys = {key: value for key, value in KEYS.items() if key != G + "model"}
    with pytest.raises(SpecError, match="is not there, though other keys of a tokenizer are"):
        parsed(tmp_path, keys)


def claims(kind: int, length: int) -> bytes:
    return text(G + "tokens") + struct.pack("<IIQ", LIST, kind, length)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"GGML" + bytes(20), "begins with b'GGML', not with GGUF"),
        (b"GGUF\x03", "claims 4 bytes where 1 are left"),
        (gguf({}, version=1), "version 1 is not read"),
        (gguf({}, version=3 << 24), "version 3 is big-endian, which is not read"),
        (gguf(b"", count=10**6), "claims 1,000,000 keys; at most 65,536 are read"),
        (gguf(pair("a", U32, 1) * 2, count=2), "at a: is given twice"),
        (gguf(pair(b"\xff", U32, 1), count=1), "is not UTF-8"),
        (gguf(pair("", U32, 1), count=1), "has a key of 0 characters"),
        (gguf(text("a") + packed(U32, 13), count=1), "at a: has the value type 13"),
        (gguf(claims(13, 1), count=1), "tokens: is an array of the type 13"),
        (gguf(claims(LIST, 1), count=1), "tokens: is an array of arrays"),
        (gguf(claims(U64, 2**60), count=1), "tokens: claims 1,152,921,504,606,846,976 entries"),
        (gguf(claims(TEXT, 2) + bytes(8), count=1), "tokens: claims 2 entries where 8 bytes"),
        (gguf(claims(TEXT, 1) + packed(U64, 2**63), count=1), "tokens: claims 9,223,372,036,854"),
        (gguf(claims(TEXT, 1) + text(b"\xff"), count=1), "tokens: is not UTF-8"),
    ],
)
def test_a_claim_that_the_file_cannot_hold_is_refused(
    tmp_path: Path, data: bytes, says: str
) -> None:
    with pytest.raises(SpecError) as caught:
        parsed(tmp_path, data)
    assert says in str(caught.value) and "model.gguf" in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize("key", [G + "tokens", "passed.over"])
@pytest.mark.parametrize("kind", [TEXT, F32, U8])
def test_a_large_file_of_nothing_is_refused_in_bounded_memory(
    tmp_path: Path, key: str, kind: int, processes: None
) -> None:
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text(key)
    path = tmp_path / "model.gguf"
    with path.open("wb") as handle:
        handle.write(head + struct.pack("<IIQ", LIST, kind, 10**9))
        handle.truncate(2**36)  # sparse: 64 GiB of zeros
    tracemalloc.start()
    with pytest.raises(UnreadableError, match=r"at most [34],000,000 are read|70,000,000 bytes"):
        tokaudit.audit(path, tier="quick")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 512 * 1024 * 1024


def test_weights_without_a_tokenizer_next_to_one_are_told_and_no_error(tmp_path: Path) -> None:
    yardstick = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"
    shutil.copy(yardstick, tmp_path / "tokenizer.json")
    (tmp_path / "images.gguf").write_bytes(gguf({"general.architecture": (TEXT, "clip")}))
    report = tokaudit.audit(str(tmp_path), tier="quick", select=["files/parse"])
    [finding] = [f for result in report.results for f in result.findings]
    assert (finding.severity, finding.places[0].file) == (Severity.INFO, "images.gguf")
    assert "has no tokenizer" in finding.message


@settings(
    max_examples=some(400),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.integers(0, 10**6), st.binary(min_size=1, max_size=9), st.integers(0, 10**6))
def test_a_spoilt_file_parses_or_is_refused(
    tmp_path: Path, place: int, new: bytes, end: int
) -> None:
    data = bytearray(gguf(KEYS, [("token_embd.weight", (4, 259), 0, 0)], 4144))
    place %= len(data) - 4144
    data[place : place + len(new)] = new
    spoilt = bytes(data[: len(data) - end % 40])
    file = source(tmp_path, spoilt)
    for read in (lambda: parsed(tmp_path, spoilt), lambda: tensors(file)):
        try:
            read()
        except (SpecError, UnreadableError) as error:
            assert "model.gguf" in str(error)
    assert all(fact.file == "model.gguf" for fact in collect([file]))
