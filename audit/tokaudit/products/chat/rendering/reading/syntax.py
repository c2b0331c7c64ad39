"""Helpers for a template's syntax tree; none of them runs it."""

from __future__ import annotations

from collections import Counter

from jinja2 import nodes

LONGEST_SHOWN = 80
SIGNS = {"+", "-", "*", "/", "//", "%", "**"}


def macros(tree: nodes.Template) -> set[str]:
    """Return the names of the macros that a template defines."""
    return {macro.name for macro in tree.find_all(nodes.Macro)}


def joiners(tree: nodes.Template) -> set[str]:
    """Return names that are only ever assigned a `joiner(...)`."""
    return {
        name
        for name, values in _assigned(tree).items()
        if all(_is_joiner(value) for value in values)
    }


def macro_lists(tree: nodes.Template) -> set[str]:
    """Return names that are only ever assigned lists of the template's own macros."""
    own = macros(tree)
    return {
        name
        for name, values in _assigned(tree).items()
        if all(_of_macros(value, name, own) for value in values)
    }


def _assigned(tree: nodes.Template) -> dict[str, list[nodes.Node]]:
    """Map names to their assigned expressions, unless a loop or macro also binds them."""
    assigned: dict[str, list[nodes.Node]] = {}
    for one in tree.find_all(nodes.Assign):
        if isinstance(one.target, nodes.Name):
            assigned.setdefault(one.target.name, []).append(one.node)
    names = (name for name in tree.find_all(nodes.Name) if name.ctx in ("store", "param"))
    bound = Counter(name.name for name in names)
    return {name: values for name, values in assigned.items() if bound[name] == len(values)}


def _is_joiner(value: nodes.Node) -> bool:
    called = value.node if isinstance(value, nodes.Call) else None
    return isinstance(called, nodes.Name) and called.name == "joiner"


def _of_macros(value: nodes.Node, name: str, own: set[str]) -> bool:
    if isinstance(value, nodes.Add):
        return _of_macros(value.left, name, own) and _of_macros(value.right, name, own)
    if isinstance(value, nodes.List):
        return all(isinstance(item, nodes.Name) and item.name in own for item in value.items)
    return isinstance(value, nodes.Name) and value.name == name


def text_of(node: nodes.Node) -> str | None:
    """Return the text of an expression of literals, such as `'a' ~ 'b'`, or None."""
    if isinstance(node, nodes.Const):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, nodes.Concat):
        parts = [text_of(one) for one in node.nodes]
    elif isinstance(node, nodes.Add):
        parts = [text_of(node.left), text_of(node.right)]
    else:
        return None
    known = [part for part in parts if part is not None]
    return "".join(known) if len(known) == len(parts) else None


def written_as(node: nodes.Node | None) -> str:
    """Format an expression about as a template writes it."""
    return _written(node)[:LONGEST_SHOWN]


def _written(node: nodes.Node | None) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Const):
        return repr(node.value)
    if isinstance(node, nodes.Getattr):
        return f"{_written(node.node)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        return f"{_written(node.node)}[{_written(node.arg)}]"
    if isinstance(node, nodes.Filter):
        return f"{_written(node.node)}|{node.name}"
    if isinstance(node, nodes.Call):
        return f"{_written(node.node)}()"
    if isinstance(node, nodes.BinExpr) and node.operator in SIGNS:
        return f"{_written(node.left)} {node.operator} {_written(node.right)}"
    return "" if node is None else type(node).__name__.lower()
