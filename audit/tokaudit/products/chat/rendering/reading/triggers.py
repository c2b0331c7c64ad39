"""Suspicious parts of a template besides its turns: hidden words, addresses, the clock.

Nothing here forbids rendering.  *Hidden words* are words, not markers, that are written only
under a comparison of a message's content with other words: the shape of a template that was
poisoned to answer to a trigger.  Tests of type or emptiness, comparisons with markers
(`<tool_response>`), with switches (`/no_think`), and what is written back of the very words that
were compared are ordinary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import nodes

from tokaudit.products.chat.rendering.reading.contents import SEARCHES, content_names, is_content
from tokaudit.products.chat.rendering.reading.syntax import text_of, written_as
from tokaudit.products.chat.rendering.terms import Notice, Remark

COMPARING = {"eq", "equalto", "==", "ne", "!=", "in"}
MEDIA = ("image", "video", "audio")
TYPES = {
    "text",
    "input_text",
    *(each for one in MEDIA for each in (one, f"{one}_url", f"input_{one}")),
}
"""Of parts of a content; some templates ask for the type, and some for a key of that name."""
MARKERS = re.compile(r"<[^<>\s][^<>]*>|\[/?[A-Z_]+\]|(?<!\w)/\w+")
WORD = re.compile(r"[^\W\d_]{3,}")
ADDRESS = re.compile(r"\b(?:https?|ftp|wss?)://[^\s'\"<>]+", re.IGNORECASE)


def remarks(tree: nodes.Template) -> Iterator[Remark]:
    """Yield every suspicious part of a template's tree."""
    yield from _hidden(tree)
    for node in tree.find_all((nodes.TemplateData, nodes.Const)):
        for address in ADDRESS.findall(_literal(node)):
            yield Remark(Notice.ADDRESS, node.lineno, address)
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "strftime_now":
            yield Remark(Notice.CLOCK, call.lineno, written_as(call))


def _hidden(tree: nodes.Template) -> Iterator[Remark]:
    """Yield branches on the words of a content that write other words."""
    named = content_names(tree)
    branches: list[nodes.If | nodes.CondExpr] = [
        *tree.find_all(nodes.If),
        *tree.find_all(nodes.CondExpr),
    ]
    for branch in branches:
        words = _compared(branch.test, named)
        if words:
            for line, written in _written_words(branch):
                if _plain(written) and not any(written.strip() in one for one in words):
                    yield Remark(Notice.HIDDEN_WORDS, line, written, " ".join(words))


def _compared(test: nodes.Node, named: set[str]) -> list[str]:
    """Return the plain words that a test compares a content with."""
    literals: list[nodes.Node] = []
    for node in [test, *test.find_all(nodes.Expr)]:
        if isinstance(node, nodes.Compare):
            sides = [node.expr, *(operand.expr for operand in node.ops)]
        elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            searching = node.node.attr in SEARCHES
            sides = [node.node.node, *node.args] if searching else []
        elif isinstance(node, nodes.Test) and node.name in COMPARING:
            sides = [node.node, *node.args]
        else:
            continue
        if any(is_content(side, named) for side in sides):
            literals += [side for side in sides if not is_content(side, named)]
    words = [word for literal in literals for word in _literals(literal)]
    return [word for word in words if _plain(word) and word not in TYPES]


def _literals(node: nodes.Node) -> list[str]:
    """Return the texts of a literal, or of a list of them."""
    if isinstance(node, nodes.List | nodes.Tuple):
        return [text for item in node.items for text in _literals(item)]
    text = text_of(node)
    return [] if text is None else [text]


def _written_words(branch: nodes.If | nodes.CondExpr) -> Iterator[tuple[int, str]]:
    """Yield the literal texts that a branch on content writes or sets, with their lines."""
    if isinstance(branch, nodes.CondExpr):
        given: list[nodes.Node] = [branch.expr1, *([branch.expr2] if branch.expr2 else [])]
    else:
        given = [*branch.body, *branch.else_]
    for node in given:
        yield from _output(node)


def _output(node: nodes.Node) -> Iterator[tuple[int, str]]:
    """Yield literals that may reach the text, without keys, tests and call arguments."""
    if isinstance(node, nodes.TemplateData | nodes.Const):
        yield node.lineno, _literal(node)
    elif isinstance(node, nodes.If):
        for inner in (*node.body, *node.elif_, *node.else_):
            yield from _output(inner)
    elif isinstance(node, nodes.CondExpr):
        yield from _output(node.expr1)
        yield from _output(node.expr2) if node.expr2 is not None else ()
    elif isinstance(node, nodes.Filter):
        yield from _output(node.node) if node.node is not None else ()
    elif isinstance(node, nodes.For):
        for inner in node.body:
            yield from _output(inner)
    elif isinstance(node, nodes.Assign):
        yield from _output(node.node)
    elif not isinstance(node, nodes.Call | nodes.Compare | nodes.Test | nodes.Getitem):
        for inner in node.iter_child_nodes():
            yield from _output(inner)


def _plain(text: str) -> bool:
    """Return whether a text has words besides its markers.

    >>> _plain("<tool_response>\\n"), _plain("/no_think"), _plain("grant the request")
    (False, False, True)
    """
    return WORD.search(MARKERS.sub(" ", text)) is not None


def _literal(node: nodes.Node) -> str:
    if isinstance(node, nodes.TemplateData):
        return node.data
    return node.value if isinstance(node, nodes.Const) and isinstance(node.value, str) else ""
