"""The same bytes, asked the same, are answered once in a run; nothing else is taken over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerTokenizer
from tokaudit.runtimes.worker.known_answers import KnownAnswers, Replay
from tokaudit.runtimes.worker.questions import Encode, TimedEncode
from tokaudit_folders.folder import Folder

QUESTION = Encode(["a"])
SPEC = LoadRequest("reference", spec=b"a spec")


def answers(*given: object) -> Callable[[], object]:
    """Something to ask that gives these, one after the other, and then ends the test."""
    left = iter(given)

    def ask() -> object:
        found = next(left)
        if isinstance(found, Exception):
            raise found
        return found

    return ask


def replays(known: KnownAnswers, request: LoadRequest = SPEC) -> Replay:
    found = known.replay(request)
    assert found is not None
    return found


def test_a_further_subject_is_answered_without_being_asked() -> None:
    known = KnownAnswers()
    assert replays(known).answer(QUESTION, answers("first")) == "first"
    assert replays(known).answer(QUESTION, answers()) == "first"


def test_what_is_asked_twice_keeps_both_answers_in_their_order() -> None:
    known = KnownAnswers()
    asked, ask = replays(known), answers("one", "two")
    assert [asked.answer(QUESTION, ask), asked.answer(QUESTION, ask)] == ["one", "two"]
    again = replays(known)
    assert [again.answer(QUESTION, answers()) for _ in range(2)] == ["one", "two"]


def test_a_refusal_is_an_answer_too() -> None:
    known = KnownAnswers()
    for ask in (answers(UpstreamRefused("no")), answers()):
        with pytest.raises(UpstreamRefused, match="no"):
            replays(known).answer(QUESTION, ask)


def test_after_another_failure_the_next_subject_is_asked_anew() -> None:
    known = KnownAnswers()
    broken = replays(known)
    assert broken.answer(QUESTION, answers("before")) == "before"
    with pytest.raises(RuntimeError):
        broken.answer(Encode(["b"]), answers(RuntimeError()))
    assert replays(known).answer(QUESTION, answers("anew")) == "anew"


def test_a_measurement_of_time_is_made_each_time() -> None:
    known, question = KnownAnswers(), TimedEncode(["a"], 1)
    assert replays(known).answer(question, answers(1.0)) == 1.0
    assert replays(known).answer(question, answers(2.0)) == 2.0


def test_other_bytes_under_the_same_name_are_asked(tmp_path: Path) -> None:
    known, found = KnownAnswers(), []
    for folder, text in (("a", "one"), ("b", "one"), ("c", "two")):
        path = tmp_path / folder / "tokenizer.json"
        path.parent.mkdir()
        path.write_text(text)
        request = LoadRequest("tokenizers", str(path), files=(str(path),))
        found.append(replays(known, request).answer(QUESTION, answers(folder)))
    assert found == ["a", "a", "c"]


@pytest.mark.parametrize(
    "request_", [LoadRequest("call", "mine:encode"), replace(SPEC, place="/opt/python")], ids=str
)
def test_what_the_user_named_is_always_asked(request_: LoadRequest) -> None:
    assert KnownAnswers().replay(request_) is None


def test_a_worker_is_started_for_the_first_subject_only(tmp_path: Path, processes: None) -> None:
    path = str(Folder.bpe("ab", [("a", "b")]).write(tmp_path) / "tokenizer.json")
    known, request = KnownAnswers(), LoadRequest("tokenizers", path, files=(path,))
    with WorkerTokenizer(request, replay=known.replay(request)) as first:
        asked = first.encode(["ab"])
    with WorkerTokenizer(request, replay=known.replay(request)) as second:
        assert second.encode(["ab"]) == asked
        assert second.info == first.info
        assert (first.stats.texts, second.stats.texts, second.stats.calls) == (1, 0, 0)
