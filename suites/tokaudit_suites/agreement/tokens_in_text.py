"""Added tokens that one representation matches whole, and another one splits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    Place,
    Severity,
    Skip,
    Subject,
    check,
    two_rows,
)
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import AddedToken
from tokaudit_suites.agreement._compared import Sides, sides_of
from tokaudit_suites.agreement._marks import MarkedCopy
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.run_copies import Copies
from tokaudit_suites.shared.stated_roles import stated_added
from tokaudit_suites.shared.token_contexts import Context, contexts
from tokaudit_suites.shared.wording import ids_evidence, in_added, in_words, plural, quote, some

MOST = 400  # tokens; a vocabulary of speech has 1,500 time stamps alike
RAN, UNKNOWN = "agreement/texts_with_added_tokens", "agreement/added_tokens_not_run"


@check(
    "agreement/tokens-in-text",
    title="All copies find the same added tokens",
    why="A second tokenizer file can list an added token with the right id and type and still "
    "split the token's text: because of a flag, a normalizer, or a longer token that begins with "
    "the same text. If one of two tokenizer files splits an added token, the model reads the "
    "added token in one engine and the pieces of its text in another engine.",
    remedy="Write {file|the file named} again from {other|the file that loaders read first}, "
    "including the flags of the added tokens.",
    repair=person_decides(
        "each file is a tokenizer by itself, and only the weights belong to one of them"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="An export of Gemma 3 gave its turn markers the type of words, so that engines cut "
    "them into pieces (unslothai/unsloth PR#5080).",
    measures=(Measured(RAN), Measured(UNKNOWN)),
)
def tokens_in_text(copies: Copies, subject: Subject) -> Iterator[Finding | Measurement]:
    """Run each token in several contexts through every pair, and count its id on both sides.

    What stands around a token is compared by `agreement/behaviour`.
    """
    ran, first = 0, copies.all[0]
    again = {content for _, content, _, _ in stated_added(subject)} | _of_the_class(subject)
    for other in copies.all[1:]:
        shared = _tried_on(MarkedCopy(first.pair), MarkedCopy(other.pair), again)
        found = [_differing(sides, shared) for sides in sides_of(first, other)] if shared else []
        ran += len(found)
        lost = len(first.spec.added_tokens) - (len(shared) if found else 0)
        yield _unknown(lost, len(first.spec.added_tokens), other.file)
        texts = sum(each.texts for each in found)
        yield _tried(texts, other.file)
        if parted := [each for each in found if each.apart]:
            yield _finding(parted[0], " and ".join(each.sides.who for each in parted))
    if not ran:
        raise Skip("fewer than two tokenizer files could be run that mark their added tokens")


def _of_the_class(subject: Subject) -> set[str]:
    """Return the tokens that the named class adds itself, whatever their type in a file."""
    named = class_of(subject)
    known = None if named is None else named.known
    return set() if known is None else {*(known.tokens or {}).values()}


@dataclass(frozen=True)
class DifferingContexts:
    """Contexts in which only one side produces the token as one id."""

    sides: Sides
    texts: int
    apart: Sequence[Context]


def _tried_on(one: MarkedCopy, other: MarkedCopy, again: set[str]) -> list[AddedToken]:
    """Return the tokens that both files add; for a file that declares none, its words.

    Words that settings or the class add `again` are whole for every class that reads them.
    """
    if not all(side.format.types_tokens for side in (one, other)):
        return []
    lists = one.format.lists_every_token and other.format.lists_every_token
    words = {mark.text for mark in one.words_of(other)} - again
    tried = one.marks.keys() & other.marks.keys() - _never_found(one, other) if lists else words
    found = [t for t in one.spec.added_tokens if t.content in tried and t.content.strip()]
    return found[:: len(found) // MOST + 1]


def _never_found(*sides: MarkedCopy) -> set[str]:
    """Return the tokens that a side's library never takes from text, by its own rule.

    Source: mistral-common 1.13.1, `Tekkenizer.encode`, which allows no special token.
    """
    closed = [side for side in sides if not side.spec.control_from_text]
    return {mark.text for side in closed for mark in side.marks.values() if mark.special}


def _differing(sides: Sides, tokens: Sequence[AddedToken]) -> DifferingContexts:
    """Return the differing contexts, without texts that an engine changes by its own rules."""
    tried = [each for each in contexts(tokens) if not each.odd]
    texts = [each.text for each in tried]
    own = sides.engine.cut_otherwise(texts) if sides.engine is not None else [False] * len(texts)
    copies = zip((sides.one, sides.other), sides.runners, strict=True)
    counted = []
    for copy, runner in copies:
        assert runner.tokenizer is not None
        marked = MarkedCopy(copy.pair)
        ids = {token.content: marked.id_of(token.content) for token in tokens}
        found = zip(tried, runner.tokenizer.encode(texts), strict=True)
        counted.append(
            [
                None if one.error is not None else one.ids.count(ids[each.token.content])
                for each, one in found
            ]
        )
    rows = zip(tried, *counted, own, strict=True)
    apart = [each for each, a, b, skipped in rows if a != b and None not in (a, b) and not skipped]
    return DifferingContexts(sides, len(texts), apart)


def _finding(found: DifferingContexts, who: str) -> Finding:
    sides = found.sides
    shortest = min(found.apart, key=lambda each: len(each.text))
    tokens = list(dict.fromkeys(each.token for each in found.apart))
    left, right = sides.tokenizers
    text = shortest.text
    rows = left.row(text, sides.runners[0].who), right.row(text, sides.runners[1].who)
    return Finding(
        Severity.ERROR,
        f"Only one of {sides.one.file} and {sides.other.file} recognises "
        f"{plural(len(tokens), 'added token')} in {len(found.apart):,} of {found.texts:,} test "
        f"texts (run by {in_words(who)}): {some([quote(token.content) for token in tokens])}. "
        f"Loaders that find both files read {sides.one.file}.",
        (
            Place("added_tokens", sides.other.file),
            in_added(sides.one.spec, shortest.token.content),
        ),
        (two_rows(text, *rows, "shortest text"), ids_evidence([token.id for token in tokens])),
        cause="cut",
    )


def _tried(texts: int, file: str) -> Measurement:
    title = "Texts with added tokens run by two copies"
    method = "each token alone, next to characters and to other tokens"
    return Measurement(RAN, title, texts, "texts", texts, method, dimensions=_of(file))


def _unknown(lost: int, of: int, file: str) -> Measurement:
    title = "Added tokens that a copy does not state or run"
    method = "the added tokens of the first copy that the other states with their kind"
    return Measurement(UNKNOWN, title, lost, "tokens", of, method, dimensions=_of(file))


def _of(file: str) -> dict[str, str]:
    return {"representation": file}
