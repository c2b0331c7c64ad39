"""Laws of a runtime whatever its ids: batches, repetition, threads, length, decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.texts.shrink import minimise
from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.products.engines.covering.decodes import decodes_of
from tokaudit.products.engines.referee.causes import Cause
from tokaudit.products.engines.referee.match import BY_FILE, Match
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, Tokenizer
from tokaudit_reference.text.bytes_or_text import text_of

FEW = 400  # texts that are asked again in other ways
SHOWN = 200  # characters of a text that a report shows, around the first difference
TOKENS_BEFORE, TOKENS_AFTER = 3, 5  # of those that are shown of a long text
HELD_BACK = "\ufffd"  # which a decoder of streams takes for a part of a character


@dataclass(frozen=True)
class LawBroken:
    """A broken law: counts of texts, and a text that shows it."""

    cause: Cause
    different: int
    tried: int
    evidence: Evidence


@dataclass(frozen=True)
class LawHolds:
    """A law that held on some texts, or that is unknown for a reason."""

    cause: Cause
    tried: int = 0
    unknown: str = ""


Ruling = LawBroken | LawHolds


def batches(match: Match, texts: Sequence[str]) -> Ruling:
    """Check that a batch gives the same as each of its texts alone."""
    if "batch" not in match.runtime.capabilities:
        return LawHolds(Cause.BATCH, unknown="it has no call for a batch")
    together = replace(match.options, alone=False)
    found = match.runtime.encode(texts, together)
    return _told(match, Cause.BATCH, texts, found, ("alone", "in a batch"))


def repetition(match: Match, texts: Sequence[str]) -> Ruling:
    """Check that texts give the same again, in another order and next to prefixes."""
    prefixes = [text[: len(text) // 2] for text in texts[: FEW // 4] if len(text) > 3]
    again = [*reversed(texts), *prefixes, *texts]
    first = dict(zip(texts, (one for _, one in match.of(texts)), strict=True))
    found = match.runtime.encode(again, match.options)
    pairs = [(text, one) for text, one in zip(again, found, strict=True) if text in first]
    asked, answers = [text for text, _ in pairs], [one for _, one in pairs]
    return _told(match, Cause.CACHE, asked, answers, ("at first", "again"))


def threads(match: Match, threaded: Tokenizer | None, texts: Sequence[str]) -> Ruling:
    """Check that several threads give the same as one, for a long text and a batch."""
    if threaded is None:
        return LawHolds(Cause.THREADS, unknown="it was not run with several threads")
    found = threaded.encode(texts, replace(match.options, alone=False))
    return _told(match, Cause.THREADS, texts, found, ("one thread", "several threads"))


def _told(
    match: Match,
    cause: Cause,
    texts: Sequence[str],
    found: Sequence[Encoding],
    labels: tuple[str, str],
) -> Ruling:
    """Compare results with those of each text alone."""
    before = [one for _, one in match.of(texts)]
    other = [
        (text, one.ids, two.ids)
        for text, one, two in zip(texts, before, found, strict=True)
        if one.error is None and two.error is None and one.ids != two.ids
    ]
    if not other:
        return LawHolds(cause, len(texts))
    text, one, two = min(other, key=lambda row: len(row[0]))
    named = [f"{match.label}, {label}" for label in labels]
    return LawBroken(cause, len(other), len(texts), _shown(match, text, named, (one, two)))


def special_tokens(match: Match, texts: Sequence[str]) -> Ruling:
    """Check that the special tokens around a text are the file's."""
    if "adds" not in match.runtime.capabilities:
        return LawHolds(Cause.POST_PROCESSOR, unknown="it cannot add special tokens around a text")
    chosen = [t for t in texts if match.agree([t])]
    note = "with special tokens around the text"
    return _by_both(match, Cause.POST_PROCESSOR, chosen, match.parses, note, add=True)


def special_as_text(match: Match, texts: Sequence[str]) -> Ruling:
    """Check that special tokens not parsed from a text become plain tokens."""
    marks = [token.content for token in match.spec.added_tokens if token.special and token.content]
    chosen = [text for text in texts if any(mark in text for mark in marks)][:FEW]
    if "special" not in match.runtime.capabilities:
        return LawHolds(Cause.ADDED, len(chosen))
    return _by_both(match, Cause.ADDED, chosen, False, "special tokens taken as text", add=False)


def _by_both(
    match: Match, cause: Cause, texts: Sequence[str], parse: bool, note: str, *, add: bool
) -> Ruling:
    """Compare both sides' ids with these options, and show the shortest difference."""
    plain = EncodeOptions(add_special_tokens=add, parse_special=parse)
    asked = replace(match.options, add_special_tokens=add, parse_special=parse)
    both = zip(
        texts,
        match.reference.encode(texts, plain),
        match.runtime.encode(texts, asked),
        strict=True,
    )
    other = [
        (t, a.ids, b.ids) for t, a, b in both if not a.error and not b.error and a.ids != b.ids
    ]
    if not other:
        return LawHolds(cause, len(texts))
    text, one, two = min(other, key=lambda row: len(row[0]))
    return LawBroken(cause, len(other), len(texts), match.rows(text, one, two, note))


