"""Which file configures a gate, and which may not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.gate.sources import configuration

HEAD = 'tier = "quick"\nselect = ["vocab/holes"]\n'
TABLE = '[tool.tokaudit]\ntier = "quick"\nselect = ["vocab/holes"]\n'


def test_pyproject_has_a_table_for_it(workshop: Path) -> None:
    (workshop / "pyproject.toml").write_text(f'[project]\nname = "x"\n{TABLE}subjects = ["holed"]')
    gate = tokaudit.gate()
    assert (gate.exit_code, gate.file) == (0, "pyproject.toml")


def test_errors_in_pyproject_name_the_whole_key(workshop: Path) -> None:
    (workshop / "pyproject.toml").write_text(f"{TABLE}subject = []")
    with pytest.raises(
        UsageError, match=r"pyproject\.toml: tool\.tokaudit\.subject: is not a known key"
    ):
        tokaudit.gate()


def test_tokaudit_toml_comes_first(workshop: Path) -> None:
    (workshop / "pyproject.toml").write_text(f'{TABLE}subjects = ["gone"]')
    (workshop / "tokaudit.toml").write_text(f'{HEAD}subjects = ["holed"]')
    assert [each.name for each in tokaudit.gate().subjects] == ["holed"]


def test_a_pyproject_without_the_table_configures_nothing(workshop: Path) -> None:
    (workshop / "pyproject.toml").write_text('[project]\nname = "x"')
    with pytest.raises(UsageError, match=r"has no tokaudit\.toml, and no \[tool\.tokaudit\]"):
        tokaudit.gate()


HOLDS = ("tokenizer.json", "vocab.txt", "model.safetensors", "pytorch_model.bin", "small.gguf")


@pytest.mark.parametrize("name", HOLDS)
@pytest.mark.parametrize("file", ["tokaudit.toml", "pyproject.toml"])
def test_a_file_next_to_a_tokenizer_or_weights_is_used_only_if_it_is_named(
    file: str, name: str, workshop: Path
) -> None:
    (workshop / name).touch()
    table = f'{HEAD}subjects = ["holed"]'
    (workshop / file).write_text(f"[tool.tokaudit]\n{table}" if "pyproject" in file else table)
    with pytest.raises(UsageError) as refused:
        tokaudit.gate()
    assert str(refused.value) == (
        f"{file}: is ignored, since {name} lies in the same folder, and a configuration must not lie "
        f"in the folder that it audits. If you wrote this file, run: tokaudit gate --config {file}"
    )
    assert tokaudit.gate(file).exit_code == 0


def test_a_link_to_a_tokenizer_elsewhere_counts_as_one(workshop: Path) -> None:
    (workshop / "tokenizer.json").symlink_to("/nowhere")
    (workshop / "tokaudit.toml").write_text(f'{HEAD}subjects = ["holed"]')
    with pytest.raises(UsageError, match=r"tokenizer\.json lies in the same folder"):
        tokaudit.gate()


def test_a_file_next_to_what_only_looks_like_data_is_used(workshop: Path) -> None:
    for name in ("README.md", "package.json", "requirements.txt", "data.csv"):
        (workshop / name).write_text("{}")
    (workshop / "tokaudit.toml").write_text(f'{HEAD}subjects = ["holed"]')
    assert tokaudit.gate().exit_code == 0


@pytest.mark.parametrize("subject", ["../../holed", "..", "."])
def test_a_file_in_what_it_names_is_not_used(
    subject: str, workshop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop / "holed" / "ci").mkdir()
    monkeypatch.chdir(workshop / "holed" / "ci")
    Path("tokaudit.toml").write_text(f'{HEAD}subjects = ["{subject}"]')
    with pytest.raises(UsageError, match="is ignored, since this file lies inside") as refused:
        tokaudit.gate()
    assert str(refused.value).endswith("or run: tokaudit gate --config tokaudit.toml")


def test_neither_is_one_in_what_a_subject_is_compared_with(workshop: Path) -> None:
    (workshop / "tokaudit.toml").write_text(f'{HEAD}[[subjects]]\npath = "holed"\nbase = "."\n')
    with pytest.raises(UsageError, match=r"is ignored, since this file lies inside \., the folder"):
        tokaudit.gate()


def test_a_file_that_is_named_is_used_wherever_it_is(workshop: Path) -> None:
    path = workshop / "holed" / "tokaudit.toml"
    path.write_text(f'{HEAD}subjects = ["."]')
    assert tokaudit.gate(path).exit_code == 0


def test_paths_start_from_the_folder_of_the_configuration(workshop: Path) -> None:
    (workshop / "ci").mkdir()
    (workshop / "ci" / "gate.toml").write_text(f'{HEAD}subjects = ["../holed"]')
    gate = tokaudit.gate(Path("ci/gate.toml"))
    assert [each.name for each in gate.subjects] == ["../holed"]
    assert gate.report.subject.name == "ci/../holed"


def test_the_interpreter_of_a_runtime_is_looked_for_from_there_too(workshop: Path) -> None:
    (workshop / "ci" / "venv").mkdir(parents=True)
    (workshop / "ci" / "venv" / "python").touch()
    listed = ["tokie@venv/python", f"tokie@{workshop}/ci/venv/python", "call:acorn:encode"]
    (workshop / "ci" / "gate.toml").write_text(
        f"runtime = {json.dumps(listed)}\n{HEAD}subjects = ['../holed']"
    )
    asked = configuration("ci/gate.toml", workshop)
    assert asked.options.runtime == (
        "tokie@ci/venv/python",
        f"tokie@{workshop}/ci/venv/python",
        "call:acorn:encode",
    )
    assert tokaudit.gate(Path("ci/gate.toml")).exit_code == 0


def test_an_interpreter_that_is_only_in_the_working_folder_is_refused(workshop: Path) -> None:
    (workshop / "ci").mkdir()
    (workshop / "python").touch()
    (workshop / "ci" / "gate.toml").write_text(
        f'runtime = ["tokie@python"]\n{HEAD}subjects = ["../holed"]'
    )
    with pytest.raises(UsageError, match=r"tokie@ci/python: ci/python does not exist"):
        tokaudit.gate(Path("ci/gate.toml"))


def test_a_file_that_is_named_and_not_there_is_refused(workshop: Path) -> None:
    with pytest.raises(UsageError, match=r"--config other\.toml: is not a file"):
        tokaudit.gate("other.toml")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff", "is not UTF-8 at byte 0"),
        (b"a = " + b"[" * 5000, "is nested too deeply"),
        (b"a = 1\na = 2", "is not TOML"),
    ],
)
def test_what_is_not_toml_is_refused(data: bytes, said: str, workshop: Path) -> None:
    (workshop / "tokaudit.toml").write_bytes(data)
    with pytest.raises(UsageError, match=said):
        tokaudit.gate()


def test_a_configuration_of_many_megabytes_is_not_read(workshop: Path) -> None:
    (workshop / "tokaudit.toml").write_bytes(b"#" * 2_000_000)
    with pytest.raises(UnreadableError, match=r"has 2,000,000 bytes; at most 1,048,576 are read"):
        tokaudit.gate()
