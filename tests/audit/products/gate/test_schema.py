"""The JSON Schema of tokaudit.toml says what the gate reads."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from locations import ROOT

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.products.gate.configuration import read_configuration
from tokaudit.products.gate.first_configuration import first_configuration
from tokaudit.products.gate.schema import configuration_schema
from tokaudit_pages import gate_schema

PUBLISHED = ROOT / "docs" / "tokaudit.schema.json"
VALID = """
tier = "default"
corpus = ["held-out.txt"]
require = "embeddings"
timeout = 60.5
read_embeddings = true
severity = {"vocab/holes" = "info"}
subjects = ["models/a", {path = "models/b", base = "models/a", files = {"x" = "y"}}]

[[thresholds]]
measurement = "fertility/parity"
dimensions = {language = "deu_Latn"}
at_most = 2

[[suppressions]]
check = "vocab/holes"
cause = "inner"
reason = "old"
until = 2030-01-31
"""


def faults(text: str) -> list[str]:
    """What the schema refuses, as an editor marks it."""
    validator = jsonschema.Draft202012Validator(configuration_schema())
    given: Any = tomllib.loads(text)
    return [error.message for error in validator.iter_errors(given)]


def test_the_published_schema_is_the_one_of_the_settings() -> None:
    """`make docs` writes it anew."""
    assert PUBLISHED.read_text("utf-8") == gate_schema.page()


def test_a_valid_configuration_is_valid_by_both() -> None:
    assert faults(VALID) == []
    assert read_configuration(Table("tokaudit.toml", tomllib.loads(VALID)), Path()).subjects


@pytest.mark.parametrize(
    "wrong",
    ['subjects = ["a"]\ntier = "fast"', 'subjects = ["a"]\nteir = "quick"', 'tier = "quick"'],
)
def test_what_the_gate_refuses_the_schema_refuses(wrong: str) -> None:
    assert len(faults(wrong)) == 1
    with pytest.raises(UsageError):
        read_configuration(Table("tokaudit.toml", tomllib.loads(wrong)), Path())


def test_an_unknown_key_is_named_before_a_wrong_value() -> None:
    wrong = 'tier = "fast"\nselct = ["vocab"]\nsubjects = ["a"]'
    with pytest.raises(UsageError, match="selct: is not a known key; did you mean select"):
        read_configuration(Table("tokaudit.toml", tomllib.loads(wrong)), Path())


def test_a_first_configuration_names_its_schema_in_the_first_line(small: Path) -> None:
    path, _ = first_configuration(small.parent)
    first, *_ = path.read_text().splitlines()
    assert first == "#:schema https://tokaudit.dev/tokaudit.schema.json"
    assert faults(path.read_text()) == []
