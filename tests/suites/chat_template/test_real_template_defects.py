"""Every defect put into ten published templates, each with the tokens that it needs.

`make templates` makes what this needs; without that it skips.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import template_defects
from template_defects import DEFECTS

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.subject.conversations.conversation import role_matrix
from tokaudit_folders import chat_folders, sick
from tokaudit_folders.chat_folders import Asked, Family
from tokaudit_suites.chat_template._template_markers import SHAPES
from tokaudit_templates.recorded import read_findings

pytestmark = pytest.mark.templates

UNPACKED = Path(sys.prefix) / "template-wheels" / "unpacked"
TEN = (
    *("chatml", "llama3", "mistral_v1", "gemma", "phi_3", "qwen_25", "qwen3", "cohere"),
    *("deepseek_v3", "exaone"),
)
BY_ROLE = ("mistral_v1", "deepseek_v3")  # write whatever token the roles name as their end
INSTEAD = ("phi_4", "qwen3_5")  # take their places there
HEADLESS = ("mistral_v1", "phi_3")  # the end of the question opens the answer


@cache
def family(name: str) -> Family:
    """A published template, its markers as added tokens, and the token that ends its turns."""
    (path,) = (UNPACKED / "axolotl").rglob(f"{name}.jinja")
    text = path.read_text(encoding="utf-8")
    special = {"bos_token": "<s>", "eos_token": "</s>"}
    (chat,) = render(RenderRequest(text, role_matrix()[2:3], special)).conversations
    found = dict.fromkeys(
        marker
        for pattern in SHAPES.values()
        for marker in pattern.findall(text + chat.whole.plain.text)
    )
    rest = chat.whole.plain.text.rpartition("help?")[2]
    eos = next((marker for marker in found if rest.strip().startswith(marker)), "</s>")
    tokens = dict.fromkeys(("<pad>", "<s>", "</s>", *found))
    return Family(text, tuple(tokens), eos, "<s>")


def lose_the_template(folder: Path) -> None:
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("chat_template"))


def leave_a_stale_copy(folder: Path) -> None:
    text = sick.read(folder / "tokenizer_config.json")["chat_template"]
    (folder / "chat_template.jinja").write_text(text + "x", encoding="utf-8")


def stop_elsewhere(folder: Path) -> None:
    for name in ("generation_config.json", "config.json"):
        sick.edit(folder, name, lambda c: c.update(eos_token_id=5))
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(eos_token="<pad>"))


def forget_the_end(folder: Path) -> None:
    eos = sick.read(folder / "tokenizer_config.json")["eos_token"]
    kept = "<pad>"  # so that the roles name a token that is there
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(eos_token=kept))
    sick.edit(
        folder,
        "tokenizer.json",
        lambda t: t.update(
            added_tokens=[one for one in t["added_tokens"] if one["content"] != eos]
        ),
    )


FOLDERS: dict[str, tuple[Callable[[Path], None], str]] = {
    "missing": (lose_the_template, "error the base has one"),
    "copies": (leave_a_stale_copy, "warning copies"),
    "stops": (stop_elsewhere, "error not a stop"),
    "tokens": (forget_the_end, "warning marker"),
}
"""Defects of the files next to a template: check -> the break, and what is said of it."""


def cases() -> Iterator[tuple[str, str]]:
    for name in TEN:
        for broken, defect in DEFECTS.items():
            if name in HEADLESS and defect.check == "generation-prompt":
                continue
            yield name, broken


@pytest.mark.parametrize("name", TEN)
@pytest.mark.usefixtures("fetched")
def test_a_published_template_with_its_tokens_gets_no_error_but_that_of_its_thread(
    name: str, tmp_path: Path
) -> None:
    reported = Asked(chat_folders.write(tmp_path, family(name))).reported()
    known = {cause for (_, cause), r in read_findings().items() if r.thread and name in r.templates}
    assert {cause for _, severity, cause in reported if severity == "error"} == known


@pytest.mark.parametrize(("name", "broken"), list(cases()))
@pytest.mark.usefixtures("fetched")
def test_a_defect_in_a_published_template_is_found(name: str, broken: str, tmp_path: Path) -> None:
    healthy, defect = family(name), DEFECTS[broken]
    start = template_defects.CLEAN if defect.cleaned else ""
    base = None
    if defect.base:
        given = chat_folders.with_template(healthy, start + healthy.template)
        base = chat_folders.write(tmp_path / "base", given)
    changed = chat_folders.with_template(healthy, defect.change(healthy.template))
    folder = chat_folders.write(tmp_path / "model", changed)
    reported = {(str(f.severity), f.cause) for f in Asked(folder, base).findings(defect.check)}
    assert (defect.severity, defect.cause) in reported


OF_OTHER_FILES = [
    (name, check)
    for check in FOLDERS
    for name in (TEN if check in ("missing", "copies") else (*TEN, *INSTEAD))
    if name not in BY_ROLE or check in ("missing", "copies")
]


@pytest.mark.parametrize(("name", "check"), OF_OTHER_FILES)
@pytest.mark.usefixtures("fetched")
def test_a_defect_next_to_a_published_template_is_found(
    name: str, check: str, tmp_path: Path
) -> None:
    break_it, said = FOLDERS[check]
    base = chat_folders.write(tmp_path / "base", family(name))
    folder = chat_folders.write(tmp_path / "model", family(name))
    break_it(folder)
    assert said in {f"{f.severity} {f.cause}" for f in Asked(folder, base).findings(check)}


@pytest.fixture(scope="module")
def fetched() -> None:
    """Skips where the templates were never fetched."""
    if not UNPACKED.exists():
        pytest.skip("run make templates: it fetches the templates")
