"""What `compare` says of a base, an audit with that base says too: one list of facets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.engine import facet_names as names
from tokaudit_folders import sick
from tokaudit_suites.baseline._facets import REPORTED_BY

pytestmark = pytest.mark.usefixtures("processes")
Ask = Callable[..., list[Any]]
Edit = Callable[[Any], Any]
ROLES, PADDING, FILES = "baseline/special-roles", "baseline/padding", "baseline/settings-files"
SETTINGS, STOPS = "tokenizer_config.json", "generation_config.json"
MAP = "special_tokens_map.json"


def pair(folder: Path, *edits: tuple[str, Edit]) -> tuple[Path, Path]:
    """A healthy folder with some files changed, and the same folder unchanged."""
    base, subject = sick.healthy(folder / "base"), sick.healthy(folder / "subject")
    for name, edit in edits:
        sick.edit(subject, name, edit)
    return subject, base


def said(found: list[Any]) -> list[tuple[str, str]]:
    return [(str(each.severity), each.cause) for each in found]


def test_every_facet_of_a_comparison_has_a_check_of_the_base(checks: dict[str, Any]) -> None:
    every = {value for key, value in vars(names).items() if key.isupper() and type(value) is str}
    every -= {names.CORPUS, names.TYPE_IDS}
    assert set(REPORTED_BY) == every | {"settings files"}
    assert set(REPORTED_BY.values()) <= checks.keys()


def test_an_eos_token_that_is_not_the_bases_is_an_error(ask: Ask, tmp_path: Path) -> None:
    subject, base = pair(tmp_path, (SETTINGS, lambda c: c.update(eos_token="<|pad|>")))
    (found,) = ask(ROLES, subject, base)
    assert said([found]) == [("error", "eos_token")]
    assert [(p.file.split("/")[-1], p.pointer, p.outside) for p in found.places] == [
        (SETTINGS, "/eos_token", False),
        (SETTINGS, "/eos_token", True),
    ]


def test_the_same_roles_are_silent(ask: Ask, tmp_path: Path) -> None:
    subject, base = pair(tmp_path)
    for check in (ROLES, PADDING, FILES):
        assert ask(check, subject, base) == []


def test_an_end_that_a_template_of_its_own_writes_is_information(ask: Ask, tmp_path: Path) -> None:
    def tuned(config: Any) -> None:
        template = config["chat_template"].replace("<|end|>", "<|pad|>")
        config.update(eos_token="<|pad|>", chat_template=template)

    subject, base = pair(tmp_path, (SETTINGS, tuned))
    assert said(ask(ROLES, subject, base)) == [("info", "eos_token")]


def test_another_pad_token_is_a_warning(ask: Ask, tmp_path: Path) -> None:
    subject, base = pair(tmp_path, (SETTINGS, lambda c: c.update(pad_token="<|user|>")))
    assert said(ask(ROLES, subject, base)) == [("warning", "pad_token")]


def test_a_role_that_no_file_states_any_more_is_a_warning(ask: Ask, tmp_path: Path) -> None:
    edits = ((name, lambda c: c.pop("eos_token")) for name in (SETTINGS, MAP))
    subject, base = pair(tmp_path, *edits)
    assert said(ask(ROLES, subject, base)) == [("warning", "eos_token unstated")]


def test_a_stop_of_the_base_that_is_lost_is_an_error_and_one_more_is_not(
    ask: Ask, tmp_path: Path
) -> None:
    subject, base = pair(tmp_path, (STOPS, lambda c: c.update(eos_token_id=[0])))
    (found,) = ask(ROLES, subject, base)
    assert said([found]) == [("error", "stops lost")]
    (change,) = found.repair.changes
    assert (change.pointer, change.from_base) == ("/eos_token_id", True)
    sick.edit(subject, STOPS, lambda c: c["eos_token_id"].append(376))
    assert said(ask(ROLES, subject, base)) == [("info", "stops new")]


def test_stops_are_compared_by_token_and_not_by_id(ask: Ask, tmp_path: Path) -> None:
    def moved(tokenizer: Any) -> None:
        for token in tokenizer["added_tokens"]:
            token["id"] += 10

    subject, base = pair(tmp_path, ("tokenizer.json", moved))
    sick.edit(subject, STOPS, lambda c: c.update(eos_token_id=[386]))
    assert ask(ROLES, subject, base) == []


def test_another_padding_side_is_a_warning(ask: Ask, tmp_path: Path) -> None:
    subject, base = pair(tmp_path, (SETTINGS, lambda c: c.update(padding_side="left")))
    assert said(ask(PADDING, subject, base)) == [("warning", "padding side")]


def test_a_truncation_that_is_left_on_is_shown_by_a_text(ask: Ask, tmp_path: Path) -> None:
    block = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    subject, base = pair(tmp_path, ("tokenizer.json", lambda t: t.update(truncation=block)))
    (found,) = ask(PADDING, subject, base)
    assert found.cause == "truncation"
    assert "truncation is on (max_length 3, strategy LongestFirst" in found.message


def test_a_file_that_is_gone_is_named_with_what_it_stated(ask: Ask, tmp_path: Path) -> None:
    subject, base = pair(tmp_path)
    sick.edit(base, STOPS, lambda c: c.update(suppress_tokens=[5]))
    (subject / STOPS).unlink()
    (found,) = ask(FILES, subject, base)
    assert said([found]) == [("warning", f"{STOPS} gone")]
    assert "which the base has with the keys suppress_tokens" in found.message
    assert found.repair.changes[0].source.endswith(STOPS)


def test_a_file_that_another_one_restates_is_not_missed(ask: Ask, tmp_path: Path) -> None:
    subject, base = pair(tmp_path)
    (subject / MAP).unlink()
    assert ask(FILES, subject, base) == []


def test_files_of_the_model_are_not_missed_next_to_a_tokenizer_alone(
    ask: Ask, tmp_path: Path
) -> None:
    subject, base = pair(tmp_path)
    for name in (STOPS, "config.json", "model.safetensors"):
        (subject / name).unlink()
    assert ask(FILES, subject, base) == []


def test_a_chat_template_that_is_gone_is_an_error_of_its_own_check_alone(
    ask: Ask, tmp_path: Path
) -> None:
    subject, base = pair(tmp_path, (SETTINGS, lambda c: c.pop("chat_template")))
    assert said(ask("chat_template/missing", subject, base)) == [("error", "the base has one")]
    assert ask(FILES, subject, base) == []


@pytest.mark.parametrize("architecture", ["LlamaForSequenceClassification", "LlamaModel"])
def test_a_model_of_labels_or_vectors_needs_no_stops_and_no_chats(
    architecture: str, ask: Ask, tmp_path: Path
) -> None:
    subject, base = pair(
        tmp_path,
        ("config.json", lambda c: c.update(architectures=[architecture])),
        (SETTINGS, lambda c: c.pop("chat_template")),
        (STOPS, lambda c: c.update(eos_token_id=[0])),
    )
    assert said(ask(ROLES, subject, base)) == [("info", "stops lost")]
    assert said(ask("chat_template/missing", subject, base)) == [("info", "the base has one")]
