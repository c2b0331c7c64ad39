"""Frames: what crosses the two pipes between the parent and a worker."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.runtimes.worker import frames
from tokaudit.runtimes.worker.__main__ import _reply
from tokaudit.runtimes.worker.frames import HEAD, FrameError, Late, TooLarge, receive, send

Pipe = tuple[int, int]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    """The reading and the writing end of a pipe."""
    ends = os.pipe()
    yield ends
    for end in ends:
        try:
            os.close(end)
        except OSError:
            continue


@settings(max_examples=some(300), deadline=None)
@given(st.text(st.characters(exclude_categories=()) | st.sampled_from('\ud800\udc00\\u"d8𝄞')))
def test_any_text_arrives_as_it_was_sent(text: str) -> None:
    reader, writer = os.pipe()
    send(writer, {"text": text, "again": [text]})
    assert receive(reader) == {"text": text, "again": [text]}
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize("text", ["a\ud800𝄞", "\udc00\ud800", "\ud834\udd1e", "\ud800\\udc00"])
def test_surrogates_arrive_as_they_were_sent(pipe: Pipe, text: str) -> None:
    send(pipe[1], {"text": text})
    assert receive(pipe[0]) == {"text": text}


def test_a_frame_begins_with_its_length_in_four_bytes(pipe: Pipe) -> None:
    send(pipe[1], {"a": 1})
    assert os.read(pipe[0], 100) == b'\x00\x00\x00\x07{"a":1}'


def test_a_frame_that_claims_to_be_huge_is_not_read(pipe: Pipe) -> None:
    os.write(pipe[1], HEAD.pack(2**32 - 1))
    with pytest.raises(TooLarge, match="a frame of 4,294,967,295 bytes"):
        receive(pipe[0])


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[1]", b"[" * 20_000])
def test_what_is_no_json_object_is_refused(pipe: Pipe, body: bytes) -> None:
    os.write(pipe[1], HEAD.pack(len(body)) + body)
    with pytest.raises(FrameError, match="a frame that is not"):
        receive(pipe[0])


def test_a_pipe_closed_in_the_middle_of_a_frame_is_an_error(pipe: Pipe) -> None:
    os.write(pipe[1], HEAD.pack(10) + b"{")
    os.close(pipe[1])
    with pytest.raises(FrameError, match="closed"):
        receive(pipe[0])


def test_waiting_for_an_answer_ends_at_the_deadline(pipe: Pipe) -> None:
    with pytest.raises(Late):
        receive(pipe[0], time.monotonic() + 0.05)


def test_sending_to_one_who_does_not_read_ends_at_the_deadline(pipe: Pipe) -> None:
    os.set_blocking(pipe[1], False)
    with pytest.raises(Late):
        send(pipe[1], {"text": "a" * 1_000_000}, time.monotonic() + 0.05)


def test_an_answer_too_large_to_send_becomes_an_error(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "LARGEST_FRAME", 200)
    _reply(pipe[1], {"result": "a" * 1000, "seconds": 0.5})
    reported = "the answer cannot be sent: TooLarge: a frame of 1,027 bytes; at most 200 travel"
    assert receive(pipe[0]) == {"error": reported, "seconds": 0.5}


def test_an_answer_that_is_no_json_becomes_an_error(pipe: Pipe) -> None:
    _reply(pipe[1], {"result": object(), "seconds": 0.5})
    assert receive(pipe[0])["error"].startswith("the answer cannot be sent: TypeError")
