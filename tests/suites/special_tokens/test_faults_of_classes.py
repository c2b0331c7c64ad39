"""Faults against what a class takes for granted: default tokens, types of pieces, ends, padding."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class
from real_tokenizers import put

import tokaudit
from tokaudit.report.model import Finding
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit_folders.example_folders import sentencepiece
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import Component, Standing, TokenizerSpec

Call = Callable[..., list[Any]]
NAMED, MODEL, GENERATION = "tokenizer_config.json", "config.json", "generation_config.json"
BERT = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##s")
NORMAL, UNKNOWN, CONTROL, USER_DEFINED = 1, 2, 3, 4
PADS = "padding/pad-token"


def stated(*facts: tuple[str, Any, str]) -> Subject:
    made = tuple(Fact(name, value, file, f"/{name}") for name, value, file in facts)
    return Subject("test", Path("/nowhere"), (), made)


def said(call: Call, check: str, *given: object) -> list[tuple[str, str]]:
    """Severity and cause of what a check finds."""
    found = (item for item in call(check, *given) if isinstance(item, Finding))
    return [(str(item.severity), item.cause) for item in found]


def missed(folder: Path, config: dict[str, Any], *gone: str, **named: str) -> list[str]:
    """The severities for a WordPiece vocabulary without some of its tokens."""
    lines = "".join(f"[gone{n}]\n" if t in gone else f"{t}\n" for n, t in enumerate(BERT))
    put(folder / "vocab.txt", lines.encode())
    put(folder / NAMED, {"tokenizer_class": "BertTokenizer", **named})
    put(folder / MODEL, config)
    found = tokaudit.run_check("special_tokens/class-defaults", folder).findings
    return [str(each.severity) for each in found]


FILLS = {"architectures": ["BertForMaskedLM"], "vocab_size": len(BERT)}
CLASSIFIES = {"architectures": ["BertForSequenceClassification"], "vocab_size": len(BERT)}


@pytest.mark.parametrize(
    ("config", "gone", "expected"),
    [
        (FILLS, (), []),
        (FILLS, ("[MASK]",), ["error"]),
        (CLASSIFIES, ("[MASK]",), ["info"]),
        (CLASSIFIES, ("[SEP]",), ["error"]),
        (CLASSIFIES, ("[PAD]",), ["error"]),
        ({**FILLS, "vocab_size": 9}, ("[MASK]",), ["info"]),  # the model has a row for it
        ({}, ("[MASK]", "[SEP]"), ["warning"]),  # nobody says how many rows there are
    ],
)
def test_a_default_of_the_class_that_the_vocabulary_lacks_costs_what_it_is_used_for(
    tmp_path: Path, config: dict[str, Any], gone: tuple[str, ...], expected: list[str]
) -> None:
    assert missed(tmp_path, config, *gone) == expected


def test_a_token_that_a_file_names_takes_the_place_of_the_default(tmp_path: Path) -> None:
    assert missed(tmp_path, FILLS, "[MASK]", mask_token="[gone4]") == []
    assert missed(tmp_path, FILLS, mask_token="<mask>") == ["error"]


def test_a_class_that_stands_for_any_tokenizer_has_no_defaults(tmp_path: Path) -> None:
    config = {**FILLS, "model_type": "bert"}
    named = {"tokenizer_class": "PreTrainedTokenizerFast"}
    assert missed(tmp_path, config, "[MASK]", **named) == []


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ((UNKNOWN, CONTROL, CONTROL), []),
        ((UNKNOWN, NORMAL, CONTROL), [("error", "bos type")]),
        ((UNKNOWN, CONTROL, NORMAL), [("error", "eos type")]),
        ((UNKNOWN, USER_DEFINED, CONTROL), [("warning", "bos type")]),
        ((NORMAL, UNKNOWN, CONTROL), [("error", "unk type"), ("error", "bos type")]),
    ],
)
def test_a_piece_with_a_role_has_its_type(
    tmp_path: Path, types: tuple[int, int, int], expected: list[tuple[str, str]]
) -> None:
    pieces = [list(each) for each in zip(("<unk>", "<s>", "</s>"), types, strict=True)]
    put(tmp_path / "tokenizer.model", sentencepiece({"pieces": [*pieces, "a"]}))
    found = tokaudit.run_check("special_tokens/piece-types", tmp_path).findings
    assert [(str(each.severity), each.cause) for each in found] == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({}, []),
        ({"bos_piece": "<bos>"}, [("error", "bos name")]),  # bos_id() is -1 in sentencepiece 0.2.3
        ({"eos_piece": "<s>"}, [("error", "eos name")]),  # eos_id() is 1, that of <s>
        ({"pad_piece": "<s>"}, []),  # no id is stated for padding
        ({"pad_id": 3, "pad_piece": "<pad>"}, [("warning", "pad name")]),
    ],
)
def test_the_library_finds_a_role_by_the_name_of_its_piece(
    tmp_path: Path, names: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    pieces = [["<unk>", UNKNOWN], ["<s>", CONTROL], ["</s>", CONTROL], "a"]
    trained = {"vocab_size": 4, **names}
    put(tmp_path / "tokenizer.model", sentencepiece({"pieces": pieces, "trainer_spec": trained}))
    found = tokaudit.run_check("special_tokens/piece-types", tmp_path).findings
    assert [(str(each.severity), each.cause) for each in found] == expected


@pytest.mark.parametrize(
    ("type", "expected"),
    [(USER_DEFINED, {}), (NORMAL, {"special_tokens/eos-is-special": "eos", PADS: "ordinary"})],
)
def test_a_user_defined_piece_with_a_role_is_never_cut(
    tmp_path: Path, type: int, expected: dict[str, str]
) -> None:
    pieces = [["[UNK]", UNKNOWN], ["[PAD]", type], ["[SEP]", type], "▁a", "b"]
    put(tmp_path / "spiece.model", sentencepiece({"pieces": pieces}))
    put(tmp_path / "special_tokens_map.json", {"pad_token": "[PAD]", "eos_token": "[SEP]"})
    results = (
        tokaudit.run_check(check, tmp_path) for check in ("special_tokens/eos-is-special", PADS)
    )
    assert {r.check: each.cause for r in results for each in r.findings} == expected


def test_a_list_of_pieces_in_another_order_gives_no_roles(tmp_path: Path) -> None:
    put(tmp_path / "tokenizer.model", sentencepiece({"pieces": ["a", ["<unk>", UNKNOWN], "</s>"]}))
    found = tokaudit.run_check("special_tokens/piece-types", tmp_path).findings
    assert [each.cause for each in found] == ["eos type"]


@pytest.mark.parametrize(
    ("file", "id", "expected"),
    [
        (MODEL, 7, []),
        (MODEL, 2, [("warning", "pad")]),
        (GENERATION, 2, [("error", "pad")]),  # written after each shorter answer of a batch
        (GENERATION, 6, [("warning", "pad")]),
        (GENERATION, 99, [("error", "pad range")]),
    ],
)
def test_a_wrong_id_for_padding_costs_what_reads_it(
    call: Call, letters: TokenizerSpec, file: str, id: int, expected: list[tuple[str, str]]
) -> None:
    subject = stated(("pad_token", "<|pad|>", NAMED), ("pad_token_id", id, file))
    assert said(call, "special_tokens/role-ids", letters, subject) == expected


@pytest.mark.parametrize(
    ("key", "id", "expected"),
    [
        ("pad_token_id", 2, [("warning", "pad ordinary")]),
        ("eos_token_id", 0, [("warning", "eos unknown")]),
        ("eos_token_id", 7, []),  # another end of the same model, as chat models have
    ],
)
def test_a_config_is_judged_though_generation_reads_the_right_one(
    call: Call, letters: TokenizerSpec, key: str, id: int, expected: list[tuple[str, str]]
) -> None:
    own = {"pad_token_id": 7, "eos_token_id": 6}
    subject = stated(
        ("pad_token", "<|pad|>", NAMED),
        ("eos_token", "<|end|>", NAMED),
        (key, id, MODEL),
        (key, own[key], GENERATION),
    )
    assert said(call, "special_tokens/role-ids", letters, subject) == expected


@pytest.mark.parametrize(
    ("ids", "expected"), [([6, 7], []), ([6, 3], [("error", "eos words")]), ([6, 8], [])]
)
def test_a_word_among_the_ends_is_an_error_and_a_line_end_is_not(
    call: Call, letters: TokenizerSpec, ids: list[int], expected: list[tuple[str, str]]
) -> None:
    spec = replace(letters, pieces={**letters.pieces, 8: replace(letters.pieces[1], value="\n")})
    subject = stated(("eos_token", "<|end|>", NAMED), ("eos_token_id", ids, GENERATION))
    assert said(call, "special_tokens/role-ids", spec, subject) == expected


def test_the_default_of_the_class_is_no_ordinary_token(tmp_path: Path) -> None:
    missed(tmp_path, {**FILLS, "pad_token_id": 0})
    assert tokaudit.run_check("special_tokens/role-ids", tmp_path).findings == ()


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([("model_type", "mistral", MODEL)], [("warning", "lost bos")]),
        ([("model_type", "own", MODEL)], []),
        ([("model_type", "mistral", MODEL), ("add_bos_token", False, NAMED)], []),
        ([("add_bos_token", True, NAMED)], [("warning", "add_bos_token")]),
    ],
)
def test_a_post_processor_that_was_dropped_is_missed_of_a_family_that_begins_with_bos(
    call: Call,
    letters: TokenizerSpec,
    facts: list[tuple[str, Any, str]],
    expected: list[tuple[str, str]],
) -> None:
    spec = replace(letters, post_processor=Component(None, Standing.STATED))
    subject = stated(("bos_token", "<|pad|>", NAMED), *facts)
    assert said(call, "special_tokens/post-processor", spec, subject) == expected


def test_a_map_of_nested_configs_is_read(tmp_path: Path) -> None:
    """The nested text_config of a model of pictures is judged as the top is."""
    Folder.bpe("ab").added("</s>").write(tmp_path)
    put(tmp_path / NAMED, json.dumps({"eos_token": "</s>"}).encode())
    put(tmp_path / MODEL, {"text_config": {"eos_token_id": 1}})
    (found,) = tokaudit.run_check("special_tokens/role-ids", tmp_path).findings
    assert found.places[0].pointer == "/text_config/eos_token_id"


def shifted(ids: dict[str, int]) -> dict[str, int]:
    return {token: id + 1 for token, id in ids.items()}


def rotated(ids: dict[str, int]) -> dict[str, int]:
    return {token: (id + 1) % len(ids) for token, id in ids.items()}


def thinned(ids: dict[str, int]) -> dict[str, int]:
    kept = [token for token, id in ids.items() if id % 3 or token.startswith("<")]
    return {token: id for id, token in enumerate(kept)}


def as_it_is(ids: dict[str, int]) -> dict[str, int]:
    return ids


@pytest.mark.parametrize("name", ["MarianTokenizer", "M2M100Tokenizer"])
@pytest.mark.parametrize(
    ("change", "expected"),
    [(as_it_is, set()), (shifted, {"moved"}), (rotated, {"moved"}), (thinned, {"lacks"})],
)
def test_a_list_of_ids_is_that_of_its_pieces(
    tmp_path: Path,
    name: str,
    change: Callable[[dict[str, int]], dict[str, int]],
    expected: set[str],
) -> None:
    folder = of_class(every_class()[name], tmp_path / "model")
    ids = json.loads((folder / "vocab.json").read_bytes())
    put(folder / "vocab.json", change(ids))
    found = tokaudit.run_check("vocab/listed-ids", folder).findings
    assert {each.cause for each in found} == expected
    assert all(str(each.severity) == "error" for each in found)


def healthy_speech(folder: Path, **config: Any) -> None:
    """Letters with an id each, as a model that was tuned to write down a language has them."""
    letters = {letter: id for id, letter in enumerate("abcdefgh|")}
    put(folder / "vocab.json", {**letters, "[UNK]": 9, "[PAD]": 10})
    put(folder / "added_tokens.json", {"<s>": 11, "</s>": 12})
    named = {"unk_token": "[UNK]", "pad_token": "[PAD]", "bos_token": "<s>", "eos_token": "</s>"}
    put(folder / NAMED, {"tokenizer_class": "Wav2Vec2CTCTokenizer", **named})
    own = {"architectures": ["Wav2Vec2ForCTC"], "vocab_size": 11, "pad_token_id": 10}
    put(folder / MODEL, {**own, "bos_token_id": 1, "eos_token_id": 2, **config})


@pytest.mark.parametrize(
    ("kind", "severities"), [("wav2vec2", {"info"}), ("llama", {"info", "error"})]
)
def test_a_model_of_sound_reads_no_beginning_and_no_end(
    tmp_path: Path, kind: str, severities: set[str]
) -> None:
    healthy_speech(tmp_path, model_type=kind)
    checks = ("special_tokens/role-ids", "embeddings/config-vocab-size")
    found = [each for check in checks for each in tokaudit.run_check(check, tmp_path).findings]
    assert {str(each.severity) for each in found} == severities


@pytest.mark.parametrize(("kind", "expected"), [("musicgen", {"info"}), ("own", {"error"})])
def test_codes_of_sound_are_no_tokens_of_the_text(
    tmp_path: Path, kind: str, expected: set[str]
) -> None:
    Folder.bpe("ab").write(tmp_path)
    put(tmp_path / MODEL, {"model_type": kind})
    put(tmp_path / GENERATION, {"bos_token_id": 2048, "pad_token_id": 2048})
    found = tokaudit.run_check("special_tokens/role-ids", tmp_path).findings
    assert {str(each.severity) for each in found} == expected


@pytest.mark.parametrize(("alone", "expected"), [(False, []), (True, [("warning", "eos")])])
def test_a_beginning_is_found_next_to_letters(
    call: Call, letters: TokenizerSpec, alone: bool, expected: list[tuple[str, str]]
) -> None:
    end = replace(letters.added_tokens[0], single_word=alone)
    spec = replace(letters, added_tokens=(end, *letters.added_tokens[1:]))
    subject = stated(("bos_token", "<|end|>", NAMED))
    assert said(call, "special_tokens/eos-is-special", spec, subject) == expected
