"""Which sentences say what happened earlier, and the evidence that carries those that may."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HAPPENED = re.compile(
    r"\b(?:(?:un|re)?trained|training|tuned|exchanged|swapped|lost|deleted|removed|forgot(?:ten)?"
    r"|shifted|moved|edited|damaged|renamed|shuffled|restored?|stale|put back|no longer|any ?more"
    r"|afterwards|originally|the original|(?:was|were) (?:learned|copied|converted|saved))\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'")
BASE, COPY = "the base is a second file", "both copies are here"
GENERAL, READ = "of models and trainers in general, not of this subject", "the file states it"
REVIEWED = {
    ", all shifted by {}": COPY,
    "moved to another rank": BASE,
    "Prefix caches, turn-by-turn training and multi-turn reinforcement learning": GENERAL,
    "so a model trained with them does not learn to stop": GENERAL,
    "so a model trained with it does not learn to stop": GENERAL,
    "{} says how it was trained, by {}.": READ,
    "{} says where it was trained: {} is {}.": READ,
    "A SentencePiece model holds no private paths": READ,
    "re-tokenized training data encode decoded text again": GENERAL,
    "training pads with it, and classifiers look for the end of a text by it": GENERAL,
    "{}: was replaced while it was being read": "both digests were taken",
    "exchanged texts": "the template states the order of both",
    "conversation {}; trained: {}, {}": "the generation tags say which tokens a loss counts",
    "{}: {}, {} trained": "the labels or the generation tags say which tokens a loss counts",
    "nothing trained": "the labels of the batch leave every token out",
    "pad trained": "the labels of the batch have it",
    "the check runs only for a batch with labels, a tokenizer with an end token, and a use that trains; one of the three is missing": "the batch and the use say so",
    "not trained": "the generation tags leave the token out",
    "Restore what {} was made from": "the manifest is a second file",
}
"""Each sentence, or part of one, that says what happened, with the evidence that carries it."""
NOT_SAID = ("incident", "bad", "good", "no_example", "cause")


def said_of_history(text: str) -> list[str]:
    """The words of a text that say what happened earlier, apart from quotes and reviewed parts.

    >>> said_of_history("the scores were lost"), said_of_history("'no longer' is a token")
    (['lost'], [])
    """
    rest = QUOTED.sub("''", text)
    if not HAPPENED.search(rest):  # as nearly always
        return []
    for reviewed in _patterns():
        rest = reviewed.sub("", rest)
    return [found.group(0).lower() for found in HAPPENED.finditer(rest)]


@cache
def _patterns() -> list[re.Pattern[str]]:
    """Each reviewed sentence with anything in its gaps."""
    parts = (map(re.escape, QUOTED.sub("''", each).split("{}")) for each in REVIEWED)
    return [re.compile(r"[^.;]*?".join(each)) for each in parts]


@cache
def sentences(file: Path) -> list[str]:
    """Every text of a module that may reach a reader; docstrings and incidents do not."""
    return list(_said(file))


def _said(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    unsaid = {id(each) for node in ast.walk(tree) for each in _unsaid(node)}
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if id(node) in unsaid or id(node) in inside:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )


def _unsaid(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node.value
    if isinstance(node, ast.keyword) and node.arg in NOT_SAID:
        yield from ast.walk(node.value)
