"""Faults that folders come with: roles exchanged, a file not copied, merges lost, rows without a token."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import class_folders
import pytest
from class_folders import of_class
from real_tokenizers import put

import tokaudit
from tokaudit.report.model import Finding, Severity
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.published.known_encodings import KnownEncoding, has_the_ranks
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit_folders import gguf_files as g
from tokaudit_folders.example_folders import safetensors
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_suites.files.known_encoding import of_special_tokens
from tokaudit_suites.shared.learned_order import LearnedOrder, LostTokens

Call = Callable[..., list[Any]]
NAMED = "tokenizer_config.json"
SMALL = Folder.bpe("ab", [["a", "b"]])


def stated(*facts: tuple[str, Any, str]) -> Subject:
    made = tuple(Fact(name, value, file, f"/{name}") for name, value, file in facts)
    return Subject("test", Path("/nowhere"), (), made)


def said(call: Call, check: str, *given: object) -> list[tuple[str, str]]:
    """Severity and cause of what a check finds."""
    found = (item for item in call(check, *given) if isinstance(item, Finding))
    return [(str(item.severity), item.cause) for item in found]


def test_an_end_that_is_the_beginning_is_an_error_though_generation_reads_another_file(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(
        ("bos_token", "<|pad|>", NAMED),
        ("eos_token", "<|end|>", NAMED),
        ("eos_token_id", 7, "config.json"),
        ("eos_token_id", 6, "generation_config.json"),
    )
    assert said(call, "special_tokens/role-ids", letters, subject) == [("error", "eos")]


@pytest.mark.parametrize(
    ("id", "severity"), [(5, "error"), (2, "error"), (8, "warning"), (9, "error")]
)
def test_an_end_that_is_an_ordinary_word_is_an_error(
    call: Call, letters: TokenizerSpec, id: int, severity: str
) -> None:
    marker = Piece(TokenType.ORDINARY, "<|eot|>")
    byte = Piece(TokenType.BYTE, "<0x61>")
    spec = replace(letters, pieces={**letters.pieces, 8: marker, 9: byte})
    subject = stated(("eos_token_id", id, "model.gguf"))
    assert said(call, "special_tokens/role-ids", spec, subject) == [(severity, "eos")]


BERT = ("[UNK]", "[CLS]", "[SEP]", "[MASK]")


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (("cls_token_id", 1, "model.gguf"), []),
        (("cls_token_id", 0, "model.gguf"), [("error", "cls spelling")]),
        (("mask_token", "[MASK]", NAMED), []),
        (("mask_token", "[UNK]", NAMED), [("error", "mask spelling")]),
    ],
)
def test_a_role_is_not_played_by_a_token_that_is_spelled_as_another(
    call: Call, fact: tuple[str, Any, str], expected: list[tuple[str, str]]
) -> None:
    pieces = {id: Piece(TokenType.CONTROL, text) for id, text in enumerate(BERT)}
    spec = TokenizerSpec(ModelType.WORDPIECE, pieces, files=("model.gguf",))
    assert said(call, "special_tokens/role-ids", spec, stated(fact)) == expected


def test_a_model_that_writes_the_padding_for_what_it_does_not_know_is_an_error(
    call: Call,
) -> None:
    pieces = {0: Piece(TokenType.CONTROL, "<pad>"), 1: Piece(TokenType.UNKNOWN, "<unk>")}
    spec = TokenizerSpec(ModelType.UNIGRAM, pieces, unk_id=0, files=("tokenizer.json",))
    subject = stated(("unk_token", "<unk>", NAMED), ("pad_token", "<pad>", NAMED))
    assert said(call, "vocab/unknown-token", spec, subject) == [("error", "another")]


def test_an_unknown_token_that_is_named_as_the_padding_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    subject = stated(("unk_token", "<|pad|>", NAMED), ("pad_token", "<|pad|>", NAMED))
    assert said(call, "vocab/unknown-token", letters, subject) == [("error", "another")]


def test_byte_fallback_is_missed_where_the_tab_is_its_own_character(call: Call) -> None:
    texts = ["\t" if byte == 9 else f"<0x{byte:02X}>" for byte in range(256)]
    pieces = {id: Piece(TokenType.ORDINARY, text) for id, text in enumerate(texts)}
    spec = TokenizerSpec(ModelType.BPE, pieces, files=("tokenizer.json",))
    assert said(call, "vocab/byte-coverage", spec) == [("error", "switched off")]


def test_a_token_that_is_added_twice_in_a_row_is_an_error(
    call: Call, letters: TokenizerSpec
) -> None:
    end = {"SpecialToken": {"id": "<|end|>", "type_id": 0}}
    known = {"<|end|>": {"id": "<|end|>", "ids": [6], "tokens": ["<|end|>"]}}
    single = [{"Sequence": {"id": "A", "type_id": 0}}, end, end]
    step = {"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": known}
    spec = replace(letters, post_processor=Component(step, Standing.STATED))
    assert said(call, "special_tokens/post-processor", spec, stated()) == [("error", "twice")]


def test_merges_that_are_built_on_what_none_makes_were_lost() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [(a, b) for a in letters for b in letters]
    longer = [(a + b, c) for a, b in pairs for c in "xyz"]
    values = [*letters, *(a + b for a, b in [*pairs, *longer])]
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)}
    whole = TokenizerSpec(ModelType.BPE, pieces, merges=(*pairs, *longer))
    half = replace(whole, merges=(*pairs[::2], *longer))
    assert len(LearnedOrder(whole).unmade_parts) == 0
    assert len(LearnedOrder(half).unmade_parts) == len(pairs[1::2])


def test_a_length_left_open_is_said_where_positions_were_learned(call: Call) -> None:
    facts = (("model_max_length", 10**30, NAMED), ("max_position_embeddings", 512, "config.json"))
    for kind, expected in (("bert", [("info", "open")]), ("roberta", [("info", "open")])):
        subject = stated(*facts, ("model_type", kind, "config.json"))
        assert said(call, "padding/position-budget", subject) == expected


@pytest.mark.parametrize(
    ("name", "height", "expected"),
    [
        ("model.safetensors", 8, Severity.INFO),
        ("model.safetensors", 5, Severity.WARNING),
        ("adapter_model.safetensors", 5, Severity.ERROR),
    ],
)
def test_an_odd_number_of_rows_is_that_of_another_tokenizer(
    tmp_path: Path, name: str, height: int, expected: Severity
) -> None:
    SMALL.write(tmp_path)
    put(tmp_path / name, safetensors({"embed_tokens.weight": [[1.0, 2.0]] * height}))
    (found,) = tokaudit.run_check("embeddings/spare-rows", tmp_path).findings
    assert found.severity is expected


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("MarianTokenizer", "target.spm"),
        ("BartphoTokenizer", "dict.txt"),
        ("GPTNeoXJapaneseTokenizer", "emoji.json"),
        ("FSMTTokenizer", "vocab-tgt.json"),
        ("RoCBertTokenizer", "word_shape.json"),
    ],
)
def test_a_file_that_the_class_is_made_from_is_missed(
    tmp_path: Path, name: str, lacks: str
) -> None:
    folder = of_class(every_class()[name], tmp_path / "m")
    assert tokaudit.run_check("files/class-files", folder).findings == ()
    (folder / lacks).unlink()
    (found,) = tokaudit.run_check("files/class-files", folder).findings
    assert f"reads {lacks}, which the folder lacks" in found.message


def test_a_class_that_refuses_to_be_made_without_its_languages_is_an_error(tmp_path: Path) -> None:
    folder = of_class(every_class()["FSMTTokenizer"], tmp_path / "m")
    (folder / NAMED).write_text('{"tokenizer_class": "FSMTTokenizer"}')
    found = tokaudit.run_check("files/class-files", folder).findings
    assert {each.cause for each in found} == {"langs"}


def test_a_settings_file_after_a_byte_order_mark_is_an_error(tmp_path: Path) -> None:
    SMALL.write(tmp_path)
    put(tmp_path / "config.json", b'\xef\xbb\xbf{"vocab_size": 3}')
    (found,) = tokaudit.run_check("files/kind", tmp_path).findings
    assert found.message == ("config.json is JSON after a byte order mark, which loaders refuse.")


@pytest.mark.parametrize(("kind", "expected"), [(g.CONTROL, []), (g.NORMAL, ["eos type"])])
def test_an_end_with_the_type_of_text_is_an_error(
    tmp_path: Path, kind: int, expected: list[str]
) -> None:
    tokens = ["a", "b", "ab", "<|start|>", "<|end|>"]
    keys = g.tokenizer(
        "gpt2",
        tokens,
        pre=(g.TEXT, "gpt-2"),
        token_type=(g.I32, [1, 1, 1, g.CONTROL, kind]),
        merges=(g.TEXT, ["a b"]),
        bos_token_id=(g.U32, 3),
        eos_token_id=(g.U32, 4),
    )
    put(tmp_path / "model.gguf", g.gguf(keys))
    found = tokaudit.run_check("special_tokens/gguf-ends", tmp_path).findings
    assert [each.cause for each in found] == expected


def test_a_rank_file_with_a_line_for_a_special_token_has_the_published_ranks() -> None:
    plain = b"YQ== 0\nYg== 1\nYWI= 3\n"
    known = KnownEncoding(sha256(plain).hexdigest(), 3, "", "", {"<|endoftext|>": 2})
    assert has_the_ranks(plain.replace(b"YWI= 3", b"PHw= 2\r\nYWI= 3"), known)
    assert not has_the_ranks(plain.replace(b"YWI=", b"YWM="), known)


def test_the_added_token_of_a_role_is_not_ordinary(call: Call, letters: TokenizerSpec) -> None:
    spec = replace(letters, added_tokens=(*letters.added_tokens, AddedToken(8, "word")))
    assert said(call, "special_tokens/role-ids", spec, stated(("eos_token_id", 8, "c"))) == []


def test_a_cased_vocabulary_of_merges_was_not_learned_after_a_lower_casing_step(
    call: Call,
) -> None:
    values = [*"abcABC", "ab", "AB", "Ab", "BC", "CA"]
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)}
    lower = Component({"type": "Lowercase"}, Standing.STATED)
    merges = (("a", "b"), ("A", "B"), ("A", "b"), ("B", "C"), ("C", "A"))
    spec = TokenizerSpec(ModelType.BPE, pieces, merges=merges, normalizer=lower, files=("t",))
    assert said(call, "pipeline/rewritten", spec, Subject("", Path(), ())) == [
        ("error", "lower-casing")
    ]


def test_merges_are_missed_after_whole_pieces_too_where_many_are_lost(call: Call) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = [(a, b) for a in letters for b in letters]
    values = [*letters, *(a + b for a, b in pairs)]
    pieces = {id: Piece(TokenType.ORDINARY, value) for id, value in enumerate(values)}
    whole = TokenizerSpec(
        ModelType.BPE, pieces, merges=tuple(pairs), ignore_merges=True, files=("t",)
    )
    assert LearnedOrder(whole).mostly_unmade == {}
    half = replace(whole, merges=tuple(pairs[::2]))
    (found,) = call("merges/missing", half, LearnedOrder(half), LostTokens({}))
    assert "338 tokens are found only as whole words" in found.message


MARKERS = ("<|image_pad|>", "<|vision_pad|>", "<|video_pad|>")


@pytest.mark.parametrize(
    ("id", "said"),
    [(8, None), (9, "but '<|image_pad|>' is id 8"), (2, "any text may contain this ordinary")],
)
def test_the_place_of_a_picture_is_its_own_marker(
    tmp_path: Path, id: int, said: str | None
) -> None:
    added = [{"id": 8 + n, "content": text, "special": True} for n, text in enumerate(MARKERS)]
    SMALL.changed(added_tokens=added).write(tmp_path)
    put(tmp_path / "config.json", json.dumps({"image_token_id": id}).encode())
    found = tokaudit.run_check("config/ids", tmp_path).findings
    assert [said in each.message for each in found if said] == [True] * len(found)
    assert (found == ()) == (said is None)


def test_special_tokens_of_a_published_encoding_keep_their_ids(call: Call) -> None:
    known = KnownEncoding("", 7, "", "", {"<|end|>": 7, "<|reserved_1|>": 7})
    named = ((7, "<|end|>", []), (8, "<|end|>", ["special tokens"]), (8, "<|reserved_1|>", []))
    for id, content, expected in named:
        subject = stated(("added_tokens_decoder", {str(id): {"content": content}}, NAMED))
        assert [each.cause for each in of_special_tokens(subject, "x", known)] == expected


def learned(kind: ModelType, scores: Sequence[float]) -> TokenizerSpec:
    """A SentencePiece model of so many pieces, as it lists them with their scores."""
    pieces = {id: Piece(TokenType.ORDINARY, f"p{id}") for id in range(len(scores))}
    return TokenizerSpec(kind, pieces, scores=dict(enumerate(scores)), files=("t",))


RANKS = [-float(rank) for rank in range(1200)]
PROBABILITIES = [-3 - rank / 700 for rank in range(1200)]


@pytest.mark.parametrize(
    ("kind", "scores", "expected"),
    [
        (ModelType.BPE, RANKS, []),
        (ModelType.UNIGRAM, PROBABILITIES, []),
        (ModelType.UNIGRAM, RANKS[:200], []),  # written by hand
        (ModelType.UNIGRAM, RANKS, ["warning"]),
        (ModelType.BPE, PROBABILITIES, ["warning"]),
    ],
)
def test_scores_of_the_other_kind_of_model_are_a_warning(
    call: Call, kind: ModelType, scores: list[float], expected: list[str]
) -> None:
    found = said(call, "vocab/scores", learned(kind, scores))
    assert [severity for severity, _ in found] == expected


def test_a_piece_that_is_listed_at_two_ids_is_an_error(call: Call) -> None:
    spec = learned(ModelType.UNIGRAM, [-1.0, -2.0])
    twice = {**spec.pieces, 2: spec.pieces[1]}
    (found,) = call("vocab/duplicate-entries", replace(spec, pieces=twice))
    assert "'p1' (ids 1 and 2)" in found.message


@pytest.mark.parametrize(("form", "expected"), [("NFC", []), ("NFD", [("error", "composing")])])
def test_pieces_that_the_map_of_the_model_composes_are_never_used(
    call: Call, tmp_path: Path, form: Literal["NFC", "NFD"], expected: list[tuple[str, str]]
) -> None:
    texts = [
        unicodedata.normalize(form, text) for text in ("caf\u00e9", "\u00fcber", "\u00e5", "a")
    ]
    pieces = {id: Piece(TokenType.ORDINARY, text) for id, text in enumerate(texts)}
    put(tmp_path / "m.model", class_folders.model("unigram", "pad"))
    read = parse_all(open_subject(tmp_path)).parsed[0][1]
    spec = TokenizerSpec(ModelType.UNIGRAM, pieces, normalizer=read.normalizer, files=("t",))
    assert said(call, "pipeline/rewritten", spec, Subject("", Path(), ())) == expected


@pytest.mark.parametrize(
    ("kind", "expected"), [("OwnForMaskedLM", [("error", "lost ends")]), ("OwnForCausalLM", [])]
)
def test_a_model_that_fills_gaps_needs_the_ends_that_its_settings_name(
    call: Call, letters: TokenizerSpec, kind: str, expected: list[tuple[str, str]]
) -> None:
    nothing = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    spec = replace(letters, post_processor=Component(nothing, Standing.STATED))
    subject = stated(
        ("tokenizer_class", "PreTrainedTokenizerFast", NAMED),
        ("cls_token", "<|end|>", NAMED),
        ("sep_token", "<|pad|>", NAMED),
        ("architectures", [kind], "config.json"),
    )
    assert said(call, "special_tokens/post-processor", spec, subject) == expected
