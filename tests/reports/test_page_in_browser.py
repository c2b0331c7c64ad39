"""The page in a real browser: what its first screen says, and that everything on it works."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from accessibility import OF_COLOUR, violations
from headless import NARROW, UNFOLD, WIDE, Window, chromium, needs_chromium
from processes import starts_processes

import tokaudit
from tokaudit.report.model import Evidence, Finding, Severity
from tokaudit.report.report import Report
from tokaudit_folders.folder import Folder

pytestmark = needs_chromium
Open = Callable[..., Any]
OURS = {"a": 0, "b": 1, "ab": 2}
THEIRS = {"x": 0, "ab": 1, "y": 2, "a": 3, "b": 4}


MEASURED = """() => [...document.querySelectorAll('svg.chart')]
  .filter((svg) => svg.checkVisibility())
  .flatMap((svg) => [...svg.querySelectorAll('text')].map((text) => {
    const [box, frame] = [text.getBoundingClientRect(), svg.getBoundingClientRect()];
    return {
      text: text.textContent,
      height: svg.getScreenCTM().a * parseFloat(getComputedStyle(text).fontSize),
      outside: Math.max(frame.left - box.left, box.right - frame.right),
    };
  }))"""
"""The words of the charts that are shown: their size in pixels, and how far they reach outside."""


def unfolded(page: Any) -> Any:
    """The page with the parts open that are folded under a line each."""
    page.evaluate("document.querySelectorAll('details.part').forEach((part) => part.open = true)")
    return page


@pytest.fixture(scope="module")
@starts_processes
def browser() -> Iterator[Any]:
    """One browser for all tests of this file."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def window(browser: Any) -> Window:
    """Its window, in which each test opens a page."""
    return Window(browser)


@pytest.fixture
def open_report(window: Window, tmp_path: Path) -> Iterator[Open]:
    """Opens a report as a page, and holds it to asking for nothing and complaining of nothing."""

    def open_one(report: Report, *size: tuple[int, int], scheme: str = "light") -> Any:
        return window.show(saved(report, tmp_path), *size, scheme=scheme)

    yield open_one
    nothing_else_is_asked_for(window)


def saved(report: Report, folder: Path) -> Path:
    path = folder / "report.html"
    report.save(path)
    return path


def nothing_else_is_asked_for(window: Window) -> None:
    assert [url for url in window.requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in window.requests if url.startswith("file:")]) == 1
    assert window.complaints == []


def folder(path: Path, vocab: dict[str, int]) -> Path:
    path.mkdir()
    Folder.bpe(vocab, [["a", "b"]]).write(path)
    return path


