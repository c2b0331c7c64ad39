"""What the prover reads of random small patterns is what the engines do, on all short texts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from run_here import trial_here
from split_oracle import wrong
from tokenizers import Regex, pre_tokenizers

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.products.compare.patterns import drawn
from tokaudit.products.compare.patterns.classes import Partition
from tokaudit.products.compare.patterns.drawn import drawn_texts
from tokaudit.products.compare.patterns.machine import Machine, Mark
from tokaudit.products.compare.patterns.replay import marked, spans
from tokaudit.products.compare.patterns.splits import Split, machine
from tokaudit.products.compare.patterns.tree import Dialect
from tokaudit.products.compare.patterns.verdicts import Differs, NotDecided, Proved, Undecidable
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.products.compare.proofs.cuts.states import objection_to
from tokaudit.report.comparison import Outcome
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType

SEED = 23
TEXTS = ["".join(each) for length in range(1, 5) for each in product("ab\n", repeat=length)]
TAKING = ["a", "b", "[ab]", "[^a]", r"\w", r"\s", ".", r"\n", "[a&&[^b]]", "(?i:A)"]
LOOKING = [
    *("^", "$", r"\b", r"\B", r"\A", r"\z"),
    *("(?={})", "(?!{})", "(?<={})", "(?<!{})"),
]
QUANTIFIERS = ["", "", "", "?", "*", "+", "??", "+?", "*?", "++", "?+", "*+"]
COUNTED = ["{2}", "{1,2}", "{2,}", "{1,2}?", "{2}?", "{1,2}+", "{2}+"]
GROUPS = ["(?:{})", "({})", "(?>{})", "(?i:{})"]


def pattern(dice: Random, depth: int = 0) -> str:
    """A pattern of the grammar that the prover reads, and of a little more."""
    branches = range(dice.choice([1, 1, 2, 3]) if depth < 2 else 1)
    return "|".join(_branch(dice, depth) for _ in branches)


def _branch(dice: Random, depth: int) -> str:
    return "".join(_item(dice, depth) for _ in range(dice.choice([1, 1, 2, 3])))


def _item(dice: Random, depth: int) -> str:
    kind = dice.random()
    if kind < 0.2:
        look = dice.choice(LOOKING)
        body = dice.choice(TAKING) + dice.choice(["", "", "+", "{2}", "b"])
        return look.format(body if depth or dice.random() < 0.5 else pattern(dice, 2))
    if kind < 0.4 and depth < 2:
        group = dice.choice(GROUPS).format(pattern(dice, depth + 1))
        return group + dice.choice(QUANTIFIERS + COUNTED[:3])
    return dice.choice(TAKING) + dice.choice(QUANTIFIERS + COUNTED)


def said_by(built: tuple[Partition, Machine[Mark]], text: str) -> list[tuple[int, int]]:
    """The pieces by the one way of a machine through a text."""
    classes, found = built
    ways: dict[int, tuple[Mark, ...]] = {0: ()}
    for character in text:
        name = classes.of(character)
        ways = {
            after: (*marks, mark)
            for state, marks in ways.items()
            for mark, after in found.moves[state][name]
        }
    [marks] = [marks for state, marks in ways.items() if state in found.ends]
    return marked(marks)


@pytest.mark.parametrize("dialect", [Dialect.ONIGURUMA, Dialect.RUST])
def test_a_pattern_that_is_read_is_cut_as_the_engine_cuts_it(dialect: Dialect) -> None:
    dice, read = Random(f"{SEED} {dialect}"), 0
    print(f"seed {SEED}")
    for _ in range(100):
        split = Split(pattern(dice), dialect)
        try:
            built = machine((split,))
            expected = [spans((split,), text) for text in TEXTS]
        except Undecidable:
            continue
        read += 1
        assert [said_by(built, text) for text in TEXTS] == expected, split.pattern
    assert read > 40


def test_a_pattern_that_is_read_is_cut_as_the_library_cuts_it() -> None:
    dice, read = Random(f"{SEED} library"), 0
    print(f"seed {SEED}")
    for _ in range(100):
        split = Split(pattern(dice))
        try:
            built = machine((split,))
            spans((split,), "")  # which asks the reference whether it takes the pattern
        except Undecidable:
            continue
        read += 1
        library = pre_tokenizers.Split(Regex(split.pattern), "isolated")
        for text in TEXTS:
            cut = [place for _, place in library.pre_tokenize_str(text)]
            assert said_by(built, text) == cut, (split.pattern, text)
    assert read > 40


def test_what_is_proved_or_refuted_of_random_pairs_is_right_on_all_short_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawn, "MOST_TRIED", 100)  # texts of what is not decided are not asked for
    dice = Random(SEED)
    print(f"seed {SEED}")
    said: Counter[str] = Counter()
    for _ in range(120):
        first = pattern(dice)
        second = dice.choice(
            [first.replace("a", "[a]"), f"(?:{first})", f"b|{first}", f"a+|{first}"]
        )
        left, right = (Split(first),), (Split(second),)
        verdict = compare(left, right)
        said[type(verdict).__name__] += 1
        if isinstance(verdict, NotDecided):
            continue
        assert wrong(left, right, verdict, 1_000, 50) is None, (first, second)
        assert objection_to(left, right, verdict) is None, (first, second)
    assert said["Proved"] > 10 and said["Differs"] > 10, said


@pytest.mark.parametrize(
    "look", ["(?=a{2})", "(?!a{2})", "(?<=a{2})", "(?<!a{2})", "(?=a{2,})", "(?=(?>a{2}))"]
)
def test_a_look_around_of_two_characters_is_not_read_as_one_of_one(look: str) -> None:
    with pytest.raises(Undecidable, match="a look-around of other than one character"):
        machine((Split(f"{look}b|a|b"),))


def test_a_look_around_of_one_or_more_is_one_of_one() -> None:
    assert isinstance(compare((Split("(?=a+)a"),), (Split("(?=a)a"),)), Proved)
    assert isinstance(compare((Split("(?!a{1,3})b|a"),), (Split("(?!a)b|a"),)), Proved)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"(?>a|ab)c|\w|\W", r"(?:a|ab)c|\w|\W"),
        (r"(?:ab|a)?+b|\w|\W", r"(?:ab|a)?b|\w|\W"),
        (r"(?!ab)\w+|\W|a", r"(?!ac)\w+|\W|a"),
        (r"(\w)\1|\w|\W", r"\w|\W"),
        (r"(?<=xyz)\w+|\w|\W", r"\w|\W"),
        (r"(?:\p{L}\p{N}?)*+\d|\w|\W", r"(?:\p{L}\p{N}?)*\d|\w|\W"),
        (r"(?=\d{3})\d+|\w|\W", r"(?=\d{4})\d+|\w|\W"),
        (r"<(?<name>b+?)>|.|\n", r"<(?<name>b{1,2}?)>|.|\n"),
    ],
)
def test_where_nothing_is_decided_a_text_is_drawn_on_which_the_engine_differs(
    one: str, other: str
) -> None:
    left, right = (Split(one),), (Split(other),)
    verdict = compare(left, right)
    assert isinstance(verdict, NotDecided)
    assert spans(left, verdict.texts[0]) != spans(right, verdict.texts[0])


def test_texts_are_drawn_from_both_sides_where_they_cut_alike() -> None:
    same = (Split(r"(?!ab)\w|x{3}"),)
    assert {"ab", "xxx"} <= set(drawn_texts(same, (Split(r"(?!ab)(?:\w|x{3})"),)))


def test_the_shortest_text_is_still_found_where_all_is_decided() -> None:
    assert isinstance(compare((Split("a"),), (Split("a+"),)), Differs)


def test_a_comparison_shows_the_text_that_was_drawn() -> None:
    side = TokenizerSpec(
        ModelType.BPE,
        {
            id: Piece(TokenType.ORDINARY, word)
            for id, word in enumerate(("a", "b", "c", "ab", "abc"))
        },
        merges=(("a", "b"), ("ab", "c")),
        normalizer=Component(None, Standing.STATED),
    )
    one, other = (
        replace(
            side,
            pre_tokenizer=Component(
                {"type": "Split", "pattern": {"Regex": written}, "behavior": "Isolated"},
                Standing.STATED,
            ),
        )
        for written in (r"(?>a|ab)c|\w|\W", r"(?:a|ab)c|\w|\W")
    )
    found = compared(trial_here(Side("left", one), Side("right", other)), Searched((), ()))
    facet = next(each for each in found.facets if each.name == "pre-tokenizer")
    assert facet.outcome is Outcome.DIFFERS
    assert "abc" in facet.evidence[0].text
