"""Finds the value that one version takes for a setting: what a file states, else a default.

A setting that the version does not act on has no value: `left_alone` tells that from one that is
absent.  A null that is stated is a value of its own, as it takes the place of the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.effective.class_choice import FAST, TOKENIZER, ClassChoice
from tokaudit.subject.effective.loaders import Loader
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.material import Subject
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.ends import PREFIX
from tokaudit.subject.upstream.over_tokenizer_json import acts_on
from tokaudit.subject.upstream.setting_key import defaults_of
from tokaudit.subject.upstream.tokenizer_class import ROLES, TokenizerClass, class_named
from tokaudit.subject.upstream.versions import ABSENT, FOUR, NO_ARGUMENT
from tokaudit_reference.spec import TokenizerSpec

SETTINGS = (
    *("padding_side", "truncation_side", "model_max_length", "clean_up_tokenization_spaces"),
    *("split_special_tokens", PREFIX, "do_lower_case", "strip_accents"),
)
OF_BLOCKS = {"padding_side": "padding", "truncation_side": "truncation"}
"""Sides that a block of tokenizer.json states, where no setting does."""
MAP, TABLE, CONTENT = "special_tokens_map.json", "added_tokens_decoder", "content"
SLOW = " (slow"  # what the slow class takes, after what the fast one does
WORDS: dict[str, Any] = {"true": True, "false": False, "10^30": int(1e30), "": None}


@dataclass(frozen=True, slots=True)
class VersionReader:
    """One version that loads a folder by a class, and the files that it reads.

    `files` has the name and the object of each settings file by its base name.
    """

    subject: Subject
    version_of: Loader
    choice: ClassChoice
    spec: TokenizerSpec | None
    files: Mapping[str, tuple[str, Mapping[str, Any]]]

    @property
    def version(self) -> str:
        """The version alone."""
        return self.version_of.version

    @property
    def loader(self) -> str:
        """The library with its version, and that nothing is run."""
        return f"{self.version_of.name} (emulated)"

    @property
    def known(self) -> TokenizerClass | None:
        """The record of the class."""
        return class_named(self.choice.name)

    def role(self, key: str) -> LoaderValue | None:
        """The token of a role: of the map where there is no table of added tokens.

        None where no file states it and no record says what the class takes.
        """
        has_table = TABLE in self.files.get(TOKENIZER, ("", {}))[1]
        files = (TOKENIZER,) if has_table else (MAP, TOKENIZER)
        for base in files:
            if (found := self._stated(base, key)) is not None:
                return found
        if key == "pad_token" and (block := self._block("padding", key)) is not None:
            return block
        known, role = self.known, key.removesuffix("_token")
        if known is None:
            return self._nobody(key)
        if role not in ROLES:
            return None
        own = known.tokens_by_version.get(role)
        if own is not None:
            return self._of_class(key, own.four if self.version == FOUR else own.five)
        return self._of_class(key, (known.tokens or {}).get(role, ""))

    def setting(self, key: str) -> LoaderValue | None:
        """A setting; None where the version does not act on it, or no record says what it takes."""
        if not self._acts(key):
            return None
        if (found := self._stated(TOKENIZER, key)) is not None:
            return found
        if key in OF_BLOCKS and (block := self._block(OF_BLOCKS[key], "direction")) is not None:
            return replace(block, key=key)
        known = self.known
        own = None if known is None else known.settings.get(key)
        taken = NO_ARGUMENT if own is None else own.four if self.version == FOUR else own.five
        if taken not in (NO_ARGUMENT, ABSENT):
            return self._of_class(key, taken)
        general = defaults_of(key)[self.version != FOUR]
        if not general:
            return None
        return LoaderValue(key, self.loader, WORDS.get(general, general), SaidBy.LIBRARY)

    def _acts(self, key: str) -> bool:
        if self.spec is None:
            known = self.known
            own = None if known is None else known.settings.get(key)
            taken = None if own is None else own.four if self.version == FOUR else own.five
            return taken not in (None, NO_ARGUMENT, ABSENT) or bool(defaults_of(key)[0])
        steps = self.spec.pre_tokenizer.options or {}
        acts = acts_on(self.known, key, PREFIX in steps)
        return acts is not None and acts[self.version != FOUR]

    def _stated(self, base: str, key: str) -> LoaderValue | None:
        file, stated = self.files.get(base, ("", {}))
        if key not in stated:
            return None
        value, at = stated[key], pointer(key)
        if isinstance(value, dict) and isinstance(value.get(CONTENT), str):
            value, at = value[CONTENT], pointer(key, CONTENT)
        return LoaderValue(key, self.loader, value, SaidBy.FILE, file, at)

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
        fast, _, slow = taken.partition(SLOW)
        word = slow.strip(" )") if slow and not self.choice.is_fast else fast
        value = WORDS.get(word, word)
        if value is None or word == NO_ARGUMENT:
            return self._nobody(key)
        name = self.choice.name.removesuffix(FAST)
        return LoaderValue(key, self.loader, value, SaidBy.CLASS, class_name=name)

    def _nobody(self, key: str) -> LoaderValue:
        return LoaderValue(key, self.loader, None, SaidBy.NOBODY)


def version_reader(
    subject: Subject, loader: Loader, choice: ClassChoice, spec: TokenizerSpec | None
) -> VersionReader:
    """A version with the settings files of a folder, each read once."""
    found = {base: settings_file(subject, base) for base in (TOKENIZER, MAP)}
    files = {
        base: (file.name, settings_object(subject, base))
        for base, file in found.items()
        if file is not None
    }
    return VersionReader(subject, loader, choice, spec, files)
