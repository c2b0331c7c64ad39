"""What the rows of an embedding hold: numbers that were trained, and as many rows as declared."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Severity
from tokaudit.subject.opening import open_subject
from tokaudit.subject.weights import read_headers
from tokaudit.subject.weights.rows import Values, read_rows, values

Ask = Callable[..., list[Any]]
EMBEDDING, HEAD = "model.embed_tokens.weight", "lm_head.weight"
END, USER = 376, 378
RESERVED = {"id": 380, "content": "<|reserved|>", "special": True}
ROW = 16  # bytes: four numbers of single precision


def trained(count: int, changed: Mapping[int, bytes] = {}) -> bytes:
    """Random rows, but for those given."""
    random = Random(1)
    rows = [struct.pack("<4f", *(random.gauss(0, 1) for _ in range(4))) for _ in range(count)]
    return b"".join(changed.get(id, row) for id, row in enumerate(rows))


def store(folder: Path, **matrices: bytes) -> None:
    """Write these matrices of four columns under the names of embedding and head."""
    header, data = {}, b""
    for name, block in matrices.items():
        full = EMBEDDING if name == "embedding" else HEAD
        offsets = [len(data), len(data) + len(block)]
        shape = [len(block) // ROW, 4]
        header[full] = {"dtype": "F32", "shape": shape, "data_offsets": offsets}
        data += block
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def test_trained_rows_are_fine(folder: Path, ask: Ask) -> None:
    store(folder, embedding=trained(380), head=trained(380))
    assert ask("embeddings/row-values", folder) == []


@pytest.mark.parametrize(
    ("changed", "severity", "says"),
    [
        (
            {300: struct.pack("<4f", 0.5, float("nan"), 1, 1)},
            "error",
            "not numbers: 'ain' (id 300)",
        ),
        (
            {300: struct.pack("<4f", 0.5, float("-inf"), 1, 1)},
            "error",
            "not numbers: 'ain' (id 300)",
        ),
        ({END: bytes(ROW)}, "error", "of zeros, for markers in use: '<|end|>' (id 376)"),
        (
            {300: bytes(ROW), 301: bytes(ROW)},
            "warning",
            "2 rows of zeros, for plain tokens: 'ain' (id 300)",
        ),
        (
            {END: b"\x3f" * ROW, USER: b"\x3f" * ROW},
            "error",
            "different markers: '<|end|>' (id 376)",
        ),
        (
            {END: struct.pack("<4f", *[1e-23] * 4)},
            "error",
            "shorter than the median, in use: '<|end|>' (id 376)",
        ),
        ({END: struct.pack("<4f", *[0.0015] * 4)}, "warning", "1 row five hundred times shorter"),
    ],
)
def test_rows_that_no_training_wrote_are_reported(
    folder: Path, ask: Ask, sick: ModuleType, changed: dict[int, bytes], severity: str, says: str
) -> None:
    sick.template(folder, sick.TEMPLATE + "{# <|user|> #}")
    store(folder, embedding=trained(380, changed), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity(severity)
    assert says in finding.message


@pytest.mark.parametrize(
    ("value", "orders", "anew"), [(1e-23, 23, True), (1e-9, 9, False), (5e-5, 4, False)]
)
def test_a_row_that_is_too_short_says_by_how_much_and_what_training_does(
    folder: Path, ask: Ask, value: float, orders: int, anew: bool
) -> None:
    short = struct.pack("<4f", *[value] * 4)
    store(folder, embedding=trained(380, {END: short}), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.message.endswith(f"; the shortest by {orders} orders of magnitude.")
    assert finding.remedy.startswith("Initialise these rows again") is anew


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (bytes(ROW), "1 row of zeros, for added tokens not in use: '<|reserved|>' (id 380)"),
        (
            struct.pack("<4f", *[1e-9] * 4),
            "1 row of almost zero, for added tokens not in use: '<|reserved|>' (id 380)",
        ),
    ],
)
def test_a_row_that_no_file_uses_is_named_as_information(
    folder: Path, ask: Ask, sick: ModuleType, row: bytes, says: str
) -> None:
    sick.edit(folder, "tokenizer.json", lambda t: t["added_tokens"].append(RESERVED))
    store(folder, embedding=trained(381, {380: row}), head=trained(381))
    (finding,) = ask("embeddings/row-values", folder)
    assert (finding.severity, says in finding.message) == (Severity.INFO, True)


def test_a_stop_needs_a_row_of_the_output_and_other_markers_do_not(folder: Path, ask: Ask) -> None:
    tiny = struct.pack("<4f", *[1e-9] * 4)
    store(folder, embedding=trained(380), head=trained(380, {END: tiny, USER: tiny}))
    found = {f.severity: f.message for f in ask("embeddings/row-values", folder)}
    assert "in use: '<|end|>' (id 376)" in found[Severity.ERROR]
    assert "not in use: '<|user|>' (id 378)" in found[Severity.INFO]


def test_a_marker_whose_row_is_far_from_all_others_is_a_warning(folder: Path, ask: Ask) -> None:
    long = struct.pack("<4f", 60.0, 60.0, 60.0, 60.0)
    store(folder, embedding=trained(380, {USER: long}), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity.WARNING
    assert (
        "1 row thirty times as far out as the median, in use: '<|user|>' (id 378)"
        in finding.message
    )
    twenty = struct.pack("<4f", 20.0, 20.0, 20.0, 20.0)
    store(folder, embedding=trained(380, {USER: twenty}), head=trained(380))
    assert ask("embeddings/row-values", folder) == []


def test_a_marker_whose_row_is_the_mean_of_the_others_is_named(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    sick.template(folder, sick.TEMPLATE + "{# <|user|> #}")
    rows = trained(380)
    numbers = struct.unpack(f"<{len(rows) // 4}f", rows)
    mean = [sum(numbers[column : 4 * 376 : 4]) / 376 for column in range(4)]
    store(folder, embedding=trained(380, {USER: struct.pack("<4f", *mean)}), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity.INFO
    assert "1 row at the mean of the others: '<|user|>' (id 378)" in finding.message


def test_a_marker_that_the_template_makes_of_a_role_is_in_use(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    joined = "{{ '<|' + m.role + '|>' + m.content + '<|end|>' }}"
    sick.template(folder, "{% for m in messages %}" + joined + "{% endfor %}")
    store(folder, embedding=trained(380, {USER: bytes(ROW)}), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity.ERROR
    assert "of zeros, for markers in use: '<|user|>' (id 378)" in finding.message


def test_a_matrix_of_which_most_was_never_written_is_reported(folder: Path, ask: Ask) -> None:
    lost = {id: bytes(ROW) for id in range(150, 370)}
    store(folder, embedding=trained(380, lost), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity.WARNING
    assert "of zeros, for plain tokens: b'\\xda' (id 150)" in finding.message


def test_plain_tokens_that_all_have_one_row_are_a_warning(folder: Path, ask: Ask) -> None:
    same = dict.fromkeys(range(280, 360), b"?" * ROW)
    store(folder, embedding=trained(380, same), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity.WARNING
    assert "80 rows that are one and the same for plain tokens: ' wor' (id 280)" in finding.message


def test_a_block_of_rows_that_is_there_twice_is_a_warning(folder: Path, ask: Ask) -> None:
    rows = trained(380)
    twice = {id: rows[(id - 120) * ROW : (id - 119) * ROW] for id in range(280, 320)}
    store(folder, embedding=trained(380, twice), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity.WARNING
    assert (
        "40 rows that are those of other plain tokens, one after the other: ' wor' (id 280)"
        in finding.message
    )


def test_some_tokens_with_the_rows_of_others_are_no_block(folder: Path, ask: Ask) -> None:
    rows = trained(380)
    some = {id: rows[(id - 120) * ROW : (id - 119) * ROW] for id in range(280, 320, 2)}
    store(folder, embedding=trained(380, some), head=trained(380))
    assert ask("embeddings/row-values", folder) == []


def test_a_row_of_zeros_for_padding_is_information(folder: Path, ask: Ask) -> None:
    store(folder, embedding=trained(380, {377: bytes(ROW)}), head=trained(380))
    (finding,) = ask("embeddings/row-values", folder)
    assert finding.severity is Severity.INFO


def test_weights_that_only_hold_a_place_are_not_judged(folder: Path, ask: Ask) -> None:
    store(folder, embedding=bytes(380 * ROW), head=bytes(380 * ROW))
    with pytest.raises(NotApplicable, match="placeholders"):
        ask("embeddings/row-values", folder)


@pytest.mark.parametrize(("rows", "severities"), [(380, []), (384, ["error"])])
def test_another_number_of_rows_than_declared_is_an_error(
    folder: Path, ask: Ask, rows: int, severities: list[str]
) -> None:
    store(folder, embedding=trained(rows), head=trained(rows))
    found = ask("embeddings/config-vocab-size", folder)
    assert [finding.severity for finding in found] == severities


def test_a_model_that_pads_its_rows_by_a_rule_is_not_judged(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(pad_vocab_size_multiple=8))
    store(folder, embedding=trained(384), head=trained(384))
    causes = [found.cause for found in ask("embeddings/config-vocab-size", folder)]
    assert "other rows" not in causes


@pytest.mark.parametrize("height", [380, 5_000])
@pytest.mark.parametrize(("row", "severity"), [(None, "info"), (9, "error"), (-1, "error")])
def test_a_head_next_to_tied_embeddings_is_an_error_if_it_has_other_values(
    folder: Path, ask: Ask, sick: ModuleType, row: int | None, severity: str, height: int
) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(tie_word_embeddings=True))
    head = {} if row is None else {row % height: b"\x01" * ROW}
    store(folder, embedding=trained(height), head=trained(height, head))
    (finding,) = ask("embeddings/tied", folder)
    assert finding.severity is Severity(severity)


@pytest.mark.parametrize(
    ("row", "dtype", "kind"),
    [
        (struct.pack("<2d", 1, float("nan")), "F64", Values.NOT_NUMBERS),
        (struct.pack("<2e", 1, float("inf")), "F16", Values.NOT_NUMBERS),
        (b"\x80\x3f\xc0\x7f", "BF16", Values.NOT_NUMBERS),  # 1.0, then none
        (b"\x80\x3f\x7f\x7f", "BF16", Values.USABLE),  # 1.0, then the largest number
        (struct.pack("<2e", 1, 65504), "F16", Values.USABLE),
        (bytes(4), "BF16", Values.ZERO),
    ],
)
def test_what_the_numbers_of_a_row_are(row: bytes, dtype: str, kind: Values) -> None:
    assert values(row, dtype) is kind


def test_of_a_matrix_of_very_many_short_rows_only_the_wanted_ones_are_read(folder: Path) -> None:
    rows = 1_000_001
    header = {EMBEDDING: {"dtype": "F32", "shape": [rows, 1], "data_offsets": [0, 4 * rows]}}
    text = json.dumps(header).encode()
    with (folder / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + 4 * rows)
    subject = open_subject(str(folder))
    found = read_rows(subject, read_headers(subject).tensors[EMBEDDING], [5, 0, rows])
    assert found is not None
    assert (sorted(found.rows), found.whole) == ([0, 5], False)
