"""The scores as Markdown and as JSON."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit_faults.case import of_kind
from tokaudit_faults.fault import DRAFTS, Fault
from tokaudit_faults.healthy.families import FAMILIES
from tokaudit_faults.scores.scorer import Score
from tokaudit_tools.tables import table

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
SHORT = ("component", "operators", "mutants", "caught")


def titled(fault: Fault) -> str:
    """A fault as progress and the table of survivors name it."""
    return f"{fault.component}: {fault.words}"


def short(scores: Sequence[Score]) -> str:
    """The short table: a line for each component, and one for what changes nothing."""
    by_group = _grouped(scores)
    whole = [score for group, listed in by_group.items() for score in listed if group != "neutral"]
    rows = [_sums(group, listed) for group, listed in by_group.items() if group != "neutral"]
    rows.append(_sums("**all**", whole))
    quiet = by_group.get("neutral", [])
    said = sum(not score.caught for score in quiet)
    names = {score.case.fault for score in quiet}
    rows.append(("*changes nothing*", len(names), len(quiet), f"{said} reported"))
    return table(SHORT, rows)


def _grouped(scores: Sequence[Score]) -> dict[str, list[Score]]:
    found = defaultdict[str, list[Score]](list)
    for score in scores:
        found[score.case.made_by.component].append(score)
    return dict(sorted(found.items()))


def _sums(name: str, scores: Sequence[Score]) -> tuple[str, int, int, str]:
    operators = {score.case.fault for score in scores}
    caught = sum(score.caught for score in scores)
    share = f"{100 * caught / len(scores):.1f} %" if scores else ""
    return name, len(operators), len(scores), f"{caught} ({share})"


def page(scores: Sequence[Score], places: int) -> str:
    """The page of the documentation: sums, every operator by family, and the survivors."""
    names = list(dict.fromkeys(score.case.healthy for score in scores))
    sources = ", ".join(f"{name} ({FAMILIES[name].source})" for name in names)
    rows = []
    for operator in of_kind(DRAFTS):
        own = [s for s in scores if s.case.fault == operator.id]
        cells = [_cell([s for s in own if s.case.healthy == name]) for name in names]
        base = "yes" if operator.base and not operator.neutral else ""
        if own:
            rows.append((operator.component, operator.words, base, *cells))
    start = HEAD.format(sources=sources, places=places) + short(scores)
    full = table(("component", "operator", "base", *names), rows)
    return f"{start}\n## By operator\n\n{full}{_survivors(scores)}"


def _cell(scores: Sequence[Score]) -> str:
    return f"{sum(score.caught for score in scores)} of {len(scores)}" if scores else ""


def _survivors(scores: Sequence[Score]) -> str:
    found: dict[tuple[str, str, str, str], int] = defaultdict(int)
    for score in scores:
        if not score.caught:
            seen = f"{score.check} ({score.severity})" if score.check else "nothing"
            fault = score.case.made_by
            found[titled(fault), score.case.healthy, seen, fault.unseen] += 1
    if not found:
        return ""
    names = ("mutants", "operator", "family", "what was said", "why")
    return f"\n## Survivors\n\n{table(names, ((n, *cells) for cells, n in found.items()))}"


def document(scores: Sequence[Score], places: int, absent: Mapping[str, str]) -> dict[str, Any]:
    """What the JSON file holds: each operator with its sums and each survivor."""
    listed = []
    for operator in of_kind(DRAFTS):
        own = [score for score in scores if score.case.fault == operator.id]
        stated = {"group": operator.component, "name": operator.words, "base": operator.base}
        expected = {"checks": list(operator.checks), "blamed": list(operator.blamed)}
        sums = {"mutants": len(own), "caught": sum(score.caught for score in own)}
        severity = "" if operator.neutral else operator.severity
        listed.append({**stated, **expected, "severity": severity, **sums})
    lost = [
        {"family": s.case.healthy, "operator": s.case.made_by.words, "seed": s.case.seed}
        | {"check": s.check, "severity": s.severity, "said": s.said}
        for s in scores
        if not s.caught
    ]
    whole = {"schema": SCHEMA, "places": places, "absent": dict(absent)}
    return {**whole, "operators": listed, "survivors": lost}


def written(found: Mapping[str, Any]) -> str:
    """The text of the JSON file, a line for each operator and survivor.

    >>> print(written({"places": 5, "survivors": [{"seed": 1}, {"seed": 2}]}), end="")
    {"places": 5,
    "survivors": [
    {"seed": 1},
    {"seed": 2}]}
    """

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def text(value: Any) -> str:
        listed = isinstance(value, list)
        return "[\n" + ",\n".join(map(line, value)) + "]" if listed else line(value)

    return "{" + ",\n".join(f"{line(name)}: {text(each)}" for name, each in found.items()) + "}\n"
