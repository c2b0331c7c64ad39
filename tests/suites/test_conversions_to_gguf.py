"""A folder and its GGUF file: a faithful conversion is silent, and eleven faults of one are not.

The reference runs both files, so a fault is found without llama.cpp too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from audits_in_a_row import audit_in_a_row
from llama_cpp_extra import runs_llama_cpp, without_llama_cpp

from tokaudit.report.model import Severity
from tokaudit_faults.case import documented, once
from tokaudit_faults.fault import Fault
from tokaudit_faults.folders import engines
from tokaudit_faults.healthy.folders import gguf_keys
from tokaudit_faults.scores.scorer import Scorer
from tokaudit_folders import gguf_files as g
from tokaudit_folders import sick

pytestmark = pytest.mark.usefixtures("processes")

Keys = dict[str, tuple[int, Any]]
G = "tokenizer.ggml."
SELECTED = ("agreement", "pipeline", "special_tokens", "chat_template", "files/parse", "vocab")
LOUD = (Severity.ERROR, Severity.WARNING)
WITH = pytest.param(True, marks=[pytest.mark.runtimes, runs_llama_cpp], id="with the engine")


@pytest.fixture(autouse=True, params=[pytest.param(False, id="without the engine"), WITH])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        without_llama_cpp(monkeypatch)


def said(folder: Path) -> set[tuple[str, str]]:
    """The errors and warnings that name the GGUF file, by check and cause."""
    report = audit_in_a_row(folder, select=SELECTED)
    return {
        (result.check, finding.cause)
        for result in report.results
        for finding in result.findings
        if finding.severity in LOUD and any(p.file == "model.gguf" for p in finding.places)
    }


def converted(folder: Path, change: Callable[[Keys], object]) -> set[tuple[str, str]]:
    """What a faulty conversion adds to what a faithful one brings."""
    engines.next_to_json(folder)
    keys = gguf_keys(sick.read(folder / "tokenizer.json"))
    template = sick.read(folder / "tokenizer_config.json")["chat_template"]
    keys["tokenizer.chat_template"] = (g.TEXT, template)
    change(keys)
    (folder / "model.gguf").write_bytes(g.gguf(keys))
    return said(folder)


def entries(keys: Keys, key: str) -> Any:
    return keys[G + key][1]


def put(key: str, kind: int, value: Any) -> Callable[[Keys], object]:
    return lambda keys: keys.update({G + key: (kind, value)})


def exchange(key: str, one: int, other: int) -> Callable[[Keys], object]:
    def change(keys: Keys) -> None:
        listed = entries(keys, key)
        listed[one], listed[other] = listed[other], listed[one]

    return change


def without_its_special_types(keys: Keys) -> None:
    keys[G + "token_type"] = (g.I32, [g.NORMAL for _ in entries(keys, "tokens")])


def with_a_common_word_for_the_user(keys: Keys) -> None:
    entries(keys, "token_type")[entries(keys, "tokens").index("Ġthe")] = g.USER_DEFINED


def with_another_text_for_a_token(keys: Keys) -> None:
    entries(keys, "tokens")[300] = "acorn"


def with_another_template(keys: Keys) -> None:
    keys["tokenizer.chat_template"] = (g.TEXT, "{{ messages[0].content }}")


def test_a_faithful_conversion_is_silent(tmp_path: Path) -> None:
    assert converted(tmp_path, lambda keys: None) == set()


FAULTS: dict[str, tuple[Callable[[Keys], object], str]] = {
    "the split of another model": (put("pre", g.TEXT, "deepseek-coder"), "pipeline/split-name"),
    "a name that shares a split": (put("pre", g.TEXT, "smaug-bpe"), "pipeline/split-name"),
    "no name of a split": (lambda keys: keys.pop(G + "pre"), "pipeline/split-name"),
    "two entries exchanged": (exchange("tokens", 300, 301), "agreement/vocab"),
    "two merges exchanged": (exchange("merges", 0, 30), "agreement/behaviour"),
    "another text for a token": (with_another_text_for_a_token, "agreement/vocab"),
    "another template": (with_another_template, "chat_template/copies"),
    "special tokens are ordinary": (without_its_special_types, "special_tokens/gguf-ends"),
    "a word is the user's": (with_a_common_word_for_the_user, "agreement/behaviour"),
    "a start is added": (put("add_bos_token", g.BOOL, True), "special_tokens/gguf-ends"),
    "another end": (put("eos_token_id", g.U32, 5), "special_tokens/role-ids"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_conversion_that_behaves_otherwise_is_reported(tmp_path: Path, fault: str) -> None:
    change, check = FAULTS[fault]
    assert check in {found for found, _ in converted(tmp_path, change)}


# The entries of the catalogue of defects that a GGUF file shows, and how loudly.
DOCUMENTED = {
    "D01": Severity.ERROR,
    "D02": Severity.WARNING,
    "D23": Severity.WARNING,
    "D85": Severity.ERROR,
    "D127": Severity.WARNING,
    "D133": Severity.ERROR,
}


def is_of_gguf(fault: Fault) -> bool:
    return fault.change.__module__ == engines.__name__


@pytest.mark.parametrize("defect", DOCUMENTED)
def test_a_documented_defect_of_gguf_files_is_reported_by_name(defect: str) -> None:
    [fault] = [each for each in documented() if each.entry == defect and is_of_gguf(each)]
    found = Scorer().score(once(fault)[0])
    assert (found.severity, found.check in fault.checks) == (DOCUMENTED[defect], True)
