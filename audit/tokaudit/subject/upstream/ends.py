"""Special tokens that a class adds around one text and two, by record and switches.

A class either puts the same tokens around every text, or takes `add_bos_token` and `add_eos_token`.
Tokens are named by role here, as a file may name another token for it.  Version 4 is asked where it
has the class.

Source: `build_inputs_with_special_tokens` and `create_token_type_ids_from_sequences` of the classes
in version 4, `convert_slow_tokenizer.py`, `update_post_processor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tokaudit.subject.upstream.pipeline import Settings, Stated
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass
from tokaudit.subject.upstream.versions import ABSENT, FIVE, FOUR, NO_ARGUMENT
from tokaudit_reference.steps.post_processors.template_processing import A, B, Piece, Template

SWITCHES = {"bos": "add_bos_token", "eos": "add_eos_token"}
FIRST, LAST = ("cls", "bos"), ("sep", "eos")  # roles that begin and end a text
TRIMS, PREFIX = "trim_offsets", "add_prefix_space"


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A layout of texts and special tokens, the latter named by role."""

    one: Template
    two: Template
    switches: tuple[str, ...] = ()  # the settings that decide it
    trimming: tuple[bool, bool] | None = None  # of RoBERTa's step: `trim_offsets`, and a space

    @property
    def roles(self) -> tuple[str, ...]:
        """Return the roles in the layout."""
        pieces = (*self.one, *self.two)
        return tuple(dict.fromkeys(piece.name for piece in pieces if not piece.is_text))


def text_layout(known: TokenizerClass, stated: Stated) -> TextLayout | None:
    """Return a class's layout of one text and two; None if its record lacks it.

    >>> from tokaudit.subject.upstream.tokenizer_class import class_named
    >>> bert = text_layout(class_named("BertTokenizer"), lambda key: None)
    >>> [(piece.name, piece.type_id) for piece in bert.two]
    [('cls', 0), ('A', 0), ('sep', 0), ('B', 1), ('sep', 1)]
    """
    settings = Settings(known, False, stated)
    if known.input.between is not None:
        return _always(known, settings, known.input.between)
    switches = {role: key for role, key in SWITCHES.items() if takes(known, key)}
    if known.input.around or not switches:
        return None
    return _switched([role for role, key in switches.items() if settings.switch(key)], switches)


def _always(
    known: TokenizerClass, settings: Settings, between: tuple[str, ...]
) -> TextLayout | None:
    """Return the record's tokens around and between texts; texts alone without any."""
    kind = known.input.second_type
    if not known.input.around:
        return TextLayout(one=(A,), two=(A, replace(B, type_id=kind)))
    *first, last = known.input.around
    roles = [_role(known, token, FIRST) for token in first]
    roles += [_role(known, token, LAST) for token in (*between, last)]
    if any(role is None for role in roles):
        return None
    pieces = [Piece(role) for role in roles if role is not None]
    before, middle, end = pieces[: len(first)], pieces[len(first) : -1], pieces[-1]
    middle = [replace(piece, type_id=known.input.between_type) for piece in middle]
    return TextLayout(
        one=(*before, A, end),
        two=(*before, A, *middle, replace(B, type_id=kind), replace(end, type_id=kind)),
        trimming=_trimming(known, settings),
    )


def _switched(on: list[str], switches: dict[str, str]) -> TextLayout:
    """Place the tokens that are switched on around each text separately."""

    def around(text: Piece) -> Iterator[Piece]:
        yield from (Piece("bos", type_id=text.type_id) for _ in range("bos" in on))
        yield text
        yield from (Piece("eos", type_id=text.type_id) for _ in range("eos" in on))

    one, other = tuple(around(A)), tuple(around(replace(B, type_id=1)))
    return TextLayout(one, (*one, *other), tuple(switches.values()))


def _trimming(known: TokenizerClass, settings: Settings) -> tuple[bool, bool] | None:
    if not takes(known, TRIMS):
        return None
    return bool(settings.switch(TRIMS)), bool(settings.switch(PREFIX))


def takes(known: TokenizerClass, key: str) -> bool:
    """Return whether a class reads a setting, in version 4 if that has the class.

    >>> from tokaudit.subject.upstream.tokenizer_class import class_named
    >>> [takes(class_named(f"{name}Tokenizer"), "add_eos_token") for name in ("Llama", "GPT2")]
    [True, False]
    """
    own = known.settings.get(key)
    if own is None:
        return False
    return own.taken(FIVE if known.four == ABSENT else FOUR) not in (ABSENT, NO_ARGUMENT)


def _role(known: TokenizerClass, token: str, roles: tuple[str, ...]) -> str | None:
    """Return the first of some roles with this token in the class."""
    return next((role for role in roles if (known.tokens or {}).get(role) == token), None)
