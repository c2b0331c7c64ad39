"""Strings are taken from every entry: one piece for each id is a view that knows only the last."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from locations import ROOT

TREES = ("audit", "reference_impl", "suites", "reports")
OF_THE_VIEW = {
    "reference_impl/tokaudit_reference/spec.py": "it makes both",
    "audit/tokaudit/runtimes/packed_spec.py": "it writes both",
    "audit/tokaudit/subject/representations.py": "it holds both anew",
    "audit/tokaudit/engine/vocabularies/written.py": "it spells both anew",
    "audit/tokaudit/engine/evidence.py": "it names ids, and those that are shared by all",
    "audit/tokaudit/runtimes/adapters/reference_adapter.py": "what an id is read back as is asked",
    "audit/tokaudit/testing/strategies.py": "ids are drawn, and no strings",
    "audit/tokaudit/engine/providers/corpus.py": "these are pieces of files",
    "suites/tokaudit_suites/shared/run_copies.py": "kinds by what an id is read back as",
    "suites/tokaudit_suites/agreement/_compared.py": "spellings are of ids there",
    "reference_impl/tokaudit_reference/models/bpe/byte_encoder.py": "shared ids have no ranks",
    "reference_impl/tokaudit_reference/models/bpe/effective.py": "shared ids have no ranks",
    "reference_impl/tokaudit_reference/models/bpe/merge_table.py": "shared ids have no ranks",
}


def test_no_module_takes_strings_from_one_piece_for_each_id() -> None:
    found = {
        str(file.relative_to(ROOT)): [*iterated(ast.parse(file.read_text(encoding="utf-8")))]
        for tree in TREES
        for file in sorted((ROOT / tree).rglob("*.py"))
    }
    read = {file: lines for file, lines in found.items() if lines}
    assert {file: lines for file, lines in read.items() if file not in OF_THE_VIEW} == {}
    assert OF_THE_VIEW.keys() <= read.keys()


def test_a_map_that_is_turned_round_is_noticed() -> None:
    source = "ids = {piece.value: id for id, piece in spec.pieces.items()}\n"
    assert [*iterated(ast.parse(source))] == [1]
    assert [*iterated(ast.parse("known = {*spec.pieces.values()}\n"))] == [1]
    assert [*iterated(ast.parse("known = {*spec.every_piece()}, spec.pieces[3]\n"))] == []


def iterated(tree: ast.Module) -> Iterator[int]:
    """The lines that go through the pieces of ids and not through the entries."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("items", "values"):
            inner = node.value
            if isinstance(inner, ast.Attribute) and inner.attr == "pieces":
                yield node.lineno
