"""Settings of generation that forbid tokens which answers need, or force an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.published.speech_prompt import ORDER, is_time, kind_of
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides, removed, repaired, set_to
from tokaudit_suites.shared.stated_roles import (
    from_generation,
    ids_in,
    place_of,
    role_ids,
    role_tokens,
)
from tokaudit_suites.shared.vocab_entries import IdsByText, looks_like_marker, name_of
from tokaudit_suites.shared.wording import plural, quote, some
from tokaudit_suites.shared.written_tokens import written_tokens
from tokaudit_suites.special_tokens._speech_prompts import writes_speech

ALWAYS, FIRST = "suppress_tokens", "begin_suppress_tokens"
BAD_WORDS = "bad_words_ids"  # lists of ids; one with a single id is as a suppressed token
BIAS = "sequence_bias"  # pairs of such a list and what is added to the score of its last id
DECISIVE = 10  # a score that much lower makes a token 20,000 times less likely
SIGNS = frozenset(
    " \"#()*+/:;<=>@[\\]^_`{|}~-'\u300c\u300d\u300e\u300f\u2669\u266a\u266b\u266c\u266d\u266e\u266f"
)
"""What Whisper's lists are made of: brackets, signs of formulas and notes."""
INSIDE = ("-", "'")  # within words, where speech has them
NOTE = b"\xe2\x99"  # the bytes that every note begins with


