"""The ids that generation uses where a config does not state them: which file or class decides."""

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
    """A role, who leaves it open, and the ids that each version takes; none where there is none."""

    role: str
    fact: Fact
    by_version: Mapping[str, Ids]

    @property
    def ids(self) -> set[int]:
        """The ids of all versions."""
        return {id for ids in self.by_version.values() for id in ids}

    @property
    def versions(self) -> str:
        """The versions that take an id, as a sentence names them."""
        return " and ".join(version for version, ids in self.by_version.items() if ids)


def kind_of(subject: Subject) -> Fact | None:
    """The kind of a model of one part; a model of several parts leaves its ids to those."""
    facts = subject.facts_named("model_type")
    kind = next((f for f in facts if f.pointer == "/model_type"), None)
    nested = tuple(f"/{part}/" for part in nested_parts())
    if kind is None or subject.base_of(kind) != MODEL:
        return None
    parts = (f for f in subject.facts if f.file == kind.file and f.pointer.startswith(nested))
    return None if any(True for _ in parts) else kind


def is_whole(keys: StatedKeys) -> bool:
    """Whether a config says how large the model is; one that does not may be a part of one."""
    return any(key.base == MODEL and key.key in sizes_of_a_whole() for key in keys.all)


def left_open(subject: Subject, keys: StatedKeys, role: str, kind: Fact) -> LeftOpen | None:
    """A role that no config states; None where one does, or it is not known what takes its place.

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
