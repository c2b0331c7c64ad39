"""No two tables of the room answer one question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from tokaudit.subject.upstream import records, setting_key
from tokaudit.subject.upstream.setting_key import LISTED, OLDER, TOKENIZER
from tokaudit.subject.upstream.tokenizer_class import SLOW, every_class
from tokaudit.subject.upstream.versions import FOUR, NO_ARGUMENT

DRAWN_AND_READ = ("builds", "tokenizer")
"""What a record draws, or states by hand where a version shows nothing of it."""


def listings_of(file: str) -> Iterator[str]:
    """Each key as often as it is said to be known of a file: by a section, a list or a class."""
    record = records.settings_record(file)
    yield from record.keys() - {LISTED}
    yield from setting_key.listed_keys(file)
    yield from record.get(LISTED, {}).get(OLDER, ())


@pytest.mark.parametrize("file", records.settings_files())
def test_a_key_is_known_by_one_list(file: str) -> None:
    named = Counter(listings_of(file))
    assert [key for key, count in named.items() if count > 1] == []


def test_a_key_that_a_class_states_is_in_no_list() -> None:
    of_classes = {key for known in every_class().values() for key in known.settings}
    assert of_classes & set(setting_key.listed_keys(TOKENIZER)) == set()


def test_what_is_drawn_is_not_written_by_hand() -> None:
    classes = {name: records.class_record(name) for name in records.class_names()}
    types = {name: records.type_record(name) for name in records.type_names()}
    both = [
        name
        for name, record in {**classes, **types}.items()
        for key in DRAWN_AND_READ
        if record and record.get(key) and key in record.get(records.BY_HAND, {})
    ]
    assert both == []


def test_a_token_that_versions_disagree_on_is_that_of_the_first_one_with_it() -> None:
    for name, known in every_class().items():
        for role, by_version in known.tokens_by_version.items():
            alone, four = (known.tokens or {}).get(role), by_version.taken(FOUR)
            assert alone in (None, four), name
            assert (alone is None) == (four in ("", NO_ARGUMENT)) or SLOW in by_version.four
