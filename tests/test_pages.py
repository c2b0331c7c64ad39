"""The pages of docs/: short, complete, and about commands that exist.

`make check-docs` follows them; here only the tool that does so is tried, as a new environment for
each page takes long.
"""

from __future__ import annotations

import argparse
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from locations import ROOT

import false_alarms
import tokaudit
from tokaudit.cli import COMMANDS, _parser_of
from tokaudit.engine.check import all_checks
from tokaudit.report.model import Harm
from tokaudit_pages import DOCS, PAGES, README, python, report_format, settings, severity, symptoms
from tokaudit_pages.blocks import Typed, Written, steps, typed
from tokaudit_pages.environment import build_wheel
from tokaudit_pages.following import follow, matches
from tokaudit_pages.trying import tried

WORDS = 800
BY_PROGRAMS = {
    "plugin",
    *("report", "settings", "severity", "runtimes", "remedies", "mutants", "python"),
    "symptoms",
    *("comparisons", "false-alarms", "gallery", "template-defects", "template-engines"),
}
"""Their length is that of what they list."""
PROGRAMS = {"pip", "tokaudit", "openssl", "pytest", "cat", "python", "make", "pre-commit", "cd"}
RULE = re.compile(r"\|(:?-+:?\|)+")  # below the head of a table
LINK = re.compile(r"\]\(([^)#]+)(#[^)]*)?\)")


def commands_of(page: Path) -> list[Typed]:
    """What a page tells its reader to type."""
    return [step for step in steps(page.read_text("utf-8")) if isinstance(step, Typed)]


TO_BE_CUT = {
    "data": 890,
    "hashes": 841,
    "limits": 1_042,
    "purposes": 1_013,
}
"""Pages that are longer than they may be, with their words: each is cut or split, none grows."""


@pytest.mark.parametrize("name", sorted({page.stem for page in DOCS.glob("*.md")} - BY_PROGRAMS))
def test_a_page_that_a_person_writes_is_short(name: str) -> None:
    assert len((DOCS / f"{name}.md").read_text("utf-8").split()) <= TO_BE_CUT.get(name, WORDS)


def test_the_glossary_explains_twelve_words_each_once() -> None:
    rows = (DOCS / "glossary.md").read_text("utf-8").splitlines()[6:]
    words = [row.split(" | ")[0].removeprefix("| ") for row in rows]
    assert len(set(words)) == len(words) == 12


