"""Added words next to which decoding adds or drops spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Encoding,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Reference,
    Severity,
    check,
)
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import in_added, plural, quote, some

MOST = 16  # tokens
BRACKETS = (("<", ">"), ("[", "]"))
PATTERNS = ("a{}b", "a {} b")  # without spaces around the word, and with


@check(
    "round_trip/added-words",
    title="Added words keep the spaces around them",
    why="An added token splits the text around it, and the tokenizer treats the part after the "
    "token like the start of a new text. If the tokenizer puts a space before each text, it "
    "also puts one after every added token, whether the user wrote a space there or not: code, "
    "formulas and names come back changed.",
    remedy="In {file|tokenizer.json}, set prepend_scheme to 'first', so that only the first word "
    "of a text gets a space, or train the word as an ordinary entry of the vocabulary.",
    repair=person_decides("no file says whether the model has learned the ids with these spaces"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="the word itself comes back; only the spaces around it change.",
    basis=Basis.INTRINSIC,
    incident="'a<=5' came back as 'a< =5' after '<' had been added to T5 "
    "(huggingface/transformers #19293); spaces before added words were lost "
    "(huggingface/tokenizers #1544).",
)
def added_words(spec: TokenizerSpec, reference: Reference) -> Iterator[Finding]:
    """Decode each added word between two letters, with and without spaces."""
    words = [token for token in spec.added_tokens if _is_word(token)][:MOST]
    if not words:
        raise NotApplicable("no added token is an ordinary word")
    letters = [pattern.format("c") for pattern in PATTERNS]
    plain = reference.encode(letters)
    if any(each.error for each in plain) or _decoded(reference, plain) != letters:
        raise NotApplicable("plain letters do not come back as they were")
    changed: dict[str, tuple[str, str]] = {}
    for token in words:
        texts = [pattern.format(token.content) for pattern in PATTERNS]
        encoded = reference.encode(texts)
        if any(each.error or token.id not in each.ids for each in encoded):
            continue
        for text, back in zip(texts, _decoded(reference, encoded), strict=True):
            if back != text and back.replace(" ", "") == text.replace(" ", ""):
                changed.setdefault(token.content, (text, back))
    if changed:
        plain_words = [word for word in changed if not _is_marker(word)]
        first = (plain_words or [*changed])[0]
        text, back = changed[first]
        yield Finding(
            Severity.WARNING if plain_words else Severity.INFO,
            "Decoding changes the spaces around "
            f"{plural(len(changed), 'added word')}: {some([quote(word) for word in changed])}. "
            f"The ids of {quote(text)} decode to {quote(back)}.",
            (in_added(spec, first),),
            (Evidence(kind="facts", facts={"text": text, "decoded": back}),),
            cause="spaces",
        )


def _is_word(token: AddedToken) -> bool:
    """Return whether a token is no marker, and its flags keep the spaces around it."""
    plain = not (token.special or token.lstrip or token.rstrip)
    return plain and bool(token.content.strip()) and token.content == token.content.strip()


def _is_marker(word: str) -> bool:
    """Return whether a word is in brackets, and so hardly ever part of a text.

    >>> _is_marker("<s_name>"), _is_marker("<")
    (True, False)
    """
    return len(word) > 2 and (word[0], word[-1]) in BRACKETS


def _decoded(reference: Reference, encoded: Sequence[Encoding]) -> list[str]:
    ids = [each.ids for each in encoded]
    return [each if isinstance(each, str) else each.decode() for each in reference.decode(ids)]
