"""The values that configurations take by default, drawn anew where `make classes` built them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import ABSENT, FIVE, FOUR

pytestmark = pytest.mark.classes
CONFIGS = """
import json, sys
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
found = {}
for kind in json.load(sys.stdin):
    try:
        found[kind] = CONFIG_MAPPING[kind]().to_dict()
    except Exception:
        continue
json.dump(found, sys.stdout, default=str)
"""
MODELS = """
import json, sys, transformers
found = {}
for name in json.load(sys.stdin):
    try:
        kind = getattr(transformers, name)
        own = "__init__" in kind.__dict__
        found[name] = kind.model.__name__ if own and kind.model else ""
    except (AttributeError, ImportError):
        found[name] = ""
json.dump(found, sys.stdout)
"""


def answer(version: str, code: str, asked: list[str]) -> dict[str, Any]:
    python = Path(sys.prefix) / f"transformers-{version}" / "bin" / "python"
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    run = subprocess.run(
        [python, "-c", code], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def written(config: Mapping[str, Any] | None, key: str) -> str:
    """A value as the table writes it."""
    if config is None:
        return ABSENT
    value = config.get(key)
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("version", [FOUR, FIVE])
def test_every_value_of_the_table_is_that_of_the_configuration(version: str) -> None:
    configs = answer(version, CONFIGS, sorted(every_type()))
    ours = {
        (name, key): value.four if version.startswith("4") else value.five
        for name, kind in every_type().items()
        for key, value in kind.values.items()
    }
    assert ours == {(kind, key): written(configs.get(kind), key) for kind, key in ours}


def test_every_class_that_builds_a_model_builds_that_of_the_table() -> None:
    theirs = answer(FIVE, MODELS, sorted(every_class()))
    inside = ("BarthezTokenizer", "CamembertTokenizer")  # build theirs in `__init__`
    assert theirs == {
        name: "" if name in inside else known.builds for name, known in every_class().items()
    }
