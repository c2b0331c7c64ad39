"""Names one edit from a token, and two tokens with each other's id, are one finding each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders import sick
from tokaudit_suites.agreement import added_tokens
from tokaudit_suites.shared import repairs
from tokaudit_suites.shared.near_names import nearest

pytestmark = pytest.mark.usefixtures("processes")
Ask = Callable[..., list[Any]]
SETTINGS, MAP, STOPS = "tokenizer_config.json", "special_tokens_map.json", "generation_config.json"
ROLE_IDS, LISTS = "special_tokens/role-ids", "agreement/added-tokens"
USER, ASSISTANT, END, PAD = 378, 379, 376, 377


def edited(folder: Path, **files: Callable[[Any], Any]) -> Path:
    made = sick.healthy(folder / "subject")
    for name, edit in files.items():
        sick.edit(made, f"{name}.json", edit)
    return made


def said(found: list[Any]) -> list[tuple[str, str]]:
    return [(str(f.severity), f.cause) for f in found if str(f.severity) != "info"]


def changes(finding: Any) -> list[tuple[str, str, Any]]:
    return [(c.file, c.pointer, c.wanted) for c in finding.repair.changes]


def exchanged(tokenizer: Any) -> None:
    for token in tokenizer["added_tokens"]:
        token["id"] = {USER: ASSISTANT, ASSISTANT: USER}.get(token["id"], token["id"])
    tokenizer["added_tokens"].sort(key=lambda token: token["id"])


def test_two_tokens_with_each_others_id_are_one_finding_and_a_choice(
    ask: Ask, tmp_path: Path
) -> None:
    (found,) = ask(LISTS, edited(tmp_path, tokenizer=exchanged))
    assert said([found]) == [("error", "exchanged")]
    listed, own = found.repair.choice
    assert {change.file for change in listed.changes} == {SETTINGS}
    places = [(c.pointer, c.wanted["id"], c.wanted["content"]) for c in own.changes]
    assert places == [
        ("/added_tokens/2", USER, "<|user|>"),
        ("/added_tokens/3", ASSISTANT, "<|assistant|>"),
    ]


def decided_alone(ask: Ask, tmp_path: Path) -> list[tuple[int, int, str]]:
    """The pairs of tokens, exchanged in one of two files, of which a program says which is right."""
    wrong = []
    for number, (one, other) in enumerate(combinations((END, PAD, USER, ASSISTANT), 2)):
        here = {one: other, other: one}

        def in_list(tokenizer: Any, here: dict[int, int] = here) -> None:
            for token in tokenizer["added_tokens"]:
                token["id"] = here.get(token["id"], token["id"])
            tokenizer["added_tokens"].sort(key=lambda token: token["id"])

        def in_settings(config: Any, here: dict[int, int] = here) -> None:
            listed = config["added_tokens_decoder"]
            config["added_tokens_decoder"] = {
                str(here.get(int(id), int(id))): token for id, token in listed.items()
            }

        for name, edit in (("tokenizer", in_list), ("tokenizer_config", in_settings)):
            made = edited(tmp_path / f"{number}-{name}", **{name: edit})
            found = ask(LISTS, made)
            assert found
            if any(each.repair is None or each.repair.changes for each in found):
                wrong.append((one, other, name))
    return wrong


def test_no_exchange_in_one_of_two_files_is_decided_by_a_program(ask: Ask, tmp_path: Path) -> None:
    assert decided_alone(ask, tmp_path) == []


def test_a_repair_that_takes_the_first_of_two_files_is_noticed(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded breach."""
    first = lambda *two, warns_of="": repairs.repaired(*two[0][1])  # noqa: E731
    monkeypatch.setattr(added_tokens, "either", first)
    assert len(decided_alone(ask, tmp_path)) == 12


def test_the_base_decides_which_of_two_ids_is_right(ask: Ask, tmp_path: Path) -> None:
    subject, base = edited(tmp_path, tokenizer=exchanged), sick.healthy(tmp_path / "base")
    (found,) = ask("baseline/added-tokens", subject, base)
    assert said([found]) == [("error", "exchanged")]
    assert {file for file, *_ in changes(found)} == {"tokenizer.json"}


def test_a_token_that_moved_onto_another_is_the_tokenizers_to_say(ask: Ask, tmp_path: Path) -> None:
    def moved(config: Any) -> None:
        listed = config["added_tokens_decoder"]
        listed["300"] = listed.pop(str(USER))

    (found,) = ask(LISTS, edited(tmp_path, tokenizer_config=moved))
    assert said([found]) == [("error", "id")] and found.repair.changes


