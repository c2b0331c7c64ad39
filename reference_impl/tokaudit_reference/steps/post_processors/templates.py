"""The post-processors that put special tokens around texts.  Type ids are not kept.

Source: `TemplateProcessing` and `BertProcessing` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.reading import is_id, pieces_of, token_id, wrong
from tokaudit_reference.steps.post_processors.step import Builder, Options, Part, Process

NAMES = {1: "single", 2: "pair"}  # the template for so many parts


def template(spec: TokenizerSpec, options: Options) -> Process:
    """The template for one text or for two; special tokens by name, the texts as `A` and `B`."""
    special = _special_tokens(options)
    templates = {name: list(pieces_of(options, name)) for name in NAMES.values() if name in options}

    def process(parts: list[Part], add: bool) -> list[Part]:
        name = NAMES.get(len(parts), "")
        if name not in templates:
            remedy = "state the template; after another one, at most two parts can be filled in"
            raise wrong(f"has no template for {len(parts)} parts", remedy)
        found = [_filled(piece, parts, special, add, name) for piece in templates[name]]
        return [part for part in found if part is not None]

    return process


def _filled(
    piece: tuple[str, str], parts: list[Part], special: Mapping[str, list[int]], add: bool, at: str
) -> Part | None:
    """What stands for a piece of a template: a text, or special tokens if they are to be added."""
    kind, which = piece
    if kind == "Sequence":
        index = "AB".index(which)
        if index >= len(parts):
            raise wrong(f"asks for the text {which} where there is one", "ask for A", f"/{at}")
        return parts[index]
    if not add:
        return None
    if which not in special:
        raise wrong(
            f"the template names the special token {which!r}, which it does not define",
            "define it there with its ids",
            "/special_tokens",
        )
    return Part.added(special[which])


def _special_tokens(options: Options) -> dict[str, list[int]]:
    table = options.get("special_tokens", {})
    if not isinstance(table, Mapping):
        raise wrong("is no object", "give each token by its name", "/special_tokens")
    found = {}
    for name, entry in table.items():
        ids = entry.get("ids") if isinstance(entry, Mapping) else None
        if not isinstance(ids, list | tuple) or not all(map(is_id, ids)):
            raise wrong(f"has the ids {str(ids)[:60]}", "list its ids", f"/special_tokens/{name}")
        found[name] = list(ids)
    return found


def around(spec: TokenizerSpec, options: Options) -> Process:
    """BERT's pair of tokens, one before and one after the text; only the latter at a second."""
    first, last = token_id(options, "cls"), token_id(options, "sep")

    def process(parts: list[Part], add: bool) -> list[Part]:
        if not add:
            return parts
        return [part.between([] if at else [first], [last]) for at, part in enumerate(parts)]

    return process


BUILDERS: dict[str, Builder] = {"TemplateProcessing": template, "BertProcessing": around}
