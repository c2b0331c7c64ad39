"""Find the value that one version uses for a setting: a file's, or else a default.

A setting that the version does not act on has no value: `left_alone` tells that from one that is
absent.  A null that is stated is a value of its own, as it takes the place of the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.effective.class_choice import FAST, ClassChoice
from tokaudit.subject.effective.handed_settings import HandedSetting, handed_settings
from tokaudit.subject.effective.loaders import Loader
from tokaudit.subject.effective.value_forms import CONTENT
from tokaudit.subject.material import Subject
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.ends import PREFIX
from tokaudit.subject.upstream.over_tokenizer_json import acts_on
from tokaudit.subject.upstream.precedence import first_of
from tokaudit.subject.upstream.setting_key import defaults_of
from tokaudit.subject.upstream.tokenizer_class import (
    AS_FILE,
    ClassSetting,
    TokenizerClass,
    class_named,
)
from tokaudit.subject.upstream.versions import ABSENT, FOUR, NO_ARGUMENT
from tokaudit_reference.spec import TokenizerSpec

SETTINGS = (
    *("padding_side", "truncation_side", "model_max_length", "clean_up_tokenization_spaces"),
    *("split_special_tokens", PREFIX, "do_lower_case", "strip_accents"),
)
OF_BLOCKS = {"padding_side": "padding", "truncation_side": "truncation"}
"""Sides that a block of tokenizer.json states, where no setting does."""
LENGTH, PAD = "model_max_length", "pad_token"
WORDS: dict[str, Any] = {"true": True, "false": False, "10^30": int(1e30), "": None}


@dataclass(frozen=True, slots=True)
class VersionReader:
    """One version that loads a folder with a class, and the settings passed to it."""

    subject: Subject
    version_of: Loader
    choice: ClassChoice
    spec: TokenizerSpec | None
    handed: Mapping[str, HandedSetting]

    @property
    def version(self) -> str:
        """Return the version number."""
        return self.version_of.version

    @property
    def loader(self) -> str:
        """Name the library and version, marked as emulated."""
        return f"{self.version_of.name} (emulated)"

    @property
    def known(self) -> TokenizerClass | None:
        """Return the record of the class."""
        return class_named(self.choice.name)

    def role(self, key: str) -> LoaderValue | None:
        """Return a role's token; None if no file states it and no record knows it.

        A class that takes no token for padding leaves it to the block of tokenizer.json.
        """
        if (found := self._stated(key)) is not None:
            return found
        known, role = self.known, key.removesuffix("_token")
        taken = NO_ARGUMENT if known is None else (known.tokens or {}).get(role, NO_ARGUMENT)
        own = None if known is None else known.tokens_by_version.get(role, known.settings.get(key))
        if own is not None:
            taken = self._taken(own)
        if key == PAD and taken == NO_ARGUMENT and (block := self._block("padding", key)):
            return block
        if self.spec is None and self.choice.name == AS_FILE:
            return None  # its roles are those of the SentencePiece model
        return self._of_class(key, taken)

    def setting(self, key: str) -> LoaderValue | None:
        """Return a setting; None if the version ignores it, or no record knows it."""
        if not self._acts(key):
            return None
        names = first_of("length") if key == LENGTH else (key,)
        stated = next((each for name in names if (each := self._stated(name))), None)
        if stated is not None and not (key == LENGTH and stated.value is None):
            return replace(stated, key=key)
        if key in OF_BLOCKS and (block := self._block(OF_BLOCKS[key], "direction")) is not None:
            return replace(block, key=key)
        own = None if self.known is None else self.known.settings.get(key)
        taken = NO_ARGUMENT if own is None or stated is not None else self._taken(own)
        if taken not in (NO_ARGUMENT, ABSENT):
            return self._of_class(key, taken)
        general = defaults_of(key)[self.version != FOUR]
        if not general:
            return None
        return LoaderValue(key, self.loader, WORDS.get(general, general), SaidBy.LIBRARY)

    def _taken(self, own: ClassSetting) -> str:
        return own.taken(self.version, self.choice.is_fast, self.spec is not None)

    def _acts(self, key: str) -> bool:
        if self.spec is None:
            own = None if self.known is None else self.known.settings.get(key)
            taken = NO_ARGUMENT if own is None else self._taken(own)
            return taken not in (NO_ARGUMENT, ABSENT) or bool(defaults_of(key)[0])
        steps = self.spec.pre_tokenizer.options or {}
        acts = acts_on(self.known, key, PREFIX in steps)
        return acts is not None and acts[self.version != FOUR]

    def _stated(self, key: str) -> LoaderValue | None:
        stated = self.handed.get(key)
        if stated is None:
            return None
        value, at = stated.value, pointer(key)
        if isinstance(value, dict) and isinstance(value.get(CONTENT), str):
            value, at = value[CONTENT], pointer(key, CONTENT)
        return LoaderValue(key, self.loader, value, SaidBy.FILE, stated.file, at)

    def _block(self, block: str, key: str) -> LoaderValue | None:
        stage = None if self.spec is None else getattr(self.spec, block)
        options = stage.options if stage is not None else None
        if self.spec is None or not options or key not in options:
            return None
        value = options[key]
        shown = value.lower() if key == "direction" and isinstance(value, str) else value
        at = pointer(block, key)
        return LoaderValue(key, self.loader, shown, SaidBy.FILE, self.spec.files[0], at)

    def _of_class(self, key: str, taken: str) -> LoaderValue:
        value = WORDS.get(taken, taken)
        if value is None or taken == NO_ARGUMENT:
            return LoaderValue(key, self.loader, None, SaidBy.NOBODY)
        name = self.choice.name.removesuffix(FAST)
        return LoaderValue(key, self.loader, value, SaidBy.CLASS, class_name=name)


def version_reader(
    subject: Subject, loader: Loader, choice: ClassChoice, spec: TokenizerSpec | None
) -> VersionReader:
    """Build a reader of a folder's settings for one version."""
    return VersionReader(subject, loader, choice, spec, handed_settings(subject))