def test_pages_that_programs_write_are_there() -> None:
    assert {name for name in BY_PROGRAMS if not (DOCS / f"{name}.md").is_file()} == set()


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_every_column_of_a_table_has_a_name_as_screen_readers_need(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    heads = [head for head, below in pairwise(lines) if RULE.fullmatch(below)]
    assert [each for each in heads if not all(map(str.strip, each.strip("|").split("|")))] == []


def test_a_recipe_has_at_most_ten_lines() -> None:
    """`make recipes` runs them, in an environment with the packages that they are for."""
    written = steps((DOCS / "recipes.md").read_text("utf-8"))
    lines_of = {
        each.name: sum(bool(line) for line in each.text.splitlines())
        for each in written
        if isinstance(each, Written)
    }
    assert len(lines_of) == 12
    assert {name: lines for name, lines in lines_of.items() if lines > 10} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_is_one_that_we_parse(page: Path) -> None:
    typed = commands_of(page)
    assert typed
    for each in typed:
        line = each.text.replace("\\\n", " ")
        program, *arguments = shlex.split(line, comments=True)
        name = program.rpartition("/")[2]
        assert name in PROGRAMS, line
        if name == "tokaudit":
            assert arguments[0] in COMMANDS, line
            parsed = _parser_of(arguments[0]).parse_args(arguments[1:])
            assert isinstance(parsed, argparse.Namespace), line


def test_the_page_of_reports_shows_what_the_schema_says() -> None:
    """`make docs` writes it anew."""
    assert (DOCS / "report.md").read_text("utf-8") == report_format.page()


def test_the_page_of_settings_shows_the_tables() -> None:
    """`make docs` writes it anew."""
    assert (DOCS / "settings.md").read_text("utf-8") == settings.page()


def test_the_page_for_python_has_each_public_name_once() -> None:
    """`make docs` writes it anew."""
    listed = [name for section in python.SECTIONS for name in section.names]
    assert sorted(listed) == sorted({*tokaudit.__all__} - {"__version__"})
    assert (DOCS / "python.md").read_text("utf-8") == python.page()


def test_the_page_of_symptoms_shows_their_records() -> None:
    """`make docs` writes it anew."""
    assert (DOCS / "symptoms.md").read_text("utf-8") == symptoms.page()


def test_the_page_of_severities_shows_what_each_harm_allows() -> None:
    """`make docs` writes it anew."""
    assert (DOCS / "severity.md").read_text("utf-8") == severity.page()


def test_the_site_ends_the_page_of_severities_with_every_check_under_its_harm() -> None:
    rows = [
        line[2:-2].split(" | ") for line in severity.tables_of_checks(all_checks()).splitlines()
    ]
    listed = {row[0]: row[1].replace("*", "").split(", ") for row in rows if len(row) == 2}
    milder = {(row[0], row[2]) for row in rows if len(row) == 3}
    for harm in Harm:
        assert listed[harm] == [check.id for check in all_checks() if check.harm is harm]
    assert (
        "merges/order",
        "an order alone proves nothing: a publisher may have written it so.",
    ) in milder
    assert {(check.id, check.milder) for check in all_checks() if check.milder} <= milder


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """That holds every link and every anchor between pages, and puts each page into the menu."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    config = load_config(str(ROOT / "mkdocs.yml"), strict=True, site_dir=str(tmp_path))
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    assert (tmp_path / "checks/vocab/holes/index.html").is_file()
    assert "vocab/holes" in (tmp_path / "severity/index.html").read_text("utf-8")
    listed = (tmp_path / "commands/index.html").read_text("utf-8")
    assert [name for name in COMMANDS if f'id="{name}"' not in listed] == []
    loaded = re.compile(r"<(?:script|img|link)[^>]*(?:src|href)=\"https?://")
    assert loaded.search((tmp_path / "index.html").read_text("utf-8")) is None


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md"])
def test_links_of_a_document_lead_to_files(name: str) -> None:
    targets = {found[1] for found in LINK.finditer((ROOT / name).read_text("utf-8"))}
    local = {each for each in targets if "://" not in each}
    assert [each for each in sorted(local) if not (ROOT / each).exists()] == []


def test_a_console_block_is_commands_with_what_they_print() -> None:
    text = "$ tokaudit audit a \\\n    --quiet  # exit code 1\nFAIL\n$ tokaudit gate\n"
    audit, gate = typed(text)
    assert audit == Typed("tokaudit audit a \\\n    --quiet  # exit code 1", ("FAIL",), 1)
    assert gate == Typed("tokaudit gate", (), 0)


def test_a_block_is_a_file_where_the_paragraph_before_names_it() -> None:
    page = (
        "`a.toml` in the folder:\n\n```toml\na = 1\n```\n\n"
        "More in the same file:\n\n```toml\nb = 2\n```\n\nFor example\n\n```toml\nc = 3\n```\n"
    )
    assert list(steps(page)) == [Written("a.toml", "a = 1\n"), Written("", "b = 2\n")]


@pytest.mark.parametrize(
    ("shown", "printed"),
    [
        (("one", "..."), "two\nthree\n"),
        (("one",), "one\ntwo\n"),
        (("...", "two"), "one\ntwo\nthree\n"),
        (("12 texts",), "13 texts\n"),
    ],
)
def test_other_output_than_a_page_shows_is_noticed(shown: tuple[str, ...], printed: str) -> None:
    assert not matches(shown, printed)


def test_what_a_page_claims_is_compared_with_what_happens(tmp_path: Path, processes: None) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "`made/note.txt` holds a line:\n\n```text\nhello\n```\n\n"
        "```console\n$ cat made/note.txt\nhello\n$ cat made/note.txt\nbye\n$ cat nothing\n"
        "$ ls models | wc -l\n5\n$ echo $HOME\n/home\n$ false  # exit code 1\n```\n"
    )
    (tmp_path / "work").mkdir()
    environment = {"HOME": "/home", "PATH": "/usr/bin:/bin"}
    faults = list(follow(page, tmp_path / "work", environment))
    assert [fault.splitlines()[0] for fault in faults] == [
        "page.md: $ cat made/note.txt",
        "page.md: $ cat nothing",
    ]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `pip install tokaudit` installs."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.mark.published
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_followed_verbatim_in_a_new_home_and_environment(page: Path, wheel: Path) -> None:
    assert tried(page, wheel) == []


def test_the_page_of_false_alarms_has_no_error_in_its_table() -> None:
    """`make alarms` writes it; that it holds is asked in test_published_tokenizers.py."""
    shown = false_alarms.table(false_alarms.PAGE.read_text("utf-8"))
    assert shown.startswith(false_alarms.TABLE)
    rows = [row.split("|")[1:-1] for row in shown.splitlines()[2:]]
    assert [row[0].strip() for row in rows] == list(false_alarms.SUBJECTS)
    assert {row[3].strip() for row in rows} == {"0"}


def test_the_picture_of_the_readme_is_of_modest_size() -> None:
    assert (DOCS / "report.png").stat().st_size < 150_000
    assert "(docs/report.png)" in README.read_text("utf-8")
