"""Components that do not fit the alphabet which the vocabulary is written in."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit_reference.spec import (
    CHILDREN,
    Component,
    Family,
    PieceKind,
    Standing,
    TokenizerSpec,
    components_of,
)
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_suites.vocab_entries import entries, ordinary, text_of
from tokaudit_suites.wording import in_vocab, stage

WORDPIECE_STEPS = {
    "pre_tokenizer": ("Whitespace", "WhitespaceSplit", "Split", "Punctuation", "BertPreTokenizer"),
    "decoder": ("WordPiece",),
}
MARK = "▁"
WHOLE = "SentencePiece"  # one step that does all that its library does
MARKED_SHARE = 0.1  # of the pieces; an ordinary vocabulary has the mark in none or in a third


@check(
    "pipeline/byte-components",
    title="Pre-tokenizer, normalizer and decoder fit the vocabulary's alphabet",
    why="Without the step that writes text in the vocabulary's alphabet every space and accent "
    "misses its token; without the step that reads it back, output shows Ġ, ▁ or <0x0A>.",
    remedy="Put the component back that the vocabulary was trained with.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="An exporter wrote the model without pre-tokenizer, decoder and special tokens "
    "(huggingface/transformers PR#34319).",
)
def byte_components(spec: TokenizerSpec) -> Iterator[Finding]:
    """Work out the alphabet from the entries, then look for the steps that it needs."""
    if spec.byte_level and spec.merges is None:
        raise NotApplicable("the format holds plain bytes, not their alphabet")
    if is_byte_level(spec):
        yield from _expect(spec, "byte-level (Ġ for a space)", _byte_steps(spec))
    elif spec.family is Family.WORDPIECE:
        yield from _expect(spec, "WordPiece (## inside a word)", WORDPIECE_STEPS)
    elif _is_marked(spec):
        yield from _expect(spec, f"written with {MARK} for a space", _marked_steps(spec))
    else:
        raise NotApplicable("the vocabulary is written in plain text")


def is_byte_level(spec: TokenizerSpec) -> bool:
    """Whether entries are written in the byte alphabet, whatever the components say.

    A large vocabulary may hold its unusual characters as letters; then words begin with ▁.
    """
    if spec.byte_level:
        return True
    texts = [value for _, _, value in entries(spec) if isinstance(value, str)]
    single = {text for text in texts if len(text) == 1}
    unusual = {character for character in BYTE_OF if ord(character) >= 0x100}
    spaced, marked = (sum(text.startswith(mark) for text in texts) for mark in ("Ġ", MARK))
    return spaced > marked and len(unusual & single) > 0.8 * len(unusual)


def _is_marked(spec: TokenizerSpec) -> bool:
    texts = [text_of(piece) or "" for _, piece in ordinary(spec)]
    return sum(text.startswith(MARK) for text in texts) > MARKED_SHARE * len(texts)


Wanted = dict[str, tuple[str, ...]]


def _byte_steps(spec: TokenizerSpec) -> Wanted:
    return {"pre_tokenizer": ("ByteLevel",), "decoder": ("ByteLevel",)}


def _marked_steps(spec: TokenizerSpec) -> Wanted:
    wanted: Wanted = {
        "pre_tokenizer": (WHOLE, "Metaspace", "a step that writes " + MARK),
        "decoder": (WHOLE, "Metaspace", "a step that reads " + MARK),
    }
    if any(piece.kind is PieceKind.BYTE for piece in spec.pieces.values()):
        wanted["decoder (bytes)"] = (WHOLE, "ByteFallback")
    return wanted


def _expect(spec: TokenizerSpec, alphabet: str, wanted: Wanted) -> Iterator[Finding]:
    for key, names in wanted.items():
        name = key.partition(" ")[0]
        looked_in = ["normalizer", name] if name == "pre_tokenizer" else [name]
        components = [component(spec, place) for place in looked_in]
        if components[-1].standing is not Standing.STATED:
            continue
        if not any(set(names) & abilities(spec, place) for place in looked_in):
            found = sorted(step_names(spec, name)) or ["null"]
            yield Finding(
                Severity.ERROR,
                f"The vocabulary is {alphabet}, but the {name} ({', '.join(found)}) has no "
                f"{names[-1]}.",
                (stage(spec, name, components[-1].options), in_vocab(spec)),
                cause=key,
            )


def component(spec: TokenizerSpec, name: str) -> Component:
    """A stage of the spec by its name."""
    found = getattr(spec, name)
    assert isinstance(found, Component)
    return found


def step_names(spec: TokenizerSpec, name: str) -> set[str]:
    """The types of the steps of a stage."""
    return {str(step.get("type")) for step in components_of(component(spec, name), CHILDREN[name])}


def abilities(spec: TokenizerSpec, name: str) -> set[str]:
    """What the steps of a stage can do: their types, and whether they write or read the mark."""
    found = step_names(spec, name)
    for step in components_of(component(spec, name), CHILDREN[name]):
        written = str(step.get("content", "")) + str(step.get("prepend", ""))
        if step.get("type") in ("Replace", "Prepend") and MARK in written:
            found.add("a step that writes " + MARK)
        if step.get("type") == "Replace" and MARK in str(step.get("pattern", "")):
            found.add("a step that reads " + MARK)
    return found
