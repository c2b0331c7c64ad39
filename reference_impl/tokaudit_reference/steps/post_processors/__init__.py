"""Post-processors: special tokens around the ids of texts, and white space out of the offsets.

A text or a pair of texts, whose tokens have type ids; nothing is truncated.

Source: the processors of Hugging Face's tokenizers.
"""

from __future__ import annotations

from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_reference.steps.post_processors.step import Part, PostProcessorStep, Span
from tokaudit_reference.steps.step import readable

Ids = tuple[list[int], list[Span] | None]


class PostProcessor:
    """The steps of a spec's post-processor, in order."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._begin = _asked_for(spec)
        listed = readable(spec.post_processor.steps, PostProcessorStep)
        self.steps = tuple(step.build(spec) for step in listed)
        for add in (True, False):  # what cannot be run on one text fails here, and not later
            self._run([Part.added([])], add)

    def __call__(
        self,
        ids: list[int],
        offsets: list[Span] | None,
        add_special_tokens: bool,
        text: str = "",
        *,
        pair: Ids | None = None,
        pair_text: str = "",
    ) -> Ids:
        """Return the ids and offsets, with special tokens if wanted; of `text`, if known.

        The text shows which white space an added token took along.  `pair` is a second text;
        offsets are given for both or for neither, each in its own text.
        """
        parts = [_part(ids, offsets, text)]
        if pair is not None:
            parts.append(_part(*pair, pair_text))
        parts = self._run(parts, add_special_tokens)
        found = [id for part in parts for id in part.ids]
        if offsets is None:
            return found, None
        return found, [span for part in parts for span in part.offsets]

    def type_ids(self, first: int, second: int | None, add_special_tokens: bool) -> list[int]:
        """Return the type ids of one text or two, by their numbers of tokens, with added tokens.

        Where no step says otherwise, those of a second text have the type 1.
        """
        parts = [Part.added([0] * first)]
        if second is not None:
            parts.append(Part.added([0] * second).typed(1))
        return [each for part in self._run(parts, add_special_tokens) for each in part.types]

    def _run(self, parts: list[Part], add: bool) -> list[Part]:
        for step in self.steps:
            parts = step(parts, add)
        return [Part.added(self._begin), *parts] if add and self._begin else parts


def post_processor(spec: TokenizerSpec) -> PostProcessor:
    """The post-processor of a spec; raises `Unsupported` for a kind that it does not know.

    >>> from tokaudit_reference.spec import Component, ModelType
    >>> options = {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]}
    >>> spec = TokenizerSpec(ModelType.WORDPIECE, {}, post_processor=Component(options))
    >>> process = post_processor(spec)
    >>> process([7], [(0, 3)], True), process([7], None, False)
    (([1, 7, 2], [(0, 0), (0, 3), (0, 0)]), ([7], None))
    """
    return PostProcessor(spec)


def _part(ids: list[int], offsets: list[Span] | None, text: str) -> Part:
    return Part.added(ids) if offsets is None else Part.of(ids, offsets, text)


def _asked_for(spec: TokenizerSpec) -> list[int]:
    """Return tokens put before a text on request if no post-processor is stated."""
    unstated = spec.post_processor.standing is Standing.UNSTATED and not spec.post_processor.options
    return [spec.begin_id] if unstated and spec.begin_id is not None else []
