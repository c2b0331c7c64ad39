"""What the site has beside the files of docs/: a page for each check, the documents above docs/.

The pages of checks are made of the checks themselves while the site is built, so that none is kept
in the repository and none can go stale.
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from tokaudit.cli.check_page import section
from tokaudit.engine.check import all_checks

ROOT = Path(__file__).resolve().parents[1]
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
    """List the page of every check under its suite."""
    listed = _listed(config.nav, "Checks")
    for suite, members in groupby(all_checks(), key=lambda check: check.suite):
        listed.append({suite: [f"checks/{check.id}.md" for check in members]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that no file of docs/ holds."""
    for name, place in ABOVE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=DOCS.sub("](", text)))
    for check in all_checks():
        text = section(check).replace("### ", "# ", 1)
        files.append(File.generated(config, f"checks/{check.id}.md", content=f"{text}\n"))
    return files


def on_page_markdown(markdown: str, **given: Any) -> str:
    """Documents above docs/ lie beside the pages on the site."""
    return UP.sub(lambda found: f"]({ABOVE[found[1]]}", markdown)


def _listed(nav: Any, title: str) -> list[Any]:
    """The entries of a part of the navigation."""
    for part in nav:
        if isinstance(part, dict) and title in part:
            found: list[Any] = part[title]
            return found
    raise ValueError(f"mkdocs.yml: nav has no {title!r}")
