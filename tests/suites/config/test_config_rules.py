"""Each key that a check compares: a folder that keeps it is silent, one that breaks it is found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from settings_folders import made_of

from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Finding, Severity
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.setting_key import (
    TOKENIZER,
    Decides,
    SettingKey,
    compared_by,
    every_setting,
)
from tokaudit.subject.upstream.tokenizer_class import ROLES, every_class
from tokaudit_suites.config import added_tokens, languages, lengths, model_inputs, switches, tokens

Ask = Callable[..., list[object]]
PAGE = Path(__file__).parents[3] / "docs" / "settings.md"
HELD = [row for row in every_setting() if row.compared_by]
EXAMPLES: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads(
    Path(__file__).with_name("settings_examples.json").read_text("utf-8")
)
"""Of each compared key a value that keeps the rule and one that breaks it.

`base` is the folder of `settings_folders.py` that shows it, if the usual one does not, `next_to_it` are
other settings, `asks` is the check where a key has more than one.
"""
OF_ONE_KEY = {
    "config/added-tokens": (added_tokens.RULES, False),
    "config/languages": (languages.RULES, True),
    "config/lengths": (lengths.RULES, False),
    "config/model-inputs": (model_inputs.RULES, True),
    "config/switches": (switches.RULES, False),
    "config/tokens": (tokens.RULES, True),
}
"""The checks that have a rule for single keys, and whether other keys have a common one."""

MEASURED = {"bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "vocab_size"}
MEASURED |= {"max_position_embeddings", "n_positions", "max_source_positions"}
MEASURED |= {"max_target_positions", "is_encoder_decoder", "tie_word_embeddings"}


def written(sick: ModuleType, folder: Path, row: SettingKey, value: Any) -> None:
    """Put a value for the row's key into its file, which is made where it is not there."""
    if not (folder / row.file).exists():
        sick.write(folder / row.file, {})

    def change(data: dict[str, Any]) -> None:
        both = isinstance(value, dict) and isinstance(data.get(row.key), dict)
        data[row.key] = {**data[row.key], **value} if both else value

    sick.edit(folder, row.file, change)


def reported(ask: Ask, row: SettingKey, folder: Path) -> list[Finding]:
    try:
        found = ask(EXAMPLES[row.file][row.key].get("asks", row.compared_by[0]), folder)
    except (NotApplicable, Skip):
        return []
    listed = [item for item in found if isinstance(item, Finding)]
    return [finding for finding in listed if finding.severity is not Severity.INFO]


def test_every_key_has_a_source_and_every_compared_one_an_example() -> None:
    assert all(row.source for row in every_setting())
    held = {(row.file, row.key) for row in HELD}
    assert held == {(file, key) for file, keys in EXAMPLES.items() for key in keys}


def undescribed(keys: Iterable[SettingKey]) -> list[str]:
    """Each row of the page of settings whose key has no section, with what it says of the key."""
    rows = (line.split(" | ") for line in PAGE.read_text("utf-8").splitlines())
    described = {each.means for each in keys}
    return [
        f"{row[0]}: {row[2]}"
        for row in rows
        if len(row) == 6 and row[1] in set(Decides) and row[2] not in described
    ]


def test_a_key_whose_section_is_deleted_is_missed_with_its_meaning() -> None:
    assert undescribed(every_setting()) == []
    once = Counter(row.means for row in every_setting())
    for gone in (row for row in every_setting() if once[row.means] == 1):
        rest = (row for row in every_setting() if row is not gone)
        (missed,) = undescribed(rest)
        assert missed.endswith(f": {gone.means}")


@pytest.mark.parametrize("check", sorted(OF_ONE_KEY))
def test_every_rule_is_for_a_key_that_names_its_check(check: str) -> None:
    rules, others = OF_ONE_KEY[check]
    keys = {key for _, key in compared_by(check)}
    assert rules.keys() <= keys
    assert others or rules.keys() == keys


def test_every_row_says_what_its_key_means_and_what_is_taken_where_it_is_left_out() -> None:
    assert all(row.means and row.default for row in every_setting())
    named = {key for known in every_class().values() for key in known.settings}
    of_a_class = [r for r in every_setting() if "by class" in r.default and r.file == TOKENIZER]
    assert {row.key for row in of_a_class} - named == {f"{role}_token" for role in ROLES}
    named = {key for kind in every_type().values() for key in kind.values}
    of_a_kind = [r for r in every_setting() if "by kind" in r.default and r.key in MEASURED]
    assert {row.key for row in of_a_kind} == MEASURED <= named


@pytest.mark.parametrize("row", HELD, ids=lambda row: f"{row.file}:{row.key}")
def test_a_folder_that_keeps_the_rule_is_silent_and_one_that_breaks_it_is_told(
    ask: Ask, folder: Path, sick: ModuleType, row: SettingKey, processes: None
) -> None:
    example = EXAMPLES[row.file][row.key]
    if base := example.get("base"):
        folder = made_of(base, folder.parent / base)
    for file, keys in example.get("next_to_it", {}).items():
        if not (folder / file).exists():
            sick.write(folder / file, {})
        sick.edit(folder, file, lambda data, keys=keys: data.update(keys))
    written(sick, folder, row, example["keeps"])
    assert reported(ask, row, folder) == []
    written(sick, folder, row, example["breaks"])
    found = reported(ask, row, folder)
    assert found and all(finding.places[0].file for finding in found)


