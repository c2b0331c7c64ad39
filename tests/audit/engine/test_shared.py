"""What subjects of one run share is what was built and said of the same, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from tokaudit.engine.needs import Options, Reference, Traces
from tokaudit.engine.shared import KeptNeeds
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


def kept_of(spec: TokenizerSpec) -> KeptNeeds:
    """What is kept of a spec, of which nothing has been asked yet."""
    kept = KeptNeeds()
    kept.built(lambda: spec, {})
    return kept


def reference(transcript: Transcript | None) -> Reference:
    return Reference(Encoder(transcript))  # type: ignore[arg-type]


def test_a_check_asked_of_the_same_spec_says_the_same_without_being_asked_again() -> None:
    kept, check = kept_of(SPEC), Counted()
    said = [list(kept.said(check, {"spec": SPEC})) for _ in range(2)]
    assert said == [["one finding"], ["one finding"]]
    assert check.asked == 1


def test_a_check_of_another_spec_is_asked() -> None:
    kept, check = kept_of(SPEC), Counted()
    list(kept.said(check, {"spec": SPEC}))
    other = kept.built(lambda: replace(SPEC, fuse_unk=True), {})
    assert list(kept.said(check, {"spec": other})) == ["one finding"]
    assert check.asked == 2


def test_a_check_of_what_belongs_to_one_subject_is_asked_for_each() -> None:
    kept, check = kept_of(SPEC), Counted()
    for subject in ("one", "two"):
        list(kept.said(check, {"spec": SPEC, "subject": subject}))
    assert check.asked == 2


def test_encoders_of_one_transcript_are_the_same_to_a_check_and_others_are_not() -> None:
    kept, check, one, other = kept_of(SPEC), Counted(), Transcript(), Transcript()
    for transcript in (one, one, other):
        asked = reference(transcript)
        list(kept.said(check, {"reference": asked, "traces": Traces(Encoder(transcript))}))  # type: ignore[arg-type]
    assert check.asked == 2


def test_a_check_of_an_encoder_without_a_transcript_is_asked_for_each_subject() -> None:
    kept, check = kept_of(SPEC), Counted()
    for _ in range(2):
        list(kept.said(check, {"reference": reference(None)}))
    assert check.asked == 2


@pytest.mark.parametrize(
    ("other", "asked"), [(Options(timeout=3.0), 1), (Options(seed=1), 2), (Options(tier="full"), 2)]
)
def test_options_are_the_same_but_for_the_time_that_is_left(other: Options, asked: int) -> None:
    kept, check = kept_of(SPEC), Counted()
    for options in (Options(), other):
        list(kept.said(check, {"options": options}))
    assert check.asked == asked


def test_what_a_check_says_before_it_gives_up_is_said_each_time_and_not_kept() -> None:
    kept, tried = kept_of(SPEC), []

    def check(spec: TokenizerSpec) -> Iterator[str]:
        tried.append(spec)
        yield "the first finding"
        raise Skip("and then no more")

    for _ in range(2):
        said = kept.said(check, {"spec": SPEC})
        assert next(said) == "the first finding"
        with pytest.raises(Skip):
            next(said)
    assert tried == [SPEC, SPEC]


def test_answers_of_the_same_transcript_are_the_same_object_for_the_next_subject() -> None:
    kept, transcript = kept_of(SPEC), Transcript()
    first = kept.without_files(lambda reference: [1], {"reference": reference(None)})
    assert first == [1]

    def ask(reference: Reference) -> list[int]:
        return [2]

    asked = [kept.without_files(ask, {"reference": reference(transcript)}) for _ in range(2)]
    assert asked[0] is asked[1]


def test_specs_that_say_the_same_in_other_files_are_not_taken_for_each_other() -> None:
    origin = Origin("added_tokens.json", "/a")
    other = replace(SPEC, added_origins={"a": origin})
    kept = kept_of(SPEC)
    assert other == SPEC
    assert kept.built(lambda: other, {}).added_origins == {"a": origin}


def test_what_follows_from_the_model_is_built_once_whatever_tokens_are_added() -> None:
    kept, built = KeptNeeds(), list[TokenizerSpec]()

    def entries(spec: TokenizerSpec) -> list[int]:
        built.append(spec)
        return sorted(spec.pieces)

    more = replace(SPEC, added_tokens=(AddedToken(1, "<pad>"),), files=("other.json",))
    pieces = {**SPEC.pieces, 1: Piece(TokenType.ORDINARY, "b")}
    found = [kept.of_model(entries, {"spec": spec}) for spec in (SPEC, more)]
    other = kept.of_model(entries, {"spec": replace(more, pieces=pieces)})
    again = kept.of_model(entries, {"spec": replace(more, pieces=pieces, unk_id=0)})

    assert found[0] is found[1]
    assert (found[0], other, again) == ([0], [0, 1], [0, 1])
    assert len(built) == 3


def copied(kept: KeptNeeds) -> TokenizerSpec:
    """The spec of a copy in another folder, as the subjects of a repository have it."""
    kept.built(lambda: replace(SPEC, files=("first/tokenizer.json",)), {})
    spec: TokenizerSpec = kept.built(lambda: replace(SPEC, files=("copy/tokenizer.json",)), {})
    return spec


def place(spec: TokenizerSpec) -> Iterator[Finding]:
    yield Finding(Severity.ERROR, "It is wrong.", (Place("vocab", spec.files[0]),), cause="wrong")


def test_a_copy_keeps_the_names_of_its_own_files() -> None:
    assert copied(KeptNeeds()).files == ("copy/tokenizer.json",)


def test_a_check_that_names_a_file_is_asked_again_of_a_copy_in_another_folder() -> None:
    kept = KeptNeeds()
    first = kept.built(lambda: replace(SPEC, files=("first/tokenizer.json",)), {})
    list(kept.said(place, {"spec": first}))
    (found,) = kept.said(place, {"spec": copied(kept)})
    assert found.places[0].file == "copy/tokenizer.json"
    (again,) = kept.said(place, {"spec": first})
    assert again.places[0].file == "first/tokenizer.json"


def test_a_check_that_names_no_file_is_asked_once_for_all_copies() -> None:
    kept, check = KeptNeeds(), Counted()
    first = kept.built(lambda: replace(SPEC, files=("first/tokenizer.json",)), {})
    list(kept.said(check, {"spec": first}))
    assert list(kept.said(check, {"spec": copied(kept)})) == ["one finding"]
    assert check.asked == 1


def test_a_need_that_may_name_files_is_built_for_each_copy_and_another_is_not() -> None:
    kept = KeptNeeds()
    first = kept.built(lambda: replace(SPEC, files=("first/tokenizer.json",)), {})

    def files(spec: TokenizerSpec) -> list[str]:
        return list(spec.files)

    def sizes(spec: TokenizerSpec) -> list[int]:
        return [len(spec.pieces)]

    assert kept.built(files, {"spec": first}) == ["first/tokenizer.json"]
    size = kept.without_files(sizes, {"spec": first})
    copy = copied(kept)
    assert kept.built(files, {"spec": copy}) == ["copy/tokenizer.json"]
    assert kept.without_files(sizes, {"spec": copy}) is size


def test_a_hash_of_a_spec_is_worked_out_once_and_of_an_unknown_one_each_time() -> None:
    kept, worked = kept_of(SPEC), []

    def work() -> int:
        worked.append(1)
        return len(worked)

    assert [kept.of_spec("vocab-v1", SPEC, work) for _ in range(2)] == [1, 1]
    unknown = replace(SPEC, fuse_unk=True)
    assert [kept.of_spec("vocab-v1", unknown, work) for _ in range(2)] == [2, 3]
