"""Run all tests of a runtime, and show each cause of disagreement by one minimal text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokaudit.engine.texts.shrink import minimise
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.products.compare.encoders import length_then_print
from tokaudit.products.engines.referee.blame import Blame
from tokaudit.products.engines.referee.causes import Cause
from tokaudit.products.engines.referee.laws import (
    FEW,
    LawBroken,
    LawHolds,
    Ruling,
    batches,
    decoding,
    decoding_ids,
    lengths,
    long_evidence,
    repetition,
    special_as_text,
    special_tokens,
    streaming,
    threads,
)
from tokaudit.products.engines.referee.match import Match, MemoryDifference
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import Encoding, Tokenizer

LOOKED_AT = 60  # differing texts that are blamed, the shortest first, and some of each kind
OF_A_KIND = 8
BLAMED = 60  # characters of a text that can be blamed as it is
SHORT = 600  # characters; what shows in such a text is no matter of length
REFUSED_SHOWN = 3


@dataclass(frozen=True)
class RuntimeTexts:
    """Texts for a runtime: by kind, long ones, and some for threads."""

    by_kind: Mapping[str, Sequence[str]]
    long: Sequence[str] = ()
    for_threads: Sequence[str] = ()

    @property
    def all(self) -> list[str]:
        """Return the short texts."""
        return [text for texts in self.by_kind.values() for text in texts]


@dataclass(frozen=True)
class Rulings:
    """Counts of short texts encoded and different, and each law with its ruling.

    `ended` says that the runtime's process ended at every text that it refused, and `unasked` how
    many texts were left when the time ended.
    """

    texts: int
    different: int
    refused: tuple[str, ...]
    why_refused: str
    ended: bool
    rulings: tuple[Ruling, ...]
    unasked: int = 0

    @property
    def broken(self) -> tuple[LawBroken, ...]:
        """Return the disagreements, one for each cause."""
        return tuple(each for each in self.rulings if isinstance(each, LawBroken))


def referee(match: Match, asked: RuntimeTexts, threaded: Tokenizer | None = None) -> Rulings:
    """Compare the runtime's ids of all texts, and find the causes of differences."""
    texts = _for(match, asked.all)
    rows = match.in_time(texts)
    known = [row for row in rows if row[1].error is None]
    refused = [(text, other.error or "") for text, _, other in known if other.error is not None]
    encoded = [(text, one, other) for text, one, other in known if other.error is None]
    other = [text for text, one, two in encoded if one.ids != two.ids]
    agreeing = [text for text, one, two in encoded if one.ids == two.ids]
    rulings: list[Ruling] = []
    rulings += _not_given(match, len(asked.all) - len(texts))
    try:
        other, remembered = match.afresh(other)
        rulings += _of_memory(match, remembered, len(texts))
        rulings += _of_laws(match, agreeing)
        rulings.append(threads(match, threaded, list(asked.for_threads)))
        rulings += _of_ids(match, asked, other)
        rulings += _of_length(match, asked)
    except OutOfTime as late:
        match.late = match.late or str(late)
        rulings += _unexplained(match, encoded, other, rulings)
    return Rulings(
        len(encoded),
        len(other),
        tuple(sorted((text for text, _ in refused), key=length_then_print)),
        refused[0][1] if refused else "",
        all(other.killed or other.given_up for _, _, other in known if other.error is not None),
        _once(rulings),
        len(texts) - len(rows),
    )


def _unexplained(
    match: Match,
    encoded: Sequence[tuple[str, Encoding, Encoding]],
    other: Sequence[str],
    rulings: Sequence[Ruling],
) -> Iterator[Ruling]:
    """Yield both results of the shortest unexplained text if the time ends."""
    if other and not any(isinstance(each, LawBroken) for each in rulings):
        known = {text: (one, two) for text, one, two in encoded}
        text = min(other, key=length_then_print)
        one, two = known[text]
        evidence = match.rows(text, one.ids, two.ids, "")
        yield LawBroken(Cause.UNEXPLAINED, len(other), len(encoded), evidence)


def _not_given(match: Match, count: int) -> Iterator[Ruling]:
    """Yield the skipped texts with added tokens, if the runtime does not parse any."""
    if not match.parses and count:
        why = "it does not say that it takes added tokens from a text"
        yield LawHolds(Cause.ADDED, unknown=f"{why}: {count:,} texts were not given")


def _of_memory(
    match: Match, remembered: Sequence[MemoryDifference], tried: int
) -> Iterator[Ruling]:
    """Yield the text that gave other ids only after other texts were encoded."""
    if remembered:
        shown = min(remembered, key=lambda each: length_then_print(each.text))
        evidence = match.rows(
            shown.text, shown.alone, shown.later, "encoded alone, and after others"
        )
        yield LawBroken(Cause.CACHE, len(remembered), tried, evidence)


