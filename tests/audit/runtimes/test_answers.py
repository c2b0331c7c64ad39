"""The types of what a worker may answer, and what does not fit them."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.products.chat.rendering.rendering import RenderedTemplate, RenderRequest, Trouble
from tokaudit.products.chat.work.chat_client import renderings_of
from tokaudit.runtimes.worker import answers
from tokaudit.runtimes.worker.answers import EncodedText, Shape, clean
from tokaudit.runtimes.worker.frames import HEAD, FrameError, Misfit, TooLarge, receive
from tokaudit.subject.conversations.conversation import role_matrix

REQUEST = RenderRequest("{{ messages }}", tuple(role_matrix()))
SHAPES = {
    "load": answers.LOADED,
    "vocab": answers.VOCABULARY,
    "encode": answers.encodings(["ab", "c"]),
    "decode": answers.outputs([[1], [2]]),
    "tables": answers.code_points(["NFC"], "ab"),
    "trace": answers.stages(),
    "pre_tokens": answers.pre_tokens(["ab", "c"]),
    "normal_forms": answers.normal_forms(range(100)),
    "round_trips": answers.round_trips([[1, 2], [3]]),
    "continue": answers.differences(["ab", "c", "d"]),
    "digests": answers.digests(["ab", "c"]),
    "timed_encode": answers.times(2),
    "render": renderings_of(REQUEST),
}
LOADED = {
    "adapter": "a", "package": "", "version": "", "unicode_version": "", "notes": [],
    "capabilities": [],
}  # fmt: skip


def read(shape: Shape[Any], result: object) -> Any:
    """The result of an answer, as it arrives."""
    reader, writer = os.pipe()
    try:
        body = json.dumps({"number": 1, "seconds": 0, "processor": 0, "result": result}).encode()
        os.write(writer, HEAD.pack(len(body)) + body)
        return receive(reader, None, shape.answer, shape.largest, shape.most).result
    finally:
        os.close(reader)
        os.close(writer)


def fits(shape: Shape[Any], result: object) -> bool:
    try:
        return shape.fits(read(shape, result))
    except (Misfit, TooLarge):
        return False


@pytest.mark.parametrize(
    ("op", "result"),
    [
        ("load", LOADED),
        ("load", {**LOADED, "package": "a command " * 1000}),
        ("vocab", [[0, "a"], [1, {"b64": "YQ=="}]]),
        (
            "encode",
            [{"i": [1, 2], "o": [[0, 1], [1, 2]], "m": [1, 0], "t": [0, 1]}, {"i": [], "e": "no"}],
        ),
        ("decode", ["a", {"b64": "YQ=="}]),
        ("tables", {"NFC": [97]}),
        ("tables", {}),
        ("pre_tokens", [["a", "b"], None]),
        ("normal_forms", [[65, "a"]]),
        ("digests", [[2, "0" * 32], None]),
        ("round_trips", [[True, 9, 2], None]),
        ("continue", [-1, 7, None]),
        ("timed_encode", [0.5, 0.25]),
    ],
)
def test_what_a_worker_answers_fits(op: str, result: object) -> None:
    assert fits(SHAPES[op], result)


@pytest.mark.parametrize(
    ("op", "result"),
    [
        ("load", {**LOADED, "notes": "a"}),
        ("load", {**LOADED, "adapter": "a" * 201}),
        ("load", {**LOADED, "more": 1}),
        ("vocab", [[10**18, "a"]]),
        ("vocab", [[0, 1]]),
        ("vocab", [[0, {"b64": "?"}]]),
        ("encode", [{"i": [1]}]),
        ("encode", [{"i": [1]}] * 3),
        ("encode", [{"i": [10**18]}, {"i": []}]),
        ("encode", [{"i": [1], "o": []}, {"i": []}]),
        ("encode", [{"i": [1], "m": [2]}, {"i": []}]),
        ("encode", [{"i": [1], "t": [0, 1]}, {"i": []}]),
        ("encode", [{"i": [1], "e": "both"}, {"i": []}]),
        ("encode", [{"i": [True]}, {"i": []}]),
        ("encode", [{"i": [1.5]}, {"i": []}]),
        ("decode", ["a"]),
        ("tables", {"NFD": []}),
        ("tables", {"NFC": [99]}),
        ("tables", {"NFC": [-1]}),
        ("pre_tokens", []),
        ("normal_forms", [[100, "a"]]),
        ("digests", [[1, "0"], None]),
        ("round_trips", [[True, 9, 1], None]),
        ("round_trips", [[True, 9, 2]]),
        ("continue", [-1, 7]),
        ("continue", [-2, 0, 0]),
        ("timed_encode", [0.5]),
        ("timed_encode", [-1, 0]),
        ("timed_encode", [1e300, 0]),
        ("trace", [{"text": 1}]),
        ("render", {"conversations": []}),
        ("render", {"trouble": "none of these"}),
    ],
)
def test_what_no_worker_of_ours_answers_does_not_fit(op: str, result: object) -> None:
    assert not fits(SHAPES[op], result)


def test_what_is_no_number_of_json_is_refused() -> None:
    reader, writer = os.pipe()
    body = b'{"number":1,"seconds":NaN,"processor":0,"result":[]}'
    os.write(writer, HEAD.pack(len(body)) + body)
    with pytest.raises(FrameError):
        receive(reader, None, answers.VOCABULARY.answer)
    os.close(reader)
    os.close(writer)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["i", "o", "m", "e", "b64", "text", "conversations", "NFC"])
            | st.text(),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=some(300), deadline=None)
@given(op=st.sampled_from(sorted(SHAPES)), result=JSON)
def test_any_frame_either_fits_or_is_an_error_of_the_frame(op: str, result: object) -> None:
    try:
        found = read(SHAPES[op], result)
    except FrameError:
        return
    assert SHAPES[op].fits(found) in (True, False)


def test_a_rendered_template_has_every_conversation_or_says_why_not() -> None:
    shape = SHAPES["render"]
    assert shape.fits(RenderedTemplate(trouble=Trouble.RAISED, error="no"))
    assert not shape.fits(RenderedTemplate())


def test_an_encoding_has_offsets_for_each_id() -> None:
    assert EncodedText((1,), ((0, 1),)).fits()
    assert not EncodedText((1, 2), ((0, 1),)).fits()


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines", "two\nlines"),
        ("\x1b[2J", "\N{REPLACEMENT CHARACTER}[2J"),
        ("a\u202eb", "a\N{REPLACEMENT CHARACTER}b"),
        ("\ud800", "\N{REPLACEMENT CHARACTER}"),
        ("a" * 5000, "a" * 4000),
    ],
)
def test_words_of_a_worker_are_cleaned(words: str, shown: str) -> None:
    assert clean(words) == shown


def refuse(shape: Shape[Any], body: bytes) -> None:
    shape.most.refuse(body)


@pytest.mark.parametrize(
    ("op", "body"),
    [
        ("encode", b"[" + b'{"i":[]},' * 300_000 + b"]"),
        ("decode", b'["a"' + b',"a"' * 300_000 + b"]"),
        ("tables", b'{"NFC":[97' + b",97" * 300_000 + b"]}"),
        ("digests", b"[null" + b",null" * 300_000 + b"]"),
        ("timed_encode", b"[0" + b",0" * 300_000 + b"]"),
    ],
)
def test_more_than_the_question_allows_is_refused_before_it_is_parsed(op: str, body: bytes) -> None:
    with pytest.raises(TooLarge, match=r"the question allows"):
        refuse(SHAPES[op], body)


def test_commas_and_braces_in_texts_are_no_values() -> None:
    texts = ["," * 5000, '{"' * 5000, '\\",{' * 5000, "\\"]
    assert read(answers.outputs([[1]] * 4), texts) == texts


def test_a_text_that_ends_before_its_quote_hides_no_values() -> None:
    with pytest.raises(TooLarge):
        refuse(SHAPES["decode"], b'["a\\\\"' + b',"b"' * 100 + b"]")
