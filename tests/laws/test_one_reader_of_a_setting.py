"""The value that a version takes where no file states one is worked out in `subject/effective`.

What is imported for that elsewhere is named here; the list only gets shorter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import tokaudit
import tokaudit_reports
import tokaudit_suites

ROOTS = [Path(each.__path__[0]) for each in (tokaudit, tokaudit_suites, tokaudit_reports)]
DEFAULTS = {
    "tokaudit.subject.upstream.over_tokenizer_json": {"acts_on"},
    "tokaudit.subject.upstream.setting_key": {"defaults_of"},
    "tokaudit.subject.upstream.tokenizer_class": {"ClassSetting", "setting_of"},
}
READERS = ("subject/effective/", "subject/upstream/")
LEFT = {
    "tokaudit/products/audit/known_settings.py": {"ClassSetting"},  # lists them, for any subject
    "tokaudit/products/compare/settings/defaults.py": {"acts_on", "defaults_of"},
    "tokaudit/products/compare/settings/key_effects.py": {"acts_on"},
    "tokaudit_suites/config/model_inputs.py": {"setting_of"},
    "tokaudit_suites/config/switches.py": {"ClassSetting", "setting_of"},
}


def readers() -> Iterator[tuple[str, str]]:
    """Each module outside of the room that imports one of the names, with the name."""
    for root in ROOTS:
        for path in root.rglob("*.py"):
            place = path.relative_to(root.parent).as_posix()
            if not any(room in place for room in READERS):
                for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                    if isinstance(node, ast.ImportFrom):
                        wanted = DEFAULTS.get(node.module or "", set())
                        yield from (
                            (place, each.name) for each in node.names if each.name in wanted
                        )


def test_a_default_of_a_version_is_read_in_one_room() -> None:
    found: dict[str, set[str]] = {}
    for place, name in readers():
        found.setdefault(place, set()).add(name)
    assert found == LEFT
