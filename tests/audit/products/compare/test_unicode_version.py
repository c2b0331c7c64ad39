"""Which version of Unicode an engine's tables are of, by its answers alone."""

from __future__ import annotations

import pytest

from tokaudit.products.engines.covering.characters import LETTERS_OF_VERSIONS
from tokaudit.products.engines.referee import unicode_version
from tokaudit.products.engines.referee.match import Match
from tokaudit.products.engines.referee.unicode_version import UnicodeSeen, unicode_of
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_runtimes.engine import Engine
from tokaudit_runtimes.trials import spec_of

UNASSIGNED = "\U00040001"
AFTER_14 = "".join(LETTERS_OF_VERSIONS[each] for each in ("15.0", "15.1", "16.0", "17.0"))


class Older(Engine):
    """An engine whose tables lack some letters: each is as one that no version has."""

    def __init__(self, spec: TokenizerSpec, lacks: str) -> None:
        super().__init__(spec)
        self._lacks = lacks

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        """Cut as around a code point without a character."""
        for letter in self._lacks:
            found = super().one(text.replace(letter, UNASSIGNED), options)
            if letter in text:
                own = super().one(letter, options).ids
                other = super().one(UNASSIGNED, options).ids
                return Encoding(ids=exchanged(found.ids, other, own))
        return super().one(text, options)


def exchanged(ids: tuple[int, ...], old: tuple[int, ...], new: tuple[int, ...]) -> tuple[int, ...]:
    """Ids with one run of them for another."""
    found, at = list[int](), 0
    while at < len(ids):
        here = ids[at : at + len(old)] == old
        found += new if here else ids[at : at + 1]
        at += len(old) if here else 1
    return tuple(found)


@pytest.fixture(autouse=True)
def few_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unicode_version, "_new_letters", lambda: iter("\U00010d4a\U00010d4b"))


@pytest.mark.parametrize(
    ("lacks", "seen"),
    [
        ("", UnicodeSeen("16.0", "U+11DB0")),  # the version that patterns are read by
        (AFTER_14, UnicodeSeen("14.0", "U+105C0, U+11DB0, U+11F04, U+2EBF0")),
        ("\U00011db0", UnicodeSeen("16.0", "U+11DB0")),
        ("\U00011db0\U00010d4a\U00010d4b", UnicodeSeen("16.0", "U+10D4A-10D4B, U+11DB0")),
        ("".join(LETTERS_OF_VERSIONS.values()), "7.0 or earlier"),
    ],
    ids=["none", "after 14.0", "the last", "a range", "all"],
)
def test_the_letters_that_an_engine_lacks_date_its_tables(
    lacks: str, seen: UnicodeSeen | str
) -> None:
    spec = spec_of("bytes")
    found = unicode_of(Match(spec, Engine(spec), Older(spec, lacks)))
    assert seen in (found, found.version)


def test_a_tokenizer_that_looks_up_no_letters_shows_no_version() -> None:
    spec = spec_of("pieces")
    assert unicode_of(Match(spec, Engine(spec), Engine(spec))) == UnicodeSeen()
