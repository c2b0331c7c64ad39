"""The documented template defects: a list that only grows, and what of it the checks name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokaudit_faults.case import of_kind
from tokaudit_faults.fault import TEMPLATES, Fault
from tokaudit_faults.scores.templates import scores
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked
from tokaudit_templates.published import UNPACKED, family
from tokaudit_templates.rewritings import REWRITINGS
from tokaudit_templates.warnings import Published, report

DEFECTS = of_kind(TEMPLATES)
MISSED = {
    *("no-tools-announced", "arguments-encoded-twice", "arguments-in-two-braces"),
    "arguments-as-text-refused",  # servers parse arguments, and leave out empty lists
    "null-content-breaks-one-version",  # 13 published templates do so, and the client sees the error
}
"""What is information where no use is named (`--use serving` raises it): survivors are counted."""


def test_there_are_sixty_defects_each_from_a_thread_and_for_a_check() -> None:
    """A thread may have shown two harms; an id is one defect."""
    assert len({one.name for one in DEFECTS}) == len(DEFECTS) == 60
    assert all("#" in one.thread for one in DEFECTS)


def test_the_page_has_every_defect_and_says_which_are_not_found() -> None:
    page = (Path(__file__).parents[2] / "docs" / "template-defects.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| [")]
    assert [row[0].partition("]")[0] for row in rows] == [f"| [{one.name}" for one in DEFECTS]
    counts = [row[2].strip(" |").split("/") for row in rows]
    missed = {
        one.name for one, (caught, tried) in zip(DEFECTS, counts, strict=True) if caught != tried
    }
    assert missed == MISSED


ALWAYS = ("generation-prompt", "error", "opens the assistant's turn whether asked or not")
SPACE = ("turns", "warning", "space before the end")


def test_a_published_template_with_a_documented_defect_is_no_healthy_one() -> None:
    found = Published({"llava": frozenset([SPACE]), "command_a_rag": frozenset([ALWAYS])})
    text = "".join(report(found))
    assert text.startswith("No error on 1 healthy templates: every text")
    assert "Why each is true was read in every template" in text
    healthy, _, apart = text.partition("\nApart from these, command_a_rag: a documented defect")
    assert "| `turns`: space before the end | warning | 1 | llava | it writes" in healthy
    assert "[huggingface/transformers#30893](https://github.com/" in apart


def test_a_finding_that_was_not_read_in_a_template_says_so() -> None:
    text = "".join(report(Published({"another": frozenset([SPACE])})))
    assert "| `turns`: space before the end | warning | 1 | another | not read |" in text
    assert "a template that has the finding was not read" in text


def test_no_defect_is_one_that_the_catalogue_has_already(material: Path) -> None:
    known = json.dumps(json.loads((material / "defects.json").read_bytes()))
    assert [one.name for one in DEFECTS if one.thread in known] == []


def test_a_defect_whose_pattern_is_not_in_a_template_is_refused() -> None:
    one = next(one for one in DEFECTS if one.name == "tools-section-not-opened")
    with pytest.raises(ValueError, match="the pattern is not in the template"):
        one.change("{{ messages }}")


HEALTHY = sorted({each.name for one in DEFECTS for each in one.healthy})


@pytest.mark.templates
@pytest.mark.parametrize("name", HEALTHY)
def test_a_rewriting_that_changes_nothing_says_nothing_new(name: str, tmp_path: Path) -> None:
    """Five rewritings each; and no published template that defects are put into has an error."""
    if not UNPACKED.exists():
        pytest.skip("run make templates: it fetches the templates")
    sound = family(name)
    reported = Asked(chat_folders.write(tmp_path / "sound", sound)).reported()
    assert [cause for _, severity, cause in reported if severity == "error"] == []
    for rewriting, change in REWRITINGS.items():
        changed = chat_folders.with_template(sound, change(sound.template))
        folder = chat_folders.write(tmp_path / rewriting.replace(" ", "-"), changed)
        assert (rewriting, Asked(folder).reported()) == (rewriting, reported)


@pytest.mark.templates
@pytest.mark.parametrize("defect", DEFECTS, ids=lambda one: one.name)
def test_a_documented_defect_is_named_in_every_template_of_its_entry(defect: Fault) -> None:
    if not UNPACKED.exists():
        pytest.skip("run make templates: it fetches the templates")
    missed = [each.case.healthy for each in scores(defect) if not each.caught]
    assert bool(missed) == (defect.name in MISSED)
