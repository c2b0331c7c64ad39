"""The merges suite on specs made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE

from tokaudit.engine.needs import Base, Contents
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Severity
from tokaudit.subject.material import SourceFile, Subject
from tokaudit_reference.spec import Dialect, ModelType, Piece, TokenizerSpec, TokenType
from tokaudit_suites.merges.missing import _lost
from tokaudit_suites.shared.learned_order import LearnedOrder, LostTokens

Call = Callable[..., list[Any]]


def test_a_merge_into_a_token_that_does_not_exist_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    spec = replace(letters, merges=(("a", "b"), ("b", "c")))
    (finding,) = call("merges/parts-exist", spec)
    assert finding.places[0].pointer == "/model/merges/1" and "(no 'bc')" in finding.message


def test_a_merge_of_characters_outside_of_the_alphabet_of_bytes_makes_characters(
    call: Call, letters: TokenizerSpec
) -> None:
    pieces = {0: b")", 1: "\u2019", 2: "\u2019)"}
    spec = replace(
        letters,
        pieces={id: Piece(TokenType.ORDINARY, value) for id, value in pieces.items()},
        byte_level=True,
        merges=(("\u2019", b")"),),
    )
    assert call("merges/parts-exist", spec) == []
    (finding,) = call("merges/parts-exist", replace(spec, merges=((b")", "\u2019"),)))
    assert finding.cause == "part missing"


def test_a_pair_listed_twice_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, merges=(("a", "b"), ("ab", "c"), ("a", "b")))
    (finding,) = call("merges/duplicates", spec)
    assert finding.places[0].pointer == "/model/merges/2"


def test_tokens_that_are_lost_though_each_has_a_merge_are_counted(letters: TokenizerSpec) -> None:
    order = LearnedOrder(letters)
    order.__dict__["missing_merges"] = {}
    finding = _lost(letters, order, LostTokens({3: "ab", 4: "bc"}))
    assert finding.message.startswith("2 tokens are never produced, although tokens with")


@pytest.mark.parametrize("alternative", [0, 1])
def test_the_earlier_rank_is_removed_for_who_keeps_the_ids_of_the_library(
    call: Call, letters: TokenizerSpec, alternative: int
) -> None:
    merges = [("a", "b"), ("b", "c"), ("a", "b"), ("a", "b")]
    (finding,) = call("merges/duplicates", replace(letters, merges=tuple(merges)))
    changes = finding.repair.choice[alternative].changes
    gone = {int(change.pointer.rpartition("/")[2]) for change in changes}
    assert gone == ({0, 2}, {2, 3})[alternative]
    vocab = {token: id for id, token in enumerate(("a", "b", "c", "ab", "bc"))}
    left = [pair for index, pair in enumerate(merges) if index not in gone]
    before, after = (Tokenizer(BPE(vocab, each)).encode("abc").tokens for each in (merges, left))
    assert (before, after) == (["a", "bc"], (["a", "bc"], ["ab", "c"])[alternative])


def test_the_later_rank_is_removed_where_llama_cpp_reads_the_file(
    call: Call, letters: TokenizerSpec
) -> None:
    merges = (("a", "b"), ("ab", "c"), ("a", "b"))
    spec = replace(letters, merges=merges, dialect=Dialect.LLAMA_CPP)
    (finding,) = call("merges/duplicates", spec)
    assert [change.pointer for change in finding.repair.changes] == ["/model/merges/2"]


def test_dropout_left_on_is_an_error(call: Call, letters: TokenizerSpec) -> None:
    (finding,) = call("merges/dropout", replace(letters, dropout=0.1))
    assert finding.places[0].pointer == "/model/dropout" and "0.1" in finding.message


def test_dropout_of_nothing_is_fine(call: Call, letters: TokenizerSpec) -> None:
    assert call("merges/dropout", replace(letters, dropout=0.0)) == []


def test_a_format_without_merges_is_not_judged(call: Call, letters: TokenizerSpec) -> None:
    for id in ("merges/parts-exist", "merges/duplicates", "merges/order"):
        with pytest.raises(NotApplicable):
            call(id, replace(letters, merges=None))


def test_too_few_merges_show_no_order(call: Call, letters: TokenizerSpec) -> None:
    with pytest.raises(NotApplicable):
        call("merges/order", letters)


@pytest.mark.parametrize(("between", "reported"), [("zz", ["'zz' (id 38)"]), ("<|unused7|>", [])])
def test_what_stands_amid_learned_tokens_was_learned_unless_it_is_a_marker(
    call: Call, between: str, reported: list[str]
) -> None:
    merges = tuple(pairwise(ascii_lowercase))
    words = [*ascii_lowercase, *map("".join, merges)]
    words.insert(38, between)
    pieces = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(words)}
    spec = TokenizerSpec(ModelType.BPE, pieces, merges=merges, files=("tokenizer.json",))
    found = call("merges/missing", spec)
    assert [item.message.split(": ")[-1].removesuffix(".") for item in found] == reported


def line_file(folder: Path, content: bytes) -> Subject:
    path = folder / "merges.txt"
    path.write_bytes(content)
    return Subject("test", folder, (SourceFile("merges.txt", path, len(content), "merges"),))


def test_windows_line_ends_throughout_are_a_warning(call: Call, tmp_path: Path) -> None:
    (finding,) = call("files/line-endings", line_file(tmp_path, b"a b\r\nab c\r\n"), Contents())
    assert finding.severity is Severity.WARNING


def test_a_carriage_return_in_one_line_is_an_error(call: Call, tmp_path: Path) -> None:
    (finding,) = call("files/line-endings", line_file(tmp_path, b"a b\nab c\r\nx y\n"), Contents())
    assert finding.severity is Severity.ERROR and finding.places[0].pointer == "line 2"


def test_plain_line_ends_are_fine(call: Call, tmp_path: Path) -> None:
    assert call("files/line-endings", line_file(tmp_path, b"a b\nab c\n"), Contents()) == []


def test_ranks_are_read_line_by_line_under_whatever_name(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(b"IQ== 0\r\nIg== 1\r\n")
    files = (SourceFile(path.name, path, path.stat().st_size, "tiktoken"),)
    [finding] = call("files/line-endings", Subject("test", tmp_path, files), Contents())
    assert finding.severity is Severity.WARNING


def changed(call: Call, spec: TokenizerSpec, base: TokenizerSpec) -> list[str]:
    against = Base(Subject("base", Path("/nowhere"), ()), base)
    return [finding.message for finding in call("baseline/merges", spec, against)]


def test_merges_are_their_own_base(call: Call, letters: TokenizerSpec) -> None:
    assert changed(call, letters, letters) == []


def test_a_merge_deleted_since_the_base_is_named(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, merges=(("a", "b"),))
    assert changed(call, spec, letters) == [
        "1 merge of the base is missing here: 'ab' + 'c' (rank 1 in the base)."
    ]


def test_merges_exchanged_since_the_base_are_named(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, merges=(("ab", "c"), ("a", "b")))
    (message,) = changed(call, spec, letters)
    assert message.startswith("1 merge is at another rank than in the base")


def test_a_merge_that_the_base_does_not_have_is_named(call: Call, letters: TokenizerSpec) -> None:
    pieces = {**letters.pieces, 8: Piece(TokenType.ORDINARY, "ba")}
    base = replace(letters, pieces=pieces)
    spec = replace(base, merges=(*(letters.merges or ()), ("b", "a")))
    assert changed(call, spec, base) == ["1 merge is not in the base: 'b' + 'a' at 2."]


def test_merges_after_the_bases_that_make_new_tokens_are_a_warning(
    call: Call, letters: TokenizerSpec
) -> None:
    pieces = {**letters.pieces, 8: Piece(TokenType.ORDINARY, "ba")}
    spec = replace(letters, pieces=pieces, merges=(*(letters.merges or ()), ("b", "a")))
    against = Base(Subject("base", Path("/nowhere"), ()), letters)
    (found,) = call("baseline/merges", spec, against)
    assert (found.severity, found.cause) == (Severity.WARNING, "added after the base's")


def test_a_merge_that_can_never_fire_is_silent(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, merges=(*(letters.merges or ()), ("a", "bc")))
    assert changed(call, spec, letters) == []


def test_merges_in_another_order_that_no_text_can_tell_are_silent(
    call: Call, letters: TokenizerSpec
) -> None:
    pieces = {**letters.pieces, 8: Piece(TokenType.ORDINARY, "cc")}
    base = replace(letters, pieces=pieces, merges=(("a", "b"), ("c", "c")))
    spec = replace(base, merges=(("c", "c"), ("a", "b")))
    assert changed(call, spec, base) == []


def every_split(*words: str) -> list[tuple[str, str]]:
    """Every way to make these words of two others, as conversions from SentencePiece list them."""
    known = {*ascii_lowercase, *words}
    splits = [(word[:at], word[at:]) for word in words for at in range(1, len(word))]
    return [(left, right) for left, right in splits if left in known and right in known]


@pytest.mark.parametrize(("shuffled", "causes"), [(False, []), (True, ["shuffled"])])
def test_a_conversion_in_no_order_at_all_is_a_warning(
    call: Call, shuffled: bool, causes: list[str]
) -> None:
    pairs = list(map("".join, pairwise(ascii_lowercase)))
    triples = [a + b[1] for a, b in pairwise(pairs)]
    fours = [a + b[2] for a, b in pairwise(triples)]
    merges = every_split(*pairs, *triples, *fours)
    if shuffled:
        Random(1).shuffle(merges)
    pieces = {
        id: Piece(TokenType.ORDINARY, word)
        for id, word in enumerate([*ascii_lowercase, *pairs, *triples, *fours])
    }
    spec = TokenizerSpec(ModelType.BPE, pieces, merges=tuple(merges), files=("tokenizer.json",))
    try:
        found = call("merges/order", spec)
    except NotApplicable:
        found = []
    assert [finding.cause for finding in found] == causes


@pytest.mark.parametrize(("in_order", "severity"), [(True, "info"), (False, "warning")])
def test_a_second_list_laid_among_the_first_is_information(
    call: Call, in_order: bool, severity: str
) -> None:
    pairs = [a + b for a in ascii_lowercase for b in ascii_lowercase]
    triples = [f"{pair}z" for pair in pairs[:300]]
    capitals = ascii_lowercase.upper()
    second = [a + b for a, b in pairwise(capitals)]
    merges = every_split(*pairs, *triples)
    laid = second if in_order else Random(1).sample(second, len(second))
    for place, word in enumerate(laid):
        merges.insert(20 * place + 10, (word[0], word[1]))
    words = [*ascii_lowercase, *capitals, *pairs, *triples, *second]
    pieces = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate(words)}
    spec = TokenizerSpec(ModelType.BPE, pieces, merges=tuple(merges), files=("tokenizer.json",))
    (found,) = call("merges/order", spec)
    assert str(found.severity) == severity
