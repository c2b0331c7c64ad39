"""A load request survives its frame, and a worker takes nothing that it does not know."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.runtimes.request import AsLoaded, LoadRequest, Padding, Pipeline, decoded, encoded
from tokaudit_reference.spec import AddedToken

FULL = LoadRequest(
    "tokenizers",
    "model/vocab.json",
    "vocab.json+merges.txt",
    ("model/vocab.json", "model/merges.txt"),
    r"\w+|\W+",
    True,
    "<unk>",
    "</w>",
    (AddedToken(7, "<s>", special=True, normalized=False),),
    Pipeline(
        {"type": "NFC"}, {"type": "ByteLevel", "use_regex": True}, None, {"type": "ByteLevel"}
    ),
    Padding("<pad>", 3, "left"),
    AsLoaded((1,), (), prefix=False),
    {"config.json": "model/config.json"},
    4,
    "venv/bin/python",
    (1, 0),
    {"X": 2},
    b"\x00\xff",
    b"other",
    2.5,
)
TEXTS = st.text() | st.none()
REQUESTS = st.builds(
    LoadRequest,
    adapter=st.text(),
    path=st.text(),
    pattern=TEXTS,
    spec=st.binary(),
    added_tokens=st.lists(
        st.builds(AddedToken, st.integers(0, 2**40), st.text(), st.booleans())
    ).map(tuple),
    padding=st.builds(Padding, TEXTS, st.none() | st.integers(0, 2**40), st.just("right")),
)


def test_every_field_survives_the_frame() -> None:
    assert decoded(json.loads(json.dumps(encoded(FULL)))) == FULL


@given(REQUESTS)
def test_what_is_decoded_is_what_was_encoded(request: LoadRequest) -> None:
    assert decoded(json.loads(json.dumps(encoded(request)))) == request


def test_a_lone_surrogate_in_a_path_survives() -> None:
    assert decoded(encoded(LoadRequest("call", "a\udcff"))).path == "a\udcff"


@pytest.mark.parametrize(
    ("place", "class_"),
    [
        ((), "LoadRequest"),
        (("pipeline",), "Pipeline"),
        (("padding",), "Padding"),
        (("as_loaded",), "AsLoaded"),
        (("added_tokens", 0), "AddedToken"),
    ],
)
def test_an_unknown_field_is_an_error_at_every_depth(
    place: tuple[str | int, ...], class_: str
) -> None:
    values: Any = encoded(FULL)
    inner = values
    for step in place:
        inner = inner[step]
    inner["padding_slide"] = "left"
    with pytest.raises(ValueError, match=f"an? {class_} has no field 'padding_slide'"):
        decoded(values)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("adapter", None),
        ("files", "one"),
        ("byte_level", 1),
        ("padding", {"side": "top"}),
        ("padding", {"id": "3"}),
        ("added_tokens", [{"id": 1}]),
        ("spec", 1),
    ],
)
def test_a_value_of_another_type_is_an_error(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=field):
        decoded({**encoded(FULL), field: value})
