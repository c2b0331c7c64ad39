"""Words that are lost because they exceed the model's length limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Samples,
    Severity,
    Traces,
    check,
)
from tokaudit.subject.numbers import whole
from tokaudit_reference.models.wordpiece import WordPiece
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.vocab_entries import text_of
from tokaudit_suites.shared.wording import in_model, plural, quote

KEY = "max_input_chars_per_word"
MOST_SHOWN = 10_000  # characters; nobody writes a word that is longer


@check(
    "vocab/word-length",
    title="WordPiece's longest word exceeds every written word",
    why="WordPiece replaces a word with more characters than its limit by one unknown token: for "
    "example an address, a hash, or a sentence in a script without spaces. Engines without a "
    "limit on the length of words produce other ids than engines with such a limit.",
    remedy="Split long words before encoding, or set max_input_chars_per_word to the same number "
    "in tokenizer.json and in every engine.",
    repair=person_decides("the length is to be the same in every engine that serves the model"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="such a word is cut as the files state it.",
    basis=Basis.INTRINSIC,
    incident="transformers.js had no cap and gave other ids for long words "
    "(huggingface/transformers.js PR#398; huggingface/transformers #17551).",
)
def word_length(spec: TokenizerSpec, samples: Samples, traces: Traces) -> Iterator[Finding]:
    """Report the limit with a word that it loses; a warning if the sample has such words."""
    if spec.model_type is not ModelType.WORDPIECE or not _is_known(spec):
        raise NotApplicable("the model has no longest word")
    cap = spec.max_input_chars_per_word
    written = sorted(_lost(spec, samples, traces), key=lambda word: (len(word), word))
    if written:
        yield _finding(
            spec,
            Severity.WARNING,
            written[0],
            f"WordPiece accepts words of at most {plural(cap, 'character')}: "
            f"{plural(len(written), 'word')} of the built-in sample become the unknown token "
            f"although the vocabulary can spell them, such as {quote(written[0])}.",
        )
    elif whole(cap, MOST_SHOWN) is not None and (letter := _letter(spec)) is not None:
        yield _finding(
            spec,
            Severity.INFO,
            letter * (cap + 1),
            f"Every word of more than {cap:,} characters becomes one unknown token, such as "
            f"{quote(letter)} repeated {cap + 1:,} times.",
        )


def _is_known(spec: TokenizerSpec) -> bool:
    """Return whether the file's engine has the limit; llama.cpp has none."""
    return spec.format != "gguf"


def _lost(spec: TokenizerSpec, samples: Samples, traces: Traces) -> set[str]:
    """Return words that are too long as given to the model, but could be spelled."""
    cap = spec.max_input_chars_per_word
    sentences = (text for sample in samples.all if sample.spaced for text in sample.sentences)
    long = {word for text in sentences for word in text.split() if len(word) > cap}
    given = {piece for word in long for piece in traces.given(word) if len(piece) > cap}
    whole = WordPiece(replace(spec, max_input_chars_per_word=max(map(len, given), default=0)))
    return {word for word in given if spec.unk_id not in whole.encode(word)}


def _letter(spec: TokenizerSpec) -> str | None:
    """Return a known character that can start and continue a word."""
    kinds = (TokenType.ORDINARY, TokenType.CONTINUATION)
    first, rest = (
        {t for p in spec.every_piece() if p.token_type is kind and (t := text_of(p)) is not None}
        for kind in kinds
    )
    return min((text for text in first & rest if len(text) == 1 and text.isalpha()), default=None)


def _finding(spec: TokenizerSpec, severity: Severity, word: str, message: str) -> Finding:
    place = in_model(spec, KEY, spec.max_input_chars_per_word)
    shown = Evidence("text", text=word, note="one word, and one id: the unknown token's")
    return Finding(severity, message, (place,), (shown,), cause="cap")
