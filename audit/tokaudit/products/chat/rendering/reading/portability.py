"""Find constructs of a template that other engines read differently, without running it.

Chat templates are also rendered by engines that are not Jinja: in C++ (llama.cpp, onnxruntime) and
in JavaScript.  Each construct here was rendered by them and by Jinja, and came out unlike or was
refused.  What depends on data (an undefined value, an empty mapping) cannot be seen in a tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import Environment, nodes

from tokaudit.products.chat.rendering.reading.contents import content_names, is_content
from tokaudit.products.chat.rendering.reading.kept_names import kept_names_of
from tokaudit.products.chat.rendering.reading.syntax import text_of, written_as
from tokaudit.products.chat.rendering.terms import Construct, Divergence

RARE_FILTERS = {"round", "e", "escape", "format", "groupby", "batch", "wordcount", "truncate"}
RARE_FILTERS |= {"center", "pprint", "urlencode"}
JINJA_FILTERS = {"replace", "upper", "capitalize", "title", "sort"}
PYTHON_METHODS = {"rsplit", "find", "count", "isalpha", "isdigit", "join", "format"}
METHODS = {"lower", "upper", "replace"}
GLOBALS = {"dict", "cycler", "joiner"}
STRIPS = {"strip", "lstrip", "rstrip"}
LENGTHS = {"length", "count"}
LISTS = nodes.List | nodes.Tuple | nodes.Dict
BLOCKS: dict[type[nodes.Node], Construct] = {
    nodes.With: Construct.WITH,
    nodes.CallBlock: Construct.CALL_BLOCK,
    nodes.FilterBlock: Construct.CALL_BLOCK,
}
LINE_ENDS = ("\n", "\r\n", "\n\n")
HARMLESS = (0, 1)  # a length is compared with these to see whether there is any text


def divergences(source: str, environment: Environment, tree: nodes.Template) -> list[Divergence]:
    """List every place that engines read differently, each construct once per line."""
    named = content_names(tree)
    found = [*_lexical(source, environment)]
    for node in tree.find_all(nodes.Node):
        found += [
            Divergence(construct, inner.lineno, written_as(inner))
            for construct, inner in _constructs(node, named)
        ]
    return list({(one.construct, one.line): one for one in found[::-1]}.values())[::-1]


def _lexical(source: str, environment: Environment) -> Iterator[Divergence]:
    """Yield the constructs that are only visible in the token stream."""
    for line, kind, value in environment.lex(source):
        if kind == "raw_begin":
            yield Divergence(Construct.RAW, line, value.strip())
        elif kind.endswith("_begin") and value.rstrip().endswith("+"):
            yield Divergence(Construct.KEPT_INDENT, line, value.strip())


Found = Iterator[tuple[Construct, nodes.Node]]


def _constructs(node: nodes.Node, named: set[str]) -> Found:
    if isinstance(node, nodes.Output | nodes.Concat):
        for expression in node.nodes:
            yield from _printed(expression)
    elif isinstance(node, nodes.Filter):
        yield from _filtered(node)
    elif isinstance(node, nodes.Call):
        yield from _called(node)
    elif isinstance(node, nodes.Compare):
        yield from _compared(node, named)
    elif isinstance(node, nodes.BinExpr):
        yield from _calculated(node)
    elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice):
        if is_content(node.node, named) and not isinstance(node.node, nodes.Call):
            yield Construct.SLICE, node
    elif type(node) in BLOCKS and not _generation(node):
        yield BLOCKS[type(node)], node
    elif isinstance(node, nodes.For):
        if node.recursive:
            yield Construct.RECURSIVE, node
        yield from ((Construct.KEPT_NAME, read) for read in kept_names_of(node))


def _generation(node: nodes.Node) -> bool:
    """Return whether a node is the tag `{% generation %}`, which the tree shows as a call."""
    called = node.call if isinstance(node, nodes.CallBlock) else None
    return isinstance(called, nodes.Call) and isinstance(called.node, nodes.ExtensionAttribute)


def _printed(node: nodes.Node | None) -> Found:
    """Yield expressions that become text, not those used in comparisons."""
    if isinstance(node, nodes.CondExpr):
        yield from _printed(node.expr1)
        yield from _printed(node.expr2)
    elif isinstance(node, nodes.Compare | nodes.Test | nodes.Not):
        yield Construct.PRINTED_CONSTANT, node
    elif isinstance(node, nodes.Const):
        if node.value is None or isinstance(node.value, bool):
            yield Construct.PRINTED_CONSTANT, node
        elif isinstance(node.value, float) and node.value.is_integer():
            yield Construct.PRINTED_FLOAT, node
    elif isinstance(node, LISTS) or (isinstance(node, nodes.Add) and _of_lists(node)):
        yield Construct.PRINTED_COLLECTION, node


def _of_lists(node: nodes.Add) -> bool:
    return isinstance(node.left, LISTS) or isinstance(node.right, LISTS)


def _filtered(node: nodes.Filter) -> Found:
    if node.name in RARE_FILTERS:
        yield Construct.RARE_FILTER, node
    elif node.name in JINJA_FILTERS:
        yield Construct.JINJA_FILTER, node
    elif node.name == "map" and node.args:
        yield Construct.MAPPED_FILTER, node
    elif node.name == "tojson":
        yield Construct.TOJSON, node
        if any(option.key != "indent" for option in node.kwargs):
            yield Construct.TOJSON_OPTIONS, node
    elif node.name == "string":
        yield from _printed(node.node)


def _called(node: nodes.Call) -> Found:
    if isinstance(node.node, nodes.Name) and node.node.name in GLOBALS:
        yield Construct.GLOBAL, node
    if not isinstance(node.node, nodes.Getattr):
        return
    name = node.node.attr
    if name == "cycle":
        yield Construct.CYCLE, node
    elif name in STRIPS and node.args:
        ends = text_of(node.args[0]) in LINE_ENDS
        yield Construct.STRIP_LINE_ENDS if ends else Construct.STRIP, node
    elif name == "split" and not node.args:
        yield Construct.SPLIT, node
    elif name in PYTHON_METHODS:
        yield Construct.PYTHON_METHOD, node
    elif name in METHODS:
        yield Construct.METHOD, node


def _compared(node: nodes.Compare, named: set[str]) -> Found:
    if len(node.ops) > 1:
        yield Construct.CHAINED, node
    operands = [operand.expr for operand in node.ops]
    if node.ops[0].op in ("in", "notin") and is_content(operands[0], named):
        yield Construct.WITHIN, node
    sides = [node.expr, *operands]
    if not any(isinstance(side, nodes.Const) and side.value in HARMLESS for side in sides):
        for side in sides:
            if not isinstance(side, nodes.Filter) or side.name not in LENGTHS:
                continue
            if is_content(side.node, named):
                yield Construct.LENGTH, side


def _calculated(node: nodes.BinExpr) -> Found:
    if isinstance(node, nodes.Div):
        yield Construct.DIVIDED, node
    elif isinstance(node, nodes.Mul):
        if text_of(node.left) is not None or text_of(node.right) is not None:
            yield Construct.REPEATED, node
    elif isinstance(node, nodes.Mod) and text_of(node.left) is not None:
        yield Construct.PYTHON_FORMAT, node
    elif isinstance(node, nodes.FloorDiv | nodes.Mod) and isinstance(
        node.left, nodes.Neg | nodes.Sub
    ):
        yield Construct.NEGATIVE, node
