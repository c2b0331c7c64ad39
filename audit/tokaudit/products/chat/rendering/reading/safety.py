"""Find forbidden constructs in a template's syntax tree before rendering.

The sandbox stops most of this when it is reached.  A template that tries is refused whole, since
engines without a sandbox run it (CVE-2024-34359, CVE-2026-5760).  Allowed are calls of the
template's own macros, of the names that transformers and Jinja give, and of methods that text,
lists and mappings have.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterator

from jinja2 import nodes

from tokaudit.products.chat.rendering.reading.syntax import (
    joiners,
    macro_lists,
    macros,
    text_of,
    written_as,
)
from tokaudit.products.chat.rendering.terms import Refusal, Rule

GIVEN = {"raise_exception", "strftime_now", "range", "dict", "namespace", "cycler", "joiner"}
GIVEN |= {"lipsum", "caller"}
VARIABLES = {"messages", "tools", "documents", "loop", "self", "varargs", "kwargs", "request"}
PYTHON = {*dir(builtins), *sys.stdlib_module_names, "config", "url_for", "session", "g"}
LOOP = {"cycle", "changed", "next", "reset", "current"}
METHODS = {
    name for kind in (str, list, dict, tuple) for name in dir(kind) if not name.startswith("_")
} | LOOP
BY_ATTRIBUTE = {"map", "selectattr", "rejectattr", "groupby", "sort", "sum", "unique", "min", "max"}
INTERNAL = {name for kind in (object, type, type(dir), type(lambda: 0)) for name in dir(kind)}
INTERNAL |= {"__builtins__", "__import__", "__loader__", "__spec__"}
NAMED = re.compile("|".join(sorted(name for name in INTERNAL if name.startswith("__"))))
IMPORTS = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)


def refusals(tree: nodes.Template) -> Iterator[Refusal]:
    """Yield every place that breaks a rule, in the order of the syntax tree.

    >>> from tokaudit.products.chat.rendering.environment import environment
    >>> from tokaudit.products.chat.rendering.terms import Dialect
    >>> parse = environment(Dialect.TRANSFORMERS_5).parse
    >>> [str(one) for one in refusals(parse("{{ ''.__class__ }}{{ messages|attr('x') }}"))]
    ["line 1: dunder access: ''.__class__", 'line 1: the filter attr: messages|attr']
    """
    known = GIVEN | macros(tree) | joiners(tree) | _nowhere_set(tree)
    listed = macro_lists(tree)
    for node in tree.find_all(nodes.Node):
        rule = _broken(node, known, listed)
        if rule is not None:
            yield Refusal(rule, node.lineno, written_as(node))


def _nowhere_set(tree: nodes.Template) -> set[str]:
    """Return names that neither the template, its inputs nor Python define.

    Such a call fails where it is reached, in every engine, and reaches for nothing.
    """
    names = list(tree.find_all(nodes.Name))
    bound = {name.name for name in names if name.ctx in ("store", "param")}
    return {name.name for name in names} - bound - VARIABLES - PYTHON


def _broken(node: nodes.Node, known: set[str], listed: set[str]) -> Rule | None:
    if isinstance(node, IMPORTS):
        return Rule.IMPORT
    if isinstance(node, nodes.Getattr) and _dunder(node.attr):
        return Rule.DUNDER
    if isinstance(node, nodes.Name) and _dunder(node.name):
        return Rule.DUNDER
    if isinstance(node, nodes.Getitem) and _dunder(text_of(node.arg)):
        return Rule.DUNDER
    if isinstance(node, nodes.Const) and isinstance(node.value, str) and NAMED.search(node.value):
        return Rule.DUNDER  # wherever it is put to use, perhaps by way of a variable
    if isinstance(node, nodes.Filter):
        return _broken_filter(node)
    if isinstance(node, nodes.Call):
        return _broken_call(node, known, listed)
    return None


def _broken_filter(node: nodes.Filter) -> Rule | None:
    if node.name == "attr":
        return Rule.ATTR
    given = [*node.args, *(pair.value for pair in node.kwargs)]
    words = [text_of(one) for one in given]
    if node.name in BY_ATTRIBUTE and "attr" in words[:1] and node.name == "map":
        return Rule.ATTR
    if node.name in BY_ATTRIBUTE and any(map(_dunder, words)):
        return Rule.DUNDER
    if node.name == "format" and node.node is not None and _dunder(text_of(node.node)):
        return Rule.DUNDER
    return None


def _broken_call(node: nodes.Call, known: set[str], listed: set[str]) -> Rule | None:
    called = node.node
    if isinstance(called, nodes.Getattr):
        if called.attr in ("format", "format_map") and _dunder(text_of(called.node)):
            return Rule.DUNDER
        return None if called.attr in METHODS else Rule.CALL
    if isinstance(called, nodes.Name):
        return None if called.name in known else Rule.CALL
    if isinstance(called, nodes.ExtensionAttribute):
        return None
    inside = called.node if isinstance(called, nodes.Getitem) else None
    known_list = isinstance(inside, nodes.Name) and inside.name in listed
    return None if known_list else Rule.CALL


def _dunder(text: str | None) -> bool:
    """Return whether a name, key, dotted path or format field starts with two underscores.

    >>> _dunder("__class__"), _dunder("{0.__init__}"), _dunder("snake__case"), _dunder(None)
    (True, True, False, False)
    """
    if not text or "__" not in text:
        return False
    parts = text.replace("[", ".").replace("{", ".").replace("!", ".").split(".")
    return any(part.startswith("__") for part in parts)