def test_a_key_that_no_loader_reads_is_listed(ask: Ask, folder: Path, sick: ModuleType) -> None:
    assert ask("config/unknown-keys", folder) == []
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(my_own_note=True))
    [finding] = ask("config/unknown-keys", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.INFO
    assert "'my_own_note'" in finding.message


@pytest.mark.parametrize(
    ("file", "key", "meant"),
    [
        ("tokenizer_config.json", "add_prefix_spaces", "add_prefix_space"),
        ("generation_config.json", "temprature", "temperature"),
        ("preprocessor_config.json", "do_resise", "do_resize"),
    ],
)
def test_a_key_one_edit_from_one_that_loaders_read_is_a_warning_with_its_repair(
    ask: Ask, folder: Path, sick: ModuleType, file: str, key: str, meant: str
) -> None:
    if not (folder / file).exists():
        sick.write(folder / file, {})
    sick.edit(folder, file, lambda keys: keys.update({key: 1}))
    [finding] = ask("config/unknown-keys", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.WARNING
    assert f"loaders read {meant!r}, which the file lacks" in finding.message
    assert finding.repair is not None
    assert [(c.pointer, c.wanted) for c in finding.repair.changes] == [
        (f"/{key}", None),
        (f"/{meant}", 1),
    ]
    sick.edit(folder, file, lambda keys: keys.update({meant: 1}))
    [finding] = ask("config/unknown-keys", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.INFO


def test_a_stated_id_beyond_the_end_is_told_with_the_id_that_loaders_give(
    ask: Ask, folder: Path, sick: ModuleType
) -> None:
    late = {"390": {"content": "<|late|>", "special": True}}
    sick.edit(folder, "tokenizer_config.json", lambda c: c["added_tokens_decoder"].update(late))
    [finding] = ask("config/added-tokens", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.ERROR
    assert (
        "'<|late|>' the id 390" in finding.message and "the next free id, 380." in finding.message
    )


def test_what_code_of_the_checkpoint_makes_of_a_stated_id_is_not_known(
    ask: Ask, folder: Path, sick: ModuleType
) -> None:
    late = {"390": {"content": "<|late|>", "special": True}}
    code = {"AutoTokenizer": ["tokenization_x.XTokenizer", None]}
    sick.edit(folder, "tokenizer_config.json", lambda c: c["added_tokens_decoder"].update(late))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(auto_map=code))
    [finding] = ask("config/added-tokens", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.INFO
    assert "what tokenization_x.XTokenizer of the checkpoint does is not known" in finding.message
    [warned] = ask("agreement/added-tokens", folder)
    assert isinstance(warned, Finding) and warned.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("file", "known", "strange"),
    [
        ("special_tokens_map.json", {"eos_token": "<|end|>", "boi_token": "<|user|>"}, "eos"),
        ("generation_config.json", {"top_p": 0.9, "alignment_heads": [[1, 2]]}, "own_note"),
        ("preprocessor_config.json", {"do_resize": True, "feature_size": 80}, "do_resise"),
        ("added_tokens.json", {"<|end|>": 376}, "<|none|>"),
        ("tokenizer_config.json", {"langs": ["en", "de"], "max_cell_length": 15}, "max_cel_length"),
    ],
)
def test_a_key_that_no_loader_reads_is_listed_of_each_file(
    ask: Ask, folder: Path, sick: ModuleType, file: str, known: dict[str, Any], strange: str
) -> None:
    sick.write(folder / file, known)
    assert ask("config/unknown-keys", folder) == []
    sick.write(folder / file, {**known, strange: "text"})
    [finding] = ask("config/unknown-keys", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.INFO
    assert finding.message == f"{file} has 1 key that no loader is known to read: {strange!r}."


@pytest.mark.parametrize(
    ("stated", "strange"),
    [
        ({"model_type": "llama", "eos_tokens_id": 376, "hidden_sizes": 4}, ["'eos_tokens_id'"]),
        ({"model_type": "llama", "vocabsize": 380}, ["vocabsize"]),
        ({"model_type": "llama", "vocab_rows": 380, "tokenizer_path": "x"}, ["rows", "path"]),
        ({"model_type": "t5", "image_token_id": 3, "type_vocab_size": 2, "d_kv": 64}, []),
        ({"vocabsize": 380}, []),  # nobody says that it is the config of a model
        ({"model_type": "own", "vocabsize": 380, "auto_map": {"AutoModel": "x.Y"}}, []),
    ],
)
def test_keys_of_a_model_are_listed_that_sound_as_if_they_decided_ids(
    ask: Ask, folder: Path, sick: ModuleType, stated: dict[str, Any], strange: list[str]
) -> None:
    sick.write(folder / "config.json", stated)
    found = [item for item in ask("config/unknown-keys", folder) if isinstance(item, Finding)]
    assert len(found) == bool(strange)
    assert all(each in found[0].message for each in strange)


def test_code_of_the_checkpoint_reads_keys_of_its_own(
    ask: Ask, folder: Path, sick: ModuleType
) -> None:
    own = {"auto_map": {"AutoProcessor": "processing_own.Own"}, "own_patches": 4}
    sick.write(folder / "preprocessor_config.json", own)
    assert ask("config/unknown-keys", folder) == []
