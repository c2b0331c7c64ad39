"""Vocabulary lines that end in white space, which some loaders strip."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Decider,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    check,
    decision,
)
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import about, does, ids_evidence, in_vocab, quote, some

# What Rust's str::trim_end cuts off: Unicode's White_Space.
WHITE = "\t\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)

INDEXED = "indexed lines"  # by the code of a model, which cuts off one character
F5 = "1.1.22"


@check(
    "vocab/stripped-lines",
    title="No entry ends in white space",
    why=f"transformers {FOUR} reads each line of vocab.txt unchanged. The tokenizers library, "
    f"which transformers {FIVE} uses too, strips white space, even a no-break space, at the end of "
    "each line of vocab.txt. Without its white space, an entry becomes another word, and takes "
    "this word's id if the word is listed too. Code that numbers the lines of vocab.txt "
    "itself reads a line with only a space as the token ' '.",
    remedy="Add a tokenizer.json whose vocabulary has exactly the tokens of the embedding rows; "
    "loaders then ignore vocab.txt.",
    repair=person_decides("no file says which of the two readings the embedding rows are for"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="the two readers differ for these words alone, and most texts have none.",
    basis=Basis.INTRINSIC,
    incident="A reader that stripped the entries of white space lost them "
    "(Helsinki-NLP/mammoth PR#42).",
)
def stripped_lines(spec: TokenizerSpec) -> Iterator[Finding]:
    """Look for entries that collide with another when stripped, or were stripped already."""
    if spec.format == INDEXED:
        yield from _cut_too_much(spec)
        return
    if spec.format != "vocab.txt":
        raise NotApplicable("no vocab.txt is what loaders read here")
    cut = {
        id: (text, word)
        for text, id in spec.ids_by_surface.items()
        if isinstance(text, str) and (word := text.rstrip(WHITE)) not in (text, "")
    }
    if not cut:
        return
    shown = [f"{quote(text)} (id {id})" for id, (text, _) in cut.items()]
    text, word = max(cut.values(), key=lambda pair: id_of(spec, pair[1]) is not None)
    now = id_of(spec, word)
    kept = "cut into pieces" if now is None else f"id {now}"
    yield Finding(
        Severity.WARNING,
        f"{does(len(cut), 'entry', 'ends')} in white space: {some(shown)}. transformers {FOUR} "
        f"keeps the white space, so that {quote(word)} is {kept}; tokenizers and transformers "
        f"{FIVE} strip the white space, so that {quote(word)} is id {id_of(spec, text)}.",
        (in_vocab(spec, sorted(cut)[:20]),),
        (Evidence("text", text=word), ids_evidence(sorted(cut))),
        cause="white space",
        about=about(*(word for pair in cut.values() for word in pair)),
    )


def _cut_too_much(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report a line that is empty without its white space, or lacks its line end."""
    empty = id_of(spec, "")
    if empty is None:
        return
    if id_of(spec, " ") is None:
        says = (
            f"Line {empty + 1} is empty, and none is a space: f5-tts {F5} trains only where the "
            "space has id 0, and else gives every space to the entry of unknown characters."
        )
        remedy = f"Write a space on line {empty + 1}."
    else:
        says = (
            f"Line {empty + 1} is empty, or the last one without an end: f5-tts {F5} cuts one "
            "character off each line, so that the id has no text."
        )
        remedy = f"Write the character of line {empty + 1}, and end the line."
    yield Finding(
        Severity.ERROR,
        says,
        (in_vocab(spec, [empty], ""),),
        (ids_evidence([empty]),),
        remedy=remedy,
        cause="empty line",
        repair=decision(Decider.PERSON, "the line is written by hand, as the model knows it"),
    )