def _for(match: Match, texts: Iterable[str]) -> list[str]:
    """Drop texts with added tokens if the runtime never parses any."""
    if match.parses:
        return list(texts)
    contents = [token.content for token in match.spec.added_tokens if token.content]
    return [text for text in texts if not any(content in text for content in contents)]


def _of_ids(match: Match, asked: RuntimeTexts, other: Sequence[str]) -> Iterator[Ruling]:
    """Yield one ruling for each cause found before the time ends."""
    blame = Blame(match)
    counted: Counter[Cause] = Counter()
    shortest: dict[Cause, str] = {}
    try:
        for text in _looked_at(asked, other):
            small = match.shrunk(text) if len(text) > BLAMED else text
            cause = blame.of(small)
            counted[cause] += 1
            shortest.setdefault(cause, small)
    except OutOfTime as late:
        match.late = match.late or str(late)
    for cause, text in shortest.items():
        evidence = _shrunk(match, blame, cause, text)
        yield LawBroken(cause, counted[cause], sum(counted.values()), evidence)


def _looked_at(asked: RuntimeTexts, other: Sequence[str]) -> list[str]:
    """Return the shortest of all differing texts, and the shortest of each kind."""
    order = sorted(other, key=length_then_print)
    chosen = dict.fromkeys(order[:LOOKED_AT])
    for texts in asked.by_kind.values():
        here = set(texts)
        own = [text for text in order if text in here]
        chosen |= dict.fromkeys(own[:OF_A_KIND])
    return sorted(chosen, key=length_then_print)


def _shrunk(match: Match, blame: Blame, cause: Cause, text: str) -> Evidence:
    """Shrink a text that differs for the same cause; leave it if the time ends."""

    def fails(texts: Sequence[str]) -> list[bool]:
        differing = match.differ(texts)
        return [yes and blame.of(t) is cause for t, yes in zip(texts, differing, strict=True)]

    if not match.late:
        try:
            return replace(match.evidence(minimise(text, fails)), minimal=True)
        except OutOfTime as late:
            match.late = str(late)
    return match.evidence(text)


def _of_laws(match: Match, agreeing: Sequence[str]) -> Iterator[Ruling]:
    """Check the laws over texts with equal ids, to report no disagreement twice."""
    some = agreeing[:: max(1, len(agreeing) // FEW)]
    for law in LAWS:
        if law in OF_USERS and not match.of_user:
            continue  # libraries are free in what they hold back, and the suite `stability` says it
        try:
            yield law(match, agreeing if law in OF_ALL_TEXTS else some)
        except UpstreamTrouble as error:
            yield LawHolds(LAWS[law], unknown=str(error))


LAWS: Mapping[Callable[[Match, Sequence[str]], Ruling], Cause] = {
    batches: Cause.BATCH,
    repetition: Cause.CACHE,
    special_tokens: Cause.POST_PROCESSOR,
    special_as_text: Cause.ADDED,
    decoding: Cause.DECODE,
    decoding_ids: Cause.DECODE,
    streaming: Cause.STREAM,
}
OF_USERS = (decoding_ids, streaming)
OF_ALL_TEXTS = (decoding, special_as_text)


def _of_length(match: Match, asked: RuntimeTexts) -> Iterator[Ruling]:
    """Report long texts that differ: for their length, or for a cause in a part."""
    long = sorted(asked.long, key=len)
    found = list(lengths(match, long))
    if not found:
        yield LawHolds(Cause.LENGTH, len(long))
        return
    start = min((start for _, start in found), key=len)
    short = start if len(start) <= SHORT else _short_part(match, start)
    if short is None:
        yield LawBroken(Cause.LENGTH, len(found), len(long), long_evidence(match, start))
        return
    small = match.shrunk(short)
    yield LawBroken(
        Blame(match).of(small), len(found), len(long), replace(match.evidence(small), minimal=True)
    )


def _short_part(match: Match, text: str) -> str | None:
    """Return the end of a long text, if it differs alone."""
    part = text[-SHORT:]
    return part if match.differ([part])[0] else None


def _once(rulings: Sequence[Ruling]) -> tuple[Ruling, ...]:
    """Keep one ruling for each cause: a broken law first, then an unknown one."""
    found: dict[Cause, Ruling] = {}
    for each in rulings:
        before = found.get(each.cause)
        if before is None or (isinstance(before, LawHolds) and _says_more(each)):
            found[each.cause] = each
        elif isinstance(before, LawBroken) and isinstance(each, LawBroken):
            found[each.cause] = replace(
                before,
                different=before.different + each.different,
                tried=before.tried + each.tried,
            )
    return tuple(found[cause] for cause in Cause if cause in found)


def _says_more(ruling: Ruling) -> bool:
    """Return whether a law is broken, or not completely known to hold."""
    return isinstance(ruling, LawBroken) or bool(ruling.unknown)
