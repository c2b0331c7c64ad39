"""Each law of stability is broken by an encoder that breaks only it, and named by its check alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from steady_encoder import ABILITIES, Steady

from tokaudit.engine.needs import UpstreamAnswers
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Finding, Severity
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.stability._steady_texts import SteadyTexts, steady_texts
from tokaudit_suites.stability.streaming import HELD_BACK

Call = Callable[..., list[Any]]
LAWS = ("repeated", "batches", "threads", "saved", "streaming")
TEXTS = SteadyTexts(("abc", "b", "ca", "cab"))


class Drawing(Steady):
    """Gives other ids every second time that a text is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = list[str]()

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        if options == EncodeOptions():
            self.asked.extend(texts)
            if self.asked.count(texts[0]) % 2 == 0:
                return [Encoding(one.ids[::-1]) for one in super().encode(texts)]
        return super().encode(texts, options)


class OtherInBatches(Steady):
    """Gives other ids by the call for many texts."""

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        found = super().encode(texts, options)
        many = not (options.alone or options.threads > 1)
        return [Encoding(one.ids[1:]) for one in found] if many else found


class SharedState(Steady):
    """Keeps the text that it works on in itself; a barrier lets all threads write before any reads."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.barrier = "", threading.Barrier(1)

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        self.barrier = threading.Barrier(options.threads)
        return super().encode(texts, options)

    def ids(self, text: str) -> tuple[int, ...]:
        self.barrier.wait()  # nobody reads any more
        self.text += text
        self.barrier.wait()  # all have written
        found = self.text
        self.barrier.wait()  # all have read
        self.text = ""
        return super().ids(found)


class ForgetsWhenSaved(Steady):
    """Loads another alphabet than it has saved."""

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        found = super().encode(texts, options)
        return [Encoding((9, *one.ids)) for one in found] if options.reloaded else found


class DropsInStreams(Steady):
    """Writes nothing for the letter c in a stream."""

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        whole = super().decode(ids)
        return [str(each).replace("c", "") for each in whole] if options.streamed else whole


class InHalves(Steady):
    """Writes a character for two ids; one that lacks its second id breaks the whole row."""

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        broken = "" if options.streamed else HELD_BACK
        return [
            broken * len(row) or "x" * (len(row) // 2) if len(row) % 2 else "x" * (len(row) // 2)
            for row in ids
        ]


BROKEN = {
    "repeated": Drawing,
    "batches": OtherInBatches,
    "threads": SharedState,
    "saved": ForgetsWhenSaved,
    "streaming": DropsInStreams,
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("broken", LAWS)
def test_the_law_that_is_broken_is_named_and_no_other(
    call: Call, letters: TokenizerSpec, law: str, broken: str
) -> None:
    found = call(f"stability/{law}", letters, BROKEN[broken](), TEXTS)
    assert [finding.severity for finding in found] == [Severity.ERROR] * (law == broken)


def test_a_stream_that_waits_for_the_rest_of_a_character_is_not_reported(
    call: Call, letters: TokenizerSpec
) -> None:
    assert call("stability/streaming", letters, InHalves(), SteadyTexts(("abcab",))) == []


@pytest.mark.parametrize("law", LAWS)
def test_an_encoder_that_keeps_every_law_is_not_reported(
    call: Call, letters: TokenizerSpec, law: str
) -> None:
    assert call(f"stability/{law}", letters, Steady(), TEXTS) == []


def test_the_shortest_text_shows_the_ids_of_both_ways(call: Call, letters: TokenizerSpec) -> None:
    (found,) = call("stability/batches", letters, OtherInBatches(), TEXTS)
    (evidence,) = found.evidence
    assert "the shortest 'b'" in found.message
    assert (evidence.text, [view.id for view in evidence.expected]) == ("b", [2])
    assert list(evidence.actual) == []


def test_four_threads_that_share_a_text_mix_what_they_were_given(
    call: Call, letters: TokenizerSpec
) -> None:
    (found,) = call("stability/threads", letters, SharedState(), SteadyTexts(("b",)))
    assert isinstance(found, Finding)
    assert [view.id for view in found.evidence[0].actual] == [2, 2, 2, 2]


@pytest.mark.parametrize(
    ("law", "ability"),
    [("batches", "batch"), ("threads", "threads"), ("saved", "reload"), ("streaming", "stream")],
)
def test_a_library_without_the_ability_is_not_asked(
    call: Call, letters: TokenizerSpec, law: str, ability: str
) -> None:
    unable = Steady(frozenset(ABILITIES) - {ability})
    with pytest.raises(NotApplicable):
        call(f"stability/{law}", letters, unable, TEXTS)


def test_a_worker_that_dies_is_not_called_unstable(call: Call, letters: TokenizerSpec) -> None:
    class Dies(Steady):
        def encode(
            self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
        ) -> list[Encoding]:
            dead = Encoding(error="out of memory", killed=True)
            return [dead] * len(texts) if options.reloaded else super().encode(texts, options)

    with pytest.raises(Skip):
        call("stability/saved", letters, Dies(), TEXTS)


def test_texts_are_those_that_encode(letters: TokenizerSpec) -> None:
    answers = UpstreamAnswers(("a", "b"), (Encoding((0,)), Encoding(error="no")))
    assert steady_texts.build(letters, answers).texts == ("a",)
