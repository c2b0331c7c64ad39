"""A purpose is judged by the rules of the engines that are to use the pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.judging.engine_rules import (
    ASKED,
    accepted_nowhere,
    judged_by_engines,
)
from tokaudit.report.comparison import EngineSuitability, Purpose
from tokaudit.report.model import Verdict
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import readable
from tokaudit.subject.upstream.purposes import Asks, engine_rules
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import BOOL, F32, I32, TEXT, U32, Value, gguf, tokenizer

TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b", "ab"]
TYPES = [2, 3, 3, *[6] * 256, *[1] * 4]
SCORES = [0.0] * 259 + [-6.0, -7.0, -8.0, -1.0]
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a GGUF file of SentencePiece's kind with more keys, or of other tokens."""

    def made(name: str, tokens: list[str] = TOKENS, model: str = "llama", **keys: Value) -> Path:
        types = (TYPES + [1] * len(tokens))[: len(tokens)]
        scores = (SCORES + [-9.0] * len(tokens))[: len(tokens)]
        stated: dict[str, Any] = tokenizer(
            model, tokens, token_type=(I32, types), scores=(F32, scores), **keys
        )
        path = tmp_path / name
        path.write_bytes(gguf({"general.architecture": (TEXT, "llama"), **stated}))
        return path

    return made


def side(path: Path) -> Side:
    subject = open_subject(str(path))
    return Side(subject.name, readable(subject).parsed[0][1], subject)


def judged(left: Path, right: Path) -> dict[str, tuple[str, str]]:
    found = judged_by_engines(Purpose.SPECULATIVE, side(left), side(right))
    return {each.engine: (str(each.verdict), each.why) for each in found}


def refusal(write: Write, *args: Any, **keys: Value) -> str:
    """What llama.cpp has against a draft, next to a target that states no key."""
    (verdict, why) = judged(write("target.gguf"), write("draft.gguf", *args, **keys))["llama.cpp"]
    return why.partition(": ")[2] if verdict == "fail" else verdict


def test_llama_cpp_takes_a_copy(write: Write) -> None:
    assert refusal(write) == "pass"


def test_llama_cpp_refuses_a_draft_that_adds_no_bos(write: Write) -> None:
    said = refusal(write, add_bos_token=(BOOL, False), bos_token_id=(U32, 2))
    assert said == "add_bos_token is true and false"


def test_llama_cpp_compares_ids_only_of_tokens_that_are_added(write: Write) -> None:
    assert refusal(write, bos_token_id=(U32, 2)) == "bos_token_id is 1 and 2"
    assert refusal(write, eos_token_id=(U32, 1)) == "pass"  # which is not added
    assert refusal(write, add_eos_token=(BOOL, True)) == "add_eos_token is false and true"


def test_llama_cpp_takes_128_tokens_more_and_not_129(write: Write) -> None:
    more = [f"x{at}" for at in range(129)]
    assert refusal(write, TOKENS + more[:-1]) == "pass"
    assert refusal(write, TOKENS + more) == ("they have 263 and 392 tokens, and may differ by 128")


def test_llama_cpp_compares_texts_from_the_fifth_id_on(write: Write) -> None:
    before, after = [*TOKENS], [*TOKENS]
    before[0], after[-1] = "<other>", "ba"
    assert refusal(write, before) == "pass"
    assert refusal(write, after) == "token 262 is 'ab' and 'ba'"


def test_another_type_of_vocabulary_is_refused(write: Write) -> None:
    assert refusal(write, TOKENS, "t5").startswith("the vocabularies are of the types llama and t5")


@pytest.mark.usefixtures("processes")
def test_two_that_give_the_same_ids_cannot_be_exchanged_where_the_engine_refuses(
    write: Write,
) -> None:
    left, right = write("target.gguf"), write("draft.gguf", add_bos_token=(BOOL, False))
    report = tokaudit.compare(str(left), str(right), tier="quick", purpose="speculative")
    assert str(report.verdict) == "fail"
    assert "llama.cpp refuses" in report.verdict_reason
    assert "refused by llama.cpp" in report.verdict_reason
    found = report.comparison
    assert found is not None and found.suitability is not None
    assert "001d906a6d86" in found.suitability.engines[0].source


def test_roles_that_ids_of_a_gguf_file_name_are_compared(write: Write) -> None:
    from tokaudit.products.compare.facets.stated import stated_facets

    sides = (
        side(write("a.gguf", bos_token_id=(U32, 1))),
        side(write("b.gguf", bos_token_id=(U32, 2))),
    )
    found = {each.name: each for each in stated_facets(*sides)}["special roles"]
    assert (str(found.outcome), found.why) == ("differs", "bos_token differ")
    assert [place.value for place in found.places] == ["<s>", "</s>"]


def folder(path: Path, **config: Any) -> Path:
    made = Folder.bpe("ab").added("<s>")
    return made.config(**config).write(path) if config else made.settings("x.json").write(path)


def test_vllm_refuses_another_size_and_transformers_translates(tmp_path: Path) -> None:
    found = judged(folder(tmp_path / "a", vocab_size=3), folder(tmp_path / "b", vocab_size=4))
    assert found["vLLM"][0] == "fail" and found["vLLM"][1].endswith("vocab_size is 3 and 4")
    assert found["transformers"][0] == "pass"
    assert found["SGLang"] == ("unverifiable", "no rule of it was read")
    assert "llama.cpp" not in found


def test_what_no_file_states_leaves_an_engine_unknown(tmp_path: Path) -> None:
    found = judged(folder(tmp_path / "a", vocab_size=3), folder(tmp_path / "b"))
    assert found["vLLM"][0] == "unverifiable" and "states a vocab_size" in found["vLLM"][1]


def test_a_refusal_counts_where_no_engine_takes_the_pair() -> None:
    refused = EngineSuitability("a", Verdict.FAIL, "", "")
    taken = EngineSuitability("b", Verdict.PASS, "", "")
    unknown = EngineSuitability("c", Verdict.UNVERIFIABLE, "", "")
    assert accepted_nowhere((refused,)) and accepted_nowhere((refused, unknown))
    assert not accepted_nowhere((refused, taken)) and not accepted_nowhere((unknown,))
    assert not accepted_nowhere(())


def test_every_question_of_a_record_is_asked_and_says_where_it_was_read() -> None:
    rules = [rule for purpose in Purpose for rule in engine_rules(purpose)]
    assert {asked for rule in rules for asked in rule.asks} == set(Asks) == set(ASKED)
    assert all(rule.source and (rule.refusal or not rule.asks) for rule in rules)


def test_a_rule_that_asks_nothing_is_unknown_and_never_passes(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tokaudit.products.compare.judging import engine_rules as module

    silent = tuple(replace(rule, asks=()) for rule in engine_rules("speculative"))
    monkeypatch.setattr(module, "engine_rules", lambda purpose: silent)
    assert judged(write("a.gguf"), write("b.gguf"))["llama.cpp"][0] == "unverifiable"


def test_a_draft_that_llama_cpp_refuses_is_an_error_of_an_audit_for_that_use(write: Write) -> None:
    target, same = write("target.gguf"), write("same.gguf")
    other = write("draft.gguf", add_bos_token=(BOOL, False), bos_token_id=(U32, 2))

    def found(draft: Path, use: str | None) -> list[tuple[str, str]]:
        asked = {"base": target, "use": use, "tier": "quick"}
        result = tokaudit.run_check("baseline/speculative", draft, **asked)
        return [(str(each.severity), each.cause) for each in result.findings]

    assert found(other, "speculative") == [("error", "llama.cpp")]
    assert found(same, "speculative") == []
    assert found(other, None) == []
