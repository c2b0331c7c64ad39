"""The figures of the structure may only fall; raising one needs a sentence next to it."""

from __future__ import annotations

import tomllib

from locations import ROOT

from structure.figures import Tree, figures, questions, small_with_one_importer

RATCHETS = tomllib.loads((ROOT / "tools/structure/ratchets.toml").read_text(encoding="utf-8"))


def test_no_figure_is_above_its_ratchet() -> None:
    now = figures(ROOT)
    assert {name: count for name, count in now.items() if count > RATCHETS[name]} == {}
    assert now.keys() == RATCHETS.keys()


def test_a_breach_is_counted() -> None:
    tree = Tree(ROOT)
    tree.__dict__["texts"] = {"tokaudit.a": '"""Whether it is."""\n', "tokaudit.b": "import sys\n"}
    tree.__dict__["files"] = dict.fromkeys(tree.texts, ROOT / "a.py")
    tree.__dict__["imported"] = {"tokaudit.b": {"tokaudit.a": {"x"}}}
    assert list(questions(tree)) == ["tokaudit.a: Whether it is."]
    assert list(small_with_one_importer(tree)) == ["tokaudit.a"]
