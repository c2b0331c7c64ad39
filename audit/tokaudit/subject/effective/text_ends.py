"""Find the tokens that a transformers version adds around a text.

Version 4 of some classes writes BOS and EOS by their switches over what the file states.  Version 5
leaves the switches to the file, and classes that put tokens around every text write those again.
Every other class leaves the post-processor of the file as it is.

Source: `update_post_processor` of the fast classes in 4.57.6; `_from_pretrained` and the classes of
5.24.0, as `upstream/over_tokenizer_json.py` has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokaudit.report.recorded import LoaderValue
from tokaudit.subject.effective.class_choice import FAST, class_choice
from tokaudit.subject.effective.class_settings import VersionReader, version_reader
from tokaudit.subject.effective.loaders import CURRENT, Loader
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.formats.common.implied import stated_in
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.ends import TextLayout, text_layout
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, class_named
from tokaudit.subject.upstream.versions import FOUR
from tokaudit_reference.spec import TokenizerSpec

WHOLE = "tokenizer.json"
BY_BOS = {"cls": "bos", "sep": "eos"}


@dataclass(frozen=True, slots=True)
class TextEnds:
    """The tokens before and after one text, and the version that adds them.

    Where the file decides it there is no `layout`; else `tokens` says which token each role of it
    has, and who names that.
    """

    loader: Loader
    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    layout: TextLayout | None = None
    tokens: Mapping[str, LoaderValue] = field(default_factory=dict)

    @property
    def of_file(self) -> bool:
        """Return whether the version leaves them to tokenizer.json."""
        return self.layout is None

    @property
    def by(self) -> str:
        """Name the class and its version, for sentences."""
        return f"{self.name} of {self.loader.name} (emulated)"


def text_ends(subject: Subject, spec: TokenizerSpec) -> tuple[TextEnds, ...]:
    """Return the ends by each current version, without unknown ones."""
    found = (_ends(subject, spec, loader) for loader in CURRENT)
    return tuple(each for each in found if each is not None)


def _ends(subject: Subject, spec: TokenizerSpec, loader: Loader) -> TextEnds | None:
    choice = class_choice(subject, loader.version)
    if choice is None or refusals(subject, loader.version):
        return None
    return ends_by(version_reader(subject, loader, choice, spec))


def ends_by(reader: VersionReader) -> TextEnds | None:
    """Return the ends by one version; None if it ignores tokenizer.json or is unknown."""
    spec, choice, loader = reader.spec, reader.choice, reader.version_of
    if spec is None or spec.format != WHOLE or not choice.is_fast:
        return None
    known = class_named(choice.name.removesuffix(FAST))
    if known is None or not _writes(known, loader.version):
        return TextEnds(loader, choice.name, *ends_of_file(spec))
    layout = text_layout(known, lambda key: _stated(reader, key))
    if layout is None:
        return None
    cells = {role: reader.role(f"{_role(known, role, loader)}_token") for role in layout.roles}
    tokens = {role: each for role, each in cells.items() if each and isinstance(each.value, str)}
    if tokens.keys() != {*layout.roles}:
        return None
    at = next(at for at, piece in enumerate(layout.one) if piece.is_text)
    before = tuple(tokens[piece.name].value for piece in layout.one[:at])
    after = tuple(tokens[piece.name].value for piece in layout.one[at + 1 :])
    return TextEnds(loader, choice.name, before, after, layout, tokens)


def _stated(reader: VersionReader, key: str) -> Any:
    """Return the value of a switch; null turns it off."""
    null = key in reader.handed and reader.handed[key].value is None
    return False if null else stated_in(reader.subject)(key)


def _role(known: TokenizerClass, role: str, loader: Loader) -> str:
    """Return the role whose token a version uses in place of a layout's role."""
    by_bos = known.input.by_bos_in_five and loader.version != FOUR
    return BY_BOS.get(role, role) if by_bos else role


def _writes(known: TokenizerClass, version: str) -> bool:
    """Return whether the version replaces the file's tokens."""
    if version == FOUR:
        return known.input.switches_over_file
    return bool(known.input.around and known.pipelines.in_five)


def ends_of_file(spec: TokenizerSpec) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the post-processor's tokens around one text."""
    around = (step.effects.around for step in spec.post_processor.steps)
    found = next((each for each in around if each is not None), ((), ()))
    return tuple(found[0]), tuple(found[1])
