"""Texts that one of two encoders refuses are named, and are not passed over."""

from __future__ import annotations

from run_here import Here
from small_tokenizers import random_pair

from tokaudit.products.compare.encoders import NamedEncoder, compare
from tokaudit.report.comparison import Relation
from tokaudit.runtimes.protocol import Encoding

ONE, REFUSED = Encoding((1,)), Encoding(error="no")


def test_what_the_other_alone_refuses_is_named_the_plainest_first() -> None:
    tokenizer = Here(random_pair(0)[0])
    texts = ["aaa", "bb", "c", "d"]
    left = NamedEncoder("left", tokenizer, [ONE, ONE, ONE, REFUSED])  # type: ignore[arg-type]
    right = NamedEncoder("right", tokenizer, [REFUSED, REFUSED, ONE, REFUSED])  # type: ignore[arg-type]
    found = compare(texts, left, right)
    assert (found.relation, found.texts) == (Relation.UNDIFFERING, 1)
    assert found.refused == ("bb", "aaa")


def test_what_the_subject_refuses_is_for_another_check() -> None:
    tokenizer = Here(random_pair(0)[0])
    left = NamedEncoder("left", tokenizer, [REFUSED, ONE])  # type: ignore[arg-type]
    right = NamedEncoder("right", tokenizer, [ONE, ONE])  # type: ignore[arg-type]
    assert compare(["a", "b"], left, right).refused == ()
