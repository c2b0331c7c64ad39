"""`tokaudit loaders`: a line for each value that loaders take, and the same table on the page."""

from __future__ import annotations

import json
from pathlib import Path

import tokaudit
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_folders.folder import Folder


def checkpoint(folder: Path) -> Path:
    made = Folder.bpe("ab").added("</s>").config(vocab_size=3, model_type="llama")
    return made.tokenizer_config(tokenizer_class="LlamaTokenizer", eos_token="</s>").write(folder)


def test_each_value_is_a_line_with_its_source_and_its_loaders(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    done = tokaudit_in_fork("loaders", checkpoint(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:3] == [
        f"A  {VERSIONS[0]} (emulated)",
        f"B  {VERSIONS[1]} (emulated)",
        "C  tokenizers (its file alone)",
    ]
    [eos] = [line.split() for line in lines if line.startswith("eos_token ")]
    assert eos == ["eos_token", "AB", "</s>", "tokenizer_config.json#/eos_token"]
    assert lines[-1].startswith("absent for all: ")


def test_the_cells_are_to_be_had_as_json(tokaudit_in_fork, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    done = tokaudit_in_fork("loaders", checkpoint(tmp_path), "--json")
    [four, five] = [cell for cell in json.loads(done.stdout) if cell["key"] == "padding_side"]
    assert (four["value"], four["said_by"], four["class_name"]) == (
        "left",
        "class",
        "LlamaTokenizer",
    )
    assert five["loader"] == f"{VERSIONS[1]} (emulated)"


def test_a_value_that_a_terminal_would_obey_is_escaped(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    made = Folder.bpe("ab").tokenizer_config(tokenizer_class="LlamaTokenizer", pad_token="\x1b[31m")
    done = tokaudit_in_fork("loaders", made.write(tmp_path))
    assert "\x1b" not in done.stdout
    assert "[31m" in done.stdout


def test_the_page_has_the_table_folded_with_the_source_of_each_cell(
    tmp_path: Path, processes: None
) -> None:
    report = tokaudit.audit(checkpoint(tmp_path), select=["files/parse"], tier="quick")
    page = tokaudit.render(report, "html")
    start = page.index('<section id="loader-values">')
    table = page[start : page.index("</section>", start)]
    assert '<details class="part"><summary><h2>Settings by loader</h2>' in table
    assert "tokenizer_config.json#/eos_token" in table
    assert "default of LlamaTokenizer" in table
