"""The vocabulary suite on specs made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tokaudit.engine.needs import Base, Contents
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding, Severity
from tokaudit.subject.formats.tokenizer_json import spec_of
from tokaudit.subject.material import Fact, SourceFile, Subject
from tokaudit_reference.models.bpe.effective import effective_merges
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
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_suites.pipeline._byte_level import is_byte_level
from tokaudit_suites.shared.wording import in_merges

NO_FILES = Subject("", Path(), ())
Call = Callable[..., list[Any]]
BYTES = {id: Piece(TokenType.ORDINARY, bytes([id])) for id in range(256)}
BYTE_LEVEL = TokenizerSpec(
    ModelType.BPE,
    BYTES,
    byte_level=True,
    merges=(),
    pre_tokenizer=Component({"type": "ByteLevel"}, Standing.STATED),
    decoder=Component({"type": "ByteLevel"}, Standing.STATED),
    files=("tokenizer.json",),
)


def words(*texts: str, kind: ModelType = ModelType.WORDPIECE, **changes: Any) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, text) for id, text in enumerate(texts)}
    return TokenizerSpec(kind, pieces, files=("tokenizer.json",), **changes)


def subject(**facts: Any) -> Subject:
    stated = (Fact(name, value, "config.json", f"/{name}") for name, value in facts.items())
    return Subject("test", Path("/nowhere"), (), tuple(stated))


def test_two_added_tokens_on_one_id_are_an_error(call: Call, letters: TokenizerSpec) -> None:
    added = (AddedToken(6, "<|a|>"), AddedToken(6, "<|b|>"))
    (finding,) = call("vocab/duplicate-id", replace(letters, added_tokens=added))
    assert finding.severity is Severity.ERROR
    assert finding.message.startswith("Id 6 stands for two tokens, '<|a|>' and '<|b|>'")
    assert finding.places[0].component == "added_tokens"


def test_an_added_token_over_another_entry_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, added_tokens=(AddedToken(4, "<|end|>"),))
    (finding,) = call("vocab/duplicate-id", spec)
    assert "'ab' and '<|end|>'" in finding.message


def test_an_added_token_that_restates_its_entry_is_fine(call: Call, letters: TokenizerSpec) -> None:
    assert call("vocab/duplicate-id", replace(letters, added_tokens=(AddedToken(4, "ab"),))) == []


def test_one_content_at_two_ids_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    (finding,) = call("vocab/duplicate-id", replace(letters, added_tokens=(AddedToken(9, "ab"),)))
    assert "is at two ids, 4 and 9" in finding.message


def test_added_spaces_next_to_learned_spaces_are_two_tokens(call: Call) -> None:
    pieces = {**BYTES, 256: Piece(TokenType.ORDINARY, b"  ")}
    spec = replace(BYTE_LEVEL, pieces=pieces, added_tokens=(AddedToken(300, "  "),))
    assert call("vocab/duplicate-id", spec) == []


def test_two_entries_on_one_id_are_an_error(call: Call, letters: TokenizerSpec) -> None:
    (finding,) = call(
        "vocab/duplicate-id", replace(letters, sharing=((4, Piece(TokenType.ORDINARY, "xy")),))
    )
    assert "Id 4 belongs to 2 entries of the vocabulary, 'xy', 'ab'" in finding.message


def test_an_entry_given_twice_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    (finding,) = call("vocab/duplicate-entries", replace(letters, duplicate_keys=("ab",)))
    assert finding.message.startswith("1 entry is listed twice in the vocabulary: 'ab'")


def listing(*flags: dict[str, bool]) -> TokenizerSpec:
    token = {"id": 1, "content": "<x>"}
    added = [{**token, **each} for each in flags]
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    return spec_of({"model": model, "added_tokens": added}, "tokenizer.json")


def test_an_added_token_listed_twice_with_different_flags_is_a_warning(call: Call) -> None:
    (finding,) = call("vocab/duplicate-entries", listing({"lstrip": True}, {"lstrip": False}))
    assert finding.severity is Severity.WARNING
    assert finding.message.startswith(
        "1 added token is listed twice with different flags: '<x>'; tokaudit counts the last"
    )


def test_an_added_token_listed_twice_with_equal_flags_is_no_finding(call: Call) -> None:
    assert call("vocab/duplicate-entries", listing({"lstrip": True}, {"lstrip": True})) == []


@pytest.mark.parametrize("id", [-1, 2**31])
def test_an_id_that_is_no_row_is_an_error(call: Call, letters: TokenizerSpec, id: int) -> None:
    spec = replace(letters, pieces={**letters.pieces, id: Piece(TokenType.ORDINARY, "zz")})
    (finding,) = call("vocab/id-range", spec)
    assert str(id) in finding.message and finding.severity is Severity.ERROR


def test_a_hole_among_the_models_ids_is_a_warning(call: Call, letters: TokenizerSpec) -> None:
    pieces = {id: piece for id, piece in letters.pieces.items() if id != 4}
    (finding,) = call("vocab/holes", replace(letters, pieces=pieces))
    assert finding.severity is Severity.WARNING and finding.evidence[0].ids == (4,)


def test_a_hole_filled_by_an_added_token_is_none(call: Call, letters: TokenizerSpec) -> None:
    pieces = {id: piece for id, piece in letters.pieces.items() if id != 4}
    added = (*letters.added_tokens, AddedToken(4, "<|extra|>"))
    assert call("vocab/holes", replace(letters, pieces=pieces, added_tokens=added)) == []


def test_ids_reserved_between_vocabulary_and_added_tokens_are_information(
    call: Call, letters: TokenizerSpec
) -> None:
    spec = replace(letters, added_tokens=(AddedToken(9, "<|end|>"),))
    (finding,) = call("vocab/holes", spec)
    assert finding.severity is Severity.INFO and "6 to 8" in finding.message


def test_a_missing_byte_is_an_error(call: Call) -> None:
    pieces = {id: piece for id, piece in BYTES.items() if id != 0x41}
    (finding,) = call("vocab/byte-coverage", replace(BYTE_LEVEL, pieces=pieces))
    assert "0x41" in finding.message and finding.severity is Severity.ERROR


def test_the_free_id_of_a_missing_byte_is_told_where_bytes_are_in_order(call: Call) -> None:
    pieces = {id: piece for id, piece in BYTES.items() if id != 0x41}
    (finding,) = call("vocab/byte-coverage", replace(BYTE_LEVEL, pieces=pieces))
    assert finding.message.endswith("0x41; in the order of the other bytes, id 65 is free.")
    assert finding.evidence[0].ids == (65,)


def test_no_id_of_a_missing_byte_is_told_where_bytes_are_in_no_order(call: Call) -> None:
    pieces = {id * 7 % 256: piece for id, piece in BYTES.items() if id != 0x41}
    (finding,) = call("vocab/byte-coverage", replace(BYTE_LEVEL, pieces=pieces))
    assert finding.message.endswith("text with this byte: 0x41.") and finding.evidence == ()


def test_a_byte_that_utf8_never_uses_may_be_missing(call: Call) -> None:
    pieces = {id: piece for id, piece in BYTES.items() if id not in (0xC0, 0xFF)}
    assert call("vocab/byte-coverage", replace(BYTE_LEVEL, pieces=pieces)) == []


def test_bytes_of_planes_without_characters_may_be_missing(call: Call) -> None:
    pieces = {id: piece for id, piece in BYTES.items() if id not in (0xF1, 0xF2)}
    assert call("vocab/byte-coverage", replace(BYTE_LEVEL, pieces=pieces)) == []


@pytest.mark.parametrize(
    ("bytes", "severity"),
    [((0x03, 0x0B, 0x1E), Severity.WARNING), ((0x03, 0x0A), Severity.ERROR)],
)
def test_missing_control_characters_alone_are_a_warning(
    call: Call, bytes: tuple[int, ...], severity: Severity
) -> None:
    pieces = {id: piece for id, piece in BYTES.items() if id not in bytes}
    (finding,) = call("vocab/byte-coverage", replace(BYTE_LEVEL, pieces=pieces))
    assert finding.severity is severity


def test_a_missing_fallback_byte_is_an_error(call: Call) -> None:
    pieces = {id: Piece(TokenType.BYTE, f"<0x{id:02X}>") for id in range(256) if id != 10}
    spec = TokenizerSpec(ModelType.BPE, pieces, byte_fallback=True, files=("tokenizer.json",))
    (finding,) = call("vocab/byte-coverage", spec)
    assert "<0x0A>" in finding.message


@pytest.mark.parametrize(("id", "reported"), [(109, 0), (400, 1)])
def test_a_character_may_stand_at_the_id_of_its_own_fallback_byte(
    call: Call, id: int, reported: int
) -> None:
    pieces = {100 + b: Piece(TokenType.BYTE, f"<0x{b:02X}>") for b in range(256) if b != 9}
    pieces[id] = Piece(TokenType.ORDINARY, "\t")
    spec = TokenizerSpec(ModelType.BPE, pieces, byte_fallback=True, files=("tokenizer.json",))
    assert len(call("vocab/byte-coverage", spec)) == reported


def test_all_byte_entries_with_fallback_off_are_an_error(call: Call) -> None:
    texts = [f"<0x{byte:02X}>" for byte in range(256)]
    spec = replace(words(*texts, kind=ModelType.BPE), format="tokenizer.json")
    (finding,) = call("vocab/byte-coverage", spec)
    assert finding.places[0].pointer == "/model/byte_fallback"


def test_words_that_begin_with_their_own_mark_are_not_in_the_alphabet_of_bytes(
    call: Call,
) -> None:
    latin = [character for character in BYTE_OF if ord(character) >= 0x100]
    spec = words("\u2581the", "\u2581a", *latin, kind=ModelType.UNIGRAM)
    assert is_byte_level(words("\u0120the", *latin, kind=ModelType.BPE))
    assert not is_byte_level(spec)


def test_letters_of_many_scripts_are_not_the_alphabet_of_bytes(call: Call) -> None:
    latin = [character for character in BYTE_OF if ord(character) >= 0x100]
    greek_and_cyrillic = [chr(point) for point in range(0x390, 0x450)]
    spec = words("\u0120ejtun", *latin, *greek_and_cyrillic, kind=ModelType.BPE)
    assert not is_byte_level(spec)


def test_plain_words_need_no_bytes(call: Call, letters: TokenizerSpec) -> None:
    with pytest.raises(NotApplicable):
        call("vocab/byte-coverage", letters)


def test_a_byte_level_vocabulary_without_a_decoder_is_an_error(call: Call) -> None:
    spec = replace(BYTE_LEVEL, decoder=Component(None, Standing.STATED))
    (finding,) = call("pipeline/byte-components", spec)
    assert finding.places[0].component == "decoder"


def test_an_unstated_decoder_is_unknown_not_wrong(call: Call) -> None:
    assert call("pipeline/byte-components", replace(BYTE_LEVEL, decoder=Component())) == []


def test_marked_pieces_with_a_byte_level_decoder_are_an_error(call: Call) -> None:
    spec = words(
        "▁a",
        "▁b",
        "c",
        kind=ModelType.UNIGRAM,
        pre_tokenizer=Component({"type": "Metaspace"}, Standing.STATED),
        decoder=Component({"type": "ByteLevel"}, Standing.STATED),
    )
    (finding,) = call("pipeline/byte-components", spec)
    assert "the decoder (ByteLevel)" in finding.message


def test_pieces_without_an_order_are_not_judged(call: Call) -> None:
    with pytest.raises(NotApplicable):
        call("vocab/id-order", words(*"zebra"), NO_FILES)


def test_exchanged_scores_show_exchanged_ids(call: Call) -> None:
    texts = [f"word{n}" for n in range(40)]
    scores = {id: -float(id) for id in range(40)}
    scores[10], scores[30] = scores[30], scores[10]
    spec = words(*texts, kind=ModelType.UNIGRAM, scores=scores, unk_id=0)
    (finding,) = call("vocab/id-order", spec, NO_FILES)
    assert set(finding.evidence[0].ids) == {10, 30}


def test_a_named_unknown_token_that_does_not_exist_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    (finding,) = call("vocab/unknown-token", letters, subject(unk_token="[UNK]"))
    assert "'[UNK]'" in finding.message


def test_a_wordpiece_model_without_an_unknown_token_is_an_error(call: Call) -> None:
    (finding,) = call("vocab/unknown-token", words("a", "b"), subject())
    assert finding.severity is Severity.ERROR


def test_lower_casing_that_nobody_stated_before_a_cased_vocabulary_is_an_error(call: Call) -> None:
    normalizer = Component(
        {"type": "BertNormalizer", "lowercase": True}, Standing.IMPLIED, "a rule"
    )
    spec = words("Paris", "Rome", "Bonn", "paris", normalizer=normalizer)
    (finding,) = call("pipeline/rewritten", spec, NO_FILES)
    assert finding.severity is Severity.ERROR
    assert finding.places[0].component == "normalizer" and "3 tokens of 4" in finding.message


def test_lower_casing_that_the_file_states_is_a_warning(call: Call) -> None:
    normalizer = Component({"type": "Lowercase"}, Standing.STATED)
    (finding,) = call(
        "pipeline/rewritten", words("Paris", "Rome", "Bonn", normalizer=normalizer), NO_FILES
    )
    assert finding.severity is Severity.WARNING


def test_upper_case_bytes_after_lower_casing_are_fine(call: Call) -> None:
    normalizer = Component({"type": "Lowercase"}, Standing.STATED)
    assert call("pipeline/rewritten", replace(BYTE_LEVEL, normalizer=normalizer), NO_FILES) == []


def test_an_uncased_vocabulary_after_lower_casing_is_fine(call: Call) -> None:
    normalizer = Component({"type": "Lowercase"}, Standing.STATED)
    assert call("pipeline/rewritten", words("paris", "rome", normalizer=normalizer), NO_FILES) == []


def test_accents_are_only_stripped_after_a_decomposition(call: Call) -> None:
    strip = {"type": "StripAccents"}
    chain = {"type": "Sequence", "normalizers": [{"type": "NFD"}, strip]}
    alone = words("é", "ü", "ö", normalizer=Component(strip, Standing.STATED))
    normalized = replace(alone, normalizer=Component(chain, Standing.STATED))
    with pytest.raises(NotApplicable):
        call("pipeline/rewritten", alone, NO_FILES)
    assert len(call("pipeline/rewritten", normalized, NO_FILES)) == 1


def test_a_regular_expression_saved_as_text_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    split = {"type": "Split", "pattern": {"String": r"\s+(?!\S)"}}
    spec = replace(letters, pre_tokenizer=Component(split, Standing.STATED))
    (finding,) = call("pipeline/literal-pattern", spec)
    assert finding.severity is Severity.ERROR


def test_a_plain_text_pattern_is_fine(call: Call, letters: TokenizerSpec) -> None:
    split = {"type": "Split", "pattern": {"String": " "}}
    spec = replace(letters, pre_tokenizer=Component(split, Standing.STATED))
    assert call("pipeline/literal-pattern", spec) == []


def against(spec: TokenizerSpec) -> Base:
    return Base(Subject("base", Path("/nowhere"), ()), spec)


def test_a_vocabulary_is_its_own_base(call: Call, letters: TokenizerSpec) -> None:
    assert call("baseline/vocab", letters, against(letters)) == []


def test_a_token_that_moved_since_the_base_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    pieces = {**letters.pieces, 4: letters.pieces[5], 5: letters.pieces[4]}
    (finding,) = call("baseline/vocab", replace(letters, pieces=pieces), against(letters))
    assert "'ab' has id 5 instead of 4" in finding.message and finding.severity is Severity.ERROR


def test_a_token_that_the_base_lost_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    pieces = {id: piece for id, piece in letters.pieces.items() if id != 5}
    (finding,) = call("baseline/vocab", replace(letters, pieces=pieces), against(letters))
    assert "1 token is in the base, but missing here: 'abc' (id 5)" in finding.message


@pytest.mark.parametrize(
    ("id", "reported"),
    [(5, []), (9, ["1 token has another id than in the base: 'abc' has id 9 instead of 5."])],
)
def test_an_entry_of_the_base_that_became_an_added_token_is_not_missing(
    call: Call, letters: TokenizerSpec, id: int, reported: list[str]
) -> None:
    pieces = {id: piece for id, piece in letters.pieces.items() if id != 5}
    added = (*letters.added_tokens, AddedToken(id, "abc"))
    spec = replace(letters, pieces=pieces, added_tokens=added)
    assert [f.message for f in call("baseline/vocab", spec, against(letters))] == reported


def test_new_tokens_after_the_base_are_information(call: Call, letters: TokenizerSpec) -> None:
    pieces = {**letters.pieces, 8: Piece(TokenType.ORDINARY, "abcabc")}
    found = call("baseline/vocab", replace(letters, pieces=pieces), against(letters))
    assert [f.severity for f in found if isinstance(f, Finding)] == [Severity.INFO]


def test_a_lower_casing_step_added_to_the_base_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    plain = replace(letters, normalizer=Component(None, Standing.STATED))
    spec = replace(letters, normalizer=Component({"type": "Lowercase"}, Standing.STATED))
    (finding,) = call("baseline/components", spec, against(plain))
    assert finding.places[0].component == "normalizer" and "Lowercase" in finding.message


@pytest.mark.parametrize(
    ("character", "after", "reported"),
    [
        (" ", [], 0),
        (" ", [{"type": "Prepend", "prepend": "\u2581"}], 0),
        (" ", [{"type": "NFKC"}], 1),
        (" ", [{"type": "Prepend", "prepend": " "}], 1),
        ("a", [], 1),
    ],
)
def test_a_split_at_a_character_that_the_normalizer_has_replaced_changes_nothing(
    call: Call, letters: TokenizerSpec, character: str, after: list[Any], reported: int
) -> None:
    replaced = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
    split = {"type": "Split", "pattern": {"String": character}, "behavior": "MergedWithPrevious"}
    steps = {"type": "Sequence", "normalizers": [replaced, *after]}
    over_a_space = {8: Piece(TokenType.ORDINARY, " "), 9: Piece(TokenType.ORDINARY, " a")}
    base = replace(
        letters,
        pieces={**letters.pieces, **over_a_space},  # so that a cut after a space matters
        merges=(*(letters.merges or ()), (" ", "a")),
        normalizer=Component(steps, Standing.STATED),
        pre_tokenizer=Component(None, Standing.STATED),
    )
    spec = replace(base, pre_tokenizer=Component(split, Standing.STATED))
    assert len(unlike_the_base(call, spec, base)) == reported


def unlike_the_base(call: Call, spec: TokenizerSpec, base: TokenizerSpec) -> list[Finding]:
    """What is found, without the figures of what is written differently and proved the same."""
    output = call("baseline/components", spec, against(base))
    return [item for item in output if isinstance(item, Finding)]


BYTES_OUT = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
TEXT_ALONE = {
    "type": "TemplateProcessing",
    "single": [{"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
}
WITH_BEGIN = TEXT_ALONE | {
    "single": [{"SpecialToken": {"id": "<|end|>", "type_id": 0}}, *TEXT_ALONE["single"]],
    "special_tokens": {"<|end|>": {"id": "<|end|>", "ids": [6], "tokens": ["<|end|>"]}},
}


@pytest.mark.parametrize(
    ("stage", "before", "after", "reported"),
    [
        ("pre_tokenizer", BYTES_OUT, BYTES_OUT | {"use_regex": True}, []),
        ("pre_tokenizer", BYTES_OUT, BYTES_OUT | {"trim_offsets": True}, []),
        ("pre_tokenizer", BYTES_OUT, BYTES_OUT | {"use_regex": False}, ["error"]),
        ("pre_tokenizer", BYTES_OUT, BYTES_OUT | {"add_prefix_space": True}, ["error"]),
        ("pre_tokenizer", BYTES_OUT, {"type": "Sequence", "pretokenizers": [BYTES_OUT]}, []),
        ("decoder", BYTES_OUT, {"type": "ByteLevel", "add_prefix_space": True}, []),
        (
            "pre_tokenizer",
            {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True},
            {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"},
            [],
        ),
        (
            "pre_tokenizer",
            {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": False},
            {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"},
            ["error"],
        ),
        ("post_processor", None, TEXT_ALONE, []),
        ("post_processor", BYTES_OUT, TEXT_ALONE, []),
        ("post_processor", BYTES_OUT, WITH_BEGIN, ["warning"]),  # nobody runs it here: no text
    ],
)
def test_a_stage_is_the_bases_if_it_acts_as_the_bases_does(
    call: Call, letters: TokenizerSpec, stage: str, before: Any, after: Any, reported: list[str]
) -> None:
    across = {8: Piece(TokenType.ORDINARY, "Ġ"), 9: Piece(TokenType.ORDINARY, "aĠ")}
    merges = (("a", "Ġ"), *(letters.merges or ()))  # so that a cut before a space matters
    letters = replace(letters, pieces={**letters.pieces, **across}, merges=merges)
    base = replace(letters, **{stage: Component(before, Standing.STATED)})  # type: ignore[arg-type]
    spec = replace(letters, **{stage: Component(after, Standing.STATED)})  # type: ignore[arg-type]
    assert [finding.severity for finding in unlike_the_base(call, spec, base)] == reported


def ranked(*texts: str) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, text.encode()) for id, text in enumerate(texts)}
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        byte_level=True,
        priority=Priority.PRODUCT,
        product_ranks={id: float(id) for id in pieces},
        ignore_merges=True,
        files=("ranks.tiktoken",),
    )


LETTERS = "abcdefghijklmnopqrstuvwxyz"
LEARNED = (*LETTERS, *(a + b for a, b in pairwise(LETTERS)))


def test_ranks_that_a_trainer_can_have_given_are_fine(call: Call) -> None:
    spec = ranked(*LEARNED, "abc", "abcd")
    assert call("vocab/learnable", spec, effective_merges(spec)) == []


def test_a_token_ranked_before_its_part_is_a_warning(call: Call) -> None:
    spec = ranked(*LETTERS, "abc", *LEARNED[26:])
    (finding,) = call("vocab/learnable", spec, effective_merges(spec))
    assert (finding.severity, finding.evidence[0].ids) == (Severity.WARNING, (26,))


def test_a_token_that_two_of_a_better_rank_make_is_fine_whatever_makes_it_in_the_end(
    call: Call,
) -> None:
    made = ("ss", "xs", "ssr", "xsssr", "sss", "sssr")  # of xs and ssr, or of x and sssr
    spec = ranked(*LEARNED, *made)
    assert call("vocab/learnable", spec, effective_merges(spec)) == []


def test_a_token_that_nothing_makes_is_a_warning(call: Call) -> None:
    spec = ranked(*LEARNED, "azbyc")
    (finding,) = call("vocab/learnable", spec, effective_merges(spec))
    assert finding.severity is Severity.WARNING and "'azbyc' (id 51)" in finding.message


def test_many_tokens_that_nothing_makes_are_the_publisher_s_own(call: Call) -> None:
    odd = [LETTERS[at : at + 5 : 2] for at in range(22)]
    pairs = [a + b for a in LETTERS for b in LETTERS if b != chr(ord(a) + 2)]
    spec = ranked(*LETTERS, *pairs, *odd)
    (finding,) = call("vocab/learnable", spec, effective_merges(spec))
    assert finding.severity is Severity.INFO
    assert finding.message.startswith("22 tokens are not made of tokens with a lower rank: 'ace'")


def test_what_was_put_before_all_that_was_learned_was_put_there_by_hand(call: Call) -> None:
    spec = ranked(*LETTERS, "<!--", *LEARNED[26:])
    assert call("vocab/learnable", spec, effective_merges(spec)) == []


def test_a_published_name_on_another_file_is_an_error(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "cl100k_base.tiktoken"
    path.write_bytes(b"YQ== 0\nYg== 1\n")
    file = SourceFile(path.name, path, path.stat().st_size, "tiktoken")
    (finding,) = call("files/known-encoding", Subject("test", tmp_path, (file,)), Contents())
    assert finding.message.startswith("cl100k_base.tiktoken is not the published cl100k_base")


def test_a_token_without_its_merge_is_a_warning_where_ids_show_no_order(
    call: Call, letters: TokenizerSpec
) -> None:
    spec = replace(letters, merges=(("a", "b"),))
    measured, finding = call("vocab/unreachable", spec, effective_merges(spec))
    assert measured.value == 1 and finding.severity is Severity.WARNING


def test_a_merge_that_comes_after_those_that_need_it_is_blamed_for_its_tokens(
    call: Call, letters: TokenizerSpec
) -> None:
    pieces = {
        id: Piece(TokenType.ORDINARY, v) for id, v in enumerate(["t", "h", "e", "th", "he", "the"])
    }
    spec = replace(letters, pieces=pieces, merges=(("t", "he"), ("t", "h"), ("h", "e")))
    *_, finding = call("vocab/unreachable", spec, effective_merges(spec))
    assert "'h' + 'e' at rank 2 makes a part of it and comes after 't' + 'he'" in finding.message
    assert finding.places[2:] == (in_merges(spec, 2, "'h' + 'e'"),)


def test_a_token_with_a_run_that_no_merge_makes_is_information(
    call: Call, letters: TokenizerSpec
) -> None:
    pieces = {**letters.pieces, 9: Piece(TokenType.ORDINARY, "abbb")}
    spec = replace(letters, pieces=pieces)
    *_, finding = call("vocab/unreachable", spec, effective_merges(spec))
    assert (finding.severity, finding.evidence[0].ids) == (Severity.INFO, (9,))


def test_a_vocabulary_listed_in_order_of_id_but_for_two_that_fit_is_a_warning(call: Call) -> None:
    ids = list(range(60))
    ids[10], ids[40] = ids[40], ids[10]
    pieces = {id: Piece(TokenType.ORDINARY, f"word{id}") for id in ids}
    spec = TokenizerSpec(ModelType.WORDPIECE, pieces, files=("tokenizer.json",))
    (finding,) = call("vocab/id-order", spec, NO_FILES)
    assert finding.severity is Severity.WARNING and set(finding.evidence[0].ids) == {10, 40}


def test_an_entry_written_in_another_place_is_a_warning(call: Call) -> None:
    ids = list(range(60))
    ids.insert(40, ids.pop(10))
    pieces = {id: Piece(TokenType.ORDINARY, f"word{id}") for id in ids}
    spec = TokenizerSpec(ModelType.WORDPIECE, pieces, files=("tokenizer.json",))
    (finding,) = call("vocab/id-order", spec, NO_FILES)
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("scores", "cause"),
    [
        (
            [0.0] * 30,
            "all have the same score, so only the number of tokens decides between two cuts",
        ),
        (
            [float(place) + 0.5 for place in range(30, 0, -1)],
            "most have a score above zero, which no log probability is",
        ),
        (
            [float(place) - 40 for place in range(30)],
            "the scores rise with the ids, where those of published models fall",
        ),
        (
            [-float(place * 7 % 30) - 1 for place in range(30)],
            None,
        ),
        ([-float(place) - 1 for place in range(30)], None),
    ],
)
def test_scores_unlike_those_of_published_models_are_a_warning(
    call: Call, scores: list[float], cause: str | None
) -> None:
    spec = words(*map(str, range(30)), kind=ModelType.UNIGRAM, scores=dict(enumerate(scores)))
    found = [(finding.severity, finding.cause) for finding in call("vocab/scores", spec)]
    assert found == ([(Severity.WARNING, cause)] if cause else [])


def test_the_unknown_token_of_the_model_is_the_one_that_is_named(
    call: Call, letters: TokenizerSpec
) -> None:
    named = subject(unk_token="<unk>")
    assert call("vocab/unknown-token", letters, named) == []
    (finding,) = call("vocab/unknown-token", replace(letters, unk_id=5), named)
    assert (finding.severity, finding.cause) == (Severity.ERROR, "another")


def test_a_list_of_merges_that_was_lost_is_an_error(call: Call) -> None:
    spec = words(*LEARNED, kind=ModelType.BPE, merges=())
    (finding,) = call("merges/missing", spec)
    assert finding.severity is Severity.ERROR


WITH_A_BYTE = {8: Piece(TokenType.BYTE, "<0x7A>")}
WITH_UNREACHABLE = {8: Piece(TokenType.ORDINARY, "cab")}


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        ({}, []),
        ({"ignore_merges": True}, []),  # the merges make every token
        (
            {"ignore_merges": True, "pieces": WITH_UNREACHABLE},
            ["ignore_merges is True here, but False in the base"],
        ),
        ({"byte_fallback": True}, []),  # no entry is a byte
        (
            {"byte_fallback": True, "pieces": WITH_A_BYTE},
            ["byte_fallback is True here, but False in the base"],
        ),
        ({"byte_fallback": True, "byte_level": True}, []),
        ({"unk_id": None}, ["unk_token is not set here, but 0 in the base"]),
        ({"unk_id": None, "byte_level": True}, []),
        ({"fuse_unk": True}, ["fuse_unk is True here, but False in the base"]),
        (
            {"end_of_word_suffix": "</w>"},
            ["end_of_word_suffix is </w> here, but not set in the base"],
        ),
        ({"max_input_chars_per_word": 7}, []),
    ],
)
def test_settings_of_the_model_that_matter_are_held_against_the_base(
    call: Call, letters: TokenizerSpec, change: dict[str, Any], reported: list[str]
) -> None:
    pieces = {**letters.pieces, **change.get("pieces", {})}
    spec = replace(letters, **change | {"pieces": pieces})
    found = call("baseline/model-settings", spec, against(letters))
    assert [finding.message.split(":")[0] for finding in found] == reported


def scored(scores: dict[int, float]) -> TokenizerSpec:
    pieces = {id: Piece(TokenType.ORDINARY, text) for id, text in enumerate(["a", "b", "ab"])}
    none = Component(None, Standing.STATED)
    return TokenizerSpec(
        ModelType.UNIGRAM,
        pieces,
        scores=scores,
        unk_id=0,
        pre_tokenizer=none,
        files=("tokenizer.json",),
    )


@pytest.mark.parametrize(
    ("score", "reported"),
    [
        (-3.0, []),
        (-3.0000001, []),
        (-3.1, ["1 token has another score than in the base: 'ab' has -3.1 instead of -3."]),
    ],
)
def test_a_score_changed_since_the_base_is_an_error(
    call: Call, score: float, reported: list[str]
) -> None:
    before, after = scored({0: -1.0, 1: -2.0, 2: -3.0}), scored({0: -1.0, 1: -2.0, 2: score})
    found = call("baseline/scores", after, against(before))
    assert [finding.message for finding in found] == reported


def test_a_vocabulary_that_is_only_read_in_another_way_is_neither_missing_nor_new(
    folder: Path, sick: ModuleType, ask: Call, processes: None
) -> None:
    base = sick.healthy(folder.parent / "base")
    sick.only_tokenizer(folder)
    other = {"type": "Whitespace"}
    sick.edit(folder, "tokenizer.json", lambda t: t.update(pre_tokenizer=other))
    (finding,) = ask("baseline/vocab", folder, base)
    assert (finding.severity, finding.message) == (
        Severity.INFO,
        "376 entries are written as in the base and at the same id, but read as text here and as "
        "bytes in the base, by the steps before the model.",
    )


def test_ids_that_moved_are_found_where_the_vocabulary_is_read_in_another_way_too(
    folder: Path, sick: ModuleType, ask: Call, processes: None
) -> None:
    base = sick.healthy(folder.parent / "base")
    sick.only_tokenizer(folder)

    def change(tokenizer: Any) -> None:
        tokenizer.update(pre_tokenizer={"type": "Whitespace"})
        sick.swap(tokenizer["model"]["vocab"], 300, 350)

    sick.edit(folder, "tokenizer.json", change)
    found = ask("baseline/vocab", folder, base)
    assert [each.severity for each in found] == [Severity.INFO, Severity.ERROR]
    assert found[1].message.startswith("2 tokens have another id than in the base: ")
