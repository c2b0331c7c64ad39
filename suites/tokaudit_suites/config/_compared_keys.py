"""The keys of settings that checks compare, and what each is compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tokaudit.plugin import Finding, NotApplicable, Subject, need
from tokaudit.subject.upstream.setting_key import compared_by
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.shared.rows_and_positions import ModelSizes
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys


@dataclass(frozen=True, slots=True)
class RuleContext:
    """The context of a setting's rule: the tokenizer, and the other settings."""

    subject: Subject
    spec: TokenizerSpec
    keys: tuple[StatedKey, ...] = ()
    sizes: ModelSizes | None = None

    def stated(self, base: str, *above: str) -> Any:
        """Return what a file states at a place, or None: its first key, and the keys below that."""
        key, *below = above
        found = next((s.value for s in self.keys if (s.base, s.key) == (base, key)), None)
        for name in below:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    @property
    def lists_added_tokens(self) -> bool:
        """Whether the tokenizer's own file lists its added tokens; to another a class adds them."""
        return self.spec.normalizer.standing is Standing.STATED


Rule = Callable[[RuleContext, StatedKey], Iterator[Finding]]


@dataclass(frozen=True)
class ComparedKeys:
    """The settings of one subject, by the check that compares them."""

    context: RuleContext

    def of(self, check: str) -> tuple[StatedKey, ...]:
        """The keys of a check that have a value; not applicable where no file states one."""
        keys = compared_by(check)
        found = (key for key in self.context.keys if (key.base, key.key) in keys)
        if stated := tuple(found):
            return stated
        raise NotApplicable("no settings file states a key that this check compares")


@need
def compared_keys(
    keys: StatedKeys, subject: Subject, spec: TokenizerSpec, sizes: ModelSizes
) -> ComparedKeys:
    """Every key that the settings files state, with the tokenizer and the sizes of the model."""
    return ComparedKeys(RuleContext(subject, spec, keys.all, sizes))
