"""Faults of GGUF files that engines follow without a word: flags, and the name of the split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from real_tokenizers import put

import tokaudit
from tokaudit.report.model import Status
from tokaudit_faults.folders import engines
from tokaudit_folders import gguf_files as g
from tokaudit_folders.folder import Folder

TOKENS = ["<unk>", "<s>", "</s>", "a", "b"]
BASE = {
    "token_type": (g.I32, [g.UNKNOWN, g.CONTROL, g.CONTROL, g.NORMAL, g.NORMAL]),
    "bos_token_id": (g.U32, 1),
    "eos_token_id": (g.U32, 2),
}
ON, OFF = (g.BOOL, True), (g.BOOL, False)
NAMED = {"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>", "eos_token": "</s>"}


def scored(folder: Path, others: dict[str, g.Value], **more: g.Value) -> None:
    keys = g.tokenizer("llama", TOKENS, scores=(g.F32, [0.0] * len(TOKENS)), **{**BASE, **more})
    put(folder / "model.gguf", g.gguf(keys | others))


def merged(folder: Path, bos: int, **more: g.Value) -> None:
    own = {"merges": (g.TEXT, ["a b"]), "bos_token_id": (g.U32, bos), **more}
    keys = g.tokenizer("gpt2", [*TOKENS, "ab"], **{**BASE, **own} | {"token_type": TYPES})
    put(folder / "model.gguf", g.gguf(keys))


TYPES = (g.I32, [g.UNKNOWN, g.CONTROL, g.CONTROL, g.NORMAL, g.NORMAL, g.NORMAL])


def found(folder: Path, check: str = "special_tokens/gguf-ends") -> list[tuple[str, str]]:
    listed = tokaudit.run_check(check, folder).findings
    return [(str(each.severity), each.cause) for each in listed]


GEMMA = {"general.architecture": (g.TEXT, "gemma2")}
POOLS = {"llama.pooling_type": (g.U32, 3)}
TEMPLATE = {"tokenizer.chat_template": (g.TEXT, "{{ bos_token }}{{ messages }}")}


@pytest.mark.parametrize(
    ("others", "flags", "expected"),
    [
        ({}, {}, []),
        ({}, {"add_bos_token": ON}, []),
        ({}, {"add_bos_token": OFF}, [("warning", "bos off")]),
        (GEMMA, {"add_bos_token": OFF}, [("error", "bos off")]),
        (TEMPLATE, {"add_bos_token": OFF}, [("info", "bos off")]),
        ({}, {"add_eos_token": ON}, [("warning", "eos added")]),
        (POOLS, {"add_eos_token": ON}, []),
    ],
)
def test_a_file_alone_is_compared_with_the_habit_of_its_family(
    tmp_path: Path,
    others: dict[str, g.Value],
    flags: dict[str, g.Value],
    expected: list[tuple[str, str]],
) -> None:
    scored(tmp_path, others, **flags)
    assert found(tmp_path) == expected


@pytest.mark.parametrize(("bos", "expected"), [(1, []), (2, [("warning", "bos is eos")])])
def test_the_end_of_text_is_not_put_before_every_text(
    tmp_path: Path, bos: int, expected: list[tuple[str, str]]
) -> None:
    merged(tmp_path, bos, pre=(g.TEXT, "gpt-2"), add_bos_token=ON)
    assert found(tmp_path) == expected


def source(folder: Path, *ends: str, **settings: Any) -> None:
    """A tokenizer.json that puts these tokens before and after a text."""
    before, after = ends
    sides = [{"SpecialToken": {"id": token, "type_id": 0}} if token else None for token in ends]
    text = {"Sequence": {"id": "A", "type_id": 0}}
    single = [each for each in (sides[0], text, sides[1]) if each]
    known = {t: {"id": t, "ids": [TOKENS.index(t)], "tokens": [t]} for t in (before, after) if t}
    step = {"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": known}
    vocab = {token: id for id, token in enumerate(TOKENS)}
    added = [{"id": id, "content": TOKENS[id], "special": True} for id in range(3)]
    stages = {"added_tokens": added, "post_processor": step if known else None}
    Folder.bpe(vocab).changed(**stages).write(folder)
    put(folder / "tokenizer_config.json", {**NAMED, **settings})


@pytest.mark.parametrize(
    ("ends", "flags", "expected"),
    [
        (("<s>", ""), {"add_bos_token": ON}, []),
        (("<s>", ""), {"add_bos_token": OFF}, [("error", "bos lost")]),
        (("", ""), {"add_bos_token": ON}, [("warning", "bos more")]),
        (("<s>", "</s>"), {"add_bos_token": ON}, [("warning", "eos lost")]),
        (("<s>", ""), {"add_eos_token": ON}, [("error", "eos more")]),
    ],
)
def test_a_file_next_to_its_source_adds_the_same_ends(
    tmp_path: Path,
    ends: tuple[str, str],
    flags: dict[str, g.Value],
    expected: list[tuple[str, str]],
) -> None:
    scored(tmp_path, {}, **flags)
    source(tmp_path, *ends)
    assert found(tmp_path) == expected


@pytest.mark.parametrize(
    ("end", "expected"), [("</s>", []), ("a", [("error", "other token after")])]
)
def test_the_token_after_a_text_is_that_of_the_source_whatever_its_settings_name(
    tmp_path: Path, end: str, expected: list[tuple[str, str]]
) -> None:
    id = TOKENS.index(end)
    scored(tmp_path, POOLS, add_bos_token=OFF, add_eos_token=ON, eos_token_id=(g.U32, id))
    source(tmp_path, "", "</s>", eos_token="<s>", add_bos_token=False)
    assert [each for each in found(tmp_path) if "eos is" not in each[1]] == expected


def test_a_converted_end_is_that_of_the_post_processor_and_no_fault_of_roles(
    tmp_path: Path,
) -> None:
    scored(tmp_path, POOLS, add_eos_token=ON)
    source(tmp_path, "", "</s>", eos_token="<s>")
    assert [each for each in found(tmp_path, "special_tokens/role-ids") if "eos" in each[1]] == []
    source(tmp_path, "", "", eos_token="<s>")
    assert ("error", "eos") in found(tmp_path, "special_tokens/role-ids")


def test_a_flag_of_a_model_file_asks_no_class_for_an_end(tmp_path: Path) -> None:
    scored(tmp_path, POOLS, add_eos_token=ON)
    source(tmp_path, "", "</s>", eos_token="<s>")
    put(tmp_path / "1_Pooling/config.json", {"pooling_mode_lasttoken": True})
    assert found(tmp_path, "config/pooling") == []


def test_the_flags_of_the_source_are_followed_where_its_steps_add_nothing(tmp_path: Path) -> None:
    scored(tmp_path, {}, add_bos_token=OFF)
    source(tmp_path, "", "", add_bos_token=True)
    assert found(tmp_path) == [("error", "bos lost")]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("gpt-2", []), ("kimi-k2", []), ("acorn", [("info", "unknown")])],
)
def test_a_rule_of_splitting_that_nobody_knows_is_said(
    tmp_path: Path, name: str, expected: list[tuple[str, str]], processes: None
) -> None:
    merged(tmp_path, 1, pre=(g.TEXT, name))
    assert found(tmp_path, "pipeline/split-name") == expected


@pytest.mark.parametrize(
    ("eos", "expected"), [(2, []), ([4, 2], []), (4, [("error", "eos elsewhere")])]
)
def test_the_end_that_an_engine_takes_by_default_is_that_of_the_config_beside(
    tmp_path: Path, eos: object, expected: list[tuple[str, str]]
) -> None:
    keys = {key: value for key, value in BASE.items() if key != "eos_token_id"}
    listed = g.tokenizer("llama", TOKENS, scores=(g.F32, [0.0] * len(TOKENS)), **keys)
    put(tmp_path / "model.gguf", g.gguf(listed))
    put(tmp_path / "config.json", {"eos_token_id": eos})
    assert found(tmp_path, "special_tokens/gguf-ends") == expected


def test_an_engine_takes_the_third_token_for_the_unknown_one_of_t5(tmp_path: Path) -> None:
    tokens, types = ["<pad>", "</s>", "a", "b"], [g.CONTROL, g.CONTROL, g.NORMAL, g.NORMAL]
    keys = g.tokenizer("t5", tokens, scores=(g.F32, [0.0] * 4), token_type=(g.I32, types))
    put(tmp_path / "model.gguf", g.gguf(keys))
    [told] = tokaudit.run_check("special_tokens/gguf-ends", tmp_path).findings
    assert "no unk id: llama.cpp takes 2, which is the ordinary token 'a'" in told.message


@pytest.mark.parametrize(
    ("key", "id", "expected"),
    [
        ("fim_pre_token_id", 2, [("warning", "fim_pre_token_id")]),
        ("suffix_token_id", 3, [("warning", "fim_suf_token_id")]),
        ("fim_pad_token_id", 2, []),
        ("fim_pre_token_id", 0, []),
    ],
)
def test_a_gap_is_not_filled_from_the_token_that_ends_texts(
    tmp_path: Path, key: str, id: int, expected: list[tuple[str, str]]
) -> None:
    scored(tmp_path, {}, **{key: (g.U32, id)})
    assert found(tmp_path, "special_tokens/gguf-ends") == expected


def test_a_gguf_file_that_no_library_reads_is_an_encoder_to_compare_with(
    tmp_path: Path, processes: None
) -> None:
    engines.next_to_json(tmp_path)
    found = tokaudit.run_check(
        "agreement/against", tmp_path, against=tmp_path / "model.gguf", tier="quick"
    )
    assert (found.status, found.findings) == (Status.PASSED, ())


GAPS = ("<fim_prefix>", "<fim_suffix>", "<fim_middle>", "<fim_pad>")
PARTS = ("fim_pre", "fim_suf", "fim_mid")


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        ((3, 4, 5), []),
        ((3, 4, 4), ["fim_mid"]),
        ((3, 5, 4), ["fim_suf", "fim_mid"]),
        ((4, 3, 5), ["fim_pre", "fim_suf"]),
        ((3, 3, 3), ["fim_suf", "fim_mid"]),
    ],
)
def test_parts_of_a_gap_have_a_token_each_and_the_one_of_their_name(
    tmp_path: Path, ids: tuple[int, ...], names: list[str]
) -> None:
    listed = ["<unk>", "<s>", "</s>", *GAPS, "a"]
    types = [g.UNKNOWN, *[g.CONTROL] * 6, g.NORMAL]
    parts = {f"{p}_token_id": (g.U32, id) for p, id in zip(PARTS, ids, strict=True)}
    keys = g.tokenizer(
        "llama", listed, token_type=(g.I32, types), scores=(g.F32, [0.0] * 8), **parts
    )
    put(tmp_path / "model.gguf", g.gguf(keys))
    told = [
        each
        for each in tokaudit.run_check("special_tokens/gguf-ends", tmp_path).findings
        if each.cause == "parts of a gap"
    ]
    places = [place.pointer for each in told for place in each.places]
    assert places == [f"tokenizer.ggml.{name}_token_id" for name in names]
    assert [str(each.severity) for each in told] == ["error"][: len(names)]


CLASS, LAST, MEAN = 2, 3, 1


@pytest.mark.parametrize(
    ("pooling", "flags", "use", "expected"),
    [
        (CLASS, {"add_bos_token": ON}, None, []),
        (CLASS, {"add_bos_token": OFF}, None, [("error", "first word")]),
        (MEAN, {"add_bos_token": OFF}, None, []),
        (LAST, {"add_eos_token": ON}, "embedding", []),
        (LAST, {"add_eos_token": OFF}, "embedding", [("warning", "last word")]),
        (LAST, {"add_eos_token": OFF}, None, []),
    ],
)
def test_a_vector_is_taken_at_a_token_that_the_file_adds(
    tmp_path: Path,
    pooling: int,
    flags: dict[str, g.Value],
    use: str | None,
    expected: list[tuple[str, str]],
) -> None:
    of_model = {
        "general.architecture": (g.TEXT, "bert"),
        "bert.pooling_type": (g.U32, pooling),
    }
    listed = ["<s>", "<pad>", "</s>", "<unk>", "▁", "a"]
    types = [g.CONTROL, g.CONTROL, g.CONTROL, g.UNKNOWN, g.NORMAL, g.NORMAL]
    roles = {"bos_token_id": (g.U32, 0), "eos_token_id": (g.U32, 2)}
    roles |= {"unknown_token_id": (g.U32, 3), "padding_token_id": (g.U32, 1)}
    keys = g.tokenizer(
        "t5", listed, token_type=(g.I32, types), scores=(g.F32, [0.0] * 6), **roles, **flags
    )
    put(tmp_path / "model.gguf", g.gguf({**of_model, **keys}))
    told = tokaudit.run_check("special_tokens/gguf-ends", tmp_path, use=use).findings
    assert [(str(f.severity), f.cause) for f in told if f.cause.endswith("word")] == expected


def test_an_encoder_of_word_pieces_begins_with_its_class_token_by_the_engine(
    tmp_path: Path,
) -> None:
    listed = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "▁the", "a"]
    keys = g.tokenizer("bert", listed, cls_token_id=(g.U32, 2), bos_token_id=(g.U32, 2))
    of_model = {"general.architecture": (g.TEXT, "bert"), "bert.pooling_type": (g.U32, CLASS)}
    put(tmp_path / "model.gguf", g.gguf({**of_model, **keys}))
    told = tokaudit.run_check("special_tokens/gguf-ends", tmp_path).findings
    assert [each.cause for each in told if each.cause.endswith("word")] == []
