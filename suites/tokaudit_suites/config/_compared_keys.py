"""Keys of settings that checks compare, each with its reference value."""

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
    """Input of a setting's rule: the tokenizer, and the other settings."""

    subject: Subject
    spec: TokenizerSpec
    keys: tuple[StatedKey, ...] = ()
    sizes: ModelSizes | None = None

    def stated(self, base: str, *above: str) -> Any:
        """Return the value of a nested key in a settings file, or None."""
        key, *below = above
        found = next((s.value for s in self.keys if (s.base, s.key) == (base, key)), None)
        for name in below:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    @property
    def lists_added_tokens(self) -> bool:
        """Return whether the tokenizer's own file lists its added tokens, instead of a class."""
        return self.spec.normalizer.standing is Standing.STATED


Rule = Callable[[RuleContext, StatedKey], Iterator[Finding]]


@dataclass(frozen=True)
class ComparedKeys:
    """Settings of one subject, by the check that compares them."""

    context: RuleContext

    def of(self, check: str) -> tuple[StatedKey, ...]:
        """Return the stated keys of a check; not applicable if no file states one."""
        keys = compared_by(check)
        found = (key for key in self.context.keys if (key.base, key.key) in keys)
        if stated := tuple(found):
            return stated
        raise NotApplicable("no settings file states a key that this check compares")


@need
def compared_keys(
    keys: StatedKeys, subject: Subject, spec: TokenizerSpec, sizes: ModelSizes
) -> ComparedKeys:
    """Collect every key of the settings files, with the tokenizer and the model's sizes."""
    return ComparedKeys(RuleContext(subject, spec, keys.all, sizes))
