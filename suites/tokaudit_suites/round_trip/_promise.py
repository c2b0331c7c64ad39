"""Text that the declared pipeline promises to restore, and its declared losses.

This is not a check: it reads the declared pipeline, and says what text should come back.  Where the
declaration loses text, both the text and what came back are run through the declared steps: what is
then the same is explained by them, and nothing else is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokaudit.engine.texts.coming_back import ComingBack
from tokaudit.plugin import Encoding, NotApplicable, Reference, Tokenizer
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_or_text import text_of
from tokaudit_suites.shared.vocab_entries import missing_bytes
from tokaudit_suites.shared.wording import plural

Expected = Callable[[str], str]
MARK = "\u2581"
MARKS = f" {MARK}"  # what pipelines put before a word; no part of the text
MOST = 500  # texts that do not come back, of which the declared steps are run


@dataclass(frozen=True, slots=True)
class Returned:
    """A text, its ids, and the decoded text."""

    text: str
    encoding: Encoding
    output: str


def promised(spec: TokenizerSpec) -> Expected:
    """Return a function for the expected output; raises `NotApplicable` for a declared loss."""
    if losses := [*_losses(spec)]:
        raise NotApplicable(" and ".join(losses))
    return ComingBack(spec.normalizer, ()).expected


def _losses(spec: TokenizerSpec) -> Iterator[str]:
    """Yield each declared loss with the step that causes it."""
    for component in (spec.normalizer, spec.pre_tokenizer):
        stage = component.stage.replace("_", "-")
        for step in component.steps:
            if step.effects.loses:
                yield f"{step.type} in the {stage} {step.effects.loses}"
    if not _represents_everything(spec):
        yield "the vocabulary has no byte tokens for characters that it lacks"
    elif missing := missing_bytes(spec):
        yield f"the vocabulary lacks {plural(len(missing), 'byte')}"


def _represents_everything(spec: TokenizerSpec) -> bool:
    if spec.model_type is ModelType.WORDPIECE or spec.end_of_word_suffix:
        return False
    return spec.byte_level or any(p.token_type is TokenType.BYTE for p in spec.every_piece())


def unexplained(
    spec: TokenizerSpec, reference: Reference, changed: Sequence[Returned]
) -> tuple[list[Returned], int]:
    """Return the changed texts that the declared steps do not explain, and the number run.

    A text with the unknown token is explained by it, and left out.  Without an unknown token, so is
    one with a character that gets no id: round_trip/vanishes reports it.
    """
    known = [each for each in changed if spec.unk_id not in each.encoding.ids]
    if spec.unk_id is None:
        gone = set(without_id(spec, reference, sorted({c for each in known for c in each.text})))
        known = [each for each in known if gone.isdisjoint(each.text)]
    part = known[:: len(known) // MOST + 1]
    given = reference.pre_tokens([each.text for each in part])
    back = reference.pre_tokens([_without_ends(spec, each.output) for each in part])
    pairs = zip(part, given, back, strict=True)
    return [each for each, one, other in pairs if _words(one) != _words(other)], len(part)


def without_id(spec: TokenizerSpec, tokenizer: Tokenizer, texts: Sequence[str]) -> list[str]:
    """Return the texts that encode to nothing, or only to the mark before them."""
    marks = {id for id, piece in spec.each_entry() if not set(text_of(piece.value)) - set(MARKS)}
    encoded = zip(texts, tokenizer.encode(texts), strict=True) if texts else ()
    return [
        text
        for text, found in encoded
        if found.error is None
        and (marks.issuperset(found.ids) if set(text) - set(MARKS) else not found.ids)
    ]


def _without_ends(spec: TokenizerSpec, text: str) -> str:
    """Remove end-of-word marks, which classes take out of decoded text."""
    return text.replace(spec.end_of_word_suffix, " ") if spec.end_of_word_suffix else text


def _words(pieces: Sequence[str] | None) -> list[str] | None:
    """Return the words given to the model, ignoring the number of spaces; None if unknown."""
    return None if pieces is None else "".join(pieces).replace(MARK, " ").split()
