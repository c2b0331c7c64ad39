"""The protobuf reader trusts no length, and refuses in its own words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.formats.common.protobuf import fields
from tokaudit.subject.formats.sentencepiece_model import parse
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.opening import open_subject
from tokaudit_reference.spec import SpecError, TokenType


@given(st.binary(max_size=200))
def test_random_bytes_give_fields_or_a_spec_error(data: bytes) -> None:
    try:
        found = list(fields(data, "x.model"))
    except SpecError as error:
        assert error.file == "x.model"
    else:
        assert sum(len(value) for _, value in found if isinstance(value, bytes)) <= len(data)


@settings(
    max_examples=some(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(place=st.integers(0, 5000), byte=st.integers(0, 255))
def test_a_flipped_byte_parses_or_is_refused(
    material: Path, tmp_path: Path, place: int, byte: int
) -> None:
    model = material / "tokenizers" / "sentencepiece-test" / "test_model.model"
    data = bytearray(model.read_bytes())
    data[place] = byte
    path = tmp_path / "x.model"
    path.write_bytes(data)
    file = SourceFile("x.model", path, len(data), "sentencepiece")
    try:
        assert parse(Subject("x", tmp_path, (file,)), file).pieces
    except SpecError as error:
        assert error.file == "x.model"


def test_the_pieces_of_a_published_model_are_read(material: Path) -> None:
    subject = open_subject(material / "tokenizers" / "mistral-7b-v0.1" / "tokenizer.model")
    spec = parse(subject, subject.files[0])
    assert len(spec.pieces) == 32000
    assert spec.byte_fallback and spec.unk_id == 0
    assert [spec.pieces[id].token_type for id in (0, 1, 2, 3)] == [
        TokenType.UNKNOWN,
        TokenType.CONTROL,
        TokenType.CONTROL,
        TokenType.BYTE,
    ]
    assert spec.pieces[28705].value == "\u2581"


def test_a_length_beyond_the_end_names_the_byte() -> None:
    with pytest.raises(SpecError, match="claims 100 bytes where 1 are left") as caught:
        list(fields(bytes([0x0A, 100, 1]), "x.model"))
    assert caught.value.pointer == "byte 2"
