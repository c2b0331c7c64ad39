"""A list of added tokens is repaired so that the library gives each token the id that is wanted."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

import tokaudit
from tokaudit.products.fix.stage import Stage, in_order
from tokaudit.report.repair import Change
from tokaudit_folders import sick
from tokaudit_suites.shared import listed_tokens

CHECKS = ("baseline/added-tokens", "agreement/added-tokens")
DRAWS = 24
TOKENS, SETTINGS = "tokenizer.json", "tokenizer_config.json"
NAMES = ("<|end|>", "<|pad|>", "<|user|>", "<|assistant|>")
FIRST = 376  # the number of entries of the model


def given(folder: Path) -> dict[int, str]:
    """The ids that the library gives to the tokens of a folder."""
    decoder = Tokenizer.from_file(str(folder / TOKENS)).get_added_tokens_decoder()
    return {id: token.content for id, token in decoder.items()}


def listed(folder: Path, tokens: dict[int, str]) -> Path:
    """The small checkpoint with these tokens in the list, and in the settings."""
    made = sick.healthy(folder)

    def of_tokenizer(data: Any) -> None:
        plain = data["added_tokens"][0]
        data["added_tokens"] = [{**plain, "id": id, "content": c} for id, c in tokens.items()]

    def of_settings(data: Any) -> None:
        plain = next(iter(data["added_tokens_decoder"].values()))
        data["added_tokens_decoder"] = {str(i): {**plain, "content": c} for i, c in tokens.items()}

    sick.edit(made, TOKENS, of_tokenizer)
    sick.edit(made, SETTINGS, of_settings)
    return made


def carried_out(folder: Path, changes: tuple[Change, ...]) -> None:
    """Change the files of a folder in place."""
    with tokaudit.open(folder) as opened:
        stage = Stage(folder, {file.name: file for file in opened.files})
        for change in in_order(changes):
            stage.carry_out(change)


def unrepaired(place: Path, draws: int) -> list[dict[int, str]]:
    """Drawn lists that the repair by the base does not make the base's, as the library reads it."""
    base = listed(place / "base", dict(enumerate(NAMES, FIRST)))
    wanted, draw, wrong, tried = given(base), random.Random(44), [], 0
    for number in range(draws):
        kept = draw.sample(NAMES, draw.randint(1, len(NAMES)))
        made = listed(place / f"{number}", dict(enumerate(kept, FIRST)))
        report = tokaudit.audit(made, base=base, select=CHECKS[:1], tier="quick")
        changes = [f.repair.changes for f in report.findings if f.repair and f.repair.changes]
        if kept != list(NAMES[: len(kept)]):
            tried += 1
            assert changes, kept
        for each in changes:
            carried_out(made, each)
            if given(made) != wanted:
                wrong.append(given(made))
                break
            listed(made, dict(enumerate(kept, FIRST)))
    assert tried > draws // 3
    return wrong


def test_drawn_lists_become_the_lists_of_the_base(tmp_path: Path) -> None:
    assert unrepaired(tmp_path, DRAWS) == []


def test_ids_that_are_set_where_the_tokens_stand_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seeded breach: the loader reads no id of the list, so that nothing is repaired."""

    def in_place(own: Any, changed: Any) -> list[Any]:
        here = [changed.pop(token.content, token) for token in own]
        return [*here, *changed.values()]

    monkeypatch.setattr(listed_tokens, "_in_places", in_place)
    monkeypatch.setattr(listed_tokens, "numbered_anew", lambda spec: ())
    assert unrepaired(tmp_path, 6) != []


def test_each_alternative_of_two_exchanged_tokens_is_what_the_library_reads(tmp_path: Path) -> None:
    exchanged = [*NAMES[:2], NAMES[3], NAMES[2]]
    for number, ids in enumerate((exchanged, list(NAMES))):
        made = listed(tmp_path / f"{number}", dict(enumerate(exchanged, FIRST)))
        settings = sick.healthy(tmp_path / f"{number}-healthy") / SETTINGS
        (made / SETTINGS).write_bytes(settings.read_bytes())
        [found] = tokaudit.audit(made, select=CHECKS[1:], tier="quick").findings
        assert found.repair is not None and len(found.repair.choice) == 2
        carried_out(made, found.repair.choice[number].changes)
        assert given(made) == dict(enumerate(ids, FIRST))
        stated = json.loads((made / SETTINGS).read_text())["added_tokens_decoder"]
        assert {int(id): token["content"] for id, token in stated.items()} == given(made)


@pytest.mark.parametrize(
    "tokens",
    [{FIRST: "<|end|>", FIRST + 2: "<|user|>"}, {FIRST + 1: "<|end|>", FIRST: "<|user|>"}],
    ids=["a gap", "not in order"],
)
def test_a_base_whose_own_tokens_get_other_ids_than_it_states_decides_nothing(
    tokens: dict[int, str], tmp_path: Path
) -> None:
    base, made = listed(tmp_path / "base", tokens), listed(tmp_path / "made", {FIRST: "<|user|>"})
    report = tokaudit.audit(made, base=base, select=CHECKS[:1], tier="quick")
    errors = [each for each in report.findings if each.severity == "error"]
    assert errors and [e.repair.changes for e in errors if e.repair and e.repair.changes] == []