@check(
    "special_tokens/suppressed",
    title="No suppress list blocks EOS or ordinary tokens",
    why="The key suppress_tokens lists ids that generation never writes. A list of suppressed ids "
    "for another vocabulary blocks the wrong tokens: if the list contains the end of text, no "
    "answer ends; if it contains a word, the model never writes this word. A sequence_bias far "
    "below zero blocks a token too, and one far above zero forces it.",
    remedy="Copy the list of suppressed ids from this checkpoint's own publisher into {file|the "
    "config}, or delete the blocked ids from the list.",
    repair=person_decides("which list of ids is meant is with the publisher"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Whisper's lists hold signs and its own markers by id, so they fit one vocabulary "
    "(whisper/tokenizer.py non_speech_tokens in openai/whisper).",
)
def suppressed(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Look for ends in every list, and for words and languages in Whisper's."""
    lists = subject.facts_named(ALWAYS, FIRST, BAD_WORDS, BIAS)
    if not lists:
        raise NotApplicable("no config suppresses tokens")
    ends = _ends(spec, subject)
    speech = writes_speech(spec)
    for fact in lists:
        ids = _never_written(fact)
        if fact.name != FIRST:
            yield from _without_end(spec, subject, fact, ends)
            yield from _at_once(spec, fact, ends)
        if fact.name == ALWAYS and speech:
            yield from _of_speech(spec, fact, ids)
        elif fact.name == FIRST and speech and ids:
            if ends and not ends & set(ids):
                yield _empty(fact)
            yield from _no_beginning(spec, fact, [id for id in ids if id not in ends])


def _ends(spec: TokenizerSpec, subject: Subject) -> set[int]:
    """Return every id that ends an answer, by generation config, config or tokenizer."""
    tokens = [content for _, content in role_tokens(subject, "eos")]
    ids = IdsByText(spec)
    named = {id for content in tokens if (id := ids.of(content)) is not None}
    return named | {id for _, stated in role_ids(subject, "eos") for id in stated}


def _never_written(fact: Fact) -> list[int]:
    """Return the ids that a setting forbids; a longer sequence forbids its last one."""
    if fact.name == BIAS:
        return [id for id, bias in _biased(fact.value) if bias <= -DECISIVE]
    if fact.name != BAD_WORDS:
        return ids_in(fact.value)
    alone = (ids_in(each) for each in fact.value or () if isinstance(each, list))
    return [ids[0] for ids in alone if len(ids) == 1]


def _biased(pairs: Any) -> Iterator[tuple[int, float]]:
    """Yield the ids that are biased wherever they occur, each with its bias."""
    for pair in pairs if isinstance(pairs, list) else ():
        match pair:
            case [[int(id)], float(bias)]:  # a whole number is refused
                yield id, bias


def _without_end(
    spec: TokenizerSpec, subject: Subject, fact: Fact, ends: set[int]
) -> Iterator[Finding]:
    """Report suppressed ends: all of them, or the one that ends turns in the template."""
    forbidden = ends & set(_never_written(fact))
    if fact.name == BAD_WORDS and (ignored := forbidden & _stops(subject)):
        forbidden -= ignored
        yield Finding(
            Severity.INFO,
            f"{fact.name} in {fact.file} contains {_shown(spec, sorted(ignored))}, which ends "
            f"generation: transformers {FOUR} and {FIVE} ignore this item.",
            (place_of(fact, "special_roles"),),
            cause="ignored",
        )
    if forbidden and forbidden == ends:
        what, harm = "every end-of-text token", "no answer ends before the maximum length"
        yield _endless(spec, fact, sorted(ends), (what, harm))
    elif written := forbidden & written_tokens(spec, subject):
        what, harm = "what the chat template ends turns with", "no answer ends as the model learned"
        yield _endless(spec, fact, sorted(written), (what, harm))


def _stops(subject: Subject) -> set[int]:
    """Return the ids that generation stops at, which transformers takes out of bad words.

    Source: `NoBadWordsLogitsProcessor` of both versions, generation/logits_process.py.
    """
    stated = sorted(role_ids(subject, "eos"), key=lambda each: not from_generation(each[0]))
    return set(stated[0][1]) if stated else set()


def _at_once(spec: TokenizerSpec, fact: Fact, ends: set[int]) -> Iterator[Finding]:
    """Report ends that a bias forces; those of forced_bos_token_id are decoder-start's."""
    raised = [id for id, bias in _biased(fact.value) if bias >= DECISIVE and id in ends]
    if fact.name == BIAS and raised:
        yield Finding(
            Severity.ERROR,
            f"{fact.name} in {fact.file} forces {_shown(spec, raised)}, which ends an answer: "
            "every answer is over before its first word.",
            (place_of(fact, "special_roles"),),
            cause="forced end",
            repair=_without(fact, raised),
        )


def _shown(spec: TokenizerSpec, ids: Sequence[int]) -> str:
    return some([f"{quote(name_of(spec, id) or '')} (id {id})" for id in ids])


def _endless(
    spec: TokenizerSpec, fact: Fact, ends: Sequence[int], said: tuple[str, str]
) -> Finding:
    what, harm = said
    does = "forbids" if fact.name == BIAS else "contains"
    return Finding(
        Severity.ERROR,
        f"{fact.name} in {fact.file} {does} {what}, {_shown(spec, ends)}: {harm}.",
        (place_of(fact, "special_roles"),),
        cause="ends",
        repair=_without(fact, ends),
    )


def _of_speech(spec: TokenizerSpec, fact: Fact, ids: Sequence[int]) -> Iterator[Finding]:
    """Report speech and languages in a list meant for signs and markers."""
    names = {id: name for id in ids if (name := name_of(spec, id)) is not None}
    texts = {id: n if isinstance(n, str) else n.decode(errors="ignore") for id, n in names.items()}
    words = [id for id, name in names.items() if _is_speech(name)]
    prompt = [id for id, t in texts.items() if kind_of(t) in ORDER[::2] or is_time(t)]
    for found, severity, harm in (
        (words, Severity.ERROR, "the model never writes these tokens"),
        (prompt, Severity.WARNING, "the list belongs to another vocabulary"),
    ):
        if found:
            shown = some([f"{quote(names[id])} (id {id})" for id in found])
            yield Finding(
                severity,
                f"{fact.name} in {fact.file} holds {plural(len(found), 'token')} that Whisper's "
                f"lists do not: {shown}; {harm}.",
                (place_of(fact, "special_roles"),),
                cause="words" if severity is Severity.ERROR else "prompt",
                repair=_without(fact, found),
            )


def _without(fact: Fact, ids: Sequence[int]) -> Repair | None:
    """Remove some ids from the list, or the key of sequences if none is left: [] is refused."""
    place, alone = place_of(fact, "special_roles"), [[id] for id in ids]
    if fact.name == BAD_WORDS:
        left = [each for each in fact.value if each not in alone]
    elif fact.name == BIAS:
        biased = [[each] for each in alone]
        left = [each for each in fact.value if not (isinstance(each, list) and each[:1] in biased)]
    else:
        return repaired(set_to(place, [id for id in ids_in(fact.value) if id not in ids]))
    return repaired(set_to(place, left) if left else removed(place))


def _is_speech(name: bytes | str) -> bool:
    """Return whether a token is speech: no marker, signs alone, or first bytes of a note.

    A minus and an apostrophe are signs after a space or next to another sign.

    >>> [_is_speech(each) for each in (" the", "?", "-", bytes([0xD1]))]
    [True, True, True, True]
    >>> [_is_speech(each) for each in (" -", "((", bytes([0x20, 0xE2, 0x99]), "<|en|>")]
    [False, False, False, False]
    """
    data = name if isinstance(name, bytes) else name.encode("utf-8", "surrogatepass")
    text = data.decode("utf-8", "replace")
    if not text or looks_like_marker(text) or NOTE.startswith(data.lstrip(b" ")):
        return False
    return text in INSIDE or not {*text} <= SIGNS


def _no_beginning(spec: TokenizerSpec, fact: Fact, ids: Sequence[int]) -> Iterator[Finding]:
    """Report tokens that cannot begin an answer; Whisper's lists have only a space."""
    names = {id: name for id in ids if (name := name_of(spec, id)) is not None}
    plain = {id: n for id, n in names.items() if n.strip() and not looks_like_marker(n)}
    if plain:
        shown = some([f"{quote(name)} (id {id})" for id, name in plain.items()])
        yield Finding(
            Severity.WARNING,
            f"{fact.name} in {fact.file} contains {shown}, where Whisper's lists contain a space "
            "and the end of text: no answer begins with such a token.",
            (place_of(fact, "special_roles"),),
            cause="beginning",
            repair=_without(fact, list(plain)),
        )


def _empty(fact: Fact) -> Finding:
    return Finding(
        Severity.WARNING,
        f"{fact.name} in {fact.file} lacks the end of text, which Whisper's lists hold: an answer "
        "may end before its first word.",
        (place_of(fact, "special_roles"),),
        cause="first",
    )
