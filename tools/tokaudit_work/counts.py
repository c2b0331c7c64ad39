"""What is counted of a run, and when a count has grown."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path

RECORD = Path(__file__).with_name("record.tsv")
MOST = 1.1  # times what is recorded
MOST_MEMORY = 1.25  # its peak depends on what threads and workers hold at once, so on other load
LEAST = 2  # a count of a few may grow by this many: a tenth of three processes is none


@dataclass(frozen=True)
class Counts:
    """What one run did, its workers included where that is not said to be otherwise."""

    questions: int  # asked of workers
    texts: int  # that workers were asked to encode
    processes: int  # started
    modules: int  # imported by the run's own process
    calls: int  # of functions of Python in the run's own process: what is looked at, one by one
    kilobytes_read: int  # from files and pipes
    megabytes: int = field(metadata={"most": MOST_MEMORY})
    """The peak of the run's own process and of its largest worker."""


@dataclass(frozen=True)
class Growth:
    """A count that is more than a tenth above its record."""

    run: str
    count: str
    recorded: int
    now: int

    def __str__(self) -> str:
        return f"{self.run}: {self.count} {self.now:,}, recorded {self.recorded:,}"


def grown(run: str, recorded: Counts, now: Counts) -> Iterator[Growth]:
    """Each count that is too much above its record."""
    for each in fields(Counts):
        before, after = getattr(recorded, each.name), getattr(now, each.name)
        if after > max(each.metadata.get("most", MOST) * before, before + LEAST):
            yield Growth(run, each.name, before, after)


def most(runs: Iterable[Counts]) -> Counts:
    """The most of each count: the peak of memory is in part a matter of luck."""
    return Counts(*map(max, zip(*map(astuple, runs), strict=True)))


def recorded() -> dict[str, Counts]:
    """The counts of each run in the record."""
    with RECORD.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    return {
        line["run"]: Counts(**{each.name: int(line[each.name]) for each in fields(Counts)})
        for line in lines
    }


def write(counts: Mapping[str, Counts]) -> None:
    """Replace the record."""
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t", lineterminator="\n")
        rows.writerow(["run", *(each.name for each in fields(Counts))])
        rows.writerows([run, *astuple(each)] for run, each in counts.items())
