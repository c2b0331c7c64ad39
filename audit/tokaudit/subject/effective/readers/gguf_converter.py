"""Tabulate what llama.cpp's converter writes into a GGUF file for a folder.

It reads no class and no generation settings.  A token is looked for among the added tokens of
tokenizer.json alone, an id of config.json counts where that finds none, and the flags come from
the post-processor, as far as its first and last token are what the settings say as plain text.

Source: `SpecialVocab` of gguf 0.19.0, vocab.py, and of llama.cpp at
0c1c9d33a805aad92c28cc15213a0dc5867f8818.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.configs import ROLES
from tokaudit.subject.effective.class_choice import MODEL, TOKENIZER
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.value_forms import CONTENT
from tokaudit.subject.material import Subject
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.llama_cpp.gguf_models import converter_takes
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.template_processing import A, B, Piece, Template

GGUF_PACKAGE = "0.19.0"
NAME = f"llama.cpp's converter, gguf {GGUF_PACKAGE} (read from its source)"
WHOLE, TEMPLATE, LOWERS = "tokenizer.json", "chat_template", "do_lower_case"
TEMPLATE_FILE, TEMPLATE_OBJECT = "chat_template.jinja", "chat_template.json"
ADDITIONAL = "additional_chat_templates/"
LATER = ("eot", "eom")
PART = "text_config"
ENDS = ("bos", "eos", "sep")
BOTH, BY_TEMPLATE, LOWER = "both ends", "template", "lower case"
TWO = 2  # separators, as RoBERTa has them


@dataclass
class Converter:
    """The settings of one folder, which reading the post-processor changes."""

    subject: Subject
    spec: TokenizerSpec | None
    settings: dict[str, Any] = field(init=False)
    adds: dict[str, bool] = field(default_factory=dict)
    roles: tuple[str, ...] = ROLES

    def __post_init__(self) -> None:
        self.settings = dict(settings_object(self.subject, TOKENIZER))
        if self.spec is not None:
            self._read_ends(self.spec)

    def cells(self) -> Iterator[LoaderValue]:
        """Yield the values of every key; none for a folder without a model config."""
        if settings_file(self.subject, MODEL) is None:
            return
        for role in self.roles:
            yield self._role(role)
        for role in ENDS:
            yield self._flag(f"add_{role}_token", role)
        if self.spec is not None and _lowers(self.spec):
            at = pointer("normalizer")
            yield LoaderValue(LOWERS, NAME, True, SaidBy.FILE, self.spec.files[0], at)
        yield self._template()

    def _role(self, role: str) -> LoaderValue:
        """Return a role's id: of its added token, or else as config.json states it."""
        key, id_key = f"{role}_token", f"{role}_token_id"
        text = self.settings.get(key)
        text = text.get(CONTENT) if isinstance(text, dict) else text
        added = self.spec.added_tokens if self.spec is not None else ()
        id = next((token.id for token in added if token.content == text), None)
        if id is not None:
            return self._stated(TOKENIZER, id_key, id, key)
        model = settings_object(self.subject, MODEL)
        part = model.get("text_config")
        for stated, place in (
            (model, ()),
            (part if isinstance(part, dict) else {}, ("text_config",)),
        ):
            if stated.get(id_key) is not None:
                value = stated[id_key]
                if not isinstance(value, int):
                    break
                return self._stated(MODEL, id_key, value, *place, id_key)
        return LoaderValue(id_key, NAME, None, SaidBy.NOBODY)

    def _flag(self, key: str, role: str) -> LoaderValue:
        stated = self.settings.get(key)
        if isinstance(stated, bool):
            return self._stated(TOKENIZER, key, stated, key)
        if role in self.adds and self.spec is not None:
            at, file = pointer("post_processor"), self.spec.files[0]
            return LoaderValue(key, NAME, self.adds[role], SaidBy.FILE, file, at)
        return LoaderValue(key, NAME, None, SaidBy.NOBODY)

    def _stated(self, base: str, key: str, value: Any, *at: str) -> LoaderValue:
        file = settings_file(self.subject, base)
        name, there = ("" if file is None else file.name), settings_object(self.subject, base)
        by_file = at[0] in there  # else it took the token of another role
        return LoaderValue(key, NAME, value, SaidBy.FILE, name, pointer(*at) if by_file else "")

    def _template(self) -> LoaderValue:
        """Name the templates: a key goes before files, of which the first counts."""
        if not self.settings:
            return LoaderValue(TEMPLATE, NAME, None, SaidBy.NOBODY)
        if TEMPLATE in self.settings:
            names = _names(self.settings[TEMPLATE])
            return self._stated(TOKENIZER, TEMPLATE, names, TEMPLATE)
        if (file := settings_file(self.subject, TEMPLATE_FILE)) is not None:
            more = [each.name for each in self.subject.files if ADDITIONAL in each.name]
            stems = sorted(name.rpartition("/")[2] for name in more if name.endswith(".jinja"))
            shown = ["default", *(stem.removesuffix(".jinja") for stem in stems)]
            return LoaderValue(TEMPLATE, NAME, ", ".join(shown), SaidBy.FILE, file.name)
        names = _names(settings_object(self.subject, TEMPLATE_OBJECT).get(TEMPLATE))
        if names is None:
            return LoaderValue(TEMPLATE, NAME, None, SaidBy.NOBODY)
        return self._stated(TEMPLATE_OBJECT, TEMPLATE, names, TEMPLATE)

    def _read_ends(self, spec: TokenizerSpec) -> None:
        """Read the flags from the post-processor's steps, and the roles that they change."""
        for role, other in (("bos", "cls"), ("eos", "sep")):
            if self.settings and not self._text(role) and self._text(other):
                self.settings[f"{role}_token"] = self._text(other)
        for step in spec.post_processor.steps:
            takes = converter_takes().get(step.type, "")
            if takes == BOTH:
                self.adds |= dict.fromkeys(ENDS, True)
                for role in ("cls", "sep"):
                    if self.settings and not self._text(role):
                        self.settings[f"{role}_token"] = getattr(step, role)[0]
            elif takes == BY_TEMPLATE:
                self._around(getattr(step, "single", None) or (), getattr(step, "pair", None) or ())

    def _around(self, single: Template, pair: Template) -> None:
        first = last = None
        begin, end = self._text("bos"), self._text("eos")
        if len(single) > 1 and (first := _special(single[0])):
            begin = begin if self.settings else first
            self.adds["bos"] = first in (begin, self._text("cls"))
        if len(single) > 1 and (last := _special(single[-1])):
            if not self.settings:
                end = last
            elif last != end:
                self._keep_end(end)
                self.settings["eos_token"] = end = last
            self.adds["eos"] = last == end
        self._between(pair, (first, last), end)

    def _keep_end(self, end: Any) -> None:
        """Keep the settings' end of text as the end of a turn or message."""
        if (role := next((each for each in LATER if each not in self.roles), "")) != "":
            self.roles = (*self.roles, role)
            self.settings[f"{role}_token"] = end

    def _between(self, pair: Template, around: tuple[Any, Any], end: Any) -> None:
        """Set the separator of a pair, if it is all that is between both texts."""
        if not pair:
            return
        first, last = around
        start = 1 if first and _special(pair[0]) == first else 0
        stop = -1 if last and _special(pair[-1]) == last else None
        inner = pair[start:stop]
        if not inner or not (_is(inner[0], A) and _is(inner[-1], B)):  # not A, then B
            return
        between = inner[1:-1]
        if not between:
            return
        separates = [_special(each) in (self._text("sep"), end) for each in between]
        named = [bool(_special(each)) for each in between]
        adds = named[0] and separates[0] and not last
        if len(between) == TWO:  # as RoBERTa separates, by two tokens
            adds = adds or (named[1] and separates[1])
        self.adds["sep"] = adds
        if adds and not self._text("sep") and self.settings:
            self.settings["sep_token"] = end

    def _text(self, role: str) -> Any:
        """Return a role's raw value; an object is not text, and equals none."""
        return self.settings.get(f"{role}_token")


def _is(piece: Piece, text: Piece) -> bool:
    return piece.is_text and piece.name == text.name


def _special(piece: Piece) -> str | None:
    return None if piece.is_text else piece.name


def _lowers(spec: TokenizerSpec) -> bool:
    takes = converter_takes()
    steps = (step for step in spec.normalizer.steps if takes.get(step.type) == LOWER)
    return any(getattr(step, "lowercase", True) for step in steps)


def _names(value: Any) -> str | None:
    if isinstance(value, list):
        return ", ".join(str(each.get("name")) for each in value if isinstance(each, dict))
    return "default" if isinstance(value, str) else None
