"""Components that do not fit the vocabulary's alphabet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Repair, Severity, check
from tokaudit_reference.spec import (
    Component,
    Dialect,
    ModelType,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.decoders.byte_fallback import ByteFallback
from tokaudit_reference.steps.decoders.word_piece import WordPiece
from tokaudit_reference.steps.pre_tokenizers.bert_pre_tokenizer import BertPreTokenizer
from tokaudit_reference.steps.pre_tokenizers.byte_level import ByteLevel
from tokaudit_reference.steps.step import Effects
from tokaudit_suites.pipeline._byte_level import is_byte_level
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE, repaired, set_to, word_decoder
from tokaudit_suites.shared.vocab_entries import ordinary, text_of
from tokaudit_suites.shared.wording import in_vocab, stage

MARK = "▁"
MARKED_SHARE = 0.1  # of the pieces; an ordinary vocabulary has the mark in none or in a third


@check(
    "pipeline/byte-components",
    title="Pre-tokenizer, normalizer and decoder fit the vocabulary's alphabet",
    why="Many vocabularies write spaces and bytes with stand-in characters such as Ġ, ▁ or "
    "<0x0A>. Without the pipeline step that puts stand-in characters into a text, spaces and "
    "accented letters match no token. Without the decoder step that replaces stand-in characters, "
    "users see Ġ, ▁ or <0x0A> in the output.",
    remedy="In {file|tokenizer.json}, add the step that this vocabulary needs, such as ByteLevel "
    "or ByteFallback.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="An exporter wrote the model without pre-tokenizer, decoder and special tokens "
    "(huggingface/transformers PR#34319).",
)
def byte_components(spec: TokenizerSpec) -> Iterator[Finding]:
    """Detect the alphabet from the entries, then look for the steps that it needs."""
    effects = [step.effects for step in spec.decoder.steps]
    joined = spec.dialect is Dialect.PUBLISHED and any(
        each.joins_bytes and not each.reads_bytes for each in effects
    )
    if spec.byte_level and (spec.merges is None or joined):
        raise NotApplicable("the format holds plain bytes, not their alphabet")
    if is_byte_level(spec):
        yield from _expect(
            spec, "byte-level (Ġ for a space)", BYTE_STEPS, implied=not spec.byte_level
        )
    elif spec.model_type is ModelType.WORDPIECE:
        yield from _expect(spec, "WordPiece (## inside a word)", WORD_STEPS)
    elif _is_marked(spec):
        yield from _expect(spec, f"written with {MARK} for a space", _marked_steps(spec))
    else:
        raise NotApplicable("the vocabulary is written in plain text")


def _is_marked(spec: TokenizerSpec) -> bool:
    texts = [text_of(piece) or "" for _, piece in ordinary(spec)]
    return sum(text.startswith(MARK) for text in texts) > MARKED_SHARE * len(texts)


# For a stage, what its steps lack in words, and which effect one of them should have.
Wanted = dict[str, tuple[str, Callable[[Effects], bool]]]
BYTE_STEPS: Wanted = {
    "pre_tokenizer": (f"{ByteLevel.type} step", lambda effects: effects.writes_bytes),
    "decoder": (f"{ByteLevel.type} step", lambda effects: effects.reads_bytes),
}
WORD_STEPS: Wanted = {
    "pre_tokenizer": (f"{BertPreTokenizer.type} step", lambda effects: effects.cuts_words),
    "decoder": (f"{WordPiece.type} step", lambda effects: effects.joins_continuations),
}


def _marked_steps(spec: TokenizerSpec) -> Wanted:
    wanted: Wanted = {
        "pre_tokenizer": ("step that writes " + MARK, _writes_the_mark),
        "decoder": ("step that reads " + MARK, _reads_the_mark),
    }
    if any(piece.token_type is TokenType.BYTE for piece in spec.every_piece()):
        wanted["decoder (bytes)"] = (
            f"{ByteFallback.type} step",
            lambda effects: effects.reads_byte_pieces,
        )
    return wanted


def _writes_the_mark(effects: Effects) -> bool:
    return MARK in effects.mark or MARK in (effects.writes or "")


def _reads_the_mark(effects: Effects) -> bool:
    return MARK in effects.mark or (effects.pattern is not None and MARK in effects.pattern.text)


def _expect(
    spec: TokenizerSpec, alphabet: str, wanted: Wanted, *, implied: bool = False
) -> Iterator[Finding]:
    """Report stages without a needed step; a wrong label alone may excuse an `implied` one."""
    enough = (Standing.STATED, Standing.IMPLIED) if implied else (Standing.STATED,)
    for key, (what, has) in wanted.items():
        name = key.partition(" ")[0]
        looked_in = ["normalizer", name] if name == "pre_tokenizer" else [name]
        components: list[Component] = [getattr(spec, place) for place in looked_in]
        if components[-1].standing not in enough:
            continue
        if not any(has(step.effects) for each in components for step in each.steps):
            found = sorted({step.type for step in components[-1].steps}) or ["null"]
            yield Finding(
                Severity.ERROR,
                f"The vocabulary is {alphabet}, but the {name} ({', '.join(found)}) has no {what}.",
                (stage(spec, name, components[-1].options), in_vocab(spec)),
                cause=key,
                repair=_decoder(spec, wanted) if name == "decoder" else None,
            )


def _decoder(spec: TokenizerSpec, wanted: Wanted) -> Repair | None:
    """Set the decoder of such vocabularies; only a base knows the split pattern."""
    if wanted is WORD_STEPS:
        return word_decoder(spec)
    if wanted is not BYTE_STEPS:
        return None
    step = {"type": ByteLevel.type, "add_prefix_space": True, "trim_offsets": True}
    place = stage(spec, "decoder")
    pointer = place.pointer or "/decoder"
    return repaired(set_to(replace(place, pointer=pointer), {**step, "use_regex": True}))
