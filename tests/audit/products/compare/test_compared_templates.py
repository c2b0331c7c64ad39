"""Chat templates that are not equal are rendered by both sides over the role matrix."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.comparison import Facet, Outcome, Purpose
from tokaudit.report.model import Verdict
from tokaudit.report.report import Report
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")

Write = Callable[..., Path]
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

    def made(template: str, **settings: str) -> Path:
        folder = Folder.bpe("abcdefghijklmnopqrstuvwxyz: \n").file("chat_template.jinja", template)
        if settings:
            folder = folder.tokenizer_config(**settings)
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


def test_a_form_that_no_polite_conversation_has_tells_templates_apart(write: Write) -> None:
    of_parts = "{{ m.content if m.content is string or m.content is none else m.content|length }}"
    one, other = PLAIN.replace("{{ m.content }}", of_parts), of_parts.replace("none", "mapping")
    found = template(tokaudit.compare(write(one), write(PLAIN.replace("{{ m.content }}", other))))
    assert found.outcome is Outcome.DIFFERS


def test_templates_that_write_the_same_are_no_difference_and_no_proof(write: Write) -> None:
    found = template(tokaudit.compare(write(PLAIN), write(SAME), tier="quick"))
    assert found.outcome is Outcome.UNDIFFERING
    assert found.why.endswith("texts of the role matrix and the grammar alike")


def test_other_trained_spans_of_the_same_text_are_a_difference(write: Write) -> None:
    found = template(tokaudit.compare(write(PLAIN), write(MARKED), tier="quick"))
    assert found.outcome is Outcome.DIFFERS
    assert "; trained: " in found.evidence[0].note


@pytest.mark.parametrize("theirs", [{"bos_token": "b"}, {"eos_token": "a"}])
def test_equal_templates_that_write_other_tokens_differ(
    theirs: dict[str, str], write: Write
) -> None:
    sides = (
        write("{{ bos_token }}" + PLAIN, bos_token="a"),
        write("{{ bos_token }}" + PLAIN, **theirs),
    )
    report = tokaudit.compare(*sides, tier="quick", purpose=Purpose.CACHED_IDS)
    found = template(report)
    assert (report.verdict, found.outcome) == (Verdict.FAIL, Outcome.DIFFERS)
    assert found.evidence[0].expected[0].piece == "a"
    assert [place.pointer for place in found.places][:1] == ["/bos_token"]
    assert not [each for each in tokaudit.recheck(report) if each.objection]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [(PLAIN, Outcome.IDENTICAL), ("{% if bos_token %}{% endif %}" + PLAIN, Outcome.UNDIFFERING)],
    ids=["unread", "unwritten"],
)
def test_other_tokens_that_a_template_does_not_write_are_no_difference(
    text: str, outcome: Outcome, write: Write
) -> None:
    sides = [write(text, bos_token=token) for token in "ab"]
    report = tokaudit.compare(*sides, tier="quick", purpose=Purpose.CACHED_IDS)
    assert (report.verdict, template(report).outcome) == (Verdict.PASS, outcome)
