"""A report keeps so much of a finding, however much a check says."""

from __future__ import annotations

from tokaudit.engine.lengths import (
    LONGEST_MESSAGE,
    LONGEST_TEXT,
    MOST_CHANGES,
    MOST_FINDINGS,
    MOST_PLACES,
    MOST_TOKENS,
    bounded,
)
from tokaudit.report.model import Evidence, Finding, Measurement, Place, Severity
from tokaudit.report.repair import Change, ChangeKind, Decider, Repair
from tokaudit_suites.shared.repairs import repaired, repaired_each


def finding(severity: Severity = Severity.ERROR, **more: object) -> Finding:
    return Finding(severity, "m", cause="c", **more)  # type: ignore[arg-type]


def kept(one: Finding) -> Finding:
    (found,) = bounded([one])
    assert isinstance(found, Finding)
    return found


def change(place: int) -> Change:
    return Change(ChangeKind.REMOVE, "tokenizer.json", f"/model/merges/{place}")


def test_a_short_finding_is_kept_as_it_is() -> None:
    one = finding(
        places=(Place("merges", "a.json", "/b", "v"),),
        evidence=(Evidence("facts", facts={"a": [1, {"b": "c"}]}),),
        repair=Repair((change(1),)),
    )
    assert kept(one) == one


def test_long_lists_and_texts_of_a_finding_are_cut() -> None:
    evidence = Evidence(
        "ids", text="a" * 200_000, ids=tuple(range(20_000)), facts={"x": "y" * 200_000}
    )
    found = kept(finding(places=(Place("merges"),) * 5000, evidence=(evidence,)))
    assert len(found.places) == MOST_PLACES
    assert len(found.evidence[0].ids) == MOST_TOKENS
    assert found.evidence[0].text == "a" * LONGEST_TEXT + " ..."
    assert found.evidence[0].facts == {}


def test_a_long_message_is_cut() -> None:
    found = kept(Finding(Severity.INFO, "word " * 100_000, cause="c"))
    assert len(found.message) == LONGEST_MESSAGE + len(" ...")


def test_of_very_many_findings_the_first_are_kept_and_a_worse_one_later() -> None:
    many = [finding(Severity.INFO)] * (MOST_FINDINGS + 50)
    found = list(bounded([*many, finding(Severity.ERROR), finding(Severity.WARNING)]))
    assert [one.severity for one in found if isinstance(one, Finding)] == [
        *[Severity.INFO] * MOST_FINDINGS,
        Severity.ERROR,
    ]


def test_measurements_are_kept_next_to_findings() -> None:
    figure = Measurement("vocab/size", "Size", 1, "tokens", 1, "counted")
    assert list(bounded([figure, finding()])) == [figure, finding()]


def test_a_repair_of_very_many_changes_is_left_to_a_person() -> None:
    found = kept(finding(repair=Repair(tuple(map(change, range(MOST_CHANGES + 1))))))
    assert found.repair is not None
    assert found.repair.decided_by is Decider.PERSON


def test_very_many_changes_are_not_even_made() -> None:
    made = []

    def changes():  # type: ignore[no-untyped-def]
        for place in range(10 * MOST_CHANGES):
            made.append(place)
            yield change(place)

    found = repaired_each(changes())
    assert found is not None
    assert found.decided_by is Decider.PERSON
    assert len(made) == MOST_CHANGES + 1


def test_a_few_changes_are_the_same_repair_as_ever() -> None:
    assert repaired_each(map(change, range(3))) == repaired(*map(change, range(3)))
