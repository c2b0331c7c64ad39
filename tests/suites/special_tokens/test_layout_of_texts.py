"""Faults in how a post-processor lays out one text and two, each made in BERT's own template."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from real_tokenizers import put

import tokaudit

BERT = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##s")
A, B = ({"Sequence": {"id": name, "type_id": at}} for at, name in enumerate("AB"))
CLS, SEP, NEXT = (
    {"SpecialToken": {"id": name, "type_id": type_id}}
    for name, type_id in (("[CLS]", 0), ("[SEP]", 0), ("[SEP]", 1))
)
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [CLS, A, SEP],
    "pair": [CLS, A, SEP, B, NEXT],
    "special_tokens": {
        name: {"id": name, "ids": [BERT.index(name)], "tokens": [name]}
        for name in ("[CLS]", "[SEP]")
    },
}
Change = Callable[[dict[str, Any]], object]


def found(
    folder: Path,
    check: str,
    change: Change,
    types: int | None = 2,
    of: str = "BertTokenizer",
    **named: str,
) -> list[str]:
    """The causes of what a check finds in BERT's folder with one change to its tokenizer.json."""
    added = [{"id": id, "content": BERT[id], "special": True} for id in range(5)]
    model = {"type": "WordPiece", "vocab": {t: id for id, t in enumerate(BERT)}}
    model |= {"unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    data = {"added_tokens": added, "model": model, "post_processor": copy.deepcopy(TEMPLATE)}
    change(data)
    put(folder / "tokenizer.json", data)
    put(folder / "tokenizer_config.json", {"tokenizer_class": of, **named})
    put(folder / "config.json", {} if types is None else {"type_vocab_size": types})
    findings = tokaudit.run_check(check, folder, tier="quick").findings
    assert {str(each.severity) for each in findings} <= {"error"}
    return [each.cause for each in findings]


def of_two(*pieces: dict[str, Any]) -> Change:
    return lambda data: data["post_processor"].update(pair=list(pieces))


def of_one(*pieces: dict[str, Any]) -> Change:
    return lambda data: data["post_processor"].update(single=list(pieces))


def retyped(type_id: int, piece: dict[str, Any]) -> dict[str, Any]:
    ((kind, inner),) = piece.items()
    return {kind: {**inner, "type_id": type_id}}


@pytest.mark.parametrize(
    ("change", "causes"),
    [
        (of_two(CLS, A, SEP, B, NEXT), []),
        (of_two(A, B), []),  # what a library writes where nobody thought of pairs
        (of_two(CLS, A, SEP), ["second text"]),
        (of_two(CLS, B, NEXT), ["first text"]),
        (of_two(CLS, B, SEP, A, NEXT), ["exchanged texts"]),
        (of_two(A, SEP, B, NEXT), ["other ends"]),
        (of_two(CLS, A, SEP, B), ["other ends"]),
        (of_two(CLS, A, SEP, retyped(0, B), SEP), ["type of the second"]),
        (of_two(CLS, A, SEP, retyped(2, B), NEXT), ["no such type"]),
        (of_one(CLS, retyped(1, A), SEP), ["type of the first"]),
        (of_two(CLS, A, SEP, B, SEP), ["type of a mark"]),
        (of_two(CLS, A, NEXT, B, NEXT), ["type of a mark"]),
        (of_two(retyped(1, CLS), A, SEP, B, NEXT), ["type of a mark"]),
        (of_one(CLS, A, NEXT), ["type of a mark"]),
    ],
)
def test_each_fault_of_a_template_is_named(
    tmp_path: Path, change: Change, causes: list[str]
) -> None:
    assert found(tmp_path, "special_tokens/text-pairs", change) == causes


@pytest.mark.parametrize("types", [None, 0])
def test_types_do_not_count_where_the_model_has_none(tmp_path: Path, types: int | None) -> None:
    change = of_one(CLS, retyped(1, A), SEP)
    assert found(tmp_path, "special_tokens/text-pairs", change, types) == []


def test_a_class_that_counts_types_in_its_own_way_may_type_its_marks_so(tmp_path: Path) -> None:
    change = of_two(CLS, A, SEP, B, SEP)
    assert found(tmp_path, "special_tokens/text-pairs", change, of="XLNetTokenizer") == []


def test_a_model_of_one_type_gives_it_to_both(tmp_path: Path) -> None:
    change = of_two(CLS, A, SEP, retyped(0, B), SEP)
    assert found(tmp_path, "special_tokens/text-pairs", change, types=1) == []


@pytest.mark.parametrize(
    ("change", "causes"),
    [
        (of_one(CLS, A, SEP), []),
        (of_one(A, SEP), ["lost end"]),
        (of_one(CLS, A), ["lost end"]),
        (of_one(A), ["lost end", "lost end"]),
        (of_one(SEP, A, CLS), ["exchanged ends"]),
        (lambda data: data.pop("post_processor"), ["lost ends"]),
    ],
)
def test_an_end_that_the_class_has_around_a_single_text_is_missed(
    tmp_path: Path, change: Change, causes: list[str]
) -> None:
    assert found(tmp_path, "special_tokens/post-processor", change) == causes


def test_what_is_added_to_every_text_is_special(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["added_tokens"][2]["special"] = False

    assert found(tmp_path, "special_tokens/post-processor", change) == ["not special"]


def test_a_class_whose_token_ends_a_text_has_it_there(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["post_processor"]["single"] = [A, SEP, CLS]

    named = {"cls_token": "[CLS]", "sep_token": "[SEP]"}
    assert (
        found(tmp_path, "special_tokens/post-processor", change, **named, of="XLNetTokenizer") == []
    )
    assert found(tmp_path, "special_tokens/post-processor", change, **named, of="OwnTokenizer") == [
        "moved"
    ]


@pytest.mark.parametrize(
    ("named", "expected"),
    [({}, ["unknown"]), ({"pad_token": "[UNK]"}, ["unknown"]), ({"sep_token": "[UNK]"}, [])],
)
def test_no_text_is_given_the_unknown_token(
    tmp_path: Path, named: dict[str, str], expected: list[str]
) -> None:
    def lost(data: dict[str, Any]) -> None:
        unknown = {"SpecialToken": {"id": "[UNK]", "type_id": 0}}
        data["post_processor"].update(single=[CLS, A, unknown], pair=[CLS, A, B, unknown])
        data["post_processor"]["special_tokens"]["[UNK]"] = {
            "id": "[UNK]",
            "ids": [BERT.index("[UNK]")],
            "tokens": ["[UNK]"],
        }

    roles = {"unk_token": "[UNK]", **named}
    causes = found(tmp_path, "special_tokens/post-processor", lost, of="Acorn", **roles)
    assert causes == expected
