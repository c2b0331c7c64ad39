"""Keys that one settings file states twice, with different values."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Place, Severity, check
from tokaudit_suites.config._settings_read import MOST, SettingsRead, in_json
from tokaudit_suites.shared.repairs import person_decides


@check(
    "config/stated-twice",
    title="No settings file states a key twice",
    why="If a JSON file states a key twice, one JSON parser keeps the last value, another the "
    "first, and a third refuses the file. Loaders in two programming languages may build two "
    "different tokenizers from a file that states a key twice.",
    remedy="Find out which of the two values is right, and delete the other from {file|the file}.",
    repair=person_decides("which of the two values is meant is not in the file"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A field that was there twice had one of its values read, and nobody was warned "
    "(bids-standard/bids-validator #73); RFC 8259, section 4, leaves it to the reader.",
)
def no_key_twice(read: SettingsRead) -> Iterator[Finding]:
    """Report each key that has two values."""
    for each in read.twice[:MOST]:
        yield Finding(
            Severity.ERROR,
            f"{each.file} states {each.key[:60]!r} twice, as {in_json(each.first)} and as "
            f"{in_json(each.last)}; which value counts depends on the JSON parser.",
            (Place("config", each.file, "", each.key),),
            cause="twice",
        )
