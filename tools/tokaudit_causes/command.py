"""Tries whether one fault is one card with the fault first, and two faults are two cards."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import islice

from tokaudit_causes.folders import Outcome, outcome, pairs, single

ONE_CARD = 0.9  # of folders with one fault; what a chat shows in two ways is often two cards


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
