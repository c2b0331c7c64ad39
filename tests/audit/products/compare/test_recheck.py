"""A stored comparison is checked again on its files, and a claim that was changed is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.proofs.claim import Claim
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.recheck import proofs as recheck_of_proofs
from tokaudit.products.compare.recheck.proofs import checkers, rechecked
from tokaudit.report.comparison import Certificate, Comparison, Facet, Outcome, Proof, Relation
from tokaudit.report.reading import decode_report
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_reference.text.published_patterns import GPT2

Command = Callable[..., "CompletedProcess[str]"]
TOKENS = ["'", "d", "a", "b", "ab", "aa", "'d", "1", " ", " a", "<unk>"]
MERGES = [["a", "b"], ["a", "a"], ["'", "d"], [" ", "a"]]
SPELLED = GPT2.replace("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)")
ONE_SPACE = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s"


def written(folder: Path, pattern: str, merges: Any) -> Path:
    vocab = {token: id for id, token in enumerate(TOKENS)}
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    small = Folder.bpe(vocab, merges, unk_token="<unk>")
    return small.changed(pre_tokenizer=split | {"invert": False}).write(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Writes a tokenizer that splits by a pattern."""

    def write(name: str, pattern: str = GPT2, merges: Any = MERGES) -> Path:
        made = tmp_path / name
        made.mkdir()
        return written(made, pattern, merges)

    return write


def stored(tmp_path: Path, left: Path, right: Path) -> dict[str, Any]:
    report = tokaudit.compare(left, right, tier="quick")
    report.save(tmp_path / "report.json")
    read: dict[str, Any] = json.loads((tmp_path / "report.json").read_text())
    return read


