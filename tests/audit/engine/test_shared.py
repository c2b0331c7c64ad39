"""What subjects of one run share is what was built and said of the same, and of nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tokaudit.engine.needs import Options, Reference, Traces
from tokaudit.engine.shared import Key, Memo
from tokaudit.foundation.errors import Skip
from tokaudit.report.model import Finding, Place, Severity
from tokaudit.runtimes.worker.known_answers import Transcript
from tokaudit_reference.spec import AddedToken, ModelType, Origin, Piece, TokenizerSpec, TokenType

SPEC = TokenizerSpec(ModelType.WORDPIECE, {0: Piece(TokenType.ORDINARY, "a")})


@dataclass
class Encoder:
    """An encoder of which nothing but its transcript is looked at."""

    transcript: Transcript | None


@dataclass(eq=False)
class Counted:
    """A check that yields one word, and counts how often it was asked."""

    asked: int = 0

    def __call__(self, **_: object) -> Iterator[str]:
        self.asked += 1
        yield "one finding"


@dataclass
class Run:
    """A memo, and the key of each need that it gave, as the needs of a subject hold them."""

    memo: Memo = field(default_factory=Memo)
    given: list[tuple[Any, Key | None]] = field(default_factory=list)

    def stated(self, spec: TokenizerSpec) -> TokenizerSpec:
        """A spec as the files of a subject state it."""
        found: TokenizerSpec = self._noted(self.memo.built(lambda: spec, {}, ()))
        return found

    def built(self, build: Callable[..., Any], **arguments: object) -> Any:
        return self._noted(self.memo.built(build, arguments, self._keys(arguments)))

    def without_files(self, build: Callable[..., Any], **arguments: object) -> Any:
        return self._noted(self.memo.built(build, arguments, self._keys(arguments), True))

    def said(self, check: Callable[..., Iterator[Any]], **arguments: object) -> Iterator[Any]:
        return self.memo.said(check, arguments, self._keys(arguments))

    def _keys(self, arguments: Mapping[str, object]) -> list[Key | None]:
        known = ((key for one, key in self.given if one is given) for given in arguments.values())
        return [
            next(keys, None) or self.memo.key_of(given)
            for keys, given in zip(known, arguments.values(), strict=True)
        ]

    def _noted(self, found: tuple[Any, Key | None]) -> Any:
        self.given.insert(0, found)
        return found[0]


def run_of(spec: TokenizerSpec) -> Run:
    """A run in which a spec was stated, and nothing of it has been asked yet."""
    run = Run()
    run.stated(spec)
    return run


def reference(transcript: Transcript | None) -> Reference:
    return Reference(Encoder(transcript))  # type: ignore[arg-type]


def test_a_check_asked_of_the_same_spec_says_the_same_without_being_asked_again() -> None:
    run, check = run_of(SPEC), Counted()
    said = [list(run.said(check, spec=SPEC)) for _ in range(2)]
    assert said == [["one finding"], ["one finding"]]
    assert check.asked == 1


def test_a_check_of_another_spec_is_asked() -> None:
    run, check = run_of(SPEC), Counted()
    list(run.said(check, spec=SPEC))
    other = run.stated(replace(SPEC, fuse_unk=True))
    assert list(run.said(check, spec=other)) == ["one finding"]
    assert check.asked == 2


def test_a_check_of_what_belongs_to_one_subject_is_asked_for_each() -> None:
    run, check = run_of(SPEC), Counted()
    for subject in ("one", "two"):
        list(run.said(check, spec=SPEC, subject=subject))
    assert check.asked == 2


def test_encoders_of_one_transcript_are_the_same_to_a_check_and_others_are_not() -> None:
    run, check, one, other = run_of(SPEC), Counted(), Transcript(), Transcript()
    for transcript in (one, one, other):
        asked = reference(transcript)
        list(run.said(check, reference=asked, traces=Traces(Encoder(transcript))))  # type: ignore[arg-type]
    assert check.asked == 2


def test_a_check_of_an_encoder_without_a_transcript_is_asked_for_each_subject() -> None:
    run, check = run_of(SPEC), Counted()
    for _ in range(2):
        list(run.said(check, reference=reference(None)))
    assert check.asked == 2


@pytest.mark.parametrize(
    ("other", "asked"), [(Options(timeout=3.0), 1), (Options(seed=1), 2), (Options(tier="full"), 2)]
)
def test_options_are_the_same_but_for_the_time_that_is_left(other: Options, asked: int) -> None:
    run, check = run_of(SPEC), Counted()
    for options in (Options(), other):
        list(run.said(check, options=options))
    assert check.asked == asked


def test_what_a_check_says_before_it_gives_up_is_said_each_time_and_not_run() -> None:
    run, tried = run_of(SPEC), []

    def check(spec: TokenizerSpec) -> Iterator[str]:
        tried.append(spec)
        yield "the first finding"
        raise Skip("and then no more")

    for _ in range(2):
        said = run.said(check, spec=SPEC)
        assert next(said) == "the first finding"
        with pytest.raises(Skip):
            next(said)
    assert tried == [SPEC, SPEC]


def test_answers_of_the_same_transcript_are_the_same_object_for_the_next_subject() -> None:
    run, transcript = run_of(SPEC), Transcript()
    first = run.without_files(lambda reference: [1], reference=reference(None))
    assert first == [1]

    def ask(reference: Reference) -> list[int]:
        return [2]

    asked = [run.without_files(ask, reference=reference(transcript)) for _ in range(2)]
    assert asked[0] is asked[1]


def test_specs_that_say_the_same_in_other_files_are_not_taken_for_each_other() -> None:
    origin = Origin("added_tokens.json", "/a")
    other = replace(SPEC, added_origins={"a": origin})
    run = run_of(SPEC)
    assert other == SPEC
    assert run.stated(other).added_origins == {"a": origin}


def test_what_follows_from_the_model_is_built_once_whatever_tokens_are_added() -> None:
    run, built = Run(), list[TokenizerSpec]()

    def entries(spec: TokenizerSpec) -> list[int]:
        built.append(spec)
        return sorted(spec.pieces)

    more = replace(SPEC, added_tokens=(AddedToken(1, "<pad>"),), files=("other.json",))
    pieces = {**SPEC.pieces, 1: Piece(TokenType.ORDINARY, "b")}
    others = replace(more, pieces=pieces), replace(more, pieces=pieces, unk_id=0)
    found = [run.memo.of_model(entries, {"spec": spec})[0] for spec in (SPEC, more)]
    other, again = (run.memo.of_model(entries, {"spec": spec})[0] for spec in others)

    assert found[0] is found[1]
    assert (found[0], other, again) == ([0], [0, 1], [0, 1])
    assert len(built) == 3


def copied(run: Run) -> TokenizerSpec:
    """The spec of a copy in another folder, as the subjects of a repository have it."""
    run.stated(replace(SPEC, files=("first/tokenizer.json",)))
    spec: TokenizerSpec = run.stated(replace(SPEC, files=("copy/tokenizer.json",)))
    return spec


def place(spec: TokenizerSpec) -> Iterator[Finding]:
    yield Finding(Severity.ERROR, "It is wrong.", (Place("vocab", spec.files[0]),), cause="wrong")


def test_a_copy_keeps_the_names_of_its_own_files() -> None:
    assert copied(Run()).files == ("copy/tokenizer.json",)


def test_a_check_that_names_a_file_is_asked_again_of_a_copy_in_another_folder() -> None:
    run = Run()
    first = run.stated(replace(SPEC, files=("first/tokenizer.json",)))
    list(run.said(place, spec=first))
    (found,) = run.said(place, spec=copied(run))
    assert found.places[0].file == "copy/tokenizer.json"
    (again,) = run.said(place, spec=first)
    assert again.places[0].file == "first/tokenizer.json"


def test_a_check_that_names_no_file_is_asked_once_for_all_copies() -> None:
    run, check = Run(), Counted()
    first = run.stated(replace(SPEC, files=("first/tokenizer.json",)))
    list(run.said(check, spec=first))
    assert list(run.said(check, spec=copied(run))) == ["one finding"]
    assert check.asked == 1


def test_a_need_that_may_name_files_is_built_for_each_copy_and_another_is_not() -> None:
    run = Run()
    first = run.stated(replace(SPEC, files=("first/tokenizer.json",)))

    def files(spec: TokenizerSpec) -> list[str]:
        return list(spec.files)

    def sizes(spec: TokenizerSpec) -> list[int]:
        return [len(spec.pieces)]

    assert run.built(files, spec=first) == ["first/tokenizer.json"]
    size = run.without_files(sizes, spec=first)
    copy = copied(run)
    assert run.built(files, spec=copy) == ["copy/tokenizer.json"]
    assert run.without_files(sizes, spec=copy) is size


def test_a_hash_of_a_spec_is_worked_out_once_and_of_an_unknown_one_each_time() -> None:
    run, worked = run_of(SPEC), []

    def work() -> int:
        worked.append(1)
        return len(worked)

    (_, key), *_ = run.given
    assert [run.memo.of_spec("vocab-v1", key, work) for _ in range(2)] == [1, 1]
    assert [run.memo.of_spec("vocab-v1", None, work) for _ in range(2)] == [2, 3]
