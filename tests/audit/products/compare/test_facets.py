"""Each facet of two tokenizers is proved, or shown by a text, or what was tried is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from run_here import Here, trial_here

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.engine.texts.probes import CONTEXTS
from tokaudit.engine.texts.suspects import added_token_texts, entry_texts
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.products.compare.facets.decoding import decoder
from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.runtimes.protocol import DecodeOptions
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Priority,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.text.published_patterns import GPT2

NONE = Component(None, Standing.STATED)
WORDS = [
    *("<unk>", "a", "b", "c", "ab", "abc", " ", " a", "  ", "A"),
    *("'", "d", "D", "'d", "'D", "1", "2"),
]
MERGES = (("a", "b"), ("ab", "c"), (" ", "a"), (" ", " "), ("'", "d"), ("'", "D"))


@pytest.fixture
def plain() -> TokenizerSpec:
    """A character BPE of a few letters, every stage stated to be absent."""
    pieces = {
        id: Piece(TokenType.ORDINARY if id else TokenType.UNKNOWN, word)
        for id, word in enumerate(WORDS)
    }
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        merges=MERGES,
        unk_id=0,
        added_tokens=(AddedToken(20, "<|end|>", special=True, normalized=False),),
        normalizer=NONE,
        pre_tokenizer=NONE,
        post_processor=NONE,
        decoder=NONE,
        format="tokenizer.json",
        files=("tokenizer.json",),
    )


def against(first: TokenizerSpec, second: TokenizerSpec) -> Comparison:
    left, right = Side("left", first), Side("right", second)
    suspects = (*added_token_texts(first, second), *entry_texts(first, second))
    return compared(trial_here(left, right), Searched(suspects, CONTEXTS))


def facet(found: Comparison, name: str) -> Facet:
    return next(each for each in found.facets if each.name == name)


def shown(found: Comparison, name: str) -> tuple[str | None, list[str | None], list[str | None]]:
    (evidence,) = facet(found, name).evidence
    rows = ([token.piece for token in row] for row in (evidence.expected, evidence.actual))
    return (evidence.text, *rows)


def stage(options: Any) -> Component:
    return Component(options, Standing.STATED)


def splitting(pattern: str, behavior: str = "Isolated") -> Component:
    return stage({"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior})


def test_a_tokenizer_is_the_same_as_itself(plain: TokenizerSpec) -> None:
    found = against(plain, plain)
    assert found.relation is Relation.SAME
    assert [each.name for each in found.facets] == [
        "ids",
        "merges",
        "normalizer",
        "pre-tokenizer",
        "added tokens",
        "post-processor",
        "decoder",
        "batch settings",
        "special roles",
        "padding side",
        "generation stops",
        "chat template",
        "embedding rows",
    ]
    assert not [each for each in found.facets if each.outcome is Outcome.DIFFERS]


def test_merges_that_make_a_thousand_other_tokens_are_shown_by_a_text_without_a_proof(
    plain: TokenizerSpec,
) -> None:
    letters = [chr(0x4E00 + at) for at in range(40)]
    pairs = [(one, other) for one in letters for other in letters]
    words = enumerate([*letters, *map("".join, pairs)])
    pieces = {id: Piece(TokenType.ORDINARY, word) for id, word in words}
    listed = replace(plain, pieces=pieces, unk_id=None, merges=tuple(pairs))
    merges = facet(against(listed, replace(listed, merges=tuple(pairs[1_000:]))), "merges")
    assert merges.outcome is Outcome.DIFFERS
    assert merges.why == "merges make 600 tokens on both sides; 1,000 only in left"
    assert merges.evidence[0].text == letters[0] * 2


def test_a_merge_that_one_side_lacks_is_shown_on_the_text_of_its_token(
    plain: TokenizerSpec,
) -> None:
    found = against(plain, replace(plain, merges=(MERGES[0], *MERGES[2:])))
    assert found.relation is Relation.RESEGMENTED
    assert shown(found, "merges") == ("abc", ["abc"], ["ab", "c"])


def test_merges_in_an_order_that_no_text_can_tell_are_proved(plain: TokenizerSpec) -> None:
    found = against(plain, replace(plain, merges=(MERGES[0], MERGES[4], *MERGES[1:4], MERGES[5])))
    assert facet(found, "merges").outcome is Outcome.EQUIVALENT
    assert (found.relation, found.different) == (Relation.SAME, 0)


def test_a_pattern_spelled_in_another_way_is_proved(plain: TokenizerSpec) -> None:
    one = replace(plain, pre_tokenizer=splitting(GPT2))
    spelled = GPT2.replace("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)")
    found = against(one, replace(plain, pre_tokenizer=splitting(spelled)))
    assert spelled != GPT2
    assert facet(found, "pre-tokenizer").outcome is Outcome.EQUIVALENT
    assert found.relation is Relation.SAME


def test_other_cuts_that_no_entry_crosses_are_proved(plain: TokenizerSpec) -> None:
    one = replace(plain, pre_tokenizer=splitting(r"\p{N}{1,3}"))
    found = against(one, replace(plain, pre_tokenizer=splitting(r"\p{N}")))
    assert facet(found, "pre-tokenizer").outcome is Outcome.EQUIVALENT
    assert "no entry of 17 lies across" in facet(found, "pre-tokenizer").why


def test_other_cuts_that_an_entry_crosses_are_shown(plain: TokenizerSpec) -> None:
    one = replace(plain, pre_tokenizer=splitting(r"\s+"))
    found = against(one, replace(plain, pre_tokenizer=splitting(r"\s")))
    assert shown(found, "pre-tokenizer") == ("  ", ["  "], [" ", " "])


def test_a_normalizer_is_shown_where_it_acts(plain: TokenizerSpec) -> None:
    found = against(plain, replace(plain, normalizer=stage({"type": "Lowercase"})))
    assert shown(found, "normalizer") == ("A", ["A"], ["a"])


def test_a_normalizer_that_no_text_shows_is_not_claimed_to_differ(plain: TokenizerSpec) -> None:
    replaced = {"type": "Replace", "pattern": {"String": "\ue000"}, "content": "\ue001"}
    found = against(plain, replace(plain, normalizer=stage(replaced)))
    assert facet(found, "normalizer").outcome is Outcome.UNDIFFERING
    assert "texts, run by the reference" in facet(found, "normalizer").why
    assert found.relation is Relation.UNDIFFERING


def test_each_of_two_causes_has_a_text_of_its_own(plain: TokenizerSpec) -> None:
    changed = replace(
        plain, normalizer=stage({"type": "Lowercase"}), merges=(MERGES[0], *MERGES[2:])
    )
    found = against(plain, changed)
    assert shown(found, "normalizer") == ("A", ["A"], ["a"])
    assert shown(found, "merges") == ("abc", ["abc"], ["ab", "c"])


def test_ids_that_changed_places_are_a_remapping(plain: TokenizerSpec) -> None:
    pieces = {**plain.pieces, 1: plain.pieces[2], 2: plain.pieces[1]}
    found = against(plain, replace(plain, pieces=pieces))
    assert found.relation is Relation.REMAPPED
    assert facet(found, "merges").outcome is Outcome.IDENTICAL
    (evidence,) = facet(found, "ids").evidence
    assert [(t.id, t.piece) for t in (*evidence.expected, *evidence.actual)] == [(1, "a"), (2, "a")]


def test_vocabularies_that_share_few_tokens_are_no_remapping(plain: TokenizerSpec) -> None:
    strange = {id: Piece(TokenType.ORDINARY, f"▁{WORDS[id]}") for id in range(1, len(WORDS))}
    a = {30: plain.pieces[WORDS.index("a")]}
    other = replace(plain, pieces={0: plain.pieces[0], **strange, **a}, merges=())
    assert against(plain, other).relation is Relation.DIFFERENT


def test_one_more_added_token_makes_a_superset(plain: TokenizerSpec) -> None:
    more = (*plain.added_tokens, AddedToken(21, "<|pad|>", special=True, normalized=False))
    found = against(plain, replace(plain, added_tokens=more))
    assert found.relation is Relation.SUPERSET
    text, _, theirs = shown(found, "added tokens")
    assert (text, theirs) == ("<|pad|>", ["<|pad|>"])


def test_a_flag_is_shown_next_to_its_token(plain: TokenizerSpec) -> None:
    eats = replace(plain.added_tokens[0], lstrip=True)
    found = against(plain, replace(plain, added_tokens=(eats,)))
    assert shown(found, "added tokens") == (" <|end|>", [" ", "<|end|>"], ["<|end|>"])


def test_a_token_that_one_side_calls_special_is_shown_by_decoding(plain: TokenizerSpec) -> None:
    shows = replace(plain.added_tokens[0], special=False)
    found = against(plain, replace(plain, added_tokens=(shows,)))
    (evidence,) = facet(found, "added tokens").evidence
    assert (evidence.ids, dict(evidence.facts)) == ((20,), {"left": "", "right": "<|end|>"})
    assert evidence.note == "run by the reference, special tokens skipped"


def test_a_token_in_its_normal_form_is_tried(plain: TokenizerSpec) -> None:
    given = AddedToken(21, "e\u0301", normalized=False)
    one = replace(plain, added_tokens=(given,), normalizer=stage({"type": "NFC"}))
    found = against(one, replace(one, added_tokens=(replace(given, normalized=True),)))
    assert shown(found, "added tokens") == ("\u00e9", ["<unk>"], ["e\u0301"])


def test_special_tokens_around_a_text_are_shown(plain: TokenizerSpec) -> None:
    around = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "<|end|>", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [],
        "special_tokens": {"<|end|>": {"id": "<|end|>", "ids": [20], "tokens": ["<|end|>"]}},
    }
    found = against(plain, replace(plain, post_processor=stage(around)))
    assert shown(found, "post-processor") == ("a", ["a"], ["<|end|>", "a"])
    assert found.relation is Relation.DIFFERENT


def test_special_tokens_around_a_pair_of_texts_are_shown(plain: TokenizerSpec) -> None:
    """BERT puts one separator between two texts, RoBERTa two."""
    ends = {"sep": ["<|end|>", 20], "cls": ["a", 1]}
    switches = {"trim_offsets": True, "add_prefix_space": True}
    one = replace(plain, post_processor=stage({"type": "BertProcessing", **ends}))
    two = stage({"type": "RobertaProcessing", **ends, **switches})
    found = against(one, replace(plain, post_processor=two))
    text, ours, theirs = shown(found, "post-processor")
    end = "<|end|>"
    assert (text, ours) == ("a", ["a", "a", end, "b", end])
    assert theirs == ["a", "a", end, end, "b", end]
    (evidence,) = facet(found, "post-processor").evidence
    assert evidence.note == "run by the reference, with 'b' as the second text of a pair"


def test_a_space_that_only_one_decoder_drops_twice_is_shown(plain: TokenizerSpec) -> None:
    one, two = (
        stage(
            {
                "type": "Sequence",
                "decoders": [
                    {"type": "Fuse"},
                    {"type": "Strip", "content": "c", "start": most, "stop": 0},
                ],
            }
        )
        for most in (1, 2)
    )
    found = against(replace(plain, decoder=one), replace(plain, decoder=two))
    (evidence,) = facet(found, "decoder").evidence
    assert (evidence.ids, dict(evidence.facts)) == ((3, 3), {"left": "c", "right": ""})


def test_what_a_decoder_looks_for_is_decoded(plain: TokenizerSpec) -> None:
    step = {"type": "Replace", "pattern": {"String": "ca1"}, "content": "x"}
    one, two = (
        stage({"type": "Sequence", "decoders": [{"type": "Fuse"}, *more]}) for more in ([], [step])
    )
    found = against(replace(plain, decoder=one), replace(plain, decoder=two))
    (evidence,) = facet(found, "decoder").evidence
    assert (evidence.ids, dict(evidence.facts)) == ((3, 1, 15), {"left": "ca1", "right": "x"})


def test_tokens_that_decode_to_other_text_are_shown(plain: TokenizerSpec) -> None:
    swap = {"type": "Replace", "pattern": {"String": "c"}, "content": "d"}
    one = replace(plain, decoder=stage({"type": "Fuse"}))
    two = replace(plain, decoder=stage({"type": "Sequence", "decoders": [swap, {"type": "Fuse"}]}))
    (evidence,) = facet(against(one, two), "decoder").evidence
    assert (evidence.ids, dict(evidence.facts)) == ((3,), {"left": "c", "right": "d"})


class GivesBytes(Here):
    """A library that decodes to bytes, as tiktoken does."""

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        return [str(text).encode() for text in super().decode(ids, options)]


def test_bytes_and_the_text_that_they_are_decode_alike(plain: TokenizerSpec) -> None:
    unheard = {"type": "Replace", "pattern": {"String": "zz"}, "content": "y"}
    one = Side("left", replace(plain, decoder=stage({"type": "Fuse"})))
    two = Side("right", replace(plain, decoder=stage({"type": "Sequence", "decoders": [unheard]})))
    pair = EncoderPair("a library", Here(one.spec), GivesBytes(one.spec))
    assert decoder(one, two, Trial(one, two, [pair])).outcome is Outcome.UNDIFFERING


def test_a_byte_and_the_text_that_its_name_looks_like_are_two_tokens(plain: TokenizerSpec) -> None:
    """Both are shown as a backslash and three letters."""
    pieces = {0: Piece(TokenType.ORDINARY, b"\xff"), 1: Piece(TokenType.ORDINARY, b"\\xff")}
    spec = replace(plain, pieces=pieces, merges=(), unk_id=None, byte_level=True)
    unheard = {"type": "Replace", "pattern": {"String": "zz"}, "content": "y"}
    one = Side("left", replace(spec, decoder=stage({"type": "ByteLevel"})))
    last = [{"type": "ByteLevel"}, unheard]
    two = Side("right", replace(spec, decoder=stage({"type": "Sequence", "decoders": last})))
    pair = EncoderPair("a library", Here(one.spec), Here(two.spec))
    assert one.names[0] == one.names[1]
    assert decoder(one, two, Trial(one, two, [pair])).outcome is Outcome.UNDIFFERING


@pytest.mark.parametrize(
    ("changed", "name", "text"),
    [
        ({"added_tokens": (AddedToken(21, "<|end|>", special=True),)}, "added tokens", "<|end|>"),
        ({"merges": MERGES[1:]}, "ids", "ab"),
    ],
)
def test_a_library_that_reads_a_file_otherwise_speaks_against_a_proof(
    plain: TokenizerSpec, changed: dict[str, Any], name: str, text: str
) -> None:
    """What the two files state is the same, but one library reads its file differently."""
    left, right = Side("left", plain), Side("right", plain)
    pair = EncoderPair("a library", Here(plain), Here(replace(plain, **changed)))
    found = compared(Trial(left, right, [pair]), Searched((), (text, "c")))
    assert facet(found, name).outcome is Outcome.DIFFERS
    assert facet(found, name).why.endswith(
        ", as the files state it; but the ids of a library differ"
    )
    assert facet(found, name).certificate is None
    assert facet(found, name).evidence[0].text == text
    assert found.relation is not Relation.SAME


def test_what_cannot_be_run_is_unknown(plain: TokenizerSpec) -> None:
    strange = replace(plain, normalizer=stage({"type": "Unheard"}))
    found = against(plain, strange)
    assert facet(found, "normalizer").outcome is Outcome.UNKNOWN
    assert found.relation is Relation.UNKNOWN


def test_a_text_that_every_encoder_confirms_is_shown_before_a_shorter_one(
    plain: TokenizerSpec,
) -> None:
    """The reference finds a difference at "A" too, which the library does not see."""
    lower = replace(plain, normalizer=stage({"type": "Lowercase"}), merges=MERGES[1:])
    left, right = Side("left", plain), Side("right", lower)
    pairs = [
        EncoderPair("the reference", Here(plain), Here(lower), True),
        EncoderPair("a library", Here(plain), Here(replace(lower, normalizer=NONE))),
    ]
    found = compared(Trial(left, right, pairs), Searched(("A", "ab")))
    notes = {f.name: (f.evidence[0].text, f.evidence[0].note) for f in found.facets if f.evidence}
    assert notes["merges"] == ("ab", "run by the reference and a library")


def test_what_only_the_reference_sees_is_no_difference_and_is_said(plain: TokenizerSpec) -> None:
    lower = replace(plain, normalizer=stage({"type": "Lowercase"}))
    pairs = [
        EncoderPair("the reference", Here(plain), Here(lower), True),
        EncoderPair("a library", Here(plain), Here(plain)),
    ]
    trial = Trial(Side("left", plain), Side("right", lower), pairs)
    found = compared(trial, Searched(("A",)))
    shown = facet(found, "normalizer")
    assert (found.different, shown.outcome, shown.evidence) == (0, Outcome.UNDIFFERING, ())
    assert "such as 'A', the reference alone makes other ids; a library does not" in shown.why


def test_equal_cuts_prove_nothing_where_one_side_makes_bytes_of_a_text(
    plain: TokenizerSpec,
) -> None:
    to_bytes = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    found = against(plain, replace(plain, pre_tokenizer=stage(to_bytes)))
    assert facet(found, "pre-tokenizer").outcome is Outcome.DIFFERS
    assert facet(found, "pre-tokenizer").why == "only one side makes bytes of a text"


def word_piece(*inside: str, longest: int = 20) -> TokenizerSpec:
    """A WordPiece of two letters, and some entries that go on within a word."""
    words = [Piece(TokenType.UNKNOWN, "[UNK]"), *(Piece(TokenType.ORDINARY, c) for c in "aqz")]
    going_on = (Piece(TokenType.CONTINUATION, text) for text in inside)
    return TokenizerSpec(
        ModelType.WORDPIECE,
        dict(enumerate((*words, Piece(TokenType.ORDINARY, "az"), *going_on))),
        unk_id=0,
        continuing_subword_prefix="##",
        max_input_chars_per_word=longest,
        **dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder"), NONE),
    )


def test_an_entry_within_words_is_found_after_a_letter_that_leaves_it_whole() -> None:
    """After "a" the longer "az" is taken first."""
    found = against(word_piece("zy"), word_piece("zy", "zyzy"))
    assert shown(found, "ids") == ("qzyzy", ["q", "zy", "zy"], ["q", "zyzy"])


def test_the_longest_word_is_tried_on_both_sides() -> None:
    found = against(word_piece("a", longest=30), word_piece("a", longest=31))
    text, ours, theirs = shown(found, "merges")
    assert (text, ours, theirs) == ("a" * 31, ["[UNK]"], ["a"] * 31)


def test_when_added_tokens_are_looked_for_is_all_one_where_nothing_is_normalized(
    plain: TokenizerSpec,
) -> None:
    later = replace(plain, added_tokens=(replace(plain.added_tokens[0], normalized=True),))
    assert facet(against(plain, later), "added tokens").outcome is Outcome.EQUIVALENT
    lower = stage({"type": "Lowercase"})
    found = against(replace(plain, normalizer=lower), replace(later, normalizer=lower))
    assert facet(found, "added tokens").outcome is not Outcome.EQUIVALENT


def test_an_entry_that_merges_by_its_score_and_is_lacking_is_blamed_on_the_ids_alone(
    plain: TokenizerSpec,
) -> None:
    ranks = {id: float(id) for id in plain.pieces}
    scored = replace(plain, merges=None, priority=Priority.PRODUCT, product_ranks=ranks)
    longer = {**plain.pieces, 30: Piece(TokenType.ORDINARY, "ba")}
    more = replace(scored, pieces=longer, product_ranks={**ranks, 30: 30.0})
    found = against(scored, more)
    assert shown(found, "ids") == ("ba", ["b", "a"], ["ba"])
    assert facet(found, "merges").outcome is Outcome.UNDIFFERING
