"""The figures and lists of the pages are those of the code."""

from __future__ import annotations

import importlib
import re
import shlex

import pytest

from tokaudit.cli import COMMANDS, _parser_of
from tokaudit.engine import lengths, options
from tokaudit.engine.texts import probes
from tokaudit.foundation import own_process
from tokaudit.products.gate.differences import changes
from tokaudit.report.comparison import Purpose
from tokaudit.runtimes.worker import allowance, answers, client, process
from tokaudit.runtimes.worker.confinement import limits
from tokaudit.runtimes.worker.resources import budget
from tokaudit.subject import configs, files, material, representations, safe_json
from tokaudit.subject.formats import tokenizer_json
from tokaudit.subject.formats.common import pieces
from tokaudit.subject.formats.gguf import cursor
from tokaudit.subject.weights import rows as subject_rows
from tokaudit_costs import measuring
from tokaudit_pages import DOCS


def rows(page: str) -> dict[str, str]:
    """What the first cell of each row of a page's tables says -> the second cell."""
    lines = (DOCS / f"{page}.md").read_text("utf-8").splitlines()
    cells = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    return {row[0].strip(): row[1].strip() for row in cells}


def listed(*numbers: float) -> str:
    return ", ".join(f"{number:,.0f}" for number in numbers)


def seconds(*numbers: float) -> str:
    return ", ".join(f"{number:.0f} s" for number in numbers)


QUESTION = options.QUESTION_SECONDS
# What the page of limits says in a row, made of the constants that bound it.
LIMITS = {
    "the whole audit, or comparison": seconds(*options.TIER_SECONDS.values()) + " by tier",
    "one question to a worker": f"{QUESTION:.0f} s, and {QUESTION * options.QUESTION_SHARE:.0f} s of its processor time",
    "start and load of a worker": f"{client.START_SECONDS:.0f} s, and {allowance.START_PROCESSOR:.0f} s of its processor time",
    "deaths of one encoder's workers": f"{client.MOST_DEATHS}",
    "an encoder that used its time up": f"{allowance.SLOWEST:,} characters a second of its processor time",
    "a tokenizer file, and all of a subject together": f"{material.LARGEST_READ:,} bytes",
    "metadata of a GGUF file": f"{cursor.LARGEST_METADATA:,} bytes",
    "a configuration file or template": f"{configs.LARGEST_CONFIG:,} bytes",
    "all of those together": f"{configs.LARGEST_CONFIGS:,} bytes",
    "values in a JSON file": f"{safe_json.MOST_MEMBERS:,}",
    "objects and lists in each other": f"{safe_json.DEEPEST}",
    "tokens of a vocabulary": f"{pieces.MOST_PIECES:,}",
    "characters or bytes of all tokens together": f"{representations.MOST_CHARACTERS:,}",
    "merges": f"{pieces.MOST_MERGES:,}",
    "steps of a stage, sequences included": f"{tokenizer_json.MOST_STEPS}",
    "sequences in each other": f"{tokenizer_json.DEEPEST_STAGE}",
    "files of a subject": f"{files.MOST_FILES:,}",
    "rows of an embedding or head": f"{subject_rows.MOST_ROWS:,}, and {subject_rows.MOST_BYTES:,} bytes",
    "characters of a text that is tried": f"{probes.LONGEST_TEXT:,}",
    "characters of the texts of all other entries, by tier": listed(
        *probes.MOST_OF_ENTRIES.values()
    ),
    "characters of all such texts, by tier": listed(*probes.MOST_CHARACTERS.values()),
    "findings of a check": f"{lengths.MOST_FINDINGS:,}, and those that are worse than all before",
    "measurements of a check": f"{lengths.MOST_MEASUREMENTS:,}",
    "places of a finding": f"{lengths.MOST_PLACES:,}",
    "changes of a repair": f"{lengths.MOST_CHANGES:,}; a longer one is left to a person",
    "pieces of evidence of a finding": f"{lengths.MOST_EVIDENCE:,}",
    "ids, or tokens, of a piece of evidence": f"{lengths.MOST_TOKENS:,}",
    "a message, a remedy or a note": f"{lengths.LONGEST_MESSAGE:,} characters",
    "a text or a value that is shown": f"{lengths.LONGEST_TEXT:,} characters",
}


@pytest.mark.parametrize("what", LIMITS)
def test_a_limit_is_the_one_of_the_code(what: str) -> None:
    assert rows("limits")[what] == LIMITS[what]


def test_the_memory_of_a_worker_is_the_one_of_the_code() -> None:
    page, found = (DOCS / "limits.md").read_text("utf-8"), rows("limits")
    of_all = f"{own_process.MEMORY_OF_ALL // budget.MEGABYTE:,} MB of memory in use"
    assert found["an audit and its workers together"] == of_all
    assert found["one worker"] == f"{process.MEMORY:,} bytes of address space"
    assert process.MEMORY_OF_PROGRAMS == 4 * 1024**3
    assert found["an answer of a worker"] == f"{answers.LARGEST:,} bytes"
    assert found["threads of a worker"] == f"{budget.MOST_THREADS}"
    assert found["files that a worker has written"] == (
        f"{budget.LARGEST_FOLDER:,} bytes, and {limits.LARGEST_FILE:,} in each"
    )
    assert f"a GGUF file counts as {representations.OF_A_MODEL:,} bytes" in page


def test_the_law_of_cost_is_the_one_that_is_tried() -> None:
    page = (DOCS / "limits.md").read_text("utf-8")
    assert f"{measuring.PER_BYTE:,} times its bytes, and {measuring.FLOOR:,} bytes" in page


def test_the_gate_says_by_how_much_a_figure_may_get_worse() -> None:
    page = (DOCS / "gate.md").read_text("utf-8")
    assert f"may get {changes.GROWTH} times worse" in page
    assert f"may get {changes.GROWTH_OF_TIMES} times worse" in page


@pytest.mark.parametrize("page", ["purposes", "compare"])
def test_every_purpose_is_on_the_page(page: str) -> None:
    named = [name.strip("`") for name in rows(page) if name.startswith("`")]
    assert named == [str(purpose) for purpose in Purpose]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_in_the_help_of_a_command_is_one_that_it_parses(command: str) -> None:
    examples = importlib.import_module(f"tokaudit.cli.{command}_command").EXAMPLES
    lines = [re.split(" [<>] ", line)[0] for line in examples.splitlines()[1:]]
    assert lines
    for line in lines:
        program, name, *arguments = shlex.split(line)
        assert (program, name) == ("tokaudit", command)
        assert _parser_of(command).parse_args(arguments)
