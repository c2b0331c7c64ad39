"""Ids that generation uses when no config states them, and the file or class that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.plugin import Fact, Subject
from tokaudit.subject.upstream.checkpoints import nested_parts, sizes_of_a_whole
from tokaudit.subject.upstream.model_type import value_of
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import from_generation, role_ids

MODEL, GENERATION = "config.json", "generation_config.json"
COPIED = "_from_model_config"
SIZE = "vocab_size"  # of every kind of model that the table knows
Ids = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """A role that no config states, its fallback, and the ids by version."""

    role: str
    fact: Fact
    by_version: Mapping[str, Ids]

    @property
    def ids(self) -> set[int]:
        """Return the ids of all versions."""
        return {id for ids in self.by_version.values() for id in ids}

    @property
    def versions(self) -> str:
        """Name the versions that use an id, for a sentence."""
        return " and ".join(version for version, ids in self.by_version.items() if ids)


def kind_of(subject: Subject) -> Fact | None:
    """Return the model type of a single-part model; parts of larger models have their own ids."""
    facts = subject.facts_named("model_type")
    kind = next((f for f in facts if f.pointer == "/model_type"), None)
    nested = tuple(f"/{part}/" for part in nested_parts())
    if kind is None or subject.base_of(kind) != MODEL:
        return None
    parts = (f for f in subject.facts if f.file == kind.file and f.pointer.startswith(nested))
    return None if any(True for _ in parts) else kind


def is_whole(keys: StatedKeys) -> bool:
    """Return whether a config states the model's size; without it, it may describe a part."""
    return any(key.base == MODEL and key.key in sizes_of_a_whole() for key in keys.all)


def left_open(subject: Subject, keys: StatedKeys, role: str, kind: Fact) -> LeftOpen | None:
    """Return a role that no config states; None if one does or the fallback is unknown.

    Where generation has a file, no other is asked; what is made from the model's config says so.
    """
    stated = [fact for fact, _ in role_ids(subject, role)]
    own = [key for key in keys.all if key.base == GENERATION]
    if any(from_generation(fact) for fact in stated):
        return None
    if own:
        if any(key.key in (COPIED, f"{role}_token_id") and key.value for key in own):
            return None  # what is not of a type that loaders take, files/config-types names
        return LeftOpen(role, Fact(f"{role}_token_id", None, own[0].file, ""), {})
    found = value_of(str(kind.value), f"{role}_token_id")
    if stated or (found is None and value_of(str(kind.value), SIZE) is None):
        return None
    return LeftOpen(role, kind, {} if found is None else found.by_version())
