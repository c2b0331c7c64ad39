"""`pytest --tokaudit=SUBJECT`, run as a user runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from run_pytest import Pytest

import tokaudit
from tokaudit.engine.check import all_checks
from tokaudit.products.chat.expected import saved
from tokaudit_folders import chat_folders

TIMES = re.compile(r"[0-9.]+m?s|=+")
QUICK = ("--tokaudit-select", "merges,vocab", "--tokaudit-tier", "quick")
CHECKS = {
    f"tokaudit::{check.id}"
    for check in all_checks()
    if check.suite in ("merges", "vocab")  # what is named is asked in every tier
}


def test_each_check_is_an_item_with_its_id_and_the_verdict_one_more(
    users_pytest: Pytest, small: Path
) -> None:
    run = users_pytest(f"--tokaudit={small}", *QUICK)
    assert (run.code, run.outcomes.keys()) == (pytest.ExitCode.OK, CHECKS | {"tokaudit::verdict"})
    assert run.outcomes["tokaudit::verdict"] == "passed"


def test_the_installed_pytest_and_its_fork_say_the_same(users_pytest: Pytest, broken: Path) -> None:
    runs = [users_pytest(f"--tokaudit={broken}", *QUICK, installed=each) for each in (True, False)]
    ours, forked = ((run.code, run.outcomes, TIMES.sub("", run.shown)) for run in runs)
    assert forked == ours
    assert ours[0] == pytest.ExitCode.TESTS_FAILED


def test_a_finding_fails_its_item_with_a_sentence_and_what_to_do(
    users_pytest: Pytest, broken: Path
) -> None:
    run = users_pytest(f"--tokaudit={broken}", *QUICK)
    assert run.code == pytest.ExitCode.TESTS_FAILED
    failed = {id for id, outcome in run.outcomes.items() if outcome == "failed"}
    assert failed == {"tokaudit::verdict", "tokaudit::merges/parts-exist"}
    finding = next(f for f in tokaudit.audit(broken, select=["merges"]).errors)
    assert finding.message in run.shown
    assert f"what to do: {finding.remedy}" in run.shown


def test_the_failure_quotes_the_text(users_pytest: Pytest, small: Path) -> None:
    run = users_pytest(f"--tokaudit={small}", "--tokaudit-select", "round_trip/vanishes")
    assert run.code == pytest.ExitCode.TESTS_FAILED
    assert "\n  text: !\n" in run.shown


def test_what_was_not_decided_is_skipped_with_its_reason(users_pytest: Pytest, small: Path) -> None:
    run = users_pytest(f"--tokaudit={small}", "--tokaudit-select", "baseline,vocab/holes", "-rs")
    assert run.outcomes["tokaudit::baseline/vocab"] == "skipped"
    assert "no --base" in run.shown


def test_a_subject_that_could_not_be_judged_passes_no_gate(
    users_pytest: Pytest, small: Path
) -> None:
    run = users_pytest(f"--tokaudit={small}", "--tokaudit-select", "baseline")
    assert run.code == pytest.ExitCode.TESTS_FAILED
    assert "unverifiable: " in run.shown


def test_a_base_is_compared_with(users_pytest: Pytest, small: Path) -> None:
    run = users_pytest(
        f"--tokaudit={small}", "--tokaudit-select", "baseline", "--tokaudit-base", small
    )
    assert run.outcomes["tokaudit::baseline/vocab"] == "passed"


def test_every_item_of_an_unreadable_subject_fails(users_pytest: Pytest, small: Path) -> None:
    (small / "tokenizer.json").write_text("{")
    run = users_pytest(f"--tokaudit={small}", *QUICK)
    assert run.code == pytest.ExitCode.TESTS_FAILED
    assert set(run.outcomes.values()) == {"failed"}


WRONG = {
    "no such check": (("--tokaudit-select", "vocab/hole"), "did you mean vocab/holes or"),
    "no such tier": (("--tokaudit-tier", "quik"), "did you mean quick?"),
    "a key without a manifest": (
        ("--tokaudit-key", "a.pem"),
        "works only with --tokaudit-manifest",
    ),
    "no such manifest": (("--tokaudit-manifest", "none.json"), "none.json"),
    "no such base": (("--tokaudit-base", "nowhere"), "nowhere"),
    "two subjects": (("--tokaudit", "other"), "--tokaudit: is given 2 times"),
    "nothing left": (
        ("--tokaudit-select", "vocab", "--tokaudit-ignore", "vocab"),
        "ignore vocab: no check is left to run",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_setting_that_cannot_be_is_refused_before_any_test(
    users_pytest: Pytest, small: Path, case: str
) -> None:
    options, message = WRONG[case]
    run = users_pytest(f"--tokaudit={small}", *options)
    assert (run.code, run.outcomes) == (pytest.ExitCode.USAGE_ERROR, {})
    assert message in run.shown


def test_a_subject_that_is_not_there_is_refused_before_any_test(users_pytest: Pytest) -> None:
    run = users_pytest("--tokaudit", "nowhere")
    assert (run.code, run.outcomes) == (pytest.ExitCode.USAGE_ERROR, {})


def test_an_option_without_a_subject_is_refused(users_pytest: Pytest) -> None:
    assert users_pytest("--tokaudit-select", "vocab").code == pytest.ExitCode.USAGE_ERROR


def test_drift_from_a_manifest_is_an_item(users_pytest: Pytest, users: Path, small: Path) -> None:
    (users / "manifest.json").write_text(json.dumps(tokaudit.manifest(small)))
    given = (f"--tokaudit={small}", "--tokaudit-manifest", "manifest.json", *QUICK)
    assert users_pytest(*given).outcomes["tokaudit::manifest"] == "passed"
    text = (small / "tokenizer.json").read_text()
    (small / "tokenizer.json").write_text(text.replace('"ab": 3', '"ab": 2'))
    run = users_pytest(*given)
    assert (run.code, run.outcomes["tokaudit::manifest"]) == (
        pytest.ExitCode.TESTS_FAILED,
        "failed",
    )
    assert "drift: identity vocab-v1" in run.shown


def test_each_conversation_that_was_kept_is_an_item(
    users_pytest: Pytest, users: Path, tmp_path: Path
) -> None:
    family = chat_folders.FAMILIES["ChatML"]
    folder = chat_folders.write(tmp_path / "model", family)
    kept = users / "expected.jsonl"
    kept.write_text(saved(folder, {}), "utf-8")
    asked = (f"--tokaudit={folder}", "--tokaudit-select", "vocab/holes", "--tokaudit-expect", kept)
    items = {f"tokaudit::chat/{id}" for id in ("system-turns-2", "reasoning")}
    same = users_pytest(*asked)
    assert {same.outcomes[item] for item in items} == {"passed"}
    changed = family.template.replace("{{ m.content }}", "{{ m.content }}!")
    chat_folders.write(folder, chat_folders.with_template(family, changed))
    other = users_pytest(*asked)
    assert {other.outcomes[item] for item in items} == {"failed"}
    assert "system-turns-2: differs in line 6" in other.shown


def test_tests_of_the_user_run_next_to_the_items(
    users_pytest: Pytest, users: Path, small: Path
) -> None:
    (users / "test_mine.py").write_text("def test_one():\n    pass\n")
    run = users_pytest(f"--tokaudit={small}", *QUICK)
    assert run.outcomes["test_mine::test_one"] == "passed"
    assert run.outcomes.keys() > CHECKS
    only = users_pytest(f"--tokaudit={small}", *QUICK, "-m", "tokaudit", "--strict-markers")
    assert only.outcomes.keys() == CHECKS | {"tokaudit::verdict"}
    assert users_pytest(f"--tokaudit={small}", *QUICK, "-k", "holes").outcomes.keys() == {
        "tokaudit::vocab/holes"
    }


ASSERTED = """
import tokaudit

