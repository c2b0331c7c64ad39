"""Numbered added tokens whose ids do not follow their numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import in_added, plural, quote

NUMBER = re.compile(r"[0-9]{1,9}(?=[^0-9]*$)", re.ASCII)
SPELLED = re.compile(r"[^\W\d_]|[<\[{|]")  # what a marker has next to its number
LEAST, LEAST_OF_STEPS = 12, 32  # members of a family before its order says something
Member = tuple[int, int, str]  # the id, the number, the token


@check(
    "special_tokens/numbered",
    title="Ids of numbered tokens follow their numbers",
    why="Some models write audio codes, image positions and times as numbered tokens, such as "
    "<loc0001>, and compute the number from the token's id. If the ids of numbered tokens are not "
    "in the order of the numbers, each token means another number, without an error.",
    remedy="Add the tokens in the order of their numbers, and put their embedding rows into the "
    "same order.",
    repair=person_decides("the rows belong to the ids as they are"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="no file says whether a program computes numbers from ids",
    basis=Basis.INTRINSIC,
    incident="A conversion wrote another token for each code of sound, and nobody could say by "
    "how much the ids were moved (Lex-au/Orpheus-FastAPI #65).",
)
def numbered(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report each family that is in another order, or lacks one number."""
    families: dict[str, list[Member]] = {}
    for token in spec.added_tokens:
        if found := NUMBER.search(token.content):
            name = token.content[: found.start()] + "#" + token.content[found.end() :]
            if not (token.special or SPELLED.search(name)):
                continue  # a time or a number, which text is written with
            families.setdefault(name, []).append((token.id, int(found[0]), token.content))
    large = {name: sorted(each) for name, each in families.items() if len(each) >= LEAST}
    if not large:
        raise NotApplicable("no family of numbered added tokens")
    for name, members in large.items():
        if order := _other_order(members):
            at = next(at for at, (one, other) in enumerate(pairwise(members)) if one[1] > other[1])
            shown = ", ".join(f"{quote(text)} has id {id}" for id, _, text in members[at : at + 3])
            yield Finding(
                Severity.WARNING,
                f"The {plural(len(members), 'token')} {quote(name)} have ids {order}, not in the "
                f"order of their numbers: {shown}. A program that computes the number in a "
                "token's name from its id gets a wrong number.",
                tuple(in_added(spec, text) for _, _, text in members[at : at + 3]),
                cause="another order",
            )
        elif (gap := _left_out(members)) is not None:
            before, after = members[gap], members[gap + 1]
            yield Finding(
                Severity.WARNING,
                f"{quote(name)} lacks number {before[1] + (after[1] - before[1]) // 2}: "
                f"{quote(before[2])} is {before[0]} and {quote(after[2])} is {after[0]}, so "
                "numbers computed from ids are wrong from there on.",
                (in_added(spec, before[2]), in_added(spec, after[2])),
                cause="left out",
            )


def _other_order(members: Sequence[Member]) -> str:
    """Describe an order of ids that differs from the numbers; empty for plain runs.

    A set that was added has no order, which shows only where it has every number of a range.

    >>> _other_order([(0, 1, "<1>"), (1, 10, "<10>"), (2, 2, "<2>")])
    'in the order of their texts'
    >>> _other_order([(0, 1, "<1|"), (1, 10, "<10|"), (2, 2, "<2|")])
    'in the order of their texts'
    >>> _other_order([(id, each, f"<{each}>") for id in range(16) for each in [id * 5 % 16]])
    'in no order'
    """
    numbers = [number for _, number, _ in members]
    if numbers in (sorted(numbers), sorted(numbers)[::-1]):
        return ""
    written = [NUMBER.findall(text) for _, _, text in members]
    if any(each == sorted(each) for each in ([text for _, _, text in members], written)):
        return "in alphabetical order"
    falls = sum(one > other for one, other in pairwise(numbers))
    turns = min(falls, len(numbers) - 1 - falls)
    whole = sorted(numbers) == [*range(min(numbers), max(numbers) + 1)]
    return "in no order" if whole and turns >= len(numbers) // 4 else ""


def _left_out(members: Sequence[Member]) -> int | None:
    """Return the index of the only skipped number if no id is skipped, or None."""
    steps = [(two[0] - one[0], two[1] - one[1]) for one, two in pairwise(members)]
    counted = Counter(steps)
    (usual, most), *rest = counted.most_common()
    odd = next(iter(rest), ((0, 0), 0))[0]
    alone = len(members) >= LEAST_OF_STEPS and most == len(steps) - 1
    return steps.index(odd) if alone and odd == (usual[0], 2 * usual[1]) else None
