"""Tries whether one fault is one card with the fault first, and two faults are two cards."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import tokaudit
from tokaudit.report.model import Severity
from tokaudit.report.report import Report
from tokaudit_faults.folders.checkpoint import ALONE
from tokaudit_folders.sick import healthy

ONE_CARD = 0.9  # of folders with one fault; what a chat shows in two ways is often two cards
IGNORED = ("throughput", "fertility", "stability")  # figures, which name no fault
APART = 15  # how far the operators of a pair are from each other


@dataclass(frozen=True)
class Outcome:
    """What one folder showed: the faults that are known, the cards, and all findings."""

    operators: tuple[str, ...]
    faults: tuple[str, ...]
    cards: tuple[str, ...]
    findings: int
    first_before: str

    @property
    def first_is_the_cause(self) -> bool:
        """Whether the first card is of a check that names a fault that was made."""
        return bool(self.cards) and self.cards[0] in self.faults

    @property
    def every_fault_is_a_card(self) -> bool:
        """Whether no fault is below another."""
        return set(self.faults) <= set(self.cards)


def main() -> int:
    """One fault in each folder, then two; exit code 1 where a fault is not shown as it must be."""
    options = argparse.ArgumentParser(description=main.__doc__)
    options.add_argument("--most", type=int, default=100, help="folders of each kind")
    most = options.parse_args().most
    ones = list(islice(_shown(single()), most))
    twos = list(islice(_shown(pairs()), most))
    first = sum(each.first_is_the_cause for each in ones)
    whole = sum(len(each.cards) == 1 for each in ones)
    both = sum(each.every_fault_is_a_card for each in twos)
    print(f"one fault: the cause is first in {first} of {len(ones)}, one card in {whole}")
    print(f"two faults: both are cards in {both} of {len(twos)}")
    return int(first < len(ones) or both < len(twos) or whole < ONE_CARD * len(ones))


def _shown(folders: Iterable[tuple[str, ...]]) -> Iterator[Outcome]:
    for operators in folders:
        found = outcome(operators)
        if found is None:
            print(f"{' + '.join(operators)}: not to be had together", flush=True)
            continue
        good = found.first_is_the_cause and found.every_fault_is_a_card
        print(
            f"{'' if good else '!! '}{' + '.join(operators)}: {found.findings} findings, "
            f"first was {found.first_before}; {len(found.cards)} cards: {', '.join(found.cards)}",
            flush=True,
        )
        yield found


def single() -> list[tuple[str, ...]]:
    """The first operator of each check."""
    first: dict[str, str] = {}
    for name, fault in ALONE.items():
        first.setdefault(fault.checks[0], name)
    return [(name,) for name in first.values()]


def pairs() -> list[tuple[str, ...]]:
    """Operators of two suites each."""
    names = [name for (name,) in single()]
    far = [(one, names[(at + APART) % len(names)]) for at, one in enumerate(names)]
    return [pair for pair in far if len({_suite(name) for name in pair}) == 2]


def outcome(operators: Sequence[str]) -> Outcome | None:
    """What an audit says of a folder broken by these; None where they cannot be together."""
    with tempfile.TemporaryDirectory() as place:
        folder = healthy(Path(place) / "model")
        try:
            for name in operators:
                ALONE[name].change(folder)
            report = tokaudit.audit(folder, ignore=IGNORED)
        except (OSError, LookupError, ValueError, tokaudit.TokauditError):
            return None
    return _read(tuple(operators), report)


def _read(operators: tuple[str, ...], report: Report) -> Outcome | None:
    """None where one fault keeps the check of the other from finding anything."""
    faults = tuple(ALONE[name].checks[0] for name in operators)
    shown = [each for each in report.findings if each.severity is not Severity.INFO]
    if not set(faults) <= {each.check for each in shown}:
        return None
    causes = [each for each in report.causes if each.severity is not Severity.INFO]
    before = min(shown, key=lambda each: each.severity.rank).check
    cards = tuple(each.finding.check for each in causes)
    return Outcome(operators, faults, cards, len(shown), before)


def _suite(operator: str) -> str:
    return ALONE[operator].component