def test_a_token_that_moved_to_a_free_id_is_a_persons_to_say(ask: Ask, tmp_path: Path) -> None:
    def moved(config: Any) -> None:
        listed = config["added_tokens_decoder"]
        listed["380"] = listed.pop(str(ASSISTANT))

    made = edited(tmp_path, tokenizer_config=moved, config=lambda c: c.update(vocab_size=400))
    (found,) = ask(LISTS, made)
    assert str(found.repair.decided_by) == "person"
    assert "only after another token" in found.repair.reason
    sick.edit(made, "config.json", lambda c: c.update(vocab_size=380))
    (found,) = ask(LISTS, made)
    assert found.repair.changes  # the model has no row for 380


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("<|endoftxt|>", ["<|endoftext|>", "<|im_end|>"], "<|endoftext|>"),
        ("<|asssistant|>", ["<|assistant|>"], "<|assistant|>"),
        ("<|assitsant|>", ["<|assistant|>"], "<|assistant|>"),
        ("<|assistand|>", ["<|assistant|>"], "<|assistant|>"),
        ("<|assistant>", ["<|assistant|>"], "<|assistant|>"),
        ("<|assistant|>", ["<|assistant|>"], None),
        ("</answer>", ["<answer>"], None),
        ("<extra_id_7>", ["<extra_id_8>"], None),
        ("<images>", ["<image>"], None),
        ("<|calls|>", ["<|calms|>", "<|calks|>"], None),
        ("<eod>", ["<eos>"], None),
        ("assistent", ["assistant"], None),
    ],
)
def test_the_token_that_a_name_is_meant_to_be(
    text: str, tokens: list[str], expected: str | None
) -> None:
    assert nearest(text, tokens) == expected


def test_an_eos_token_one_edit_from_a_token_is_corrected_in_each_file(
    ask: Ask, tmp_path: Path
) -> None:
    def misspelled(config: Any) -> None:
        config.update(eos_token="<|asistant|>")

    made = edited(tmp_path, tokenizer_config=misspelled, special_tokens_map=misspelled)
    (found,) = ask("special_tokens/eos-is-special", made)
    assert said([found]) == [("error", "misspelled")]
    assert found.message.endswith("did you mean '<|assistant|>'?")
    assert sorted(changes(found)) == [
        (MAP, "/eos_token", "<|assistant|>"),
        (SETTINGS, "/eos_token", "<|assistant|>"),
    ]


def test_a_marker_of_the_template_one_edit_from_a_token_is_an_error_with_a_patch(
    ask: Ask, tmp_path: Path
) -> None:
    def misspelled(config: Any) -> None:
        text = config["chat_template"].replace("<|assistant|>", "<|asssistant|>")
        config.update(chat_template=text)

    found = ask("chat_template/tokens", edited(tmp_path, tokenizer_config=misspelled))
    (near,) = [each for each in found if each.cause == "near name"]
    assert said(found) == [("error", "near name")]
    assert "did you mean '<|assistant|>'?" in near.message
    assert changes(near) == [(SETTINGS, "/chat_template", sick.TEMPLATE)]


def test_a_stop_one_edit_from_a_token_is_an_error_with_a_patch(ask: Ask, tmp_path: Path) -> None:
    made = edited(
        tmp_path, generation_config=lambda c: c.update(stop_strings=["<|assistnat|>", "###"])
    )
    (found,) = ask("config/tokens", made)
    assert "did you mean '<|assistant|>'?" in found.message
    assert changes(found) == [(STOPS, "/stop_strings", ["<|assistant|>", "###"])]


@pytest.mark.parametrize(
    ("stops", "expected"),
    [
        (["<|end|>", "user"], ["warning stop_strings"]),
        (" assistant", ["warning stop_strings"]),
        (["###", "\nUser:", "Observation:", "</s>", "\nuser", "STOP", "", 7], []),
    ],
)
def test_a_stop_that_ordinary_answers_contain_is_a_warning(
    ask: Ask, tmp_path: Path, stops: Any, expected: list[str]
) -> None:
    made = edited(tmp_path, generation_config=lambda c: c.update(stop_strings=stops))
    found = ask("config/tokens", made)
    assert [f"{each.severity} {each.cause}" for each in found] == expected


def test_a_list_of_stops_stays_a_list(ask: Ask, tmp_path: Path) -> None:
    made = edited(tmp_path, generation_config=lambda c: c.update(eos_token_id=[0]))
    (found,) = ask(ROLE_IDS, made)
    assert changes(found) == [(STOPS, "/eos_token_id", [END])]


