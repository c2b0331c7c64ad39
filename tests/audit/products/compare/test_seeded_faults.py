"""A fault in a prover, or in what prover and checker both use, gives proofs that are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from broken_code import everywhere, forget, put
from seeded_faults import FAULTS, READ_HEADERS, ROOM, SHARED, Fault, found_by

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.compared import certified
from tokaudit.products.compare.facets.stated import stated_facets
from tokaudit.products.compare.proofs.equal.files import INPUT_ROWS
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Comparison, Proof, Relation
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.checkpoints import embedding_names
from tokaudit.subject.weights import WeightHeaders, read_headers
from tokaudit_folders.folder import Folder


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Fault], None]]:
    """Puts the wrong value of a fault in its place.

    What other tests left in caches was made without the fault, and what is made now is with it.
    """
    forget()
    yield lambda fault: put(monkeypatch, fault.broken, fault.wrong, for_all=fault.broken in SHARED)
    forget()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.proof} {fault.broken}")
def test_a_proof_that_a_fault_gives_is_refused(
    fault: Fault, broken: Callable[[Fault], None]
) -> None:
    broken(fault)
    found, said = found_by(fault)
    assert found.certificate is not None and found.certificate.proof is fault.proof
    assert said != ""


def test_there_are_faults_for_every_kind_of_proof() -> None:
    assert {fault.proof for fault in FAULTS} == {*Proof}


def three_rows(subject: Subject) -> WeightHeaders:
    found = read_headers(subject)
    tensors = {name: replace(each, shape=(3, 1)) for name, each in found.tensors.items()}
    return replace(found, tensors=tensors)


def no_rows(subject: Subject) -> WeightHeaders:
    return replace(read_headers(subject), tensors={})


@pytest.mark.parametrize(
    ("broken", "wrong"),
    [
        ("stated:embedding_tensors", lambda headers: {}),
        ("stated:_row_counts", lambda side: {"wte.weight": (3, "model.safetensors")}),
        ("stated:read_headers", three_rows),
        ("stated:read_headers", no_rows),
    ],
)
def test_numbers_of_rows_that_a_fault_makes_equal_are_refused(
    broken: str, wrong: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = []
    for name, rows in (("a", 3), ("b", 4)):
        folder = Folder.bpe("ab").weights(wte__weight=(rows, 1))
        subject = open_subject(folder.write(tmp_path / name))
        sides.append(Side(name, parse_all(subject).parsed[0][1], subject=subject))
    module, _, name = broken.partition(":")
    owner = import_module(f"{ROOM}.facets.{module}")
    if name == READ_HEADERS.partition(":")[2]:
        everywhere(monkeypatch, read_headers, wrong)
    monkeypatch.setattr(owner, name, wrong)
    found = next(each for each in stated_facets(*sides) if each.name == "embedding rows")
    found = certified(found, *sides)
    whole = Comparison("a", "b", 0, 0, Relation.SAME, facets=(found,))
    assert found.certificate is not None and found.certificate.proof is Proof.EQUAL
    assert objection(*sides, found, whole) != ""


def test_the_checker_knows_each_name_of_an_embedding() -> None:
    assert all(INPUT_ROWS.fullmatch(name) for name in embedding_names())
    assert not any(INPUT_ROWS.fullmatch(name) for name in ("lm_head.weight", "xwte.weight"))
