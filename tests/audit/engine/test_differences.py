"""Where ids differ is found in the worker, and the same from the ids themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit.products.chat.work.claims import Claim, Differences
from tokaudit.products.chat.work.renderings import ChatIds
from tokaudit.runtimes.adapters.reference_adapter import Reference
from tokaudit.runtimes.protocol import Continuation
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.tokenizer import ReferenceTokenizer


class Asked(Reference):
    """The reference as a worker has it, asked about several at once."""

    def differences(self, asked: list[Continuation]) -> list[int | None]:
        return [self.first_difference(one) for one in asked]


@pytest.fixture
def tokenizer(tmp_path: Path) -> ReferenceTokenizer:
    """`ab` is one token."""
    Folder.bpe("abc", ["a b"]).write(tmp_path)
    [(_, spec)] = parse_all(open_subject(str(tmp_path))).parsed
    return ReferenceTokenizer(spec)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (Continuation(("b", "a"), "bac"), ""),
        (Continuation(("b", "a"), "bac", whole=True), "from 2"),
        (Continuation(("b", "a"), "bab"), "from 1"),
        (Continuation(("a", "b"), "ab", whole=True), "from 0"),
        (Continuation(("bc", (0,)), "bca", whole=True), ""),
        (Continuation(("bc", (1,)), "bca"), "from 2"),
        (Continuation(("bc",), "b"), "from 1"),
        (Continuation((1, 1), "bac"), ""),
        (Continuation((1, 1), "bac", whole=True), "from 2"),
        (Continuation((1, "b"), "bac"), "from 1"),
        (Continuation((1, 1), "ab", whole=True), "from 0"),
    ],
)
@pytest.mark.parametrize("of", [Asked, Reference])
def test_the_first_id_that_is_not_that_of_the_parts_is_named(
    tokenizer: ReferenceTokenizer, of: type[Reference], asked: Continuation, words: str
) -> None:
    claim = Claim("from {token}", asked)
    differences = Differences(ChatIds(of(tokenizer)))
    differences.ask([claim])
    assert differences.broken(claim) == words
