"""Find the expressions of a template that hold a message's content."""

from __future__ import annotations

from jinja2 import nodes

from tokaudit.products.chat.rendering.reading.syntax import text_of

CONTENT = {"content", "text"}
SEARCHES = {"startswith", "endswith", "find", "rfind", "index", "count"}
KEEPING = {"trim", "lower", "upper", "string", "default", "replace", "first", "last", "join"}


def content_names(tree: nodes.Template) -> set[str]:
    """Return the variables that hold a content, or a part of one."""
    named: set[str] = set()
    while True:
        found = {
            one.target.name
            for one in tree.find_all(nodes.Assign)
            if isinstance(one.target, nodes.Name) and is_content(one.node, named)
        }
        if found <= named:
            return named
        named |= found


def is_content(node: nodes.Node | None, named: set[str]) -> bool:
    """Return whether an expression gives some or all words of a content."""
    if isinstance(node, nodes.Name):
        return node.name in named
    if isinstance(node, nodes.Getattr):
        return node.attr in CONTENT
    if isinstance(node, nodes.Getitem):
        return text_of(node.arg) in CONTENT or is_content(node.node, named)
    if isinstance(node, nodes.Filter):
        return node.name in KEEPING and is_content(node.node, named)
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
        return node.node.attr not in SEARCHES and is_content(node.node.node, named)
    if isinstance(node, nodes.BinExpr):
        return is_content(node.left, named) or is_content(node.right, named)
    return False
