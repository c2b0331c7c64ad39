"""Post-processor layout of one text and two: order, ends and type ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.formats.common.settings import tokenizer_class
from tokaudit.subject.upstream.tokenizer_class import input_of
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.step import Laid
from tokaudit_suites.shared.repairs import base_decides
from tokaudit_suites.shared.wording import quote, stage

Pieces = Sequence[Laid]


@check(
    "special_tokens/text-pairs",
    title="Text pairs are in order, with types",
    why="Rerankers, pair classifiers and question answering give the model two texts at once. If "
    "the post-processor's template for two texts leaves out one text, swaps the two, or marks "
    "both as the first, the model gets an unexpected input, without an error.",
    remedy="Copy 'single' and 'pair' of the post_processor from the base model's tokenizer.json.",
    repair=base_decides("no file says how the model expects texts to be laid out"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC, Basis.CROSS_FILE),
    incident="DeBERTa's tokenizers gave both texts of a pair the type of the first "
    "(huggingface/transformers PR#17082).",
)
def text_pairs(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Compare the pair template with the single one, and both with the model.

    A model without a stated number of types ignores them; `pair` without any special token is what
    a library writes where nobody thought of pairs.
    """
    laid = [s for s in spec.post_processor.steps if s.effects.one_text or s.effects.two_texts]
    if not laid:
        raise NotApplicable("no post-processor lays out texts")
    types = _Types.of(subject)
    for step in laid:
        one, two = step.effects.one_text or (), step.effects.two_texts or ()
        for cause, problem in (*_order(two), *_ends(one, two), *_types(one, two, types)):
            yield Finding(
                Severity.ERROR,
                problem,
                (stage(spec, "post_processor", step.to_json()),),
                cause=cause,
            )


def _order(two: Pieces) -> Iterator[tuple[str, str]]:
    texts = [piece.name for piece in two if piece.is_text]
    for name, which in (("A", "first"), ("B", "second")):
        if two and name not in texts:
            yield (
                f"{which} text",
                f"The post-processor's template for two texts leaves out the {which} text: "
                "rerankers and pair classifiers see only the other text.",
            )
    if texts == ["B", "A"]:
        yield (
            "exchanged texts",
            "The post-processor's template for two texts puts the second text before the first.",
        )


def _ends(one: Pieces, two: Pieces) -> Iterator[tuple[str, str]]:
    """Yield ends that one text has and two lack, if the pair template adds tokens."""
    if not one or all(piece.is_text for piece in two):
        return
    for at, does in ((0, "begins"), (-1, "ends")):
        if not one[at].is_text and (two[at].is_text or two[at].name != one[at].name):
            name = quote(one[at].name)
            yield "other ends", f"{name} {does} a single text, but not two texts."


@dataclass(frozen=True)
class _Types:
    """Number of type rows in the model, and whether its class distinguishes two texts."""

    rows: int
    apart: bool

    @classmethod
    def of(cls, subject: Subject) -> _Types:
        """Read the number from the files; 0 if none states it and the model ignores types."""
        fact, named = subject.fact("type_vocab_size"), tokenizer_class(subject)
        rows = fact.value if fact is not None and isinstance(fact.value, int) else 0
        return cls(rows, named is not None and input_of(str(named.value)).types_apart)


def _types(one: Pieces, two: Pieces, types: _Types) -> Iterator[tuple[str, str]]:
    if types.rows < 1:  # as far as known, no embedding of types
        return
    first = [piece.type_id for piece in (*one, *two) if piece.is_text and piece.name == "A"]
    second = [piece.type_id for piece in two if piece.is_text and piece.name == "B"]
    if others := [type_id for type_id in first if type_id != 0]:  # also in a template of two
        yield "type of the first", f"The first text has the type {others[0]} instead of 0."
    if too_high := [t for t in second if isinstance(t, int) and t >= types.rows > 1]:
        yield (
            "no such type",
            f"The second text has the type {too_high[0]}, but the model has {types.rows} types, "
            "from 0 on.",
        )
    if types.apart and types.rows > 1 and second == [0]:  # the class tells two texts apart
        yield (
            "type of the second",
            f"Both texts have the type 0, but the model has {types.rows} types to tell them apart.",
        )
    elif types.apart and types.rows > 1 and not others and [*_texts(two)] == [("A", 0), ("B", 1)]:
        yield from (("type of a mark", wrong) for wrong in islice(_marks(one, two), 1))


def _texts(pieces: Pieces) -> Iterator[tuple[str, object]]:
    """Yield the texts with their type ids, in order."""
    return ((piece.name, piece.type_id) for piece in pieces if piece.is_text)


def _marks(one: Pieces, two: Pieces) -> Iterator[str]:
    """Yield special tokens whose type differs from the text that they begin or end.

    The one between two texts ends the first.  Source: `create_token_type_ids_from_sequences` in
    transformers 4.57, models/bert/tokenization_bert.py, and what other classes take from it.
    """
    for which, pieces in (("a single text", one), ("two texts", two)):
        wanted: object = 0
        for piece in pieces:
            if piece.is_text:
                wanted = piece.type_id
            elif piece.type_id != wanted:
                yield (
                    f"In the template for {which} {quote(piece.name)} has the type "
                    f"{piece.type_id}, but the text that it belongs to has {wanted}."
                )
