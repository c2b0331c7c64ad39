"""A file of ours that a docstring or a page names is there, so that a reader can open it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from locations import ROOT

from tokaudit_pages.blocks import Written, steps

TREES = ("audit", "reference_impl", "suites", "reports", "tools", "tests", "docs", "benchmarks")
NAMED = re.compile(r"(?<![\w/.-])[\w/-]+\.py\b")
MODULE, LISTED = re.compile(r"`([a-z_][a-z0-9_]*)`"), 3  # who names so many lists its modules
ELSEWHERE = ("tokenization_", "convert_", "openai_public")  # how files of other projects begin
QUOTED = re.compile(
    r"`([\w-][\w.-]*(?:/[\w.-]+)*(?:/|\.[a-z0-9]+))`"
)  # a file, or a folder with its slash
SUFFIXES = (
    *(".toml", ".tsv", ".csv", ".json", ".md", ".yml"),
    *(".html", ".j2", ".mjs", ".js", ".css"),
)
ABOUT_THE_PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md")  # other pages name a reader's files too
PACKAGES = ("tokaudit", "tokaudit_reference", "tokaudit_suites", "tokaudit_reports")
PAGES_OF_OTHERS = ("settings.md", "checks.md", "checks")  # which cite the files of libraries


def test_a_file_that_a_docstring_names_is_there() -> None:
    files = [file for tree in TREES for file in sorted((ROOT / tree).rglob("*.py"))]
    named = {file: [each for doc in docstrings(file) for each in ours(doc)] for file in files}
    assert missing(named) == {}


def test_a_package_that_lists_its_modules_names_those_it_has() -> None:
    packages = [file for tree in TREES for file in sorted((ROOT / tree).rglob("__init__.py"))]
    listed = {str(file.parent.relative_to(ROOT)): not_there(file) for file in packages}
    assert {package: names for package, names in listed.items() if names} == {}


def test_a_file_that_a_page_names_is_there() -> None:
    kept = [page for page in pages() if not {*page.parts} & {*PAGES_OF_OTHERS, "CHANGELOG.md"}]
    assert missing({page: [*kept_by_us(page.read_text(encoding="utf-8"))] for page in kept}) == {}


def test_a_file_of_another_kind_and_a_folder_that_a_page_names_are_there() -> None:
    kept = [page for page in pages() if page.name != "CHANGELOG.md"]
    assert missing({page: [*of_other_kinds(page)] for page in kept}) == {}


def test_a_name_is_found_in_a_sentence_and_a_source_names_the_file_of_another_project() -> None:
    assert [*ours("The slow way is `naive.py`.\n\nSource: `encoder.py` of GPT-2.")] == ["naive.py"]


def test_what_is_gone_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "ARCHITECTURE.md"
    page.write_text("`docs/gone.md`, `gone.toml`, `gone/room/`, `gone.open`, `docs/gate.md`")
    gone = [*of_other_kinds(page)]
    assert missing({ROOT / page.name: gone}) == {
        page.name: ["docs/gone.md", "gone.toml", "gone/room/"]
    }


def pages() -> list[Path]:
    return [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


def docstrings(file: Path) -> Iterator[str]:
    text = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if NAMED.search(text) else ():
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def not_there(package: Path) -> list[str]:
    """The names without a module in each paragraph of a package's docstring that names three."""
    modules = {path.stem for path in package.parent.iterdir()}
    document = ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))) or ""
    named = [MODULE.findall(paragraph) for paragraph in document.split("\n\n")]
    lists = [names for names in named if len(modules.intersection(names)) >= LISTED]
    return [name for names in lists for name in names if name not in modules]


def kept_by_us(page: str) -> Iterator[str]:
    """The files that a page names, apart from those that its reader is to write."""
    written = {step.name for step in steps(page) if isinstance(step, Written)}
    yield from (each for each in ours(page) if each not in written)


def of_other_kinds(page: Path) -> Iterator[str]:
    """The folders and files of the project, of other kinds than Python, that a page quotes."""
    for name in QUOTED.findall(page.read_text(encoding="utf-8")):
        of_ours = "/" in name and name.partition("/")[0] in (*TREES, *PACKAGES)
        if name.endswith(("/", *SUFFIXES)) and (of_ours or page.name in ABOUT_THE_PROJECT):
            yield name


def ours(text: str) -> Iterator[str]:
    """The files that a text names, apart from those that it cites."""
    for paragraph in text.split("\n\n"):
        own = re.split("Sources?:", paragraph)[0]
        names = (found.group(0) for found in NAMED.finditer(own))
        known = (name for name in names if not name.startswith("acorn/"))  # a reader's own package
        yield from (name for name in known if not Path(name).name.startswith(ELSEWHERE))


def missing(named: dict[Path, list[str]]) -> dict[str, list[str]]:
    """The names that no file of the project has, by the file that gives them."""
    there = {path.name for path in ROOT.iterdir()} | {f"{tree}/" for tree in TREES}
    there |= {named_in_full(path) for tree in TREES for path in (ROOT / tree).rglob("*")}
    lost = {
        file: [name for name in names if not any(f"/{path}".endswith(f"/{name}") for path in there)]
        for file, names in named.items()
    }
    return {file.relative_to(ROOT).as_posix(): names for file, names in lost.items() if names}


def named_in_full(path: Path) -> str:
    """A path from the root of the project; a folder's ends with a slash."""
    return path.relative_to(ROOT).as_posix() + ("/" if path.is_dir() else "")
