"""How often ids come back, and texts join, are figures with intervals that hold the true share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from steady_encoder import Steady

from tokaudit.engine.measure import interval_of_rate
from tokaudit.engine.needs import Options
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.stability._steady_texts import SteadyTexts

Call = Callable[..., list[Any]]


class Pairs(Steady):
    """Writes two equal letters in a row as one id."""

    def ids(self, text: str) -> tuple[int, ...]:
        found = list[int]()
        for id in super().ids(text):
            if not found or found[-1] != id:
                found.append(id)
        return tuple(found)


def test_ids_of_letters_always_come_back(call: Call, letters: TokenizerSpec) -> None:
    letters = replace(letters, pieces={id: letters.pieces[id] for id in (1, 2, 3)}, merges=())
    found = call("stability/sampled-ids", letters, Steady(), Options())
    assert [figure.value for figure in found] == [1.0] * 4
    assert [figure.dimensions["length"] for figure in found] == ["1", "2", "4", "8"]


def test_longer_lists_come_back_less_often_where_neighbours_merge(
    call: Call, letters: TokenizerSpec
) -> None:
    letters = replace(letters, pieces={id: letters.pieces[id] for id in (1, 2, 3)}, merges=())
    shares = [figure.value for figure in call("stability/sampled-ids", letters, Pairs(), Options())]
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True) and shares[-1] < shares[1] < 1.0


def test_texts_that_merge_at_the_seam_are_counted(call: Call) -> None:
    class Spaced(Pairs):
        def encode(self, texts: Any, options: EncodeOptions = EncodeOptions()) -> list[Encoding]:
            return super().encode([t.replace(" ", "b").replace("\n", "b") for t in texts], options)

    found = call("stability/joined-texts", Spaced(), SteadyTexts(("a",)), Options())
    assert {f.dimensions["joined"]: f.value for f in found} == {
        "directly": 0.0,
        "by a space": 1.0,
        "by a line end": 1.0,
    }


@given(st.integers(30, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share_and_stays_within_bounds(counts: tuple[int, int]) -> None:
    hits, n = counts
    found = interval_of_rate(hits, n)
    assert found is not None
    low, high = found
    assert 0 <= low <= round(hits / n, 5) <= high <= 1 and low < high


def test_few_samples_have_no_interval() -> None:
    assert interval_of_rate(3, 29) is None


def test_a_published_kind_of_tokenizer_is_steady(tmp_path: Any, processes: None) -> None:
    import tokaudit
    from tokaudit_folders import sick

    report = tokaudit.audit(sick.healthy(tmp_path / "m"), select=["stability"], tier="quick")
    assert list(report.findings) == []
    assert {r.check: r.status.value for r in report.results} == {
        "stability/repeated": "passed",
        "stability/batches": "passed",
        "stability/threads": "passed",
        "stability/saved": "passed",
        "stability/streaming": "passed",
        "stability/sampled-ids": "passed",
        "stability/joined-texts": "passed",
    }