@pytest.fixture(scope="module")
@starts_processes
def failed(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A subject whose ids are not those of another encoder; both have names of modest length."""
    with chdir(tmp_path_factory.mktemp("failed")):
        ours, theirs = folder(Path("ours"), OURS), folder(Path("theirs"), THEIRS)
        return tokaudit.audit(ours, against=theirs, select=["agreement/against"], tier="quick")


@pytest.fixture(scope="module")
def passed(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A subject with a warning."""

    def asked() -> object:
        shown = Evidence("text", "a  b\n", note="run by the reference")
        yield Finding(Severity.WARNING, "Two spaces become one.", (), (shown,), cause="shown")

    check = tokaudit.check(
        "mine/spaces", title="t", why="w.", remedy="Keep the spaces.", severity=Severity.WARNING,
        basis=tokaudit.Basis.INTRINSIC,
    )(asked)  # type: ignore[arg-type]  # fmt: skip
    return tokaudit.audit(folder(tmp_path_factory.mktemp("passed") / "ours", OURS), checks=[check])


@pytest.fixture(scope="module")
@starts_processes
def compared(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Two tokenizers with other ids."""
    place = tmp_path_factory.mktemp("compared")
    return tokaudit.compare(folder(place / "ours", OURS), folder(place / "theirs", THEIRS))


def first(page: Any, selector: str) -> str:
    """The text of the first such element, which must be on the first screen."""
    found = page.locator(selector).first
    box = found.bounding_box()
    assert box is not None and box["y"] + box["height"] <= WIDE[1], selector
    return str(found.inner_text())


def drawn(text: str) -> str:
    """A text as the page draws it."""
    return text.replace(" ", "·").replace("\n", "↵\n").strip("\n")


@pytest.mark.parametrize("kind", ["failed", "passed"])
def test_the_first_screen_says_what_to_do_and_the_first_finding(
    kind: str, open_report: Open, request: pytest.FixtureRequest
) -> None:
    report: Report = request.getfixturevalue(kind)
    page, said = open_report(report), json.loads(report.to_json())
    finding = next(found for result in said["results"] for found in result["findings"])
    text = next(one["text"] for one in finding["evidence"] if one["kind"] == "text")
    assert first(page, "h1") == said["sentence"]
    assert first(page, ".finding .message") == finding["message"]
    assert first(page, ".finding .remedy span") == finding["remedy"] != ""
    assert first(page, ".finding pre").strip("\n") == drawn(text)


@pytest.mark.parametrize("kind", ["failed", "passed"])
def test_on_a_phone_the_first_finding_is_on_the_first_screen_with_its_text_and_remedy(
    kind: str, open_report: Open, request: pytest.FixtureRequest
) -> None:
    page = open_report(request.getfixturevalue(kind), NARROW)
    bottom = "(each) => each.getBoundingClientRect().bottom"
    for part in (".finding .message", ".finding .remedy span", ".finding pre"):
        assert page.locator(part).first.evaluate(bottom) <= NARROW[1], part


def test_on_a_phone_a_long_verdict_leaves_room_for_the_text_of_the_first_finding(
    open_report: Open, failed: Report
) -> None:
    said = "the chat template ends an assistant's turn with '<|end|>', at which nothing stops: " * 3
    first = failed.results[0]
    more = replace(first.findings[0], message=said, cause="said at length")
    both = replace(first, findings=(*first.findings, more))
    page = open_report(replace(failed, results=(both, *failed.results[1:])), NARROW)
    bottom = "(each) => each.getBoundingClientRect().bottom"
    assert page.locator(".finding pre").first.evaluate(bottom) <= NARROW[1]
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Errors").uncheck()
    assert shown(page) == []


def test_the_first_screen_of_a_comparison_says_what_to_do_and_the_first_difference(
    open_report: Open, compared: Report
) -> None:
    page, said = open_report(compared), json.loads(compared.to_json())
    differs = next(one for one in said["comparison"]["facets"] if one["evidence"])
    assert compared.comparison is not None
    assert first(page, "h1") == said["sentence"]
    row = first(page, ".facets tbody tr").split("\t")
    assert row[:2] == [differs["name"], "differs"]
    assert row[2].startswith(drawn(differs["evidence"][0]["text"]))
    assert first(page, "#comparison .remedy span") == compared.comparison.remedy != ""
    page.locator(".facets a").first.click()
    assert page.locator(".facet h3").first.inner_text() == f"{differs['name']}: differs"
    assert page.locator(".facet pre").first.is_visible()


def shown(page: Any) -> list[str]:
    return [each.inner_text() for each in page.locator(".finding:visible .message").all()]


def test_findings_are_filtered_by_severity(open_report: Open, full: Report) -> None:
    page = open_report(full)
    assert len(shown(page)) == 4
    page.get_by_label("Errors").uncheck()
    assert [text.partition(" is ")[0] for text in shown(page)] == [
        "a text with a lone surrogate",
        "the pad token",
    ]
    assert page.locator("#shown").inner_text() == "2 of 4 findings shown"
    assert not page.get_by_role("heading", name="Errors").is_visible()


def test_findings_are_filtered_by_suite_and_text_and_all_come_back(
    open_report: Open, full: Report
) -> None:
    page = open_report(full)
    page.get_by_label("Suite").select_option("library")
    assert len(shown(page)) == 2
    page.get_by_role("searchbox", name="Text").fill("surrogate")
    assert len(shown(page)) == 1
    page.get_by_role("button", name="Show all").click()
    page.wait_for_function(
        "document.getElementById('shown').textContent === '4 of 4 findings shown'"
    )


def test_a_link_leads_to_its_finding_whatever_the_filters_hide(
    open_report: Open, full: Report
) -> None:
    page = open_report(full)
    link = page.locator(".finding a.id", has_text="library/encode").first
    target = link.get_attribute("href")
    page.get_by_label("Errors").uncheck()
    page.evaluate(f"location.hash = {target!r}")
    page.wait_for_function(
        "document.getElementById('shown').textContent === '4 of 4 findings shown'"
    )
    assert page.locator(target).is_visible()


def test_suppressed_findings_are_counted_listed_and_reached_and_are_no_findings(
    open_report: Open, held: Report
) -> None:
    page = open_report(held)
    assert page.locator("h1").inner_text() == held.sentence
    link = page.get_by_role("link", name="Suppressed (2)")
    link.click()
    section = page.locator("#suppressed")
    assert section.get_by_role("heading", name="Suppressed findings").is_visible()
    assert section.locator(".message").all_inner_texts() == ["error: 3 ids have no token"] * 2
    assert section.locator("a.id").all_inner_texts() == [
        "vocab/holes:inside",
        "vocab/holes:at-the-end",
    ]
    reasons = [text.partition(": ")[2] for text in section.locator("p").all_inner_texts()]
    assert reasons == ["kept for ids of the old release", "recorded in base.json"]
    assert "until 2031-01-31" in section.locator("p").first.inner_text()
    assert page.locator(".finding").count() == 0


def test_links_within_the_page_lead_somewhere(open_report: Open, full: Report) -> None:
    page = open_report(full)
    targets = {link.get_attribute("href") for link in page.locator("a[href^='#']").all()}
    assert {target for target in targets if page.locator(target).count() != 1} == set()


def test_a_table_is_sorted_by_number_and_by_name_in_both_directions(
    open_report: Open, full: Report
) -> None:
    page = unfolded(open_report(full))
    figure = page.locator("figure", has_text="Tokens per word by language")
    figure.locator("summary").click()
    names = figure.locator("tbody th")
    value = figure.get_by_role("button", name="Value")
    value.click()
    assert names.first.inner_text().startswith("English")
    value.click()
    assert names.first.inner_text().startswith("Burmese")
    figure.get_by_role("button", name="Language").click()
    assert names.first.inner_text().startswith("Burmese")
    assert names.last.inner_text().startswith("Turkish")


def test_figures_by_length_have_a_chart_and_a_table(open_report: Open, full: Report) -> None:
    page = unfolded(open_report(full))
    figure = page.locator("figure", has_text="Time for one text by length")
    drawn = figure.locator("svg:visible")
    assert (drawn.count(), drawn.locator(".run").count()) == (1, 2)
    assert drawn.locator(".mark").count() == figure.locator("tbody tr").count() == 6
    assert figure.locator(".axes").text_content() == (
        "characters; both axes logarithmic; dashed: in proportion; line: 95 % interval"
    )
    figure.locator("summary").click()
    assert figure.locator("tbody tr").first.inner_text().split() == [
        "words", "1,000", "0.10", "0.0900", "0.12", "6",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [WIDE, (768, 1024), NARROW])
def test_the_words_of_a_chart_are_neither_small_nor_outside_it(
    open_report: Open, full: Report, size: tuple[int, int]
) -> None:
    page = unfolded(open_report(full, size))
    found = page.evaluate(MEASURED)
    assert len(found) > 20
    assert [each for each in found if not 10 <= each["height"] <= 18 or each["outside"] > 1] == []


def test_a_conversation_shows_which_tokens_are_trained(open_report: Open, full: Report) -> None:
    page = unfolded(open_report(full))
    known, unknown = page.locator("figure.conversation").all()
    assert [each.inner_text() for each in known.locator(".side").all()] == [
        "2 of 4 tokens trained",
        "user, 2 tokens, 0 trained",
        "assistant, 2 tokens, 2 trained",
    ]
    assert known.locator("li.trained small").all_inner_texts() == ["6324", "32007"]
    assert "It is not known which tokens are trained." in unknown.inner_text()
    assert unknown.locator("li.masked").count() == 0


def test_the_stages_of_a_text_are_next_to_its_evidence_or_apart(
    open_report: Open, full: Report
) -> None:
    page = unfolded(open_report(full))
    steps = page.locator("#finding-library-encode-shown details", has_text="How the reference")
    steps.locator("summary").click()
    assert "normalized to Don't↵" in steps.inner_text()
    assert "merges d + o, do + n" in steps.inner_text()
    apart = page.locator("#traces .part details")
    assert apart.locator("summary").all_inner_texts() == ["Hello,·world!"]
    apart.locator("summary").click()
    assert "added token <|end|> is id 32007" in apart.inner_text()


def test_a_comparison_shows_the_stages_of_both_sides(open_report: Open, compared: Report) -> None:
    page = open_report(compared)
    fold = page.locator(".facet details", has_text="How the reference encodes it").first
    fold.locator("summary").click()
    assert fold.locator("summary").inner_text().endswith("on both sides: other ids")
    sides = fold.locator(".both > div")
    assert [each.locator(".trace .pieces").count() for each in sides.all()] == [1, 1]
    one, other = (each.bounding_box() for each in sides.all())
    assert one["y"] == other["y"] and one["x"] + one["width"] <= other["x"]


def test_a_comparison_lists_the_files_of_each_side(open_report: Open, compared: Report) -> None:
    page = unfolded(open_report(compared))
    sides = [each.inner_text() for each in page.locator("#files .part details > summary").all()]
    assert [each.rpartition(": ")[0].rpartition("/")[2] for each in sides] == ["ours", "theirs"]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_tokens_of_both_rows_are_in_line(
    open_report: Open, full: Report, size: tuple[int, int]
) -> None:
    page = open_report(full, size)
    tokens = page.locator("#finding-library-encode-shown .tokens")
    lefts = "(rows) => rows.map((each) => each.getBoundingClientRect().left)"
    one, other = (
        tokens.locator(f".{row} li").evaluate_all(lefts) for row in ("expected", "actual")
    )
    assert len(one) == len(other) == 4
    assert one == other


def background(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_readers_until_it_is_chosen(
    open_report: Open, quiet: Report, scheme: str
) -> None:
    page = open_report(quiet, scheme=scheme)
    light, dark = "rgb(255, 255, 255)", "rgb(20, 24, 28)"
    button = page.get_by_role("button", name="Theme")
    assert background(page) == {"light": light, "dark": dark}[scheme]
    button.click()
    assert background(page) == light
    button.click()
    assert (background(page), button.inner_text()) == (dark, "Theme: dark")


def test_everything_is_reached_by_the_keyboard(open_report: Open, full: Report) -> None:
    page = unfolded(open_report(full))
    focused = "document.activeElement"
    page.keyboard.press("Tab")
    assert page.evaluate(f"{focused}.textContent") == "Skip to the findings"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.get_by_label("Errors").focus()
    page.keyboard.press("Space")
    assert len(shown(page)) == 2
    folded = page.locator("#checks .fold summary").first
    folded.focus()
    page.keyboard.press("Enter")
    heading = page.locator("#checks table button").first
    heading.focus()
    page.keyboard.press("Enter")
    assert page.locator("#checks th[aria-sort='ascending']").count() == 1


@pytest.mark.parametrize("kind", ["full", "hostile", "compared", "held"])
def test_on_a_phone_nothing_is_wider_than_the_screen(
    kind: str, open_report: Open, request: pytest.FixtureRequest
) -> None:
    page = open_report(request.getfixturevalue(kind), NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    wide = """[...document.querySelectorAll('.evidence, .evidence *')].filter(
        (each) => each.scrollWidth > each.clientWidth && each.clientWidth
          && getComputedStyle(each).overflowX !== 'visible').length"""
    assert page.evaluate(wide) == 0


def test_the_filters_are_folded_while_the_page_is_as_narrow_as_a_phone(
    open_report: Open, full: Report
) -> None:
    page = open_report(full, NARROW)
    filters = page.locator("#filters")
    assert not filters.is_visible()
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    filters.wait_for(state="visible")
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    filters.wait_for(state="hidden")


def test_without_a_script_everything_is_there_but_the_controls(
    browser: Any, tmp_path: Path, full: Report
) -> None:
    window = Window(browser, java_script_enabled=False)
    page = window.show(saved(full, tmp_path))
    assert page.locator(".finding:visible").count() == 4
    assert page.locator("#filters:visible, #theme:visible").count() == 0
    nothing_else_is_asked_for(window)


def test_on_paper_the_controls_are_left_out(open_report: Open, full: Report) -> None:
    page = open_report(full)
    page.emulate_media(media="print")
    assert page.locator("#filters:visible, #theme:visible, nav:visible").count() == 0
    assert page.locator(".finding:visible").count() == 4


def test_on_paper_causes_are_unfolded_and_figures_are_not(open_report: Open, full: Report) -> None:
    page = open_report(full)
    page.emulate_media(media="print")
    assert page.locator(".card .accepting pre:visible").count() > 0
    assert page.locator("#measurements svg:visible").count() == 0


@pytest.mark.parametrize("kind", ["full", "quiet", "hostile", "compared", "held"])
def test_in_both_themes_axe_finds_no_violation(
    kind: str, open_report: Open, request: pytest.FixtureRequest
) -> None:
    page = open_report(request.getfixturevalue(kind))
    page.evaluate(UNFOLD)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, OF_COLOUR) == []


def test_a_poisonous_report_runs_nothing(open_report: Open, hostile: Report) -> None:
    page = open_report(hostile)
    assert page.locator("script").count() == 1
    assert "<script>alert(1)</script>" in page.locator("h1").inner_text()


def test_in_a_notebook_the_page_is_in_a_frame_of_its_own(
    window: Window, tmp_path: Path, full: Report
) -> None:
    cell = tmp_path / "notebook.html"
    cell.write_text(f"<!DOCTYPE html><p>a cell</p>{full._repr_html_()}", encoding="utf-8")
    _, frame = window.show(cell).frames
    frame.wait_for_load_state()
    assert frame.locator("h1").inner_text() == full.sentence
    frame.get_by_label("Errors").uncheck()
    assert frame.locator("#shown").inner_text() == "2 of 4 findings shown"
    assert window.complaints == []
