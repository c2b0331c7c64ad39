"""Post-processors: special tokens around the ids of a text, and white space out of the offsets.

They work on one text; the template for pairs of texts is not run.

Source: the processors of Hugging Face's tokenizers.
"""

from __future__ import annotations

from collections.abc import Callable

from tokaudit_reference.post_processors import templates, trimming
from tokaudit_reference.post_processors.step import Options, Placed, Process
from tokaudit_reference.spec import Standing, TokenizerSpec, components_of
from tokaudit_reference.unsupported import Unsupported

BUILDERS: dict[str, Callable[[TokenizerSpec, Options], Process]] = {
    **templates.BUILDERS,
    **trimming.BUILDERS,
}


class PostProcessor:
    """The steps of a spec's post-processor; raises `Unsupported` for one it does not know.

    >>> from tokaudit_reference.spec import Component, Family
    >>> options = {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]}
    >>> spec = TokenizerSpec(Family.WORDPIECE, {}, post_processor=Component(options))
    >>> process = PostProcessor(spec)
    >>> process([7], [(0, 3)], True), process([7], None, False)
    (([1, 7, 2], [(0, 0), (0, 3), (0, 0)]), ([7], None))
    """

    def __init__(self, spec: TokenizerSpec) -> None:
        component = spec.post_processor
        self._unstated = component.standing is Standing.UNSTATED and not component.options
        self.steps = []
        for options in components_of(component, "processors"):
            kind = str(options.get("type"))
            if kind not in BUILDERS:
                raise Unsupported(
                    f"the post-processor {kind} is not covered", pointer="/post_processor"
                )
            self.steps.append(BUILDERS[kind](spec, options))

    def __call__(
        self,
        ids: list[int],
        offsets: list[tuple[int, int]] | None,
        add_special_tokens: bool,
        text: str = "",
    ) -> tuple[list[int], list[tuple[int, int]] | None]:
        """The ids and offsets with special tokens, if they are to be added; of `text`, if known."""
        if add_special_tokens and self._unstated:
            raise Unsupported("nobody states which special tokens to add")
        if not self.steps or (offsets is None and not add_special_tokens):
            return ids, offsets
        placed: list[Placed] = list(zip(ids, offsets or [(0, 0)] * len(ids), strict=True))
        for step in self.steps:
            placed = step(placed, add_special_tokens, text)
        return (
            [id for id, _ in placed],
            None if offsets is None else [span for _, span in placed],
        )
