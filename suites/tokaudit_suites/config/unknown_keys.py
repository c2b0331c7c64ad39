"""Settings that no known loader reads."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit.subject.upstream.setting_key import ADDED, MODEL, TOKENIZER, sounds_like_ids
from tokaudit_suites.config._known import KnownKeys
from tokaudit_suites.shared.near_names import nearest_key
from tokaudit_suites.shared.repairs import removed, repaired, setting
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.wording import plural, some

TOKENS = ("_token", "_token_id", "_tokens")  # of the model's own, such as boi_token
A_MODEL = ("model_type", "architectures")  # without them it is the config of something else
OWN = "auto_map"  # code of the checkpoint reads what it likes
OF_ENGINES = ("draft_vocab_size",)  # read by engines that propose tokens, and not by transformers


@check(
    "config/unknown-keys",
    title="Loaders know every key of the settings",
    why="Loaders silently ignore a key that is misspelled or meant for another class, and use a "
    "default instead of the value that the key states.",
    remedy="Correct the spelling of the key in {file|the file}, or delete the key.",
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="A library of the owner's may read the key under this name.",
    basis=Basis.INTRINSIC,
    incident="A wrong name for an argument of a tokenizer was passed over, as further "
    "keywords are allowed (mlcommons/modelgauge PR#219).",
)
def unknown_keys(keys: StatedKeys, known: KnownKeys) -> Iterator[Finding]:
    """Report keys that resemble a known one singly, and list the others once for each file."""
    files: dict[str, list[StatedKey]] = {}
    for key in keys.all:
        if key.base in known.by_file or key.base == ADDED:
            files.setdefault(key.file, []).append(key)
    if not files:
        raise NotApplicable("no settings file is here whose keys are known")
    for file, stated in files.items():
        others: list[StatedKey] = []
        for key in _strange(stated, known):
            if (near := _near(key, stated, known)) is None:
                others.append(key)
                continue
            yield key.reported(
                Severity.WARNING,
                f"{file} has the key {key.key!r}, which no loader is known to read; loaders read "
                f"{near!r}, which the file lacks.",
                repaired(removed(key.place()), setting(file, near, key.value)),
            )
        if others:
            names = some([repr(key.key[:60]) for key in others], 12)
            yield Finding(
                Severity.INFO,
                f"{file} has {plural(len(others), 'key')} that no loader is known to read: "
                f"{names}.",
                tuple(key.place() for key in others[:12]),
                cause="unknown",
            )


def _near(key: StatedKey, stated: list[StatedKey], known: KnownKeys) -> str | None:
    """Return the intended key, unless the file also has it or it is an added token."""
    near = None if key.base == ADDED else nearest_key(key.key, known.by_file[key.base])
    return None if near in {each.key for each in stated} else near


def _strange(stated: list[StatedKey], known: KnownKeys) -> Iterator[StatedKey]:
    """Yield the keys in no list; of added tokens, those without an id."""
    if any(key.key == OWN and key.base != TOKENIZER for key in stated):
        return
    of_a_model = any(key.key in A_MODEL for key in stated)
    for key in stated:
        if key.base == ADDED:
            if isinstance(key.value, bool) or not isinstance(key.value, int):
                yield key
        elif key.base == MODEL:
            listed = key.key in known.by_file[MODEL] or key.key in OF_ENGINES
            if of_a_model and not listed and sounds_like_ids(key.key):
                yield key
        elif key.key not in known.by_file[key.base] and not key.key.endswith(TOKENS):
            yield key
