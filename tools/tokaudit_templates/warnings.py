"""Prints what checks say of published templates.

Every distinct template of the packages that `make templates` fetches, with a small tokenizer that
has its markers.  One with a finding that a thread documents as a defect is not healthy, and has a
table of its own; why each finding is true is in `findings.toml`.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked
from tokaudit_templates.published import distinct, family
from tokaudit_templates.recorded import Cause, read_findings
from tokaudit_tools.tables import head, row

OF_TOKENS = {"stops", "tokens", "bos", "missing"}  # they judge the tokenizer that was made here
HOST = "https://github.com"
Reported = tuple[str, str, str]
"""Check, severity and cause."""

HEALTHY = """{errors} on {count} healthy templates: every text that the packages publish, once.
{read}

"""
READ = "Why each is true was read in every template that has it, and in the texts that it shows:"
NOT_READ = "Where no reason is given, a template that has the finding was not read:"
UNKNOWN = "not read"
COLUMNS = ("severity", "templates", "such as", "true because")
DEFECTIVE = """
Apart from these, {names}: a documented defect is published with each.

"""


@dataclass(frozen=True)
class Published:
    """What is worse than information in each published template."""

    by_name: Mapping[str, frozenset[Reported]]

    @property
    def healthy(self) -> list[str]:
        """The templates without a documented defect."""
        return [name for name in self.by_name if name not in self.defective]

    @property
    def defective(self) -> list[str]:
        """Those with one."""
        return [name for name, found in self.by_name.items() if any(map(_thread, found))]

    def errors(self) -> int:
        """How many errors are in healthy templates."""
        found = [each for name in self.healthy for each in self.by_name[name]]
        return sum(severity == "error" for _, severity, _ in found)

    def rows(self, names: list[str]) -> Iterator[str]:
        """A line of a table for each finding on these templates."""
        found: dict[Reported, list[str]] = defaultdict(list)
        for name in names:
            for each in self.by_name[name]:
                found[each].append(name)
        for (check, severity, cause), of in sorted(found.items()):
            such = ", ".join(of[:2])
            why = _because((check, cause), of)
            yield row(f"`{check}`: {cause}", severity, len(of), such, why) + "\n"


def published() -> Published:
    """Ask the checks of the suite about every template."""
    return Published({name: _worse_than_information(name) for name in distinct()})


def _worse_than_information(name: str) -> frozenset[Reported]:
    with tempfile.TemporaryDirectory(prefix="tokaudit-warnings-") as folder:
        reported = Asked(chat_folders.write(Path(folder), family(name))).reported()
    return frozenset(each for each in reported if each[1] != "info" and each[0] not in OF_TOKENS)


def _because(cause: Cause, names: list[str]) -> str:
    """Why a finding is true, if it was read in all of these templates; where it is documented."""
    read = read_findings().get(cause)
    if read is None or not read.templates.issuperset(names):
        return UNKNOWN
    return f"{read.because}{_link(read.thread)}"


def _link(thread: str) -> str:
    repository, _, number = thread.partition("#")
    return f" ([{thread}]({HOST}/{repository}/issues/{number}))" if thread else ""


def _thread(reported: Reported) -> str:
    read = read_findings().get((reported[0], reported[2]))
    return "" if read is None else read.thread


def report(found: Published) -> Iterator[str]:
    """The healthy templates and what is said of them, then those with a documented defect."""
    errors, count, rows = found.errors(), len(found.healthy), list(found.rows(found.healthy))
    counted = f"{errors} errors" if errors else "No error"
    read = NOT_READ if any(UNKNOWN in row for row in rows) else READ
    yield HEALTHY.format(errors=counted, count=count, read=read)
    yield from (head(f"finding on {count} healthy templates", *COLUMNS) + "\n", *rows)
    if found.defective:
        yield DEFECTIVE.format(names=" and ".join(found.defective))
        yield from (head("finding", *COLUMNS) + "\n", *found.rows(found.defective))


def main() -> int:
    """Print both tables."""
    try:
        print("".join(report(published())), end="")
    except (FileNotFoundError, ValueError) as error:
        print(f"{error}: run make templates", file=sys.stderr)
        return 2
    return 0
