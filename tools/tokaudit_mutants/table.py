"""The scores as Markdown and as JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit_mutants.mutant import all_families
from tokaudit_mutants.operator import OPERATORS
from tokaudit_mutants.scoring import Score

SCHEMA = "tokaudit.mutants/1"
HEAD = """\
# Mutants

Each operator breaks one thing in a small healthy tokenizer, cut from a published one: {sources}.
A mutant is caught when a check that is named for the operator yields a finding that the healthy
folder does not have, blames the changed component, and is as severe as the harm deserves. An
operator marked *base* is shown the healthy folder by `--base`, as nothing in the folder alone shows
the change. Survivors are in the table and in every sum. `make mutants` writes this page:
{places} seeded places for each operator and family, those that come out the same counted once.

"""
SHORT = "| component | operators | mutants | caught |\n|---|---|---|---|\n"
FULL = "| component | operator | base | {families} |\n|---|---|---|{rules}\n"


def short(scores: Sequence[Score]) -> str:
    """The short table: a line for each component, and one for what changes nothing."""
    by_group = _grouped(scores)
    whole = [score for group, listed in by_group.items() for score in listed if group != "neutral"]
    lines = [_line(group, listed) for group, listed in by_group.items() if group != "neutral"]
    lines.append(_line("**all**", whole))
    quiet = by_group.get("neutral", [])
    said = sum(not score.caught for score in quiet)
    names = {score.mutant.operator for score in quiet}
    lines.append(f"| *changes nothing* | {len(names)} | {len(quiet)} | {said} reported |")
    return SHORT + "".join(f"{line}\n" for line in lines)


def _grouped(scores: Sequence[Score]) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = {operator.group: [] for operator in OPERATORS}
    for score in scores:
        found[score.mutant.group].append(score)
    return {group: listed for group, listed in sorted(found.items()) if listed}


def _line(name: str, scores: Sequence[Score]) -> str:
    operators = {(score.mutant.group, score.mutant.operator) for score in scores}
    caught = sum(score.caught for score in scores)
    share = f"{100 * caught / len(scores):.1f} %" if scores else ""
    return f"| {name} | {len(operators)} | {len(scores)} | {caught} ({share}) |"


def page(scores: Sequence[Score], places: int) -> str:
    """The page of the documentation: sums, every operator by family, and the survivors."""
    names = list(dict.fromkeys(score.mutant.family for score in scores))
    sources = ", ".join(f"{name} ({all_families()[name].source})" for name in names)
    text = HEAD.format(sources=sources, places=places) + short(scores) + "\n## By operator\n\n"
    text += FULL.format(families=" | ".join(names), rules="---|" * len(names))
    for operator in OPERATORS:
        own = [s for s in scores if s.mutant.made_by is operator]
        cells = [_cell([s for s in own if s.mutant.family == name]) for name in names]
        base = "yes" if operator.base and not operator.neutral else ""
        if own:
            text += f"| {operator.group} | {operator.name} | {base} | {' | '.join(cells)} |\n"
    return text + _survivors(scores)


def _cell(scores: Sequence[Score]) -> str:
    return f"{sum(score.caught for score in scores)} of {len(scores)}" if scores else ""


def _survivors(scores: Sequence[Score]) -> str:
    found: dict[tuple[str, str, str, str], int] = defaultdict(int)
    for score in scores:
        if not score.caught:
            seen = f"{score.check} ({score.severity})" if score.check else "nothing"
            operator = f"{score.mutant.group}: {score.mutant.operator}"
            found[operator, score.mutant.family, seen, score.mutant.made_by.unseen] += 1
    if not found:
        return ""
    lines = [f"| {n} | {' | '.join(cells)} |" for cells, n in found.items()]
    names = "| mutants | operator | family | what was said | why |\n|---|---|---|---|---|\n"
    return f"\n## Survivors\n\n{names}" + "".join(f"{line}\n" for line in lines)


def document(scores: Sequence[Score], places: int, absent: Mapping[str, str]) -> dict[str, Any]:
    """What the JSON file holds: each operator with its sums and each survivor."""
    listed = []
    for operator in OPERATORS:
        own = [score for score in scores if score.mutant.made_by is operator]
        stated = {"group": operator.group, "name": operator.name, "base": operator.base}
        expected = {"checks": list(operator.checks), "blamed": list(operator.blamed)}
        sums = {"mutants": len(own), "caught": sum(score.caught for score in own)}
        severity = "" if operator.neutral else operator.severity
        listed.append({**stated, **expected, "severity": severity, **sums})
    lost = [
        {"family": s.mutant.family, "operator": s.mutant.operator, "seed": s.mutant.seed}
        | {"check": s.check, "severity": s.severity, "said": s.said}
        for s in scores
        if not s.caught
    ]
    whole = {"schema": SCHEMA, "places": places, "absent": dict(absent)}
    return {**whole, "operators": listed, "survivors": lost}
