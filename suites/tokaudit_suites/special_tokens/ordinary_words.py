"""Added tokens that are ordinary words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_reference.spec import AddedToken, ModelType, TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import to_bytes
from tokaudit_suites.shared.repairs import either, person_decides, removed
from tokaudit_suites.shared.vocab_entries import ordinary, text_of
from tokaudit_suites.shared.wording import about, does, in_added, quote, some

CODE = 2  # letters of a language's code


@check(
    "special_tokens/ordinary-words",
    title="No added token is an ordinary word",
    why="The tokenizer splits added tokens off before its other rules run, even inside longer "
    "words. If an ordinary word is an added token, every text that contains the word gets "
    "different ids.",
    remedy="Remove the word from the added tokens; to add words, set single_word and train the "
    "new embedding rows.",
    repair=person_decides("whether a text becomes one token is what the model expects"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Mistral with 'Deniz' added reads 'met Deniz' as 'metDeniz' "
    "(huggingface/transformers #28384).",
)
def ordinary_words(spec: TokenizerSpec) -> Iterator[Finding]:
    """Report added tokens made of letters; an error if the model has such a token already."""
    words = [token for token in spec.added_tokens if _is_word(token)]
    if not spec.added_tokens:
        raise NotApplicable("there are no added tokens")
    known = {(text_of(piece) or "").strip(" ▁") for _, piece in ordinary(spec)}
    known |= _merged(spec) | _declared(spec)  # a special entry keeps the merge that makes it
    replaced = [token for token in words if token.content.strip() in known]
    replaced = [token for token in replaced if not _has_two_ids(spec, token)]
    others = [t for t in words if t.content.strip() not in known]
    dropped = [token for token in others if token.special and _is_of_prose(token)]
    others = [token for token in others if not token.special]
    if replaced:
        yield _finding(spec, replaced, Severity.ERROR, "the vocabulary has its own tokens for them")
    if others:
        yield _finding(
            spec,
            others,
            Severity.WARNING,
            "the tokenizer splits text at such words, even inside longer words",
        )
    if dropped:
        effect = "answers that are decoded with skip_special_tokens=True lack these words"
        found = _finding(spec, dropped, Severity.WARNING, effect)
        yield replace(found, cause="dropped", repair=None)


def _is_of_prose(token: AddedToken) -> bool:
    """Return whether a word is like those in sentences, not a code or a role in capitals."""
    word = token.content.strip()
    return len(word) > CODE and not word.isupper()


def _has_two_ids(spec: TokenizerSpec, token: AddedToken) -> bool:
    """Return whether an entry at another id has the token's content: see vocab/duplicate-id."""
    value = to_bytes(token.content) if spec.byte_level else token.content
    return spec.ids_by_surface.get(value or b"", token.id) != token.id


def _declared(spec: TokenizerSpec) -> set[str]:
    """Return words of a WordPiece vocabulary that are declared special in place.

    Its specials have brackets or a sign, and what is in small letters came of text.
    """
    if spec.model_type is not ModelType.WORDPIECE:
        return set()
    return {t.content for t in spec.added_tokens if t.id in spec.pieces and t.content.islower()}


def _merged(spec: TokenizerSpec) -> set[str]:
    """Return the words that merges build."""
    pairs = [(_bytes(left), _bytes(right)) for left, right in spec.merges or ()]
    made = ((left + right).decode(errors="replace") for left, right in pairs)
    return {text.strip(" ▁") for text in made}


def _bytes(part: bytes | str) -> bytes:
    return part.encode() if isinstance(part, str) else part


def _is_word(token: AddedToken) -> bool:
    """Return whether a token is a word of at least two letters, in any script."""
    letters = token.content.strip().replace(" ", "")
    return len(letters) > 1 and letters.isalpha()


def _finding(
    spec: TokenizerSpec, tokens: list[AddedToken], severity: Severity, effect: str
) -> Finding:
    names = [f"{quote(token.content)} (id {token.id})" for token in tokens]
    return Finding(
        severity,
        f"{does(len(tokens), 'ordinary word', 'is')} among the added tokens: {some(names)}; "
        f"{effect}.",
        tuple(in_added(spec, token.content) for token in tokens[:5]),
        cause=severity.value,
        about=about(*(t.content for t in tokens), ids=(t.id for t in tokens)),
        repair=either(
            (
                "a model that has no separate rows for them",
                [removed(in_added(spec, token.content)) for token in tokens],
            ),
        ),
    )