def streaming(match: Match, texts: Sequence[str]) -> Ruling:
    """Check that streamed decoding gives the same text as decoding at once."""
    if "stream" not in match.runtime.capabilities:
        return LawHolds(Cause.STREAM, unknown="it does not decode in a stream")
    known = {text: one.ids for text, (one, _) in zip(texts, match.of(texts), strict=True)}
    asked = [text for text, ids in known.items() if ids and HELD_BACK not in text]
    together, streamed = (
        [text_of(one) for one in match.runtime.decode([known[t] for t in asked], options)]
        for options in (DecodeOptions(), DecodeOptions(streamed=True))
    )
    other = [row for row in zip(asked, together, streamed, strict=True) if row[1] != row[2]]
    if not other:
        return LawHolds(Cause.STREAM, len(asked))
    text, one, two = min(other, key=lambda row: len(row[0]))
    note = f"decoded: {one[:SHOWN]!r} together, {two[:SHOWN]!r} one by one"
    evidence = _shown(match, text, [match.label] * 2, (known[text],) * 2, note)
    return LawBroken(Cause.STREAM, len(other), len(asked), evidence)


def decoding(match: Match, texts: Sequence[str]) -> Ruling:
    """Check that the file's ids decode to the text of its own decoder."""
    if match.runtime.capabilities.isdisjoint({"decode", "decode_bytes"}):
        return LawHolds(Cause.DECODE, unknown="it does not decode")
    differ = _decodes_differently(match)
    try:
        found = differ(texts)
    except UpstreamTrouble as error:
        return LawHolds(Cause.DECODE, unknown=f"it does not decode: {error}")
    other = [text for text, yes in zip(texts, found, strict=True) if yes]
    if not other:
        return LawHolds(Cause.DECODE, len(texts))
    text = minimise(min(other, key=len), differ)
    [ours], [theirs] = _decoded(match, [match.expected(text)])
    row = TokenRow(BY_FILE, match.expected(text), match.names)
    note = f"decoded: {ours!r} {BY_FILE}, {theirs!r} by {match.label}"
    evidence = two_rows(text, row, replace(row, label=match.label), note, minimal=True)
    return LawBroken(Cause.DECODE, len(other), len(texts), evidence)


def decoding_ids(match: Match, texts: Sequence[str]) -> Ruling:
    """Check the decoding of ids that no text encodes to, such as partial characters."""
    if "decode" not in match.runtime.capabilities:
        return LawHolds(Cause.DECODE, unknown="it does not decode")
    asked = decodes_of(match.spec, match.reference)
    found = map(text_of, match.runtime.decode([each.ids for each in asked]))
    both = zip(asked, found, strict=True)
    other = [(each, text) for each, text in both if text != each.decoded]
    if not other:
        return LawHolds(Cause.DECODE, len(texts) + len(asked))
    row, text = min(other, key=lambda each: len(each[0].ids))
    note = f"decoded: {row.decoded!r} {BY_FILE}, {text!r} by {match.label}"
    labels, ids = (BY_FILE, match.label), tuple(row.ids)
    evidence = _shown(match, row.decoded, labels, (ids, ids), note)
    return LawBroken(Cause.DECODE, len(other), len(asked), evidence)


def _decodes_differently(match: Match) -> Callable[[Sequence[str]], list[bool]]:
    """Return a test for texts whose ids decode differently, without texts with marks."""
    marks = {token.id for token in match.spec.added_tokens if token.special}

    def differ(texts: Sequence[str]) -> list[bool]:
        expected = {
            text: one.ids for text, (one, _) in zip(texts, match.of(texts), strict=True) if one.ids
        }
        asked = {text: ids for text, ids in expected.items() if marks.isdisjoint(ids)}
        ours, theirs = _decoded(match, list(asked.values()))
        other = {t for t, a, b in zip(asked, ours, theirs, strict=True) if a != b}
        return [text in other for text in texts]

    return differ


def _decoded(match: Match, ids: Sequence[Sequence[int]]) -> tuple[list[str], list[str]]:
    both = (
        match.reference.decode(ids, DecodeOptions()),
        match.runtime.decode(ids, DecodeOptions()),
    )
    ours, theirs = ([text_of(one) for one in row] for row in both)
    return ours, theirs


def lengths(match: Match, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each long differing text, with its shortest differing prefix."""
    for text in texts:
        if not match.differ([text])[0]:
            continue
        low, high = 0, len(text)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if match.differ([text[:middle]])[0] else (middle, high)
        yield text, text[:high]


def long_evidence(match: Match, text: str) -> Evidence:
    """Return evidence for a long text: the part around the difference."""
    return _shown(match, text, (BY_FILE, match.label), (match.expected(text), match.got(text)))


def _shown(
    match: Match,
    text: str,
    labels: Sequence[str],
    ids: tuple[tuple[int, ...], tuple[int, ...]],
    note: str = "",
) -> Evidence:
    """Return evidence, limited for a long text to the first differing token."""
    one, two = ids
    if len(text) <= SHOWN:
        return two_rows(text, *_rows(match, labels, ids), note)
    differing = (at for at, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1])
    at = next(differing, min(len(one), len(two)))
    before = len(match.joined(one[:at]).decode("utf-8", "ignore"))
    begin = max(0, min(before - SHOWN // 2, len(text) - SHOWN))
    first = max(0, at - TOKENS_BEFORE)
    near = (one[first : at + TOKENS_AFTER], two[first : at + TOKENS_AFTER])
    places = f"shown from the {begin:,}th on; tokens from the {first:,}th on"
    notes = (note, f"a text of {len(text):,} characters, {places}")
    rows = _rows(match, labels, near)
    return two_rows(text[begin : begin + SHOWN], *rows, "; ".join(filter(None, notes)))


def _rows(
    match: Match, labels: Sequence[str], ids: tuple[tuple[int, ...], tuple[int, ...]]
) -> tuple[TokenRow, TokenRow]:
    one, two = (TokenRow(name, row, match.names) for name, row in zip(labels, ids, strict=True))
    return one, two
