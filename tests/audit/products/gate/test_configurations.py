"""Each way to configure a gate: what it says, and the exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.products.gate.configuration import read_configuration
from tokaudit.products.gate.gating import Gate
from tokaudit.products.gate.sources import configuration

Gating = Callable[..., Gate]
ALONE = 'subjects = ["holed"]\n'
STRICT = '[severity]\n"vocab/holes" = "error"\n'
INNER = 'identity = "vocab/holes:inner"\nreason = "ids of the old release"\n'
HASHED = f'component = "vocab-v1"\nhash = "sha256:{"0" * 64}"\n'

# name: configuration, exit code, what the verdict's reason or a finding says
JUDGED = {
    "a warning does not fail": (ALONE, 0, "no errors"),
    "an empty list of suppressions": (f"suppressions = []\n{ALONE}", 0, "no errors"),
    "a warning fails where fail_on says so": (f'fail_on = "warning"\n{ALONE}', 1, "vocabulary"),
    "never fails": (f'fail_on = "never"\n{ALONE}{STRICT}', 0, "errors from vocab/holes"),
    "a severity": (ALONE + STRICT, 1, "errors from vocab/holes"),
    "a severity of one failure": (
        f'{ALONE}[severity]\n"vocab/holes:inner" = "error"\n',
        1,
        "errors from vocab/holes",
    ),
    "a severity of another failure": (
        f'{ALONE}[severity]\n"vocab/holes:other" = "error"\n',
        0,
        "no errors",
    ),
    "a required suite that was not decided": (
        f'require = ["embeddings"]\n{ALONE}',
        3,
        "required, but not run: embeddings",
    ),
    "a subject that is not there": (
        'subjects = ["sound", "gone"]\n',
        3,
        "gone: does not exist",
    ),
    "suppressed": (
        f"{ALONE}{STRICT}[[suppressions]]\n{INNER}",
        0,
        "no errors but 1 suppressed",
    ),
    "suppressed by check and cause": (
        f'{ALONE}{STRICT}[[suppressions]]\ncheck = "vocab/holes"\ncause = "inner"\nreason = "r"\n',
        0,
        "no errors but 1 suppressed",
    ),
    "suppressed until today": (
        f"{ALONE}{STRICT}[[suppressions]]\n{INNER}until = 2030-06-15\n",
        0,
        "no errors but 1 suppressed",
    ),
    "expired": (
        f"{ALONE}{STRICT}[[suppressions]]\n{INNER}until = 2030-06-14\n",
        1,
        "suppressions[0] (vocab/holes:inner) expired on 2030-06-14, so that its finding counts",
    ),
    "ended by another component": (
        f"{ALONE}{STRICT}[[suppressions]]\n{INNER}{HASHED}",
        1,
        "ended, because vocab-v1 was sha256:0000",
    ),
    "unmatched": (
        f'{ALONE}[[suppressions]]\nidentity = "vocab/holes:other"\nreason = "r"\n',
        1,
        "(vocab/holes:other) matches no finding; vocab/holes found vocab/holes:inner",
    ),
    "unmatched, but its check did not run": (
        f'{ALONE}[[suppressions]]\nidentity = "merges/order:late"\nreason = "r"\n',
        0,
        "no errors",
    ),
    "suppressed in another subject": (
        f'subjects = ["holed", "sound"]\n{STRICT}[[suppressions]]\nsubject = "sound"\n{INNER}',
        1,
        "matches no finding",
    ),
    "a size": (
        f'{ALONE}[[thresholds]]\nmeasurement = "gate/vocab_entries"\nat_most = 2\n',
        1,
        "gate/vocab_entries: 3 entries is more than 2",
    ),
    "a size that is large enough": (
        f'{ALONE}[[thresholds]]\nmeasurement = "gate/vocab_entries"\nat_least = 3\n',
        0,
        "no errors",
    ),
}

# name: configuration, the start of the message
REFUSED = {
    "not TOML": ("subjects = [", "tokaudit.toml: is not TOML: "),
    "no subject": ("", "tokaudit.toml: subjects: is empty"),
    "unknown key": (
        f"selct = []\n{ALONE}",
        "selct: is not a known key; did you mean select or subjects?",
    ),
    "unknown key of a subject": (
        '[[subjects]]\npath = "holed"\nbas = "x"\n',
        "subjects[0].bas: is not a known key; did you mean base?",
    ),
    "path of a role": (
        '[[subjects]]\npath = "holed"\nfiles = { "merges.txt" = 3 }\n',
        "subjects[0].files.merges.txt: 3 is not a string",
    ),
    "unknown key of a suppression": (
        f'{ALONE}[[suppressions]]\n{INNER}untill = "2030-01-01"\n',
        "suppressions[0].untill: is not a known key; did you mean until?",
    ),
    "a subject without a path": ("[[subjects]]\nbase = 'x'\n", "subjects[0].path: is missing"),
    "a subject twice": ('subjects = ["a", "a"]\n', "subjects[1].path: 'a' is named twice"),
    "a subject twice, spelled differently": (
        'subjects = ["a", "b", "./a/"]\n',
        "subjects[2].path: './a/' is named twice, first as 'a'; remove one",
    ),
    "one subject without a list": (
        'subjects = "holed"\n',
        "subjects: 'holed' is not a list; write subjects = [\"path/to/it\"]",
    ),
    "one suppression without a list": (
        f"{ALONE}[suppressions]\n{INNER}",
        "is not a list; write [[suppressions]] above each entry",
    ),
    "a suppression twice": (
        f"{ALONE}[[suppressions]]\n{INNER}[[suppressions]]\n{INNER}",
        "suppressions[1]: vocab/holes:inner is suppressed by suppressions[0] already; remove one",
    ),
    "an identity that is spelled differently": (
        f'{ALONE}[[suppressions]]\nidentty = "vocab/holes:inner"\nreason = "r"\n',
        "suppressions[0].identty: is not a known key; did you mean identity?",
    ),
    "a hash that is none": (
        f'{ALONE}[[suppressions]]\n{INNER}component = "vocab-v1"\nhash = "abc"\n',
        "suppressions[0].hash: 'abc' is not a hash; copy the hash of the component",
    ),
    "a word that is a number": (
        f"fail_on = 3\n{ALONE}",
        "fail_on: 3 is not a known value; known values: error, warning, info, never",
    ),
    "unknown suite": (
        f'require = ["vocabb"]\n{ALONE}',
        "require 'vocabb': is neither a check nor a suite; did you mean vocab?",
    ),
    "unknown check in a severity": (
        f'{ALONE}[severity]\n"vocab/hole" = "error"\n',
        "severity.'vocab/hole': is not the id of a check; did you mean vocab/holes",
    ),
    "unknown severity": (
        f'{ALONE}[severity]\n"vocab/holes" = "eror"\n',
        "severity.vocab/holes: 'eror' is not a known value; did you mean error?",
    ),
    "unknown severity to fail on": (
        f'fail_on = "warn"\n{ALONE}',
        "fail_on: 'warn' is not a known value; did you mean warning?",
    ),
    "unknown purpose": (
        '[[subjects]]\npath = "holed"\ncompare = "sound"\nfor = "servin"\n',
        "subjects[0].for: 'servin' is not a known value; did you mean serving?",
    ),
    "a purpose for nothing": (
        '[[subjects]]\npath = "holed"\nfor = "serving"\n',
        "subjects[0].for: add the key compare",
    ),
    "unknown check of a suppression": (
        f'{ALONE}[[suppressions]]\ncheck = "vocab/hole"\nreason = "r"\n',
        "suppressions[0].check: 'vocab/hole' is not a check; did you mean vocab/holes",
    ),
    "a suppression without a reason": (
        f'{ALONE}[[suppressions]]\ncheck = "vocab/holes"\n',
        "suppressions[0].reason: is missing; say why the finding is accepted",
    ),
    "a key that is needed, spelled differently": (
        f'{ALONE}[[suppressions]]\ncheck = "vocab/holes"\nraeson = "r"\n',
        "suppressions[0].raeson: is not a known key; did you mean reason?",
    ),
    "a suppression without a cause": (
        f'{ALONE}[[suppressions]]\ncheck = "vocab/holes"\nreason = "r"\n',
        "suppressions[0].cause: is missing; copy the cause of the accepted finding",
    ),
    "an identity without a cause": (
        f'{ALONE}[[suppressions]]\nidentity = "vocab/holes"\nreason = "r"\n',
        "suppressions[0].cause: is missing; copy the cause of the accepted finding",
    ),
    "a suppression for a stranger": (
        f'{ALONE}[[suppressions]]\nsubject = "hole"\n{INNER}',
        "suppressions[0].subject: 'hole' is not the name of an entry of subjects; did you mean holed?",
    ),
    "a day that is none": (
        f'{ALONE}[[suppressions]]\n{INNER}until = "soon"\n',
        "suppressions[0].until: 'soon' is not a day like 2027-01-31",
    ),
    "a hash of nothing": (
        f'{ALONE}[[suppressions]]\n{INNER}hash = "sha256:0"\n',
        "suppressions[0].hash: write both keys, 'component' and 'hash', or neither",
    ),
    "unknown measurement": (
        f'{ALONE}[[thresholds]]\nmeasurement = "fertility/parit"\nat_most = 2\n',
        "thresholds[0].measurement: 'fertility/parit' is not a known value; did you mean fertility/parity",
    ),
    "a threshold without a limit": (
        f'{ALONE}[[thresholds]]\nmeasurement = "gate/vocab_entries"\n',
        "thresholds[0].at_most: is missing; write one of at_most, at_least and growth",
    ),
    "a limit that is not a number": (
        f'{ALONE}[[thresholds]]\nmeasurement = "gate/vocab_entries"\nat_most = "2"\n',
        "thresholds[0].at_most: '2' is not a number",
    ),
    "growth from nothing": (
        f'{ALONE}[[thresholds]]\nmeasurement = "gate/vocab_entries"\ngrowth = 1.1\n',
        "thresholds[0].growth: works only with a baseline; write the key 'baseline' too",
    ),
    "a measurement that nobody asks for": (
        f'{ALONE}[[thresholds]]\nmeasurement = "fertility/parity"\nat_most = 2\n',
        "fertility/parity comes from the check fertility/languages, which does not run",
    ),
}


@pytest.mark.parametrize("name", JUDGED)
def test_a_configuration_has_this_exit_code_and_says_why(
    name: str, gating: Gating, processes: None
) -> None:
    text, code, said = JUDGED[name]
    gate = gating(text)
    messages = [gate.report.verdict_reason, *(each.message for each in gate.report.findings)]
    assert gate.exit_code == code
    assert any(said in message for message in messages)


@pytest.mark.parametrize("name", REFUSED)
def test_a_configuration_that_cannot_be_is_refused_by_its_key(name: str, gating: Gating) -> None:
    text, said = REFUSED[name]
    with pytest.raises(UsageError) as refused:
        gating(text)
    assert said in str(refused.value)
    assert str(refused.value).startswith("tokaudit.toml: ")


MEASURED = 'tier = "default"\nselect = ["fertility", "throughput", "embeddings"]\n'
NOBODY = {
    "an unknown language": (
        'measurement = "fertility/parity"\ndimensions = { language = "deu_Ltn" }\nat_most = 2\n',
        "thresholds[0].dimensions.language: 'deu_Ltn' is not a known value; did you mean deu_Latn",
    ),
    "a language without words between spaces": (
        'measurement = "fertility/tokens_per_word"\n'
        'dimensions = { language = "tha_Thai" }\nat_most = 2\n',
        "thresholds[0].dimensions.language: 'tha_Thai' is not a known value",
    ),
    "an unknown dimension": (
        'measurement = "fertility/parity"\ndimensions = { langage = "deu_Latn" }\nat_most = 2\n',
        "thresholds[0].dimensions.langage: 'langage' is not a known value; did you mean language?",
    ),
    "a speed of this machine": (
        'measurement = "throughput/characters_per_second"\nat_least = 1\n',
        "so no gate may limit it; write throughput/time_ratio",
    ),
}


@pytest.mark.parametrize("name", NOBODY)
def test_a_threshold_on_what_is_never_measured_is_refused(name: str, gating: Gating) -> None:
    text, said = NOBODY[name]
    with pytest.raises(UsageError) as refused:
        gating(f"{ALONE}[[thresholds]]\n{text}", head=MEASURED)
    assert said in str(refused.value)


def test_a_figure_that_was_not_measured_leaves_the_gate_open(gating: Gating) -> None:
    limit = '[[thresholds]]\nmeasurement = "embeddings/rows"\nat_least = 3\n'
    gate = gating(ALONE + limit, head='tier = "quick"\nselect = ["vocab/holes", "embeddings"]\n')
    assert gate.exit_code == 3
    assert "thresholds[0]: embeddings/rows was not measured: " in gate.report.verdict_reason


def test_a_subject_of_a_gate_takes_the_roles_of_its_files(gating: Gating, workshop: Path) -> None:
    (workshop / "sound" / "tokenizer.json").rename(workshop / "sound" / "words.dat")
    roles = 'files = { "tokenizer.json" = "words.dat" }'
    gate = gating(f'[[subjects]]\npath = "sound"\n{roles}\n')
    assert gate.exit_code == 0
    with pytest.raises(UsageError, match="did you mean tokenizer"):
        gating('[[subjects]]\npath = "sound"\nfiles = { "tokeniser.json" = "words.dat" }\n')


def test_a_suppression_that_nearly_matches_gets_another_remedy_than_a_stale_one(
    gating: Gating,
) -> None:
    both = 'tier = "quick"\nselect = ["vocab/holes", "vocab/id-range"]\n'
    for identity, remedy in (
        ("vocab/holes:other", 'Write identity = "vocab/holes:inner" if that is what is accepted'),
        ("vocab/id-range:negative", "Remove it: it would hide the failure when it comes back."),
    ):
        text = f'{ALONE}[[suppressions]]\nidentity = "{identity}"\nreason = "r"\n'
        gate = gating(text, head=both)
        assert next(f.remedy for f in gate.report.errors).startswith(remedy)


def test_a_selection_of_nothing_is_refused() -> None:
    table = Table("tokaudit.toml", {"select": [], "subjects": ["a"]})
    with pytest.raises(
        UsageError, match="select: is empty; name checks or suites, or leave select out"
    ):
        read_configuration(table, Path())


def test_a_byte_order_mark_before_a_configuration_is_read_over(tmp_path: Path) -> None:
    written = tmp_path / "tokaudit.toml"
    written.write_text("\ufeff" + ALONE, encoding="utf-8")
    assert [each.name for each in configuration(written, tmp_path).subjects] == ["holed"]
