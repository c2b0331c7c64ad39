"""Declared losses of a tokenizer, with texts that show them."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.engine.encoders.lost_text import MOST_LOST
from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Reference,
    Samples,
    Severity,
    check,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.round_trip._promise import promised
from tokaudit_suites.shared.changed_words import ChangedWords
from tokaudit_suites.shared.wording import main_file, quote, some

WAYS = {
    "runs of spaces": ("a  b", "a b"),
    "spaces at the end": ("a ", "a"),
    "line ends": ("a\nb", "a b"),
    "tabs": ("a\tb", "a b"),
    "case": ("aB", "ab"),
    "accents": ("caf\u00e9", "cafe"),
    "full-width forms": ("a\uff21", "aA"),
}
"""Each way in which trainers lose text by default, with two texts that are then one."""


@dataclass(frozen=True, slots=True)
class _Loss:
    """Two texts that get the same ids."""

    way: str
    text: str
    as_if: str
    ids: tuple[int, ...]


@check(
    "round_trip/declared-loss",
    title="Declared lossy normalization",
    why="By default, SentencePiece removes runs of spaces, tabs and line ends, and replaces "
    "characters that its vocabulary lacks with the unknown token. Uncased BERT tokenizers drop "
    "capital letters. A tokenizer that drops characters as its files say works correctly, but "
    "code, tables and names lose information before the model sees them.",
    remedy="If decoded text must equal the text that was encoded, train a tokenizer with an "
    "identity normalizer and byte fallback. Do not change a tokenizer that is already in use.",
    severity=Severity.INFO,
    harm=Harm.STYLE,
    basis=Basis.INTRINSIC,
    incident="T5 cannot write braces and loses every line end "
    "(google-research/text-to-text-transfer-transformer #390; google/sentencepiece #650).",
)
def declared_loss(
    spec: TokenizerSpec, reference: Reference, samples: Samples, words: ChangedWords | None
) -> Iterator[Finding]:
    """Report every kind of loss, unknown characters, and affected scripts in one finding."""
    try:
        promised(spec)
    except NotApplicable as declared:
        said = str(declared)
    else:
        raise NotApplicable("no loss is declared")
    lost = list(_lost(reference))
    rewritten = words.rewritten if words is not None else ()
    unknown = _unknown(spec, reference, [c for c in string.printable if not c.isspace()])
    if not lost and not unknown and not rewritten:
        return
    ways = [f"{loss.way} ({quote(loss.text)} is read as {quote(loss.as_if)})" for loss in lost]
    for step in dict.fromkeys(each.step for each in rewritten):
        first = next(each for each in rewritten if each.step == step)
        what = f"{quote(first.text[:80])} is read as {quote(first.given[:80])}"
        ways.append(f"what {step} looks for ({what})")
    if unknown:
        ways.append(f"{len(unknown)} characters of ASCII ({some([quote(c) for c in unknown])})")
    yield Finding(
        Severity.INFO,
        f"The tokenizer's files declare that decoded text differs from the encoded text ({said}). "
        f"The tokenizer loses {'; '.join(ways)}.",
        (Place("tokenizer", main_file(spec)),),
        (
            *_evidence(spec, lost, unknown, _scripts(spec, reference, samples)),
            *(Evidence("text", text=e.text, note=f"is read as {e.given!r}") for e in rewritten[:3]),
        ),
        cause="declared",
    )


def _lost(reference: Reference) -> Iterator[_Loss]:
    texts = [text for pair in WAYS.values() for text in pair]
    found = dict(zip(texts, reference.encode(texts), strict=True))
    for way, (text, as_if) in WAYS.items():
        one, other = found[text], found[as_if]
        if one.error is None and one.ids == other.ids:
            yield _Loss(way, text, as_if, tuple(one.ids))


def _unknown(spec: TokenizerSpec, reference: Reference, texts: Sequence[str]) -> list[str]:
    """Return the texts that are partly unknown or encode to nothing."""
    found = zip(texts, reference.encode(texts), strict=True)
    return [text for text, e in found if e.error is None and (not e.ids or spec.unk_id in e.ids)]


def _scripts(spec: TokenizerSpec, reference: Reference, samples: Samples) -> dict[str, str]:
    """Return the share of unknown tokens in a sentence by script, if more than a few."""
    first = {s.language[-4:]: s.sentences[0] for s in samples.of_kind("language") if s.sentences}
    shares = {
        script: found.ids.count(spec.unk_id) / len(found.ids)
        for script, found in zip(first, reference.encode(list(first.values())), strict=True)
        if found.error is None and found.ids and spec.unk_id is not None
    }
    return {s: f"{share:.0%}" for s, share in sorted(shares.items()) if share > MOST_LOST}


def _evidence(
    spec: TokenizerSpec, lost: Sequence[_Loss], unknown: Sequence[str], scripts: dict[str, str]
) -> Iterator[Evidence]:
    names = token_names(spec)
    for loss in lost:
        note = f"the same ids as {loss.as_if!r}"
        yield text_evidence(loss.text, loss.ids, loss.ids, names, (loss.text, loss.as_if), note)
    if unknown:
        yield Evidence("facts", facts={"characters": "".join(unknown)}, note="become unknown")
    if scripts:
        yield Evidence("facts", facts=scripts, note="unknown tokens in a sentence, by script")