def test_of_a_list_of_stops_only_the_one_that_cannot_be_an_end_is_replaced(
    ask: Ask, tmp_path: Path
) -> None:
    made = edited(tmp_path, generation_config=lambda c: c.update(eos_token_id=[PAD, USER]))
    (found,) = ask(ROLE_IDS, made)
    assert changes(found) == [(STOPS, "/eos_token_id", [END, USER])]


def test_a_stop_that_no_list_has_is_added_to_the_one_that_generation_reads(
    ask: Ask, tmp_path: Path
) -> None:
    elsewhere = lambda c: c.update(eos_token="<|user|>")  # noqa: E731
    stops = lambda c: c.update(eos_token_id=USER)  # noqa: E731
    made = edited(
        tmp_path,
        generation_config=stops,
        config=stops,
        tokenizer_config=elsewhere,
        special_tokens_map=elsewhere,
    )
    (found,) = [each for each in ask("chat_template/stops", made) if each.cause == "not a stop"]
    assert changes(found) == [(STOPS, "/eos_token_id", [USER, END])]
    assert f"Add {END} to eos_token_id in {STOPS}" in found.remedy


def test_a_token_at_an_id_that_no_order_of_the_list_gives_is_a_persons(
    ask: Ask, tmp_path: Path
) -> None:
    made = edited(tmp_path)
    (made / "added_tokens.json").write_text('{"<|late|>": 400}', "utf-8")
    (found,) = [each for each in ask(LISTS, made) if each.cause == "unknown"]
    assert str(found.repair.decided_by) == "person"
    assert "no order gives these ids" in found.repair.reason


def test_a_token_that_one_list_lacks_is_written_where_loaders_number_it_so(
    ask: Ask, tmp_path: Path
) -> None:
    made = edited(tmp_path)
    (made / "added_tokens.json").write_text('{"<|late|>": 380}', "utf-8")
    (found,) = [each for each in ask(LISTS, made) if each.cause == "unknown"]
    own = found.repair.choice[1].changes
    assert [(c.pointer, c.wanted["id"]) for c in own] == [("/added_tokens/-", 380)]


def test_two_markers_for_one_role_are_a_choice_where_no_third_file_decides(
    ask: Ask, tmp_path: Path
) -> None:
    ends = lambda c: c.update(eos_token_id=USER)  # noqa: E731
    made = edited(tmp_path, generation_config=ends, config=ends)
    found = ask(ROLE_IDS, made)
    assert [len(each.repair.choice) for each in found] == [2, 2]
    sick.edit(made, "config.json", lambda c: c.update(eos_token_id=END))
    (found,) = ask(ROLE_IDS, made)
    assert changes(found) == [(STOPS, "/eos_token_id", END)]


def test_ids_of_two_roles_that_are_each_others_are_one_finding(ask: Ask, tmp_path: Path) -> None:
    crossed = lambda c: c.update(eos_token_id=PAD, pad_token_id=END)  # noqa: E731
    found = ask(ROLE_IDS, edited(tmp_path, config=crossed))
    assert said(found) == [("error", "exchanged")]


def test_an_end_that_only_config_json_lists_is_added_to_the_list_that_generation_reads(
    ask: Ask, tmp_path: Path
) -> None:
    named = lambda c: c.update(eos_token="<|user|>")  # noqa: E731
    made = edited(
        tmp_path,
        generation_config=lambda c: c.update(eos_token_id=USER),
        config=lambda c: c.update(eos_token_id=[USER, END]),
        tokenizer_config=named,
        special_tokens_map=named,
    )
    (found,) = [each for each in ask("chat_template/stops", made) if each.cause == "not a stop"]
    assert str(found.severity) == "error" and f"transformers {FOUR} and {FIVE}" in found.message
    assert changes(found) == [(STOPS, "/eos_token_id", [USER, END])]
    sick.edit(made, STOPS, lambda c: c.update(eos_token_id=[USER, END]))
    assert said(ask("chat_template/stops", made)) == []


def test_an_end_that_the_generation_config_alone_lists_is_a_warning(
    ask: Ask, tmp_path: Path
) -> None:
    named = lambda c: c.update(eos_token="<|user|>")  # noqa: E731
    made = edited(
        tmp_path,
        generation_config=lambda c: c.update(eos_token_id=[USER, END]),
        config=lambda c: c.update(eos_token_id=USER),
        tokenizer_config=named,
        special_tokens_map=named,
    )
    found = ask("chat_template/stops", made)
    assert said(found) == [("warning", "only in generation")]
