"""The referee finds each cause in a wrapped engine, on a minimal text, and nothing in a sound one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tokaudit.foundation.errors import OutOfTime
from tokaudit.products.engines.covering.texts import covering_texts
from tokaudit.products.engines.referee.causes import Cause
from tokaudit.products.engines.referee.laws import LawBroken, LawHolds
from tokaudit.products.engines.referee.match import Match
from tokaudit.products.engines.referee.referee import Rulings, RuntimeTexts, _once, referee
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_runtimes.engine import Engine

BYTES = {byte: Piece(TokenType.ORDINARY, bytes([byte])) for byte in range(256)}
MERGES = ((b"a", b"b"), (b"ab", b"c"), (b"b", b"c"), (b" ", b"a"), (b"0", b"0"), (b"\n", b"\n"))
MADE = {
    256 + at: Piece(TokenType.ORDINARY, left + right) for at, (left, right) in enumerate(MERGES)
}
AHEAD = r"\s+(?!\S)|"
PATTERN = r"\p{N}{1,2}| ?\p{L}+|\s+(?!\S)|\s+|[^\s\p{L}\p{N}]+"


def split_by(pattern: str) -> Component:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    steps = [split | {"invert": False}, level | {"trim_offsets": True}]
    return Component({"type": "Sequence", "pretokenizers": steps}, Standing.STATED)


LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
SPEC = TokenizerSpec(
    ModelType.BPE,
    BYTES | MADE,
    byte_level=True,
    merges=MERGES,
    added_tokens=(AddedToken(300, "<m>", special=True, lstrip=True, normalized=False),),
    normalizer=Component({"type": "Lowercase"}, Standing.STATED),
    pre_tokenizer=split_by(PATTERN),
    decoder=Component(LEVEL, Standing.STATED),
)
LONG = ("abc 00 " * 800, "ab" * 3_000)


def judged(engine: Engine, threaded: Engine | None = None) -> Rulings:
    """What the referee says of an engine; its texts are a few of each kind."""
    kinds = {name: texts[:250] for name, texts in covering_texts(SPEC, 250).items()}
    match = Match(SPEC, Engine(SPEC, "reference"), engine)
    return referee(match, RuntimeTexts(kinds, LONG, LONG), threaded)


def causes(engine: Engine, threaded: Engine | None = None) -> dict[Cause, LawBroken]:
    return {each.cause: each for each in judged(engine, threaded).broken}


def test_a_sound_engine_differs_in_nothing() -> None:
    found = judged(Engine(SPEC), Engine(SPEC))
    assert found.broken == ()
    assert found.different == 0
    assert found.texts > 900


@pytest.mark.parametrize(
    ("spec", "cause", "text"),
    [
        (replace(SPEC, pre_tokenizer=split_by(PATTERN.replace(AHEAD, ""))), Cause.SPLIT, "  a"),
        (replace(SPEC, merges=MERGES[:4] + MERGES[5:]), Cause.MERGES, "00"),
        (replace(SPEC, merges=(MERGES[2], *MERGES[:2], *MERGES[3:])), Cause.MERGES, "abc"),
        (replace(SPEC, normalizer=Component(None, Standing.STATED)), Cause.NORMALIZER, "A"),
        (replace(SPEC, added_tokens=()), Cause.ADDED, "<m>"),
        (
            replace(SPEC, added_tokens=(replace(SPEC.added_tokens[0], lstrip=False),)),
            Cause.ADDED,
            " <m>",
        ),
    ],
    ids=["look-ahead", "dropped merge", "order of merges", "case", "no added tokens", "lstrip"],
)
def test_the_cause_is_the_part_that_was_changed_and_the_text_is_minimal(
    spec: TokenizerSpec, cause: Cause, text: str
) -> None:
    found = causes(Engine(spec))
    assert list(found) == [cause]
    assert found[cause].evidence.text == text


class Changed(Engine):
    """An engine whose answers to a batch, and to one text, are changed."""

    def __init__(self, one: Callable[[str], str] = str, by_batch: bool = False) -> None:
        super().__init__(SPEC)
        self.change, self.by_batch = one, by_batch

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        found = super().encode([self.change(text) for text in texts], options)
        return found[::-1] if self.by_batch and not options.alone else found


def test_a_batch_that_changes_places_is_told_apart_from_other_ids() -> None:
    assert list(causes(Changed(by_batch=True))) == [Cause.BATCH]


def test_an_answer_that_changes_when_asked_again_is_a_matter_of_the_cache() -> None:
    seen: set[str] = set()

    def second(text: str) -> str:
        again = text in seen
        seen.add(text)
        return text[:-1] if again else text

    assert Cause.CACHE in causes(Changed(second))


def test_several_threads_that_cut_a_long_text_are_told_apart_from_one() -> None:
    halved = Changed(lambda text: text[: len(text) // 2] if len(text) > 5_000 else text)
    assert list(causes(Engine(SPEC), halved)) == [Cause.THREADS]


def test_what_only_a_long_text_shows_is_a_matter_of_length() -> None:
    found = causes(Changed(lambda text: text[:4_096]))
    assert list(found) == [Cause.LENGTH]
    shown = found[Cause.LENGTH].evidence
    assert "4,097 characters" in shown.note
    assert len(shown.text or "") == 200 and len(shown.expected) < 10


def test_a_decoder_that_drops_a_space_is_found_though_all_ids_agree() -> None:
    class Cleaning(Engine):
        def decode(self, *args: object, **options: object) -> list[bytes | str]:
            return [str(one).replace(" .", ".") for one in super().decode(*args, **options)]  # type: ignore[arg-type]

    found = causes(Cleaning(SPEC))
    assert list(found) == [Cause.DECODE]
    assert found[Cause.DECODE].evidence.text == " ."


def test_texts_that_are_refused_are_counted_apart() -> None:
    class Limited(Engine):
        def one(self, text: str, options: EncodeOptions) -> Encoding:
            if len(text) > 100:
                return Encoding(error="longer than 100")
            return super().one(text, options)

    found = judged(Limited(SPEC))
    assert found.broken == ()
    assert found.why_refused == "longer than 100"
    assert found.refused and all(len(text) > 100 for text in found.refused)


def test_what_two_laws_show_of_one_cause_is_out_of_the_texts_of_both() -> None:
    shown = Evidence("text", text="a")
    both = [LawBroken(Cause.NORMALIZER, 5, 10, shown), LawBroken(Cause.NORMALIZER, 3, 4, shown)]
    assert _once(both) == (LawBroken(Cause.NORMALIZER, 8, 14, shown),)


class _OutOfTimeAfter(Engine):
    """An engine whose time ends after so many texts."""

    def __init__(self, spec: TokenizerSpec, texts: int) -> None:
        super().__init__(spec, "slow")
        self.left = texts

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        self.left -= len(texts)
        if self.left < 0:
            raise OutOfTime("the time is up")
        return super().encode(texts, options)


def test_answers_are_kept_where_the_time_ends() -> None:
    spec = replace(SPEC, merges=MERGES[:4] + MERGES[5:])
    found = judged(_OutOfTimeAfter(spec, 700))
    assert found.texts > 400 and found.unasked > 200
    assert found.different > 0
    assert [each.cause for each in found.broken] == [Cause.UNEXPLAINED]
    sound = judged(_OutOfTimeAfter(SPEC, 700))
    assert (sound.different, sound.broken) == (0, ()) and sound.unasked > 200


def test_an_engine_that_answers_nothing_in_time_gives_nothing() -> None:
    with pytest.raises(OutOfTime):
        judged(_OutOfTimeAfter(SPEC, 0))


def test_a_cause_that_was_found_is_kept_where_the_time_ends_before_its_text_is_minimal() -> None:
    kinds = {"words": ["abc 00", "x 00 abc 00"]}

    def found(texts: int) -> tuple[Rulings, int]:
        engine = _OutOfTimeAfter(replace(SPEC, merges=MERGES[:4] + MERGES[5:]), texts)
        match = Match(SPEC, Engine(SPEC, "reference"), engine)
        return referee(match, RuntimeTexts(kinds)), engine.left

    whole, left = found(10**6)
    late, _ = found(10**6 - left - 1)
    assert [each.cause for each in (*whole.broken, *late.broken)] == [Cause.MERGES] * 2
    shown = [each.broken[0].evidence for each in (whole, late)]
    assert [(one.text, one.minimal) for one in shown] == [("00", True), ("abc 00", False)]


def test_texts_with_added_tokens_that_an_engine_cannot_be_given_are_counted() -> None:
    engine = Engine(SPEC)
    engine.capabilities = frozenset({"encode", "decode"})
    found = judged(engine)
    unknown = {each.cause: each.unknown for each in found.rulings if isinstance(each, LawHolds)}
    assert unknown[Cause.ADDED].endswith("texts were not given")
    assert found.texts < judged(Engine(SPEC)).texts


def test_an_engine_that_ignores_the_switch_for_special_tokens_is_found() -> None:
    class Parses(Engine):
        def one(self, text: str, options: EncodeOptions) -> Encoding:
            return super().one(text, replace(options, parse_special=True))

    found = causes(Parses(SPEC))
    assert list(found) == [Cause.ADDED]
    assert found[Cause.ADDED].evidence.note == "special tokens taken as text"


def test_a_stream_of_the_user_that_loses_a_space_is_found_and_a_sound_one_is_not() -> None:
    class Streaming(Engine):
        capabilities = Engine.capabilities | {"stream"}
        lost = " "

        def decode(self, ids: Any, options: DecodeOptions = DecodeOptions()) -> list[bytes | str]:
            whole = super().decode(ids, options)
            return (
                [str(one).removeprefix(self.lost) for one in whole] if options.streamed else whole
            )

    engine = Streaming(SPEC, "cmd")
    assert list(causes(engine)) == [Cause.STREAM]
    engine.lost = "-" * 99
    assert causes(engine) == {}


def test_an_engine_of_the_user_that_drops_a_part_of_a_character_is_found_by_its_decoder() -> None:
    class Dropping(Engine):
        def decode(self, ids: Any, options: DecodeOptions = DecodeOptions()) -> list[bytes | str]:
            return [str(one).replace("\ufffd", "") for one in super().decode(ids, options)]

    kinds = {"words": ["abc", "\u00e9"]}
    found = [
        referee(Match(SPEC, Engine(SPEC), engine), RuntimeTexts(kinds)).broken
        for engine in (Dropping(SPEC, "cmd"), Engine(SPEC, "cmd"))
    ]
    assert [[each.cause for each in broken] for broken in found] == [[Cause.DECODE], []]
    assert "decoded: '\ufffd' by the file, '' by" in found[0][0].evidence.note


def test_what_is_unknown_of_a_law_is_not_hidden_by_what_holds_of_it() -> None:
    holds, unknown = LawHolds(Cause.DECODE, 9), LawHolds(Cause.DECODE, unknown="refused")
    assert _once([holds, unknown]) == _once([unknown, holds]) == (unknown,)
