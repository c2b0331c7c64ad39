"""The repairs that the audit states do repair: a sample of what `make remedies` tries."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tokaudit.report.repair import Change, ChangeKind
from tokaudit_remedies import judging, trying
from tokaudit_remedies.cases import examples, operators
from tokaudit_remedies.judging import Judge, judged
from tokaudit_remedies.kept import KeptCases
from tokaudit_remedies.table import page, repaired_of_all, share, table
from tokaudit_remedies.trying import Outcome, TriedRepair, tried

SAMPLE = (  # one of each kind of change: a value, a list, a key to remove, a choice, a base
    "config/named-ids",
    "config/switches",
    "merges/duplicates",
    "merges/dropout",
    "padding/side",
    "special_tokens/names-fit",
    "special_tokens/role-ids",
    "agreement/vocab",
    "vocab/holes",
)


def test_a_sample_of_repairs_works_and_makes_no_new_error(processes: None) -> None:
    outcomes = [each for case in examples() if case.name in SAMPLE for each in tried(case)]
    found = {each.case: each.outcome for each in outcomes}
    repaired = [name for name in SAMPLE if found[name] is Outcome.REPAIRED]
    assert repaired == [*SAMPLE[:2], *SAMPLE[3:4], *SAMPLE[5:7]]
    chosen = [name for name in SAMPLE if found[name] is Outcome.CHOICE]
    assert chosen == ["merges/duplicates", "padding/side", "agreement/vocab"]
    assert found["vocab/holes"] is Outcome.BASE
    assert share(outcomes) == 1.0
    assert "| **repaired of the decidable** | 100.0 % | 100.0 % |" in table(outcomes)


def outcomes_of(*kinds: Outcome) -> list[TriedRepair]:
    return [TriedRepair("examples", "a/b", "a/b:c", kind, "it is so") for kind in kinds]


def test_the_share_of_all_counts_what_others_decide() -> None:
    decided = outcomes_of(Outcome.REPAIRED, Outcome.BASE, Outcome.PERSON, Outcome.CHOICE)
    assert (repaired_of_all(decided), share(decided)) == (0.25, 1.0)
    assert "| **repaired of all** | 25.0 % | 25.0 % |" in page(decided, 4)


def test_a_repair_is_judged_by_the_sound_folder_and_else_by_loaders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "read", lambda version, folder: {"t": {"error": "no tokenizer"}})
    broken, repaired, sound = (tmp_path / name for name in ("broken", "repaired", "sound"))
    for folder, text in ((broken, '{"a": 1}'), (repaired, '{"a": 2}'), (sound, '{ "a": 2 }')):
        folder.mkdir()
        (folder / "x.json").write_text(text)
    assert judged(broken, repaired, sound, ())[0] is Judge.SOUND
    assert judged(broken, repaired, None, ())[0] is Judge.OWN


REMOVED = [Change(ChangeKind.REMOVE, "config.json", "/x", now=1)]


@pytest.mark.parametrize(
    ("key", "read", "judge"),
    [
        ("eos_token_id", [2, 7], Judge.LOADERS),
        ("eos_token_id", [2, 9], Judge.UNWANTED),  # another value than before, and not the wanted
        ("eos_token_id", [2], Judge.UNWANTED),  # the loader reads another file
        ("not_read", None, Judge.OWN),
    ],
)
def test_a_repair_counts_where_the_loader_reads_the_wanted_value(
    key: str, read: list[int] | None, judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before: dict[str, Any] = {"generation_of": {"eos_token_id": [2]}, "tokenizer_of": {}}
    after = {**before, "generation_of": {"eos_token_id": read or [2]}}
    monkeypatch.setattr(judging, "read", lambda _, at: before if at.name == "broken" else after)
    (tmp_path / "repaired").mkdir()
    (tmp_path / "repaired/generation_config.json").write_text(json.dumps({key: [2, 7]}))
    change = Change(ChangeKind.SET, "generation_config.json", f"/{key}", wanted=[2, 7])
    found, _ = judged(tmp_path / "broken", tmp_path / "repaired", None, [change])
    assert found is judge


def test_a_text_of_the_tokenizer_counts_where_its_loader_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"broken": "<a>", "repaired": "</s>"}
    monkeypatch.setattr(
        judging, "read", lambda _, at: {"tokenizer_of": {"special": {"eos_token": texts[at.name]}}}
    )
    for wanted, judge in (("</s>", Judge.LOADERS), ("<b>", Judge.OWN)):
        (tmp_path / "repaired").mkdir(exist_ok=True)
        written = json.dumps({"eos_token": wanted})
        (tmp_path / "repaired/tokenizer_config.json").write_text(written)
        change = Change(ChangeKind.SET, "tokenizer_config.json", "/eos_token", wanted=wanted)
        found, _ = judged(tmp_path / "broken", tmp_path / "repaired", None, [change])
        assert found is judge


@pytest.mark.parametrize(
    ("given", "judge"),
    [
        ({"5": "<a>", "6": "<b>"}, Judge.LOADERS),
        ({"5": "<b>", "6": "<a>"}, Judge.UNWANTED),  # the loader numbers them by their order
    ],
)
def test_a_list_of_added_tokens_counts_where_the_loader_gives_the_ids_of_the_file(
    given: dict[str, str], judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = {"broken": {"5": "<x>"}, "repaired": given}
    monkeypatch.setattr(
        judging, "read", lambda _, at: {"tokenizer_of": {"added": added[at.name], "ids": [5, 6]}}
    )
    (tmp_path / "repaired").mkdir()
    listed = [{"id": 6, "content": "<b>"}, {"id": 5, "content": "<a>"}]
    (tmp_path / "repaired/tokenizer.json").write_text(json.dumps({"added_tokens": listed}))
    change = Change(ChangeKind.SET, "tokenizer.json", "/added_tokens/0/id", wanted=6)
    assert judged(tmp_path / "broken", tmp_path / "repaired", None, [change])[0] is judge


@pytest.mark.parametrize(
    ("reads", "judge"),
    [
        ({"template": "right", "chat": "Hi", "prompt": "Hi "}, Judge.LOADERS),
        ({"template": "of another file", "chat": "Hi", "prompt": "Hi "}, Judge.UNWANTED),
        ({"template": "right"}, Judge.OWN),  # no prompt is rendered by it
    ],
)
def test_a_template_counts_where_the_loader_renders_a_prompt_by_it(
    reads: dict[str, str], judge: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {"broken": {"template": "wrong", "chat": "H"}, "repaired": reads}
    monkeypatch.setattr(judging, "read", lambda _, at: {"tokenizer_of": answers[at.name]})
    (tmp_path / "repaired").mkdir()
    (tmp_path / "repaired/chat_template.jinja").write_text("right")
    change = Change(ChangeKind.SET, "chat_template.jinja", "", wanted="right")
    assert judged(tmp_path / "broken", tmp_path / "repaired", None, [change])[0] is judge


def test_a_choice_is_judged_by_loaders_as_repairs_are(
    monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    (case,) = (each for each in examples() if each.name == "padding/side")
    monkeypatch.setattr(trying, "judged", lambda *of: (Judge.UNWANTED, "by another file"))
    (found,) = {each.outcome for each in tried(case)}
    assert found is Outcome.BAD_CHOICE


def test_a_folder_that_a_loader_refuses_then_is_not_repaired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {"broken": {"a": 1}, "repaired": {"error": "KeyError: x"}}
    monkeypatch.setattr(judging, "read", lambda version, folder: {"t": answers[folder.name]})
    assert judged(tmp_path / "broken", tmp_path / "repaired", None, REMOVED)[0] is Judge.REFUSED
    answers["repaired"] = {"a": 2}
    assert judged(tmp_path / "broken", tmp_path / "repaired", None, REMOVED)[0] is Judge.LOADERS


def test_a_choice_that_does_not_work_counts_as_not_repaired_and_is_named() -> None:
    tried_repairs = outcomes_of(Outcome.REPAIRED, Outcome.BAD_CHOICE, Outcome.PERSON)
    assert share(tried_repairs) == 0.5
    assert "* a choice with an alternative that does not work: a/b:c in" in page(tried_repairs, 3)


def test_what_an_earlier_run_tried_is_not_tried_again_though_its_last_line_is_cut(
    tmp_path: Path,
) -> None:
    one, other, third = islice(examples(), 3)
    file = tmp_path / "kept.jsonl"
    kept = KeptCases.read(file)
    kept.add(one, outcomes_of(Outcome.STAYS))
    kept.add(other, [])
    file.write_text(file.read_text() + '{"source": "examp')
    later = KeptCases.read(file)
    assert [each in later for each in (one, other, third)] == [True, True, False]
    assert later.of([third, one]) == outcomes_of(Outcome.STAYS)


def test_every_operator_of_the_mutants_is_a_case_once() -> None:
    names = [case.name.rpartition(" (")[0] for case in operators()]
    assert len(names) == len(set(names)) > 100
