"""Small folders of which a loader or a library makes something else than is expected."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from class_folders import model, pieces_of

import tokaudit
from tokaudit.engine.needs import Original
from tokaudit.report.model import Finding
from tokaudit.subject.formats.sentencepiece_model import bare_model
from tokaudit.subject.material import Subject
from tokaudit_folders import gguf_files as gguf
from tokaudit_folders.folder import FLAGS, Folder
from tokaudit_reference.spec import AddedToken, Origin, TokenizerSpec

Call = Callable[..., list[Any]]
MARKS = ("<|im_start|>", "<|im_end|>")
AS_IT_IS = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
ORDINARY, USER_DEFINED = 1, 4


def said(check: str, path: Path) -> list[Finding]:
    return list(tokaudit.run_check(check, path, tier="quick").findings)


def marked(
    path: Path, kind: int, score: float = -1000.0, marks: Sequence[str] = MARKS, **settings: str
) -> Path:
    """A SentencePiece model with markers of a kind, and a tokenizer.json that adds them."""
    letters = "".join(sorted({*"".join(marks)}))
    data = model(
        "unigram", **AS_IT_IS, user_defined_symbols=",".join(marks), required_chars=letters
    )
    ends = b"|".join(re.escape(each.encode()) for each in marks)
    typed = re.compile(rb"((?:" + ends + rb")\x15)....\x18\x04", re.DOTALL)
    data = typed.sub(lambda found: found[1] + struct.pack("<f2B", score, 0x18, kind), data)
    pieces = [(text, score) for text, score, _ in bare_model(data, "").pieces]
    step = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False}
    whole = Folder.unigram(pieces).changed(pre_tokenizer=step, decoder=step)
    whole = whole.added("<unk>", "<s>", "</s>", *marks).file("tokenizer.model", data)
    return (whole.tokenizer_config(**settings) if settings else whole).write(path)


def severities(check: str, path: Path) -> list[str]:
    return [str(each.severity) for each in said(check, path)]


def test_a_marker_that_the_sentencepiece_model_has_as_a_word_is_run_and_cut(
    tmp_path: Path, processes: None
) -> None:
    [cut] = said("agreement/tokens-in-text", marked(tmp_path, ORDINARY))
    assert (str(cut.severity), cut.cause) == ("error", "cut")
    assert "sentencepiece" in cut.message and MARKS[0] in cut.message


@pytest.mark.parametrize(("named", "worth"), [("", ["error"]), ("BarthezTokenizer", [])])
def test_a_marker_that_the_class_named_adds_by_itself_is_whole(
    tmp_path: Path, named: str, worth: list[str], processes: None
) -> None:
    settings = {"tokenizer_class": named} if named else {}
    path = marked(tmp_path, ORDINARY, marks=("<mask>",), **settings)
    assert severities("agreement/tokens-in-text", path) == worth


def test_a_marker_that_scores_make_one_piece_all_the_same_is_a_warning(
    tmp_path: Path, processes: None
) -> None:
    path = marked(tmp_path, ORDINARY, score=0.0)
    assert severities("agreement/tokens-in-text", path) == []
    assert severities("agreement/special-tokens", path) == ["warning"]


def test_a_marker_that_the_sentencepiece_model_has_as_a_symbol_is_no_warning(
    tmp_path: Path, processes: None
) -> None:
    path = marked(tmp_path, USER_DEFINED)
    assert severities("agreement/tokens-in-text", path) == []
    assert severities("agreement/special-tokens", path) == ["info"]


@pytest.mark.parametrize("short", [9, 0])
def test_a_table_of_text_in_a_model_of_speech_has_a_row_for_each_token(
    tmp_path: Path, short: int
) -> None:
    folder = Folder.bpe("abcdefghijkl", ["a b", "c d", "e f", "g h"]).added("[START]", "[STOP]")
    rows = len(folder.vocab) - short
    weights = {"gpt.text_embedding.weight": [rows, 8]}
    path = replace(folder, tokenizer={}).config(gpt_number_text_tokens=rows).weights(**weights)
    found = said("embeddings/rows", path.file("vocab.json", folder.text()).write(tmp_path))
    told = [("error", "short")] if short else []
    assert [(str(each.severity), each.cause) for each in found] == told
    assert all("so 9 tokens have no row" in each.message for each in found)


@pytest.mark.parametrize(("kind", "told"), [(gguf.NORMAL, 1), (gguf.BYTE, 0)])
def test_bytes_of_a_gguf_file_that_are_typed_as_words_are_an_error_at_their_types(
    tmp_path: Path, kind: int, told: int
) -> None:
    listed = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "▁a"]
    types = [gguf.UNKNOWN, gguf.CONTROL, gguf.CONTROL, *[kind] * 256, *[gguf.NORMAL] * 3]
    scores = (gguf.F32, [0.0] * 259 + [-1.0, -2.0, -3.0])
    keys = gguf.tokenizer("llama", listed, token_type=(gguf.I32, types), scores=scores)
    path = Folder().gguf({"general.architecture": (gguf.TEXT, "llama"), **keys}).write(tmp_path)
    found = said("vocab/byte-coverage", path)
    assert [str(each.severity) for each in found] == ["error"] * told
    assert all("tokenizer.ggml.token_type" in each.places[0].pointer for each in found)


def test_tokens_that_settings_add_next_to_a_sentencepiece_model_have_their_ids(
    tmp_path: Path, processes: None
) -> None:
    data = model("unigram", normalization_rule_name="identity")
    free = len(pieces_of(data))
    added = {str(free + at): {"content": c, **FLAGS} for at, c in enumerate(("[CLS]", "[SEP]"))}
    folder = Folder.sentencepiece(data, "spiece.model").tokenizer_config(
        tokenizer_class="AlbertTokenizer", added_tokens_decoder=added, cls_token="[CLS]"
    )
    path = folder.config(vocab_size=free + 2).write(tmp_path)
    for check in ("config/added-tokens", "config/tokens", "special_tokens/atomicity"):
        assert said(check, path) == []
    assert said("embeddings/config-vocab-size", path) == []


def test_the_remedy_for_word_pieces_without_a_decoder_is_the_decoder_of_word_pieces(
    tmp_path: Path,
) -> None:
    folder = Folder.wordpiece(["[UNK]", "a", "b", "##a", "##b", "ab"])
    path = folder.changed(pre_tokenizer={"type": "BertPreTokenizer"}).write(tmp_path)
    [found] = said("pipeline/byte-components", path)
    assert found.repair is not None
    [change] = found.repair.changes
    assert (change.pointer, change.wanted["type"]) == ("/decoder", "WordPiece")


@pytest.mark.parametrize(("implied", "causes"), [("ranks of Llama 3", []), ("", ["added tokens"])])
def test_names_that_only_a_rule_of_ours_gives_to_ranks_are_not_compared(
    call: Call, letters: TokenizerSpec, implied: str, causes: list[str]
) -> None:
    named = AddedToken(6, "<|reserved_special_token_2|>", special=True)
    origins = {named.content: Origin("original/tokenizer.model", "", implied)}
    ranks = replace(letters, added_tokens=(named,), added_origins=origins)
    folder = Subject("model", Path("/nowhere"), ())
    found = call("agreement/copies", ranks, Original(folder, letters))
    assert [each.cause for each in found] == causes
