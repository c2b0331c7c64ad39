"""Findings are grouped by what they have in common, and faults that have nothing stay apart."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tokaudit.report.causes.cause import Cause, causes_of
from tokaudit.report.model import (
    About,
    CheckResult,
    Evidence,
    Finding,
    Place,
    Severity,
    Status,
    TokenView,
)

FILE = "tokenizer.json"
NOTHING = About()
VOCAB = Place("vocab", FILE, "/model/vocab")
SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.INFO}


def found(
    check: str,
    *places: Place,
    ids: Sequence[int] = (),
    text: str | None = None,
    tokens: Sequence[tuple[int, str]] = (),
    says: str = "it is wrong",
    about: About = NOTHING,
    severity: str = "error",
) -> CheckResult:
    evidence: list[Evidence] = []
    if ids:
        evidence.append(Evidence("ids", ids=tuple(ids)))
    if text is not None:
        views = tuple(TokenView(id, piece) for id, piece in tokens)
        evidence.append(Evidence("text", text=text, expected=views, first_difference=0))
    finding = Finding(
        SEVERITIES[severity], says, places, tuple(evidence), cause="shown", about=about
    )
    return CheckResult(check, Status.FAILED, findings=(finding,))


def cards(*results: CheckResult) -> list[tuple[str, list[str]]]:
    return [
        (each.finding.check, [below.check for below in each.explains])
        for each in causes_of(results)
    ]


DUPLICATE = found("vocab/duplicate-id", Place("added_tokens", FILE, "/added_tokens/1"), ids=[378])


def test_a_text_with_a_token_of_the_fault_is_explained_by_it() -> None:
    text = found("agreement/reference", Place("vocab", FILE), text="<p>", tokens=[(378, "<p>")])
    assert cards(text, DUPLICATE) == [("vocab/duplicate-id", ["agreement/reference"])]


def test_a_text_without_a_token_of_the_fault_is_a_fault_of_its_own() -> None:
    text = found("agreement/reference", Place("vocab", FILE), text="a", tokens=[(64, "a")])
    assert cards(DUPLICATE, text) == [("vocab/duplicate-id", []), ("agreement/reference", [])]


def test_two_faults_of_one_vocabulary_stay_apart() -> None:
    one, other = found("vocab/holes", VOCAB, ids=[310]), found("vocab/id-order", VOCAB, ids=[40])
    assert cards(one, other) == [("vocab/holes", []), ("vocab/id-order", [])]


def test_a_step_that_does_not_fit_a_vocabulary_is_no_fault_of_that_vocabulary() -> None:
    bytes_missing = found("vocab/byte-coverage", VOCAB)
    no_decoder = found("pipeline/byte-components", Place("decoder", FILE, "/decoder"), VOCAB)
    assert cards(bytes_missing, no_decoder) == [
        ("vocab/byte-coverage", []),
        ("pipeline/byte-components", []),
    ]


def test_two_settings_of_one_file_stay_apart() -> None:
    one = found("config/ids", Place("config", "config.json", "/eos_token_id", 2))
    other = found("config/lengths", Place("config", "config.json", "/max_length", 20))
    assert cards(one, other) == [("config/ids", []), ("config/lengths", [])]


def test_what_is_inside_a_faulty_step_is_explained_by_it() -> None:
    step = found("pipeline/order", Place("decoder", FILE, "/decoder"))
    inside = found("pipeline/parts", Place("decoder", FILE, "/decoder/decoders/1/type"))
    assert cards(step, inside) == [("pipeline/order", ["pipeline/parts"])]


def test_what_the_tokenizer_is_made_from_first_is_the_cause() -> None:
    rows = found("embeddings/rows", Place("embeddings", "model.safetensors", "e"), ids=[400])
    order = found("vocab/id-order", VOCAB, ids=[400])
    assert cards(rows, order) == [("vocab/id-order", ["embeddings/rows"])]


def test_what_one_file_shows_comes_before_what_two_show() -> None:
    here = Place("added_tokens", FILE, "/added_tokens/1")
    two = found("agreement/copies", here, Place("added_tokens", "added_tokens.json"), ids=[378])
    assert cards(two, DUPLICATE) == [("vocab/duplicate-id", ["agreement/copies"])]


def test_a_cause_is_as_severe_as_the_worst_that_it_explains() -> None:
    hole = found("vocab/holes", VOCAB, ids=[400], severity="warning")
    rows = found("embeddings/rows", Place("embeddings", "w", "e"), ids=[400])
    (cause,) = causes_of([rows, hole])
    assert (cause.finding.severity, cause.severity) == (Severity.WARNING, Severity.ERROR)


def test_the_worst_causes_come_first() -> None:
    warned = found("files/line-endings", Place("file", "merges.txt"), severity="warning")
    assert [name for name, _ in cards(warned, DUPLICATE)] == [
        "vocab/duplicate-id",
        "files/line-endings",
    ]


def test_a_note_is_neither_a_cause_of_anything_nor_explained() -> None:
    noted = found("vocab/words", VOCAB, ids=[378], severity="note")
    assert cards(noted, DUPLICATE) == [("vocab/duplicate-id", []), ("vocab/words", [])]


def test_an_error_of_a_whole_step_explains_what_any_text_shows() -> None:
    step = found("pipeline/byte-components", Place("decoder", FILE, "/decoder"))
    seen = found("round_trip/ids", Place("tokenizer", FILE), text="x", tokens=[(87, "x")])
    assert cards(seen, step) == [("pipeline/byte-components", ["round_trip/ids"])]


def test_a_warning_of_a_whole_step_hides_no_error() -> None:
    step = found("pipeline/left", Place("decoder", FILE, "/decoder"), severity="warning")
    seen = found("round_trip/ids", Place("tokenizer", FILE), text="x", tokens=[(87, "x")])
    assert cards(seen, step) == [("round_trip/ids", []), ("pipeline/left", [])]


def test_two_files_that_contradict_each_other_in_one_value_are_one_cause() -> None:
    table, sizes = Place("embeddings", "w", "e", [380, 8]), Place("vocab", FILE, "", 401)
    head = Place("embeddings", "w", "lm_head", [380, 8])
    assert cards(
        found("embeddings/output-rows", head, sizes), found("embeddings/rows", table, sizes)
    ) == [("embeddings/output-rows", ["embeddings/rows"])]


@pytest.mark.parametrize("spelled", ["Ġcat", "▁cat", " cat"])
def test_a_token_is_known_however_its_space_is_written(spelled: str) -> None:
    missing, refused = About((" cat",)), About((spelled,))
    lost = found("merges/missing", Place("merges", FILE, "/model/merges"), about=missing)
    load = found("agreement/loads", Place("tokenizer", FILE), about=refused)
    assert cards(load, lost) == [("merges/missing", ["agreement/loads"])]


def test_what_a_message_mentions_decides_nothing() -> None:
    chat = found("chat_template/stops", Place("chat_template", FILE), says="'<p>' (378) ends")
    role = found("special_tokens/roles", Place("special_roles", "c", "/pad"), says="'<p>' (378)")
    assert len(cards(chat, role)) == 2


def test_the_ids_of_a_long_text_accuse_nobody() -> None:
    batch = found("padding/mask", Place("padding", FILE), ids=[378, 5] * 9)
    assert cards(DUPLICATE, batch) == [("vocab/duplicate-id", []), ("padding/mask", [])]


def test_tokenizers_of_one_repository_explain_nothing_of_each_other() -> None:
    first = CheckResult("a/b", Status.FAILED, findings=DUPLICATE.findings, part="one")
    second = CheckResult("a/c", Status.FAILED, findings=DUPLICATE.findings, part="two")
    assert cards(first, second) == [("a/b", []), ("a/c", [])]


def test_every_finding_is_shown_once_and_counted_by_its_place() -> None:
    results = [DUPLICATE, found("vocab/holes", VOCAB, ids=[378, 380]), found("x/y", VOCAB, ids=[9])]
    causes = causes_of(results)
    assert sorted(n for each in causes for n in (each.number, *each.numbers)) == [0, 1, 2]


def test_the_order_of_the_checks_decides_nothing() -> None:
    results = [
        found("x/text", Place("tokenizer", FILE), text="q", tokens=[(400, "q")]),
        found("x/rows", Place("embeddings", "w", "e"), ids=[400, 401]),
        found("x/ids", VOCAB, ids=[401]),
        DUPLICATE,
    ]
    assert {tuple(map(str, cards(*turned))) for turned in _rotations(results)} == {
        tuple(map(str, cards(*results)))
    }


def _rotations(results: list[CheckResult]) -> list[list[CheckResult]]:
    return [results[at:] + results[:at] for at in range(len(results))]


def test_ten_thousand_findings_are_grouped_in_a_moment() -> None:
    many = [found(f"x/c{n}", VOCAB, ids=range(n, n + 50)) for n in range(0, 10_000, 2)]
    assert len(causes_of(many)) == 1


def test_its_representation_is_short() -> None:
    assert repr(causes_of([DUPLICATE])[0]) == (
        "<Cause error: vocab/duplicate-id:shown, explains 0>"
    )
    assert isinstance(causes_of([DUPLICATE])[0], Cause)


def test_a_matrix_that_lacks_many_rows_is_not_explained_by_one_of_its_tokens() -> None:
    role = found("special_tokens/roles", Place("special_roles", "c", "/eos", 376))
    rows = found("embeddings/rows", Place("embeddings", "w", "e"), ids=range(370, 380))
    assert cards(role, rows) == [("special_tokens/roles", []), ("embeddings/rows", [])]


def test_what_two_texts_show_is_one_fault_where_a_third_has_both() -> None:
    at = Place("tokenizer", FILE)
    first = found("x/a", at, text="q", tokens=[(400, "qq")])
    second = found("x/b", at, text="r", tokens=[(401, "rr")])
    third = found("x/c", at, text="qr", tokens=[(400, "qq"), (401, "rr")])
    assert cards(first, second, third) == [("x/a", ["x/b", "x/c"])]


def copies(severity: str = "warning") -> CheckResult:
    places = [Place("chat_template", each) for each in ("chat_template.jinja", "config.json")]
    return found("chat_template/copies", *places, severity=severity)


def test_that_two_copies_differ_explains_what_is_wrong_in_one_of_them() -> None:
    token = found("chat_template/tokens", Place("chat_template", "chat_template.jinja"))
    assert cards(token, copies()) == [("chat_template/copies", ["chat_template/tokens"])]


def test_what_is_wrong_in_both_of_two_copies_is_a_fault_of_its_own() -> None:
    both = [
        found("chat_template/turns", Place("chat_template", each))
        for each in ("chat_template.jinja", "config.json")
    ]
    assert ("chat_template/copies", []) in cards(*both, copies())


def test_that_two_copies_differ_explains_nothing_of_another_component() -> None:
    role = found("special_tokens/roles", Place("special_roles", "config.json"))
    assert cards(role, copies()) == [("special_tokens/roles", []), ("chat_template/copies", [])]


def test_findings_about_one_token_are_one_cause() -> None:
    listed = Place("vocab", FILE, "/model/vocab", [346])
    lost = found("merges/missing", listed, about=About((" numbers",)))
    gone = found(
        "merges/parts", Place("merges", FILE, "/model/merges/9"), about=About((" numbers",))
    )
    assert cards(lost, gone) == [("merges/missing", ["merges/parts"])]


def test_findings_about_one_id_are_one_cause() -> None:
    role = found(
        "special_tokens/roles", Place("special_roles", "c", "/pad"), about=About(ids=(378,))
    )
    assert cards(role, DUPLICATE) == [("vocab/duplicate-id", ["special_tokens/roles"])]


def shows(check: str, *, file: str = "a.jinja", **facts: str) -> CheckResult:
    place, seen = Place("chat_template", file), Evidence("facts", facts=facts)
    finding = Finding(Severity.ERROR, "it is wrong", (place,), (seen,), cause="shown")
    return CheckResult(check, Status.FAILED, findings=(finding,))


def test_two_checks_that_show_the_same_of_one_component_have_seen_one_fault() -> None:
    mask, stops = (
        shows("chat_template/mask", after="<e>"),
        shows("chat_template/stops", after="<e>"),
    )
    assert cards(mask, stops) == [("chat_template/mask", ["chat_template/stops"])]


@pytest.mark.parametrize("other", [{"after": "<f>"}, {"before": "<e>"}, {"file": "b.jinja"}])
def test_what_is_shown_of_another_file_or_as_another_thing_is_another_fault(
    other: dict[str, str],
) -> None:
    told = {"after": "<e>", **other} if "file" in other else other
    mask, stops = shows("chat_template/mask", after="<e>"), shows("chat_template/stops", **told)
    assert cards(mask, stops) == [("chat_template/mask", []), ("chat_template/stops", [])]


def test_one_of_several_listed_tokens_does_not_explain_a_finding_about_the_list() -> None:
    markers = ["<user>", "<assistant>"]
    listed = Place("added_tokens", FILE, "/added_tokens", markers)
    lost = found("chat_template/missing", listed, severity="warning")
    twice = found("vocab/duplicate-id", Place("added_tokens", FILE, "/added_tokens/1", "<user>"))
    assert cards(twice, lost) == [("vocab/duplicate-id", []), ("chat_template/missing", [])]
