"""Find names that a loop sets in some rounds, and reads in others.

In Jinja each round begins without them; engines in JavaScript and C++ keep what an earlier round
has set, so that the words of one message are written again in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jinja2 import nodes

Block = Sequence[nodes.Node]


def kept_names_of(loop: nodes.For) -> Iterator[nodes.Name]:
    """Yield the first read of each such name; the loop's own names do not count."""
    yield from _kept(loop.body, frozenset(_set_to(loop.target)))


def _kept(body: Block, known: frozenset[str]) -> Iterator[nodes.Name]:
    """Yield the first read of each name that only an earlier branch sets.

    `known` are the names that the round has set for certain.
    """
    told = set(known)
    for place, node in enumerate(body):
        if not isinstance(node, nodes.If):
            told |= _set_by(node)
            continue
        for branch in _branches(node):
            yield from _kept(branch, frozenset(told))
        branches = [each for each in _branches(node) if not _refuses(each)]
        set_in = [set[str]().union(*map(_set_by, branch)) for branch in branches]
        certain = set.intersection(*set_in) if node.else_ and set_in else set[str]()
        for name in sorted(set[str]().union(*set_in) - certain - told):
            yield from _first_read(body[place + 1 :], name)
        told |= certain


def _branches(node: nodes.If) -> list[Block]:
    return [node.body, *(each.body for each in node.elif_), *([node.else_] if node.else_ else [])]


def _refuses(branch: Block) -> bool:
    """Return whether a branch refuses the conversation, so that nothing follows it."""
    calls = (call for node in branch for call in node.find_all(nodes.Call))
    return any(isinstance(c.node, nodes.Name) and c.node.name == "raise_exception" for c in calls)


def _set_by(node: nodes.Node) -> set[str]:
    """Return the names that a statement always sets, outside of its own loops."""
    if isinstance(node, nodes.Assign):
        return _set_to(node.target)
    if isinstance(node, nodes.AssignBlock):
        return _set_to(node.target)
    if isinstance(node, nodes.If) and node.else_:
        return set.intersection(*(set[str]().union(*map(_set_by, b)) for b in _branches(node)))
    return set()


def _set_to(target: nodes.Node) -> set[str]:
    """Return the names of an assignment target."""
    names = [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name)
    return {each.name for each in names}


def _first_read(rest: Block, name: str) -> Iterator[nodes.Name]:
    """Yield the first statement's read of a name, unless another sets it before."""
    for node in rest:
        if found := next(_reads(node, name), None):
            yield found
            return
        if name in _set_by(node):
            return


def _reads(node: nodes.Node, name: str) -> Iterator[nodes.Name]:
    names = [node] if isinstance(node, nodes.Name) else node.find_all(nodes.Name)
    yield from (each for each in names if each.name == name and each.ctx == "load")
