"""Added tokens next to every class of text, by encoders that break one class each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokaudit.engine.needs import Upstream
from tokaudit.report.model import Finding
from tokaudit.runtimes.protocol import EncodeOptions, Encoding, TokenizerInfo
from tokaudit_reference.spec import AddedToken, ModelType, TokenizerSpec
from tokaudit_suites.shared.token_contexts import MOST_WHOLE, contexts, some_of_each_kind

Call = Callable[..., list[Any]]
END = AddedToken(6, "<|end|>", special=True)
PAD = AddedToken(7, "<|pad|>", special=True)


class Lookup:
    """Finds added tokens as they are; any other character is id 1."""

    capabilities = frozenset({"encode", "special", "offsets"})
    info = TokenizerInfo("lookup", "lookup", "1")

    def __init__(self, *, fails_on: str = "", any_case: bool = False, shift: int = 0) -> None:
        self.fails_on, self.any_case, self.shift = fails_on, any_case, shift

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Encoding:
        found = list(self._found(text))
        spans = tuple((start - self.shift * (start > 0), end) for _, start, end in found)
        return Encoding(tuple(id for id, *_ in found), spans)

    def _found(self, text: str) -> Iterator[tuple[int, int, int]]:
        place, blind = 0, bool(self.fails_on) and self.fails_on in text
        looked = text.lower() if self.any_case else text
        while place < len(text):
            alike = (each for each in (END, PAD) if looked.startswith(each.content, place))
            token = None if blind else next(alike, None)
            end = place + (len(token.content) if token else 1)
            yield (token.id if token else 1, place, end)
            place = end


@pytest.fixture
def spec(letters: TokenizerSpec) -> TokenizerSpec:
    return replace(letters, added_tokens=(replace(END, normalized=False), PAD))


def found(call: Call, check: str, spec: TokenizerSpec, lookup: Lookup) -> list[tuple[str, str]]:
    said = call(check, spec, Upstream(lookup))  # type: ignore[arg-type]
    return [(str(each.severity), each.cause) for each in said if isinstance(each, Finding)]


def test_a_token_that_every_neighbour_leaves_whole_is_fine(call: Call, spec: TokenizerSpec) -> None:
    assert found(call, "special_tokens/atomicity", spec, Lookup()) == []
    assert found(call, "special_tokens/own-interval", spec, Lookup()) == []


@pytest.mark.parametrize(
    "neighbour", ["1", "Z", ".", "\n", '"', "<|end|><|end|>", "<|end|><|pad|>"]
)
def test_a_common_neighbour_that_breaks_a_token_is_an_error(
    call: Call, spec: TokenizerSpec, neighbour: str
) -> None:
    lookup = Lookup(fails_on=neighbour)
    assert found(call, "special_tokens/atomicity", spec, lookup) == [("error", "split")]


@pytest.mark.parametrize(
    "neighbour", ["\u3000", "\t", "中", "\u0301", "\u0338", "\u200d", "\U00010348"]
)
def test_an_odd_neighbour_that_breaks_a_token_is_a_warning(
    call: Call, spec: TokenizerSpec, neighbour: str
) -> None:
    said = found(call, "special_tokens/atomicity", spec, Lookup(fails_on=neighbour))
    assert said == [("warning", "split next to odd characters")]


def test_the_text_that_is_named_is_the_token_and_one_neighbour(
    call: Call, spec: TokenizerSpec
) -> None:
    said = call("special_tokens/atomicity", spec, Upstream(Lookup(fails_on="1")))  # type: ignore[arg-type]
    (finding,) = [each for each in said if isinstance(each, Finding)]
    assert "'<|end|>' (id 6) in '<|end|>1'" in finding.message
    assert finding.evidence[0].text == "<|end|>1"


def test_a_token_that_is_declared_to_be_normalized_may_compose(
    call: Call, letters: TokenizerSpec
) -> None:
    spec = replace(letters, added_tokens=(replace(END, normalized=True),))
    said = found(call, "special_tokens/atomicity", spec, Lookup(fails_on="\u0338"))
    assert said == [("info", "split next to odd characters")]


def test_the_other_case_is_no_token(call: Call, spec: TokenizerSpec) -> None:
    said = found(call, "special_tokens/atomicity", spec, Lookup(any_case=True))
    assert said == [("error", "other case")]


def test_the_other_case_may_be_an_entry_that_a_unigram_takes_whole(
    call: Call, spec: TokenizerSpec
) -> None:
    best = {token.id: 0.0 for token in spec.added_tokens}
    unigram = replace(spec, model_type=ModelType.UNIGRAM, merges=None, scores=best)
    said = found(call, "special_tokens/atomicity", unigram, Lookup(any_case=True))
    assert said == []


def test_an_interval_that_takes_a_neighbour_along_is_a_warning(
    call: Call, spec: TokenizerSpec
) -> None:
    said = found(call, "special_tokens/own-interval", spec, Lookup(shift=1))
    assert said == [("warning", "elsewhere")]


def test_white_space_may_be_in_the_interval_of_a_token_that_takes_it(
    call: Call, letters: TokenizerSpec
) -> None:
    class Taking(Lookup):
        def _one(self, text: str) -> Encoding:
            ids, spans = (one := super()._one(text)).ids, list(one.offsets or ())
            for at, (start, end) in enumerate(spans):
                spaced = ids[at] != 1 and text[:start].isspace()
                spans[at] = (0 if spaced else start, end)
            return Encoding(ids, tuple(spans))

    plain = replace(letters, added_tokens=(replace(END, normalized=False),))
    taking = replace(letters, added_tokens=(replace(END, normalized=False, lstrip=True),))
    assert found(call, "special_tokens/own-interval", taking, Taking()) == []
    assert len(found(call, "special_tokens/own-interval", plain, Taking())) == 1


TOKENS = st.lists(
    st.builds(
        AddedToken,
        id=st.integers(0, 9),
        content=st.text("<|ab _>", min_size=1, max_size=4),
        single_word=st.booleans(),
        special=st.booleans(),
    ),
    max_size=200,
)


@given(TOKENS)
def test_no_context_lets_a_part_of_a_word_touch_a_token_that_is_a_whole_word(
    tokens: list[AddedToken],
) -> None:
    for one in islice(contexts(tokens), 500):
        if one.token.single_word:
            assert not (one.before[-1:] + one.after[:1]).isalnum()


@given(TOKENS)
def test_the_tokens_that_are_tried_with_everything_are_few(tokens: list[AddedToken]) -> None:
    assert len(some_of_each_kind(tokens)) <= MOST_WHOLE
