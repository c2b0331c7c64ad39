"""TemplateProcessing: special tokens around one text or two, as a template says.

Source: `TemplateProcessing` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.reading import is_id, wrong
from tokaudit_reference.steps.post_processors.step import Part, PostProcessorStep, Process
from tokaudit_reference.steps.step import Added, Effects, Laid, Options

TEXT, TOKEN = "Sequence", "SpecialToken"
NAMES = {1: "single", 2: "pair"}  # the template for so many parts


class Piece(Laid):
    """One piece of a template."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """The piece as `tokenizer.json` writes it."""
        return {TEXT if self.is_text else TOKEN: {"id": self.name, "type_id": self.type_id}}


Template = tuple[Piece, ...]
A, B = Piece("A", is_text=True), Piece("B", is_text=True)


@dataclass(frozen=True)
class TemplateProcessing(PostProcessorStep):
    """The TemplateProcessing step; a template may be missing, and a token it names too."""

    type = "TemplateProcessing"
    single: Template | None = None
    pair: Template | None = None
    special_tokens: tuple[Added, ...] = ()

    @classmethod
    def from_json(cls, options: Options) -> TemplateProcessing:
        """Read the templates and the definitions of their tokens."""
        tokens = tuple(_special_tokens(options))
        found = {name: tuple(_pieces(options, name)) for name in NAMES.values() if name in options}
        return cls(**found, special_tokens=tokens)

    @classmethod
    def takes(cls, options: Options) -> bool:
        """Accept options that have all its fields and no type."""
        return {"single", "pair", "special_tokens"} <= options.keys() and not options.get("type")

    def to_json(self) -> dict[str, Any]:
        """Write the stated templates, and the tokens."""
        return {
            "type": self.type,
            **{
                name: [piece.to_json() for piece in pieces]
                for name, pieces in self._templates().items()
            },
            "special_tokens": {
                token.name: {
                    "id": token.name,
                    "ids": list(token.ids),
                    "tokens": list(token.tokens),
                }
                for token in self.special_tokens
            },
        }

    def _templates(self) -> dict[str, Template]:
        both = {"single": self.single, "pair": self.pair}
        return {name: template for name, template in both.items() if template is not None}

    def build(self, spec: TokenizerSpec) -> Process:
        """Return a process that fills the templates with the parts."""
        special = {token.name: _ids_of(token) for token in self.special_tokens}
        return partial(_process, self._templates(), special)

    @property
    def effects(self) -> Effects:
        """State that the step adds tokens, some of which it may not define."""
        defined = {token.name for token in self.special_tokens}
        pieces = (*(self.single or ()), *(self.pair or ()))
        missing = sorted({p.name for p in pieces if not p.is_text and p.name not in defined})
        unknown = tuple(Added(name, defined=False) for name in missing)
        return Effects(
            adds=(*self.special_tokens, *unknown),
            one_text=self.single,
            two_texts=self.pair,
        )

    def acts_as(self, *, ids_only: bool = False) -> TemplateProcessing | None:
        """Return the step with its tokens in order; None if it does the same as no step.

        That is no token added, and the type ids 0 and 1.  To ids the tokens that no template names
        do nothing.
        """
        if self.single == (A,) and self.pair == (A, replace(B, type_id=1)):
            return None
        by_name = sorted(self.special_tokens, key=lambda token: token.name)
        if ids_only:
            used = {p.name for p in (*(self.single or ()), *(self.pair or ())) if not p.is_text}
            by_name = [token for token in by_name if token.name in used]
        return replace(self, special_tokens=tuple(by_name))


def around_both(first: Added, last: Added, pair: Template) -> TemplateProcessing | None:
    """Return a template with a token before and after a text; None if they share a name."""
    if first.name == last.name and first != last:
        return None
    single = (Piece(first.name), A, Piece(last.name))
    return TemplateProcessing(single, pair, tuple({first.name: first, last.name: last}.values()))


def _process(
    templates: Mapping[str, Template],
    special: Mapping[str, list[int]],
    parts: list[Part],
    add: bool,
) -> list[Part]:
    name = NAMES.get(len(parts), "")
    if name not in templates:
        remedy = "state the template; after another one, at most two parts can be filled in"
        raise wrong(f"has no template for {len(parts)} parts", remedy)
    found = [_filled(piece, parts, special, add, name) for piece in templates[name]]
    return [part for part in found if part is not None]


def _filled(
    piece: Piece, parts: list[Part], special: Mapping[str, list[int]], add: bool, at: str
) -> Part | None:
    """Fill a piece of a template: with a text, or special tokens if they are to be added."""
    if piece.is_text:
        index = "AB".index(piece.name)
        if index >= len(parts):
            what = f"asks for the text {piece.name} where there is one"
            raise wrong(what, "ask for A", f"/{at}")
        return parts[index].typed(piece.type_id)
    if not add:
        return None
    if piece.name not in special:
        raise wrong(
            f"the template names the special token {piece.name!r}, which it does not define",
            "define it there with its ids",
            "/special_tokens",
        )
    return Part.added(special[piece.name]).typed(piece.type_id)


def _special_tokens(options: Options) -> Iterator[Added]:
    table = options.get("special_tokens", {})
    if not isinstance(table, Mapping):
        raise wrong("is not an object", "give each token by its name", "/special_tokens")
    for name, entry in table.items():
        if not isinstance(entry, Mapping):
            what = f"is {str(entry)[:40]!r}, which is not an object"
            raise wrong(what, "list its ids and tokens", f"/special_tokens/{name}")
        yield Added(name, _listed(entry.get("tokens")), _listed(entry.get("ids")))


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


def _ids_of(token: Added) -> list[int]:
    missing = token.tokens and not token.ids
    if missing or not all(map(is_id, token.ids)):
        what = f"has the ids {str(list(token.ids))[:60]}"
        raise wrong(what, "list its ids", f"/special_tokens/{token.name}")
    return list(token.ids)


def _pieces(options: Options, name: str) -> Iterator[Piece]:
    pieces = options.get(name)
    if not isinstance(pieces, list | tuple):
        raise wrong(f"is {str(pieces)[:40]!r}, which is not a list", "list its pieces", f"/{name}")
    for index, piece in enumerate(pieces):
        single = isinstance(piece, Mapping) and len(piece) == 1
        kind, inner = next(iter(piece.items())) if single else ("", None)
        fields = inner if isinstance(inner, Mapping) else {}
        which = fields.get("id")
        if not (kind == TOKEN and isinstance(which, str)) and not (
            kind == TEXT and which in ("A", "B")
        ):
            remedy = f"name a {TOKEN}, or the {TEXT} A or B"
            raise wrong(f"is {str(piece)[:60]}", remedy, f"/{name}/{index}")
        yield Piece(str(which), kind == TEXT, fields.get("type_id", 0))
