"""Writes `docs/report.png`, the picture of the README, with a headless chromium.

It is the top of the page that an audit writes: of a checkpoint whose tokenizer lost a merge of its
base.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import tokaudit
from tokaudit.products.demo.showing import write_folder

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "report.png"
WIDTH, HEIGHT = 1120, 960


def shoot(page: Path, picture: Path) -> None:
    """Take the first screen of a page."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        window.goto(page.as_uri())
        window.screenshot(path=str(picture))
        browser.close()


def main() -> None:
    """Audit the checkpoint, and take the picture."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as out:
        write_folder(Path(name))
        os.chdir(name)
        report = tokaudit.audit("models/finetuned", base="models/checkpoint")
        report.save(Path(out, "report.html"))
        shoot(Path(out, "report.html"), PICTURE)
