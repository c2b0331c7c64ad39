"""What the site has besides docs/: pages of suites and checks, the documents above docs/.

The pages of checks and of commands are made of these themselves while the site is built, so that
none is kept in the repository and none can go stale.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tokaudit.engine.check import all_checks

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tools"))  # mkdocs loads this file alone

import check_pages  # noqa: E402
from tokaudit_pages import commands, severity  # noqa: E402

# Where each lies on the site: not under its own name, as SECURITY and security may be one folder.
ABOVE = {
    "SECURITY.md": "security-policy.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
DOCS = re.compile(r"\]\(docs/")
UP = re.compile(r"\]\((?:\.\./)?([A-Z]+\.md)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the page of every check under that of its suite."""
    listed = _listed(config.nav, "Checks")
    for suite, held in check_pages.by_suite(all_checks()):
        listed.append({suite: [f"checks/{page}.md" for page in (suite, *(c.id for c in held))]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that no file of docs/ holds."""
    for name, place in ABOVE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=DOCS.sub("](", text)))
    for place, text in {"commands.md": commands.page(), **check_pages.pages(all_checks())}.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **given: Any) -> str:
    """Lead links above docs/ to their place, and end two pages with their tables of checks."""
    text = UP.sub(lambda found: f"]({ABOVE[found[1]]}", markdown)
    match page.file.src_uri:
        case "checks.md":
            return f"{text}\n{check_pages.tables(all_checks())}"
        case "symptoms.md":  # what people type is found there before a check of like words
            page.meta["search"] = {"boost": 8}
        case "severity.md":
            return f"{text}\n{severity.tables_of_checks(all_checks())}"
    return text


def _listed(nav: Any, title: str) -> list[Any]:
    """The entries of a part of the navigation."""
    for part in nav:
        if isinstance(part, dict) and title in part:
            found: list[Any] = part[title]
            return found
    raise ValueError(f"mkdocs.yml: nav has no {title!r}")
