"""What a gate asks in addition to checks: manifests, comparisons, a baseline; and several subjects."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine.options import Options
from tokaudit.engine.settings.settings import CompareSettings, OfSubject
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.gate.configuration import Configuration
from tokaudit.products.gate.gating import Gate
from tokaudit.products.gate.one_subject import comparison_of
from tokaudit.products.gate.subjects import AskedSubject
from tokaudit.report.model import Severity, Status
from tokaudit.report.reading import decode_report
from tokaudit_reports import github

Gating = Callable[..., Gate]
COMPARED = '[[subjects]]\npath = "holed"\ncompare = "sound"\nfor = ["serving", "training"]\n'
HELD = '[[subjects]]\npath = "holed"\nmanifest = "holed.json"\n'
RECORDED = 'baseline = "known.json"\nsubjects = ["holed"]\n[severity]\n"vocab/holes" = "error"\n'


def write_vocab(folder: Path, vocab: dict[str, int]) -> None:
    path = folder / "tokenizer.json"
    stated = json.loads(path.read_text())
    stated["model"]["vocab"] = vocab
    path.write_text(json.dumps(stated))


def messages(gate: Gate, check: str) -> list[str]:
    return [each.message for each in gate.report.result(check).findings]


def test_a_manifest_that_still_holds_passes(
    workshop: Path, gating: Gating, processes: None
) -> None:
    (workshop / "holed.json").write_text(json.dumps(tokaudit.manifest("holed")))
    assert gating(HELD).report.result("gate/manifest").status is Status.PASSED


def test_a_drift_fails_with_the_text_that_shows_it(
    workshop: Path, gating: Gating, processes: None
) -> None:
    (workshop / "holed.json").write_text(json.dumps(tokaudit.manifest("holed")))
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 4})
    gate = gating(HELD)
    drifts = {each.cause: each for each in gate.report.result("gate/manifest").findings}
    assert gate.exit_code == 1
    for cause in ("identity vocab-v1", "identity behaviour-v1"):
        shown, digests = drifts[cause].evidence
        assert ([t.id for t in shown.expected], [t.id for t in shown.actual]) == ([3], [4])
        assert set(digests.facts) == {f"{cause[9:]}, was", f"{cause[9:]}, is"}
    assert "tokaudit gate --accept " in drifts["identity vocab-v1"].remedy
    assert re.fullmatch(
        r"vocab changed: vocab-v1 is not as holed\.json states; [0-9,]+ of [0-9,]+ probe texts get "
        r"different ids, bytes per token stay 11\.238",
        drifts["identity vocab-v1"].message,
    )


def test_what_a_drift_of_one_component_changes_is_one_cause(
    workshop: Path, gating: Gating, processes: None
) -> None:
    (workshop / "holed.json").write_text(json.dumps(tokaudit.manifest("holed")))
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 4})
    causes = [one for one in gating(HELD).report.causes if one.finding.check == "gate/manifest"]
    (error,) = [one for one in causes if one.severity is Severity.ERROR]
    assert error.finding.cause == "identity vocab-v1"
    assert "identity behaviour-v1" in {each.cause for each in error.explains}


def test_a_drift_can_be_accepted_one_by_one(
    workshop: Path, gating: Gating, processes: None
) -> None:
    (workshop / "holed.json").write_text(json.dumps(tokaudit.manifest("holed")))
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 4})
    accepted = (
        '[[suppressions]]\ncheck = "gate/manifest"\ncause = "identity vocab-v1"\nreason="r"\n'
    )
    found = gating(HELD + accepted).report.result("gate/manifest")
    assert [each.finding.cause for each in found.suppressed] == ["identity vocab-v1"]
    assert "identity behaviour-v1" in {each.cause for each in found.findings}


def test_a_manifest_that_is_none_is_refused_before_any_work(workshop: Path, gating: Gating) -> None:
    (workshop / "holed.json").write_text("{}")
    with pytest.raises(UsageError, match=r"holed\.json"):
        gating(HELD, on_result=lambda *_: pytest.fail("a check was asked"))


def test_a_comparison_is_judged_for_each_purpose_and_shows_a_text(
    gating: Gating, processes: None
) -> None:
    gate = gating(COMPARED)
    found = gate.report.result("gate/compare").findings
    assert [each.cause for each in found] == ["not fit for serving", "not fit for training"]
    assert found[0].evidence[0].text == "ab"
    assert [place.file for place in found[0].places] == ["tokenizer.json"]
    assert gate.exit_code == 1
    assert gate.report.comparison is not None


def test_a_comparison_with_the_same_passes(gating: Gating, processes: None) -> None:
    gate = gating('[[subjects]]\npath = "sound"\ncompare = "sound"\n')
    assert gate.report.result("gate/compare").status is Status.PASSED
    assert gate.ok


def test_a_comparison_opens_a_subject_as_its_audit_does(
    workshop: Path, gating: Gating, processes: None
) -> None:
    (workshop / "sound" / "tokenizer.json").rename(workshop / "sound" / "tok.json")
    text = '[[subjects]]\npath = "sound"\nfiles = {"tokenizer.json" = "tok.json"}\n'
    found = gating(text + 'compare = "holed"\n')
    assert found.exit_code == 1
    (failed,) = (each for each in found.report.results if each.check == "gate/compare")
    assert [finding.cause for finding in failed.findings] == ["differs"]


def test_a_comparison_is_asked_what_the_subject_and_the_gate_state() -> None:
    asked = AskedSubject(
        name="a",
        path="a",
        settings=OfSubject(pattern="x", special={"<|end|>": 3}, files={"merges.txt": "pairs"}),
    )
    effort = Options(tier="full", seed=7, timeout=50.0, corpus=("texts",))
    assert comparison_of(asked, effort, "serving") == CompareSettings(
        purpose="serving",
        pattern="x",
        special={"<|end|>": 3},
        files={"merges.txt": "pairs"},
        tier="full",
        seed=7,
        timeout=50.0,
    )


def test_purposes_of_the_configuration_are_those_of_each_comparison(
    gating: Gating, processes: None
) -> None:
    gate = gating('purposes = ["cached-ids"]\n[[subjects]]\npath = "holed"\ncompare = "sound"\n')
    found = gate.report.result("gate/compare").findings
    assert [each.cause for each in found] == ["not fit for cached-ids"]


def test_what_was_recorded_does_not_fail_and_is_listed(workshop: Path, gating: Gating) -> None:
    gate = gating(RECORDED, update_baseline=True)
    assert (gate.exit_code, gate.recorded) == (0, True)
    again = gating(RECORDED)
    assert again.exit_code == 0
    assert [each.reason for each in again.report.suppressed] == ["recorded in known.json"]


def test_what_is_worse_than_recorded_fails_and_says_in_what(workshop: Path, gating: Gating) -> None:
    gating(RECORDED, update_baseline=True)
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 9})
    gate = gating(RECORDED)
    assert gate.exit_code == 1
    assert messages(gate, "gate/baseline") == [
        "vocab/holes:inner counts again, worse than in the baseline: it names 7 ids, was 1"
    ]


def test_a_new_failure_fails_against_a_baseline(workshop: Path, gating: Gating) -> None:
    healthy = RECORDED.replace("holed", "sound")
    gating(healthy, update_baseline=True)
    write_vocab(workshop / "sound", {"a": 0, "b": 1, "ab": 3})
    assert gating(healthy).exit_code == 1


def test_what_is_gone_is_said(workshop: Path, gating: Gating) -> None:
    gating(RECORDED, update_baseline=True)
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 2})
    gate = gating(RECORDED)
    assert gate.exit_code == 0
    assert messages(gate, "gate/baseline") == [
        "the baseline has findings that are gone (vocab/holes:inner); --update-baseline drops them"
    ]


def test_a_subject_that_was_not_recorded_is_judged_as_new_and_that_is_said(
    gating: Gating,
) -> None:
    gating(RECORDED, update_baseline=True)
    gate = gating(RECORDED.replace('["holed"]', '["sound"]'))
    assert [each.severity for each in gate.report.result("gate/baseline").findings] == [
        Severity.WARNING
    ]


def test_a_vocabulary_that_grows_beyond_its_threshold_fails(workshop: Path, gating: Gating) -> None:
    limit = '[[thresholds]]\nmeasurement = "gate/vocab_entries"\ngrowth = 1.5\n'
    gating(RECORDED + limit, update_baseline=True)
    assert gating(RECORDED + limit).exit_code == 0
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 2, "c": 3, "d": 4})
    gate = gating(RECORDED + limit)
    assert gate.exit_code == 1
    assert messages(gate, "gate/thresholds") == [
        "gate/vocab_entries: 5 entries, was 3, 1.67 times as much, and 1.5 are allowed"
    ]


def test_a_vocabulary_that_grows_without_a_threshold_fails_beyond_a_twentieth(
    workshop: Path, gating: Gating
) -> None:
    gating(RECORDED, update_baseline=True)
    write_vocab(workshop / "holed", {"a": 0, "b": 1, "ab": 3, "c": 4})
    assert gating(RECORDED).exit_code == 1


def test_a_baseline_that_was_never_recorded_cannot_be_read(gating: Gating) -> None:
    with pytest.raises(
        UnreadableError, match=r"known\.json: this baseline does not exist; to record one, run"
    ):
        gating(RECORDED)


@pytest.mark.parametrize("text", ["[]", "{", '{"subjects": 3}'])
def test_what_is_not_a_baseline_cannot_be_read(text: str, workshop: Path, gating: Gating) -> None:
    (workshop / "known.json").write_text(text)
    with pytest.raises(UnreadableError, match=r"known\.json: is not a baseline"):
        gating(RECORDED)


def test_a_baseline_of_another_schema_is_refused(workshop: Path, gating: Gating) -> None:
    (workshop / "known.json").write_text('{"schema": "tokaudit.baseline/2"}')
    with pytest.raises(UsageError, match=r"tokaudit\.baseline/2"):
        gating(RECORDED)


def test_no_baseline_is_recorded_of_what_was_not_read(workshop: Path, gating: Gating) -> None:
    gate = gating(RECORDED.replace('"holed"', '"holed", "gone"'), update_baseline=True)
    assert (gate.exit_code, gate.recorded) == (3, False)
    assert not (workshop / "known.json").exists()


def test_recording_needs_a_place(gating: Gating) -> None:
    with pytest.raises(UsageError, match="baseline: is missing; write baseline = "):
        gating('subjects = ["holed"]\n', update_baseline=True)


@pytest.mark.parametrize("place", ["holed/known.json", "holed/deeper/known.json", "link.json"])
def test_recording_writes_nothing_into_a_subject(
    place: str, workshop: Path, gating: Gating
) -> None:
    (workshop / "holed" / "deeper").mkdir()
    (workshop / "link.json").symlink_to("holed/known.json")
    before = sorted(workshop.rglob("*"))
    with pytest.raises(UsageError, match="lies inside holed; write the output elsewhere"):
        gating(RECORDED.replace("known.json", place), update_baseline=True)
    assert sorted(workshop.rglob("*")) == sorted([*before, workshop / "tokaudit.toml"])


def test_recording_writes_over_no_subject(workshop: Path, gating: Gating) -> None:
    text = RECORDED.replace("known.json", "holed/tokenizer.json").replace(
        '"holed"', '"holed/tokenizer.json"'
    )
    with pytest.raises(UsageError, match=r"is holed/tokenizer\.json itself"):
        gating(text, update_baseline=True)


def test_two_records_of_the_same_are_the_same_bytes(workshop: Path, gating: Gating) -> None:
    gating(RECORDED, update_baseline=True)
    first = (workshop / "known.json").read_bytes()
    gating(RECORDED, update_baseline=True)
    assert (workshop / "known.json").read_bytes() == first


def test_what_is_read_is_said_before_anything_is_audited(gating: Gating) -> None:
    read: list[str] = []

    def refuse(configured: Configuration) -> None:
        read.extend(configured.inputs())
        raise UsageError("an output would replace one of them")

    with pytest.raises(UsageError, match="an output would replace"):
        gating('subjects = ["holed", "absent"]\n', on_read=refuse)
    assert read == ["tokaudit.toml", "holed", "absent"]


def test_several_subjects_are_one_report_with_the_files_of_each(gating: Gating) -> None:
    strict = '[severity]\n"vocab/holes" = "error"\n'
    report = gating(f'subjects = ["sound", "holed"]\n{strict}').report
    assert [(part.name, str(part.verdict)) for part in report.parts] == [
        ("sound", "pass"),
        ("holed", "fail"),
    ]
    assert report.verdict_reason == "holed: errors from vocab/holes"
    assert {place.file for each in report.errors for place in each.places} == {
        "holed/tokenizer.json"
    }
    assert (
        "::error file=holed/tokenizer.json,line=1,title=vocab/holes%3Ainner [holed]::"
        in github.write(report)
    )
    assert decode_report(report.to_json()) == report


def test_a_subject_that_cannot_be_read_hides_no_other(gating: Gating) -> None:
    gate = gating('subjects = ["gone", "holed"]\n[severity]\n"vocab/holes" = "error"\n')
    assert gate.exit_code == 3
    assert [part.name for part in gate.report.parts] == ["gone", "holed"]
    assert [each.identity for each in gate.report.errors] == ["vocab/holes:inner"]


ODD = ("a b", "-dash", 'it\'s "q" `b` $HOME', "模型 é", "new\nline", "%s{0}", "--help", "a;b&c|d")


def test_folders_of_any_name_are_audited_under_that_name(gating: Gating, workshop: Path) -> None:
    for name in ODD:
        shutil.copytree(workshop / "holed", workshop / name)
    gate = gating(f"subjects = {json.dumps(ODD)}\n")
    assert [each.name for each in gate.subjects] == list(ODD)
    (found,) = gate.subjects[4].report.warnings
    assert found.places[0].file == "tokenizer.json"
    named = [each.places[0].file for each in gate.report.warnings]
    assert named == [f"{name}/tokenizer.json" for name in ODD]


def test_what_was_examined_is_said_once_for_all_subjects(gating: Gating) -> None:
    scope = gating('subjects = ["holed", "sound"]\n').report.scope
    assert scope.startswith("each of 2 tokenizers: tokenizer only")
    assert scope.count("tokenizer only") == 1


def test_what_a_configuration_leaves_out_is_in_the_scope(gating: Gating, processes: None) -> None:
    text = 'ignore = ["vocab/unreachable"]\nsubjects = ["holed"]\n'
    text += '[severity]\n"vocab/holes" = "info"\n'
    scope = gating(text, head='tier = "quick"\nselect = ["vocab"]\n').report.scope
    assert scope.endswith(
        "tokaudit.toml: only vocab, without vocab/unreachable, vocab/holes counts as info"
    )