class Once:
    """Reports of the same pairs, each made once: a test changes a copy."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.made: dict[str, str] = {}

    def of(self, pattern: str = GPT2, merges: Any = MERGES, first: str = GPT2) -> dict[str, Any]:
        name = json.dumps([pattern, merges, first])
        if name not in self.made:
            at = self.place / str(len(self.made))
            pair = [at / "a", at / "b"]
            for side in pair:
                side.mkdir(parents=True)
            sides = written(pair[0], first, MERGES), written(pair[1], pattern, merges)
            self.made[name] = json.dumps(stored(at, *sides))
        found: dict[str, Any] = json.loads(self.made[name])
        return found


@pytest.fixture(scope="module")
@starts_processes
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    return Once(tmp_path_factory.mktemp("reports"))


def objections(report: dict[str, Any], tmp_path: Path) -> dict[str, str]:
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(report))
    return {c.claim: c.objection for c in tokaudit.recheck(changed) if c.objection}


def objections_to_proofs(report: dict[str, Any]) -> dict[str, str]:
    """Those of the checkers of proofs alone, for which nothing has to run."""
    comparison = decode_report(json.dumps(report)).comparison
    assert comparison is not None
    subjects = [open_subject(name) for name in (comparison.left, comparison.right)]
    sides = [Side(each.name, parse_all(each).parsed[0][1], each) for each in subjects]
    found = rechecked(sides[0], sides[1], comparison)
    return {claim.claim: claim.objection for claim in found if claim.objection}


def facet(report: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        each for each in report["comparison"]["facets"] if each["name"] == name
    )
    return found


def test_a_report_as_it_was_written_holds(
    tmp_path: Path, folder: Callable[..., Path], processes: None
) -> None:
    report = stored(tmp_path, folder("a"), folder("b", SPELLED, [MERGES[i] for i in (2, 0, 1, 3)]))
    assert report["comparison"]["relation"] == "same"
    proofs = {f["name"]: f["certificate"]["proof"] for f in report["comparison"]["facets"][:5]}
    assert proofs == {
        "ids": "equal statements",
        "merges": "merges",
        "normalizer": "equal statements",
        "pre-tokenizer": "cuts",
        "added tokens": "equal statements",
    }
    claims = tokaudit.recheck(tmp_path / "report.json")
    assert len(claims) >= 7 and not [claim for claim in claims if claim.objection]


def test_a_proof_about_entries_across_cuts_holds(once: Once, tmp_path: Path) -> None:
    report = once.of(ONE_SPACE, first=SPELLED)
    assert facet(report, "pre-tokenizer")["certificate"]["proof"] == "no entry across a cut"
    assert objections(report, tmp_path) == {}


def test_every_kind_of_proof_has_a_checker() -> None:
    assert checkers().keys() == {*Proof}


def test_what_a_checker_does_not_follow_is_not_checked_and_never_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stops(claim: Claim) -> str:
        raise Unreadable("a back-reference")

    known = checkers()[Proof.CUTS]
    changed = {**checkers(), Proof.CUTS: replace(known, objection=stops)}
    monkeypatch.setattr(recheck_of_proofs, "checkers", lambda: changed)
    stated = Facet("pre-tokenizer", Outcome.EQUIVALENT, "", certificate=Certificate(Proof.CUTS))
    side = Side("a", TokenizerSpec(ModelType.BPE, {}))
    whole = Comparison("a", "b", 0, 0, Relation.SAME, facets=(stated,))
    (claim,) = rechecked(side, side, whole)
    assert claim.unchecked == "the checker does not follow a back-reference"


def test_a_proof_about_entries_across_cuts_is_refused_where_one_crosses(once: Once) -> None:
    report = once.of(ONE_SPACE, first=SPELLED)
    facet(report, "pre-tokenizer")["certificate"]["entries"] = 4
    assert objections_to_proofs(report) == {
        "pre-tokenizer: equivalent (proved)": "the vocabularies have 11 entries, not 4"
    }


@pytest.mark.parametrize(
    ("name", "field", "value", "why"),
    [
        ("ids", "digest", "sha256:0", "the digest is not that of what the sides state"),
        ("merges", "digest", "sha256:0", "the form is not that of the first side"),
        ("pre-tokenizer", "states", [[0, 0, False]], "a move from 0, 0 leads out of the listed"),
        ("pre-tokenizer", "classes", ["a"], "the classes of characters are not those of the"),
        ("pre-tokenizer", "proof", "merges", "a certificate of merges says nothing about it"),
        ("merges", "proof", "scores", "not both models are Unigram"),
    ],
)
def test_a_certificate_that_was_changed_is_refused(
    once: Once, name: str, field: str, value: Any, why: str
) -> None:
    report = once.of(SPELLED, [MERGES[i] for i in (2, 0, 1, 3)])
    facet(report, name)["certificate"][field] = value
    (objection,) = objections_to_proofs(report).values()
    assert why in objection


def test_a_difference_that_was_made_a_proof_is_refused(once: Once) -> None:
    report = once.of(merges=MERGES[1:])
    merges = facet(report, "merges")
    assert merges["outcome"] == "differs"
    merges["outcome"], merges["evidence"] = "equivalent (proved)", []
    report["comparison"]["relation"] = "same"
    for proof in (None, {"proof": "merges"}, {"proof": "equal statements"}):
        merges["certificate"] = proof
        assert "merges: equivalent (proved)" in objections_to_proofs(report)


def test_a_verdict_or_a_text_that_was_changed_is_refused(once: Once, tmp_path: Path) -> None:
    report = once.of(merges=MERGES[1:])
    assert objections(report, tmp_path) == {}
    report["verdict"] = "pass"
    assert objections(report, tmp_path) == {"verdict: pass": "by its facets it would be fail"}
    report["verdict"] = "fail"
    facet(report, "merges")["evidence"][0]["actual"][0] = {"id": 7, "piece": "1"}
    searched = {"merges, searched again": "the search shows 'ab', or another note"}
    assert objections(report, tmp_path) == searched | {
        "merges: 'ab'": "no encoder gives the ids that are stated"
    }
    facet(report, "merges")["evidence"][0]["actual"][0]["piece"] = "zz"
    assert objections(report, tmp_path) == searched | {
        "merges: 'ab'": "the tokens are not named by their own vocabularies"
    }


def hidden(report: dict[str, Any]) -> dict[str, Any]:
    """The report of a difference as one that found none, in all that it says of it."""
    merges, whole = facet(report, "merges"), report["comparison"]
    merges["outcome"], merges["evidence"] = "no difference found", []
    merges["why"] += f"; tried: {whole['texts']:,} texts, run by the reference"
    whole |= {"relation": "same ids on everything tried", "different": 0, "minimal": None}
    return report | {"verdict": "pass"}


def test_a_text_that_was_hidden_is_found_by_searching_again(once: Once, tmp_path: Path) -> None:
    report = hidden(once.of(merges=MERGES[1:]))
    found = objections(report, tmp_path)
    assert found["merges, searched again"] == "the search gives differs, by 'ab'"
    del report["environment"]["tier"]  # whoever hides a text may hide how it was searched
    assert "merges, searched again" in objections(report, tmp_path)


@pytest.mark.parametrize("name", ["merges", "pre-tokenizer"])
def test_a_reason_that_was_changed_is_refused(once: Once, tmp_path: Path, name: str) -> None:
    """Of a difference and of a proof."""
    report = once.of(SPELLED, MERGES[1:])
    facet(report, name)["why"] = "another reason"
    (objection,) = objections(report, tmp_path).values()
    assert objection.startswith("the reason would be: ")


def test_a_note_that_was_changed_is_refused(once: Once, tmp_path: Path) -> None:
    report = once.of(merges=MERGES[1:])
    facet(report, "merges")["evidence"][0]["note"] = "run by everybody"
    assert objections(report, tmp_path) == {
        "merges, searched again": "the search shows 'ab', or another note"
    }


def test_what_cannot_be_decided_is_not_checked_and_says_why(
    once: Once, tmp_path: Path, tokaudit_in_fork: Command
) -> None:
    report = once.of(merges=MERGES[1:])
    report["environment"]["tokenizers"] = "0.0.1"
    facet(report, "merges")["why"] = "another reason"
    (tmp_path / "changed.json").write_text(json.dumps(report))
    done = tokaudit_in_fork("compare", "--recheck", tmp_path / "changed.json")
    assert done.returncode == 3
    assert (
        "not checked: merges, searched again: the report was made with tokenizers 0.0.1"
        in done.stdout
    )
    assert done.stderr.endswith("claims refused, 1 not checked\n")
    assert "holds: merges, searched again" not in done.stdout


def test_a_file_that_changed_since_is_refused(
    tmp_path: Path, folder: Callable[..., Path], processes: None
) -> None:
    left, right = folder("a"), folder("b", SPELLED)
    report = stored(tmp_path, left, right)
    path = right / "tokenizer.json"
    path.write_text(path.read_text().replace('["a", "b"], ', ""))
    assert "merges: proved identical" in objections(report, tmp_path)


def test_what_a_broken_prover_claims_is_refused_by_the_whole_recheck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    sides = [tmp_path / "a", tmp_path / "b"]
    for side, decoder in zip(sides, ("ByteLevel", "Fuse"), strict=True):
        side.mkdir()
        Folder.bpe("abc", ["a b"]).changed(decoder={"type": decoder}).write(side)
    with monkeypatch.context() as broken:
        broken.setattr("tokaudit.products.compare.facets.decoding.alike_on_tokens", lambda a, b: 5)
        report = stored(tmp_path, *sides)
    assert facet(report, "decoder")["certificate"]["proof"] == "tokens"
    assert objections(report, tmp_path) == {
        "decoder: equivalent (proved)": "not every token that both have is the same bytes",
        "decoder, searched again": "the search gives no difference found",
    }


def test_the_command_names_what_it_refuses_and_exits_with_1(
    tmp_path: Path, folder: Callable[..., Path], tokaudit_in_fork: Command
) -> None:
    report = stored(tmp_path, folder("a"), folder("b", SPELLED))
    done = tokaudit_in_fork("compare", "--recheck", tmp_path / "report.json")
    assert done.returncode == 0 and "holds: pre-tokenizer: equivalent (proved)\n" in done.stdout
    facet(report, "pre-tokenizer")["certificate"]["states"].pop()
    (tmp_path / "changed.json").write_text(json.dumps(report))
    done = tokaudit_in_fork("compare", "--recheck", tmp_path / "changed.json")
    assert done.returncode == 1
    assert "refused: pre-tokenizer: equivalent (proved): " in done.stdout


FORGED_NAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a side": lambda r: r["comparison"].update(right="elsewhere/honest"),
    "the compared": lambda r: r.update(compared=["a", "elsewhere/honest"]),
    "a file": lambda r: r["comparison"].update(right_file="honest.json"),
    "the side of a text": lambda r: facet(r, "pre-tokenizer")["evidence"][0].update(
        actual_label="honest"
    ),
    "the file of a place": lambda r: facet(r, "pre-tokenizer")["places"][1].update(
        file="honest/tokenizer.json"
    ),
}


@pytest.mark.parametrize("forge", FORGED_NAMES.values(), ids=FORGED_NAMES)
def test_a_forged_name_of_a_side_is_refused(
    forge: Callable[[dict[str, Any]], Any], once: Once, tmp_path: Path
) -> None:
    report = once.of(r"\w+")
    sides = report["comparison"]["left"], report["comparison"]["right"]
    assert facet(report, "pre-tokenizer")["outcome"] == "differs"
    forge(report)
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(report))
    assert [c for c in tokaudit.recheck(changed, *sides) if c.objection]


def test_sides_that_lie_elsewhere_now_are_the_sides_of_the_report(
    once: Once, tmp_path: Path
) -> None:
    report = once.of()
    sides = [Path(report["comparison"][side]) for side in ("left", "right")]
    moved = [shutil.copytree(side, tmp_path / side.name) for side in sides]
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(report))
    assert not [c for c in tokaudit.recheck(changed, *map(str, moved)) if c.objection]