def test_ok():
    report = tokaudit.audit({folder!r}, select=["merges"], tier="quick")
    assert report.ok, report
"""


def test_a_failed_assertion_shows_whole_messages_causes_and_remedies(
    users_pytest: Pytest, users: Path, broken: Path
) -> None:
    (users / "test_mine.py").write_text(ASSERTED.format(folder=str(broken)))
    run = users_pytest("test_mine.py")
    finding = next(f for f in tokaudit.audit(broken, select=["merges"]).errors)
    assert run.code == pytest.ExitCode.TESTS_FAILED
    assert f"error {finding.identity}: {finding.message}\n" in run.shown
    assert f"  what to do: {finding.remedy}\n" in run.shown
    assert "tokaudit report" in run.shown


COUNTED = """
import tokaudit.testing.audited as audited

audit = audited.audit

def counted(*subject, **settings):
    with open("audits.txt", "a") as file:
        file.write("x")
    return audit(*subject, **settings)

audited.audit = counted
"""


@pytest.mark.parametrize("processes", ["0", "2"])
def test_in_any_number_of_processes_one_audit_is_carried_out_and_warnings_fail_nothing(
    users_pytest: Pytest, users: Path, small: Path, processes: str
) -> None:
    (users / "conftest.py").write_text(COUNTED)
    run = users_pytest(f"--tokaudit={small}", *QUICK, "-n", processes)
    assert (run.code, run.outcomes.keys()) == (pytest.ExitCode.OK, CHECKS | {"tokaudit::verdict"})
    assert (users / "audits.txt").read_text() == "x"
    assert run.outcomes["tokaudit::vocab/holes"] == "passed"
    assert "tokaudit warnings" in run.shown
    assert ": 1 id below the highest id, 3" in run.shown


def test_workers_share_the_trouble_too(users_pytest: Pytest, users: Path, small: Path) -> None:
    (users / "conftest.py").write_text(COUNTED)
    (small / "tokenizer.json").write_text("{")
    run = users_pytest(f"--tokaudit={small}", *QUICK, "-n", "2")
    assert set(run.outcomes.values()) == {"failed"}
    assert (users / "audits.txt").read_text() == "x"


def test_no_audit_is_carried_out_where_no_item_runs(
    users_pytest: Pytest, users: Path, small: Path
) -> None:
    (users / "conftest.py").write_text(COUNTED)
    users_pytest(f"--tokaudit={small}", "--collect-only")
    assert not (users / "audits.txt").exists()


FIXTURES = """
from tokaudit.testing import texts
from hypothesis import HealthCheck, given, settings, strategies as st

