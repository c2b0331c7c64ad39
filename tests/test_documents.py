"""What the documents show in Python is true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from locations import ROOT

from tokaudit.products.demo.checkpoints import write_checkpoints
from tokaudit_pages.blocks import Written, steps

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.usefixtures("workers_in_forks")
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_of_a_document_are_true(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    """In a folder where `corpus.txt` holds some text, and `models` what `tokaudit demo` writes."""
    write_checkpoints(tmp_path / "models")
    (tmp_path / "corpus.txt").write_text("the quick brown fox jumps over the lazy dog\n" * 20)
    monkeypatch.chdir(tmp_path)
    text = document.read_text(encoding="utf-8")
    files = {step.text for step in steps(text) if isinstance(step, Written)}  # see test_pages.py
    blocks = [block for block in BLOCK.findall(text) if block not in files]
    examples = doctest.DocTestParser().get_doctest("".join(blocks), {}, document.name, None, 0)
    assert all(">>>" in block for block in blocks)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(examples)
    assert (runner.failures, runner.tries) == (0, len(examples.examples))
