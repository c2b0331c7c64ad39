"""Chat templates that are not equal are rendered by both sides over the role matrix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.report.report import Report
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")

Write = Callable[[str], Path]
PLAIN = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"
SAME = "{% for x in messages %}{{ x.role }}: {{ x.content }}\n{% endfor %}"
SPACE = "{% for m in messages %}{{ m.role }}:  {{ m.content }}\n{% endfor %}"
MARKED = (
    "{% for m in messages %}{{ m.role }}: "
    "{% generation %}{{ m.content }}{% endgeneration %}{{ '\\n' }}{% endfor %}"
)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a tokenizer with a template next to it."""

    def made(template: str) -> Path:
        folder = Folder.bpe("abcdefghijklmnopqrstuvwxyz: \n").file("chat_template.jinja", template)
        return folder.write(tmp_path / str(len([*tmp_path.iterdir()])))

    return made


def template(report: Report) -> Facet:
    assert report.comparison is not None
    return next(each for each in report.comparison.facets if each.name == "chat template")


def test_a_changed_template_is_one_of_the_first_lines_differences(write: Write) -> None:
    report = tokaudit.compare(write(PLAIN), write(SPACE), tier="quick")
    found = template(report)
    assert found.outcome is Outcome.DIFFERS
    assert report.sentence == "Not interchangeable: 0 and 1 differ in chat template."
    (shown,) = found.evidence
    assert shown.expected != shown.actual
    assert not [each for each in tokaudit.recheck(report) if each.objection]


def test_templates_that_write_the_same_are_no_difference_and_no_proof(write: Write) -> None:
    found = template(tokaudit.compare(write(PLAIN), write(SAME), tier="quick"))
    assert found.outcome is Outcome.UNDIFFERING
    assert found.why.endswith("texts of the role matrix alike")


def test_other_trained_spans_of_the_same_text_are_a_difference(write: Write) -> None:
    found = template(tokaudit.compare(write(PLAIN), write(MARKED), tier="quick"))
    assert found.outcome is Outcome.DIFFERS
    assert "; trained: " in found.evidence[0].note
