"""A file whose name says nothing takes the role that the user gives it, and the report says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import class_folders
import pytest
from real_tokenizers import put

import tokaudit
from tokaudit.cli import main
from tokaudit.subject.formats import all_formats
from tokaudit.subject.roles import all_roles
from tokaudit.subject.upstream.records import settings_files
from tokaudit.subject.upstream.setting_key import known_keys
from tokaudit.subject.upstream.tokenizer_class import every_class

pytestmark = pytest.mark.usefixtures("workers_in_forks")
Renamed = Callable[[], Path]


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A vocabulary and its merges under names that say nothing."""
    files = class_folders._pair()
    put(tmp_path / "model" / "words.dat", files["vocab.json"])
    put(tmp_path / "model" / "pairs.dat", files["merges.txt"])
    put(tmp_path / "model" / "settings.dat", {"tokenizer_class": "GPT2Tokenizer"})
    return tmp_path / "model"


NAMED = {"vocab.json": "words.dat", "merges": "pairs.dat", "tokenizer_config": "settings.dat"}


def test_a_pair_under_other_names_is_the_tokenizer_that_it_is_under_its_own(
    pair: Path, tmp_path: Path
) -> None:
    for name, data in class_folders._pair().items():
        put(tmp_path / "named" / name, data)
    put(tmp_path / "named" / "tokenizer_config.json", {"tokenizer_class": "GPT2Tokenizer"})
    assert tokaudit.identify(pair, files=NAMED).id == tokaudit.identify(tmp_path / "named").id


def test_findings_name_the_file_itself_and_the_report_its_role(pair: Path) -> None:
    put(pair / "pairs.dat", b"#version: 0.2\nt h\nt h\n")
    report = tokaudit.audit(pair, files=NAMED, select=["merges/duplicates"])
    assert report.scope.endswith(
        "; read as named: pairs.dat as merges.txt, settings.dat as tokenizer_config.json, "
        "words.dat as vocab.json"
    )
    assert [f.places[0].file for f in report.findings] == ["pairs.dat"]
    roles = [(f.name, f.role, f.read_as) for f in report.subject.files]
    assert roles == [
        ("pairs.dat", "vocab.json+merges.txt", "merges.txt"),
        ("settings.dat", "config", "tokenizer_config.json"),
        ("words.dat", "vocab.json+merges.txt", "vocab.json"),
    ]


def test_the_worker_of_the_reference_reads_the_same_roles(pair: Path, processes: None) -> None:
    with tokaudit.open(pair, files=NAMED) as opened:
        assert opened.reference.encode([" the"])[0].ids == (264,)
        assert opened.library.encode([" the"])[0].ids == (264,)


def test_a_file_that_has_the_name_without_being_meant_is_put_aside(pair: Path) -> None:
    put(pair / "merges.txt", b"not read\n")
    report = tokaudit.audit(pair, files=NAMED, select=["vocab/holes"])
    [left] = report.subject.unread
    assert (left.name, left.role) == ("merges.txt", "not read: pairs.dat is named as merges.txt")


def test_a_settings_file_under_another_name_states_its_facts(pair: Path) -> None:
    with tokaudit.open(pair, files=NAMED) as opened:
        assert [(f.name, f.file) for f in opened.facts] == [("tokenizer_class", "settings.dat")]


def test_a_path_may_be_given_from_here(pair: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(pair.parent)
    given = {role: f"model/{path}" for role, path in NAMED.items()}
    assert tokaudit.identify("model", files=given) == tokaudit.identify(pair, files=NAMED)


def test_of_two_that_are_compared_each_takes_the_files_that_it_holds(
    pair: Path, tmp_path: Path, processes: None
) -> None:
    for name, data in class_folders._pair().items():
        put(tmp_path / "named" / name, data)
    put(tmp_path / "named" / "tokenizer_config.json", {"tokenizer_class": "GPT2Tokenizer"})
    report = tokaudit.compare(tmp_path / "named", pair, files=NAMED, tier="quick")
    assert str(report.verdict) == "pass"
    with pytest.raises(tokaudit.UsageError, match="'gone' is in none of the tokenizers' folders"):
        tokaudit.compare(tmp_path / "named", pair, files={"merges": "gone"})


@pytest.mark.parametrize(
    ("other", "check"), [("base", "baseline/vocab"), ("against", "agreement/against")]
)
def test_what_a_subject_is_compared_with_takes_the_files_that_it_holds(
    pair: Path, tmp_path: Path, other: str, check: str, processes: None
) -> None:
    named = class_folders.of_class(every_class()["GPT2Tokenizer"], tmp_path / "named")
    found = tokaudit.run_check(check, named, **{other: pair}, files=NAMED, tier="quick")
    assert str(found.status) == "passed"


def test_an_audit_gives_the_files_of_the_base_their_roles(
    pair: Path, tmp_path: Path, processes: None
) -> None:
    named = class_folders.of_class(every_class()["GPT2Tokenizer"], tmp_path / "named")
    report = tokaudit.audit(named, base=pair, files=NAMED, select=["baseline/vocab"], tier="quick")
    assert str(report.result("baseline/vocab").status) == "passed"


def test_a_file_that_neither_side_holds_is_refused_with_the_subject(pair: Path) -> None:
    with pytest.raises(tokaudit.UsageError, match=r"'gone\.txt' does not exist in"):
        tokaudit.audit(pair, base=pair, files={**NAMED, "vocab.txt": "gone.txt"})


def test_code_holds_no_files(pair: Path) -> None:
    found = tokaudit.run_check("vocab/holes", pair, against="call:os:getcwd", files=NAMED)
    assert str(found.status) == "passed"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("merge.txt=pairs.dat", "'merge.txt' is not a role; did you mean merges.txt? Roles: "),
        ("vocab=words.dat", "did you mean vocab.json or vocab.txt or vocab.bpe?"),
        ("merges.txt=gone.txt", "'gone.txt' does not exist in "),
        ("merges.txt=../other.txt", "'../other.txt' is outside of "),
        ("merges.txt=inside", "'inside' is not a file that can be read"),
        ("merges.txt=away", "'away' is not a file that can be read"),
        ("merges.txt", "expected ROLE=PATH"),
    ],
)
def test_what_cannot_take_a_role_is_one_line_and_wrong_usage(
    pair: Path, capsys: pytest.CaptureFixture[str], given: str, said: str
) -> None:
    (pair / "inside").mkdir()
    (pair / "away").symlink_to("/etc/hostname")
    assert main(["id", str(pair), "--file", given]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_a_file_takes_one_role_and_a_role_one_file_of_a_folder(pair: Path) -> None:
    for files, said in (
        ({"vocab.json": "words.dat", "merges.txt": "words.dat"}, "is named as vocab.json already"),
        ({"vocab.json": ["words.dat", "pairs.dat"]}, "'words.dat' is named as vocab.json already"),
    ):
        with pytest.raises(tokaudit.UsageError, match=said):
            tokaudit.identify(pair, files=files)


def test_every_format_and_every_settings_file_of_the_checks_has_a_role() -> None:
    formats = set(all_roles().values()) - {""}
    assert formats == {format.name for format in all_formats()}
    assert all_roles().keys() >= {*settings_files(), *known_keys()}


def test_a_lone_file_takes_a_role_too(tmp_path: Path) -> None:
    put(tmp_path / "words", b"[UNK]\n[CLS]\n[SEP]\n[PAD]\n[MASK]\nthe\n")
    report = tokaudit.audit(tmp_path / "words", files={"vocab.txt": "words"}, select=["files"])
    assert report.subject.formats == ("vocab.txt",)