def test_report(tokaudit_report):
    assert tokaudit_report.ok

def test_both_encode(tokaudit_reference, tokaudit_tokenizer):
    ids = [tokaudit_reference.encode(["ab"])[0].ids, tokaudit_tokenizer.encode(["ab"])[0].ids]
    assert ids == [(3,), (3,)]

@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_same_ids(tokaudit_subject, tokaudit_reference, tokaudit_tokenizer, data):
    text = data.draw(texts(tokaudit_subject))
    one, other = tokaudit_reference.encode([text])[0], tokaudit_tokenizer.encode([text])[0]
    assert one.ids == other.ids
"""


def test_fixtures_give_the_report_the_reference_and_the_tokenizer(
    users_pytest: Pytest, users: Path, small: Path
) -> None:
    (users / "test_mine.py").write_text(FIXTURES)
    names = [f"test_mine::{name}" for name in ("test_report", "test_both_encode", "test_same_ids")]
    run = users_pytest(f"--tokaudit={small}", *QUICK, drawing=True)
    assert [run.outcomes[name] for name in names] == ["passed"] * 3, run.shown
    without = users_pytest("-rs")
    assert [without.outcomes[name] for name in names] == ["skipped"] * 3
    assert "run pytest with --tokaudit=SUBJECT" in without.shown


LOADED = """
import sys

def test_loaded():
    print("LOADED", *sorted(name for name in sys.modules if name.split(".")[0] in OURS))
"""
HEAVY = ("tokaudit", "tokaudit_reference", "msgspec", "regex", "rich", "jinja2", "hypothesis")


def test_a_run_that_does_not_use_the_plugin_loads_nothing_for_it(
    users_pytest: Pytest, users: Path
) -> None:
    (users / "test_mine.py").write_text(f"OURS = {HEAVY!r}\n{LOADED}")
    run = users_pytest("-s", drawing=True, installed=True)
    loaded = next(line for line in run.shown.splitlines() if "LOADED" in line)
    assert loaded.partition("LOADED ")[2].split() == [
        "tokaudit",
        "tokaudit.foundation",
        "tokaudit.foundation.errors",
        "tokaudit.testing",
        "tokaudit.testing.pytest_plugin",
    ]


def test_a_poisonous_subject_acts_in_no_message(users_pytest: Pytest, small: Path) -> None:
    data = json.loads((small / "tokenizer.json").read_text())
    data["model"]["merges"].append(["a", "\x1b[31m\n::error::c"])
    (small / "tokenizer.json").write_text(json.dumps(data))
    run = users_pytest(f"--tokaudit={small}", *QUICK)
    assert run.outcomes["tokaudit::merges/parts-exist"] == "failed"
    assert "\x1b" not in run.shown
    assert "::error" not in run.shown


def test_the_tokenizers_of_a_repository_are_judged_in_one_item(
    users_pytest: Pytest, users: Path, small: Path
) -> None:
    for part in ("one", "two"):
        (users / "models" / part).mkdir(parents=True)
        for file in small.iterdir():
            (users / "models" / part / file.name).write_bytes(file.read_bytes())
    second = users / "models" / "two" / "tokenizer.json"
    second.write_text(second.read_text().replace('[["a", "b"]]', '[["a", "b"], ["a", "c"]]'))
    run = users_pytest("--tokaudit=models", *QUICK)
    failed = {id for id, outcome in run.outcomes.items() if outcome == "failed"}
    assert failed == {"tokaudit::verdict", "tokaudit::merges/parts-exist"}
    assert "two/tokenizer.json" in run.shown
