"""Each row of the table of settings: a folder that keeps it is silent, one that breaks it is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from settings_folders import made_of

from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.model import Finding, Severity
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.tokenizer_class import ROLES, every_class
from tokaudit_suites.config._row import Row
from tokaudit_suites.config._rows import TOKENIZER, all_rows

Ask = Callable[..., list[object]]
HELD = [row for row in all_rows() if row.judge is not None or row.check]

MEASURED = {"bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "vocab_size"}
MEASURED |= {"max_position_embeddings", "n_positions", "max_source_positions"}
MEASURED |= {"max_target_positions", "is_encoder_decoder", "tie_word_embeddings"}


def written(sick: ModuleType, folder: Path, row: Row, value: Any) -> None:
    """Put a value for the row's key into its file, which is made where it is not there."""
    if not (folder / row.file).exists():
        sick.write(folder / row.file, {})

    def change(data: dict[str, Any]) -> None:
        both = isinstance(value, dict) and isinstance(data.get(row.key), dict)
        data[row.key] = {**data[row.key], **value} if both else value

    sick.edit(folder, row.file, change)


def reported(ask: Ask, row: Row, folder: Path) -> list[Finding]:
    try:
        found = ask(row.check or "config/rules", folder)
    except (NotApplicable, Skip):
        return []
    listed = [item for item in found if isinstance(item, Finding)]
    return [finding for finding in listed if finding.severity is not Severity.INFO]


def test_every_row_has_a_source_and_no_key_is_there_twice() -> None:
    assert all(row.source for row in all_rows())
    assert len({(row.file, row.key) for row in all_rows()}) == len(all_rows())
    assert all(row.keeps is not None and row.breaks is not None for row in HELD)


def test_every_row_says_what_its_key_means_and_what_is_taken_where_it_is_left_out() -> None:
    assert all(row.meaning and row.default for row in all_rows())
    named = {key for known in every_class().values() for key in known.settings}
    of_a_class = [r for r in all_rows() if "by class" in r.default and r.file == TOKENIZER]
    assert {row.key for row in of_a_class} - named == {f"{role}_token" for role in ROLES}
    named = {key for kind in every_type().values() for key in kind.values}
    of_a_kind = [r for r in all_rows() if "by kind" in r.default and r.key in MEASURED]
    assert {row.key for row in of_a_kind} == MEASURED <= named


@pytest.mark.process
@pytest.mark.parametrize("row", HELD, ids=lambda row: f"{row.file}:{row.key}")
def test_a_folder_that_keeps_the_rule_is_silent_and_one_that_breaks_it_is_told(
    ask: Ask, folder: Path, sick: ModuleType, row: Row
) -> None:
    if row.base:
        folder = made_of(row.base, folder.parent / row.base)
    for file, keys in row.beside.items():
        if not (folder / file).exists():
            sick.write(folder / file, {})
        sick.edit(folder, file, lambda data, keys=keys: data.update(keys))
    written(sick, folder, row, row.keeps)
    assert reported(ask, row, folder) == []
    written(sick, folder, row, row.breaks)
    found = reported(ask, row, folder)
    assert found and all(finding.places[0].file for finding in found)


def test_a_key_that_no_loader_reads_is_listed(ask: Ask, folder: Path, sick: ModuleType) -> None:
    assert ask("config/unknown-keys", folder) == []
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(add_prefix_spaces=True))
    [finding] = ask("config/unknown-keys", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.INFO
    assert "'add_prefix_spaces'" in finding.message


def test_a_stated_id_beyond_the_end_is_told_with_the_id_that_loaders_give(
    ask: Ask, folder: Path, sick: ModuleType
) -> None:
    late = {"390": {"content": "<|late|>", "special": True}}
    sick.edit(folder, "tokenizer_config.json", lambda c: c["added_tokens_decoder"].update(late))
    [finding] = ask("config/rules", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.ERROR
    assert "'<|late|>' on id 390" in finding.message and "as id 380" in finding.message


def test_what_code_of_the_checkpoint_makes_of_a_stated_id_is_not_known(
    ask: Ask, folder: Path, sick: ModuleType
) -> None:
    late = {"390": {"content": "<|late|>", "special": True}}
    code = {"AutoTokenizer": ["tokenization_x.XTokenizer", None]}
    sick.edit(folder, "tokenizer_config.json", lambda c: c["added_tokens_decoder"].update(late))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(auto_map=code))
    [finding] = ask("config/rules", folder)
    assert isinstance(finding, Finding) and finding.severity is Severity.INFO
    assert "what tokenization_x.XTokenizer of the checkpoint does is not known" in finding.message
    [warned] = ask("agreement/added-tokens", folder)
    assert isinstance(warned, Finding) and warned.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("file", "known", "strange"),
    [
        ("special_tokens_map.json", {"eos_token": "<|end|>", "boi_token": "<|user|>"}, "eos"),
        ("generation_config.json", {"top_p": 0.9, "alignment_heads": [[1, 2]]}, "temprature"),
        ("preprocessor_config.json", {"do_resize": True, "feature_size": 80}, "do_resise"),
        ("added_tokens.json", {"<|end|>": 376}, "<|none|>"),
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
        ({"model_type": "llama", "vocabsize": 380, "tokenizer_path": "x"}, ["vocabsize", "path"]),
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
