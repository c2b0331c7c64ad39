"""Two pre-tokenizers are proved to cut alike, or the shortest text is found, or neither is said."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some
from split_sources import TIKTOKEN_CL100K, TIKTOKEN_R50K

from tokaudit.products.compare.patterns import replay
from tokaudit.products.compare.patterns.classes import atoms_of, partition
from tokaudit.products.compare.patterns.reading import read
from tokaudit.products.compare.patterns.replay import pieces
from tokaudit.products.compare.patterns.sets_syntax import bracketed
from tokaudit.products.compare.patterns.splits import (
    BEHAVIORS,
    BYTE_LEVEL,
    PreTokenizer,
    Split,
    machine,
    tiktoken,
)
from tokaudit.products.compare.patterns.tree import Dialect
from tokaudit.products.compare.patterns.verdicts import Differs, NotDecided, Proved, Undecidable
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.products.compare.proofs.cuts.states import objection_to, one_way_for_every_text
from tokaudit_reference.text.matching import find_as_python
from tokaudit_reference.text.published_patterns import CL100K, GPT2, O200K, PATTERNS, QWEN2

CLIP = Split(
    r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
    behavior="Removed",
    invert=True,
)


def one(pattern: str) -> PreTokenizer:
    return (Split(pattern),)


def in_rust(pattern: str) -> PreTokenizer:
    return (Split(pattern, Dialect.RUST),)


def text_of(left: PreTokenizer, right: PreTokenizer) -> str:
    verdict = compare(left, right)
    assert isinstance(verdict, Differs), verdict
    return verdict.text


def reason_for(pattern: str, dialect: Dialect = Dialect.ONIGURUMA) -> str:
    verdict = compare((Split(pattern, dialect),), (Split("a"),))
    assert isinstance(verdict, NotDecided), verdict
    return verdict.reason


def is_proved(left: PreTokenizer, right: PreTokenizer) -> bool:
    return isinstance(compare(left, right), Proved)


def test_the_worked_example() -> None:
    """`ab?|b` keeps a `b` with the `a` before it, `a|b` does not, and `ab|a|b` does again."""
    keeps, parts, again = one("ab?|b"), one("a|b"), one("ab|a|b")
    assert compare(keeps, parts) == Differs("ab", ("ab",), ("a", "b"))
    # After the start, a state for each class of character before: none of both, an `a`, a `b`.
    states = ((0, 0, False), (1, 1, False), (2, 2, False), (3, 3, False))
    assert compare(keeps, again) == Proved((" ", "a", "b"), states)


def test_the_contractions_of_gpt2_may_be_written_otherwise() -> None:
    assert is_proved(
        one(GPT2), one(GPT2.replace("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)"))
    )


def test_tiktoken_s_gpt2_is_that_of_tokenizers_where_either_runs() -> None:
    assert is_proved((BYTE_LEVEL,), (tiktoken(TIKTOKEN_R50K),))
    assert is_proved((BYTE_LEVEL,), one(TIKTOKEN_R50K))


def test_the_dollar_ends_a_line_in_oniguruma_and_the_text_in_rust() -> None:
    backing_off = TIKTOKEN_R50K.replace(r"\s++$", r"\s+$")
    assert is_proved((BYTE_LEVEL,), in_rust(backing_off))
    assert text_of((BYTE_LEVEL,), one(backing_off)) == " \n !"


def test_cl100k_s_two_spellings_cut_the_end_of_a_text_differently() -> None:
    assert text_of(in_rust(CL100K), in_rust(TIKTOKEN_CL100K)) == "\n "


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [
        (CL100K, QWEN2, "00"),
        (CL100K, CL100K.replace("(?i:", "(?:"), "'DA"),
        (O200K, O200K.replace(r"[\r\n/]*", r"[\r\n]*"), "!\n/"),
        (GPT2, GPT2.replace(r" ?\p{L}+", r" ?\p{L}{1,60}"), "A" * 61),
    ],
)
def test_the_shortest_text_of_known_pairs(left: str, right: str, text: str) -> None:
    assert text_of(one(left), one(right)) == text


def test_a_possessive_repeat_does_not_give_back() -> None:
    assert text_of(one("a++ab|a|b"), one("a+ab|a|b")) == "aab"
    assert is_proved(one("a++b|a|b"), one("a+b|a|b"))
    assert is_proved(in_rust("a{1,2}+a"), in_rust("aaa"))


def test_a_lazy_repeat_stops_as_soon_as_it_can() -> None:
    assert is_proved(one("a+?"), one("a"))
    assert is_proved(one("a*?b"), one("a*b"))
    assert text_of(one("a+?"), one("a+")) == "aa"


def test_the_first_alternative_wins_not_the_longest() -> None:
    assert is_proved(one("a|ab"), one("a"))
    assert text_of(one("a|ab|b"), one("ab|a|b")) == "ab"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (r"\s+(?!\S)|\s", r"\s+(?=\s|\z)|\s"),
        (r"(?<=a)b|a|b", "a|b"),
        (r"(?<!a)b+|c", r"(?<=[^a]|\A)b+|c"),
        (r"\b\w", r"(?<!\w)\w"),
        (r"^a|b", r"(?<=\A|\n)a|b"),
        ("(?>a+)b", "a++b"),
        ("(?i:K)", "[kK\u212a]"),
        (r"\Aa|b", r"(?<!\n)^a|b"),
    ],
)
def test_one_construct_for_another(left: str, right: str) -> None:
    verdict = compare(one(left), one(right))
    assert isinstance(verdict, Proved), verdict
    assert objection_to(one(left), one(right), verdict) is None


@pytest.mark.parametrize(
    ("source", "members"),
    [
        ("[a[bc]]", "abc"),
        ("[^a[bc]]", "dxyz"),
        ("[a-d&&b-z]", "bcd"),
        ("[a-d&&[^b]]", "acd"),
        ("[a-c[x]y&&[ay]]", "ay"),
    ],
)
def test_sets_inside_sets_are_read_as_oniguruma_reads_them(source: str, members: str) -> None:
    found, end = bracketed(source, 0, False, Dialect.ONIGURUMA)
    classes = partition(frozenset(atoms_of(found)))
    assert end == len(source)
    within = classes.within(found)
    assert "".join(each for each in "abcdxyz" if classes.of(each) in within) == members


def test_what_no_match_has_is_compared_too() -> None:
    assert is_proved(
        (Split(r"\s", behavior="Removed"),), (Split(r"\S+", behavior="Removed", invert=True),)
    )
    assert text_of((Split("a", behavior="Removed"),), one("a")) == "a"
    assert text_of((tiktoken(r"\p{L}+"),), one(r"\p{L}+")) == " "


def test_the_behaviours_are_told_apart() -> None:
    spaces = {name: (Split(" ", behavior=name),) for name in BEHAVIORS}
    assert is_proved(spaces["MergedWithNext"], one(" [^ ]*|[^ ]+"))
    assert is_proved(spaces["MergedWithPrevious"], one("[^ ]* |[^ ]+"))
    assert is_proved(spaces["Contiguous"], one(" +"))
    assert text_of(spaces["Isolated"], spaces["Contiguous"]) == "  "


@pytest.mark.parametrize("behavior", BEHAVIORS)
def test_inverted_is_the_behaviour_of_what_lies_between(behavior: str) -> None:
    inverted = Split(" +", behavior=behavior, invert=True)
    assert is_proved((inverted,), (Split("[^ ]+", behavior=behavior),))


def test_the_next_split_sees_each_piece_as_a_text() -> None:
    assert is_proved((Split(" "), Split("^a")), one(" |(?<= |^)a"))
    assert text_of((CLIP,), (CLIP, BYTE_LEVEL)) == "<|endoftext|>"


def test_deepseek_s_three_splits_are_not_its_last_alone() -> None:
    splits = tuple(map(Split, PATTERNS["deepseek"]))
    assert is_proved(splits, splits)
    assert text_of(splits, splits[2:]) == " ぁ"


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(a)\1", r"the escape \1"),
        ("(?<name>a)", "the group (?<n"),
        ("(?!ab)", "a look-around of other than one character"),
        ("(?:a?)*", "a repeat of something that may be empty"),
        ("(?:ab|a)?+b", "a possessive repeat of other than one character"),
        (r"a\Z", r"\Z, which looks at two characters"),
        (r"\X", r"the escape \X"),
        ("(?i:ss)", "letters that one character may stand for where case is ignored"),
        ("(" * 100 + "a" + ")" * 100, "groups nested more than 60 deep"),
        ("[a" * 3000, "sets nested more than 10 deep"),
        ("a|" * 4000, "a pattern of more than 3,000 steps"),
        ("(?R)", "the group (?R)"),
        ("a{9999}", "a pattern of more than 3,000 steps"),
        ("a" * 10_001, "a pattern of more than 10,000 characters"),
    ],
)
def test_a_construct_that_is_not_followed_is_named(pattern: str, reason: str) -> None:
    assert reason_for(pattern) == reason


def test_where_the_reference_cuts_differently_nothing_is_decided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay, "find", find_as_python)
    verdict = compare((Split("c*|d", behavior="Removed"),), one("a"))
    assert isinstance(verdict, NotDecided)
    assert verdict.reason.startswith("the reference cuts ")


def test_the_pattern_of_tiktoken_pasted_into_a_tokenizer_json_takes_all_digits() -> None:
    assert text_of(one(TIKTOKEN_CL100K), one(CL100K)) == "\n "
    in_threes = TIKTOKEN_CL100K.replace(r"\p{N}{1,3}+", r"\p{N}{1,3}")
    assert text_of(one(TIKTOKEN_CL100K), one(in_threes)) == "0000"
    assert is_proved(one(TIKTOKEN_CL100K), one(TIKTOKEN_CL100K.replace(r"\p{N}{1,3}+", r"\p{N}+")))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("[a[bc]]+", "[abc]+"),
        ("[a-d&&[^b]]", "[acd]"),
        ("ab{2}?", "a(?:bb)?"),
        (r"\p{N}{2}+", r"(?:\p{N}\p{N})+"),
        ("a*|b", "a*"),
        (r"[\W]", r"[^\w\xb2\xb3\xb9\xbc-\xbe]|[\xb2\xb3\xb9\xbc-\xbe]"),
        ("[[:digit:]]", r"\d"),
        ("[[:punct:]]", r"[\p{P}\p{S}]"),
        (r"(?i:\p{Lu})", r"\p{Lu}"),
        ("(?i:i)", "[iI]"),
    ],
)
def test_what_is_oniguruma_s_alone_is_decided(left: str, right: str) -> None:
    verdict = compare(one(left), one(right))
    assert isinstance(verdict, Proved), verdict


def test_a_pattern_on_which_the_engine_explodes_is_not_decided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replay, "PATIENCE", 0.05)
    assert reason_for("(?:a|a|a)+[cd]|a{1,60}").startswith("the engine took too long for ")


def test_too_many_states_are_a_reason() -> None:
    verdict = compare(one(O200K), one(O200K), most_states=50)
    assert isinstance(verdict, NotDecided)
    assert verdict.reason.endswith("states of both patterns")


def test_a_behaviour_that_is_unknown_is_named() -> None:
    verdict = compare((Split("a", behavior="Merged"),), one("a"))
    assert verdict == NotDecided("the behaviour Merged")


def test_the_checker_objects_to_a_proof_with_a_state_left_out() -> None:
    left, right = one(GPT2), one(TIKTOKEN_R50K)
    proof = compare(left, right)
    assert isinstance(proof, Proved)
    assert objection_to(left, right, proof) is None
    for gone in range(len(proof.states)):
        kept = proof.states[:gone] + proof.states[gone + 1 :]
        assert objection_to(left, right, replace(proof, states=kept)) is not None


def test_the_checker_objects_to_the_proof_of_another_pair() -> None:
    proof = compare(one("a|b"), one("b|a"))
    assert objection_to(one("a|b"), one("a+|b"), proof) is not None


def test_the_checker_objects_to_a_text_that_is_cut_as_is_not_stated() -> None:
    verdict = compare(one("a"), one("a+"))
    assert isinstance(verdict, Differs)
    assert objection_to(one("a"), one("a+"), verdict) is None
    assert objection_to(one("a"), one("a+"), replace(verdict, left=("aa",))) is not None
    assert objection_to(one("a"), one("a"), verdict) is not None


def test_every_text_has_one_way_through_a_machine() -> None:
    assert all(
        one_way_for_every_text(machine(tuple(map(Split, patterns)))[1])
        for patterns in PATTERNS.values()
    )


def test_a_verdict_is_plain_data() -> None:
    proof = compare(one("a"), one("[a]"))
    assert isinstance(proof, Proved)
    plain = json.loads(json.dumps(asdict(proof)))
    again = Proved(tuple(plain["classes"]), tuple(map(tuple, plain["states"])))
    assert again == proof


def test_a_pre_tokenizer_of_a_file_is_read_as_splits() -> None:
    split = {"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": True}
    steps = [split, {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]
    assert read({"type": "Sequence", "pretokenizers": steps}) == (
        Split(" ", behavior="Removed", invert=True, literal=True),
    )
    with pytest.raises(Undecidable, match="Split after a step that writes bytes"):
        read({"type": "Sequence", "pretokenizers": [steps[1], split]})


@pytest.mark.parametrize("name", PATTERNS)
def test_the_library_cuts_random_texts_as_the_engine_that_is_replayed(name: str) -> None:
    from tokenizers import Regex, pre_tokenizers

    steps = [pre_tokenizers.Split(Regex(each), "isolated") for each in PATTERNS[name]]
    library = pre_tokenizers.Sequence(steps)

    @settings(max_examples=some(100), deadline=None, derandomize=True, database=None)
    @given(st.text(st.sampled_from(list(" \t\n.,'$/aZsLé١23漢カね́_")), max_size=12))
    def agree(text: str) -> None:
        ours = pieces(tuple(map(Split, PATTERNS[name])), text)
        assert list(ours) == [piece for piece, _ in library.pre_tokenize_str(text)]

    agree()


@pytest.mark.parametrize(
    ("pattern", "misread"),
    [
        (r"\p{N}{1,3}+|\w", r"\p{N}{1,3}|\w"),
        (r"a{2,}|\w", r"a{2}|\w"),
        (r"a{2,4}|\w", r"a{2,3}|\w"),
        (r"[ab]{3}|\w", r"[ab]{2}|\w"),
        (r"\s+(?!\S)|\s+|\w", r"\s+(?=\S)|\s+|\w"),
    ],
)
def test_a_pattern_that_is_read_as_another_is_not_trusted(
    pattern: str, misread: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = machine((Split(misread),))
    monkeypatch.setattr(replay, "machine", lambda splits: wrong)
    with pytest.raises(Undecidable, match="differently from the prover's machine"):
        replay.trusted.__wrapped__((Split(pattern),))
