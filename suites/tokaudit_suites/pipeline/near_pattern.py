"""A split pattern that slightly differs from a published one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import regex

from tokaudit.plugin import Basis, Evidence, Finding, Harm, NotApplicable, Severity, Traces, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.published_patterns import PATTERNS
from tokaudit_suites.shared.wording import stage

NEAR = 0.75  # of the characters of the longer pattern
LONGEST = 2_000  # characters of a pattern
PROBES = (
    *("we'll go", "it's", "I've", "you're", "I'm", "they'd", "don't", "WE'LL", "IT'S"),
    *("12345", " 2024", "a1b2", "x = 10000", "a  b", "  a", "a \n b", "a\n\nb", "a\r\n", " \t"),
    *("end.\n", "(a)[b]", "http://a.b", "a_b", "#a", " !a", "...", "Hello World", "HTTPServer"),
    *(
        "caf\u00e9",
        "cafe\u0301",
        "日本語",
        "かな",
        "한글",
        "عربي",
        "हिन्दी",
        "1½",
        "²",
        "\U0001f600!",
    ),
)


@check(
    "pipeline/near-pattern",
    title="No near miss of a published split pattern",
    why="A split pattern with a small mistake splits most text like the published pattern, but "
    "splits contractions, long numbers or line ends differently. If the split pattern in a "
    "tokenizer file has a mistake, engines that use their own copy of the published pattern "
    "produce other ids than engines that read the file.",
    remedy="{Compare|Run tokaudit with --base to compare} the pattern with the base model's. "
    "Unless the difference is intended, write the published pattern into {file|tokenizer.json}.",
    severity=Severity.INFO,
    harm=Harm.OTHER_IDS,
    milder="a publisher may have meant it, and no second file contradicts it.",
    basis=Basis.INTRINSIC,
    incident="Files with a pattern that is nearly Mistral's cut 'eBay' and 'pH' in other places "
    "(ModelCloud/Tokenicer PR#61).",
)
def near_pattern(spec: TokenizerSpec, traces: Traces) -> Iterator[Finding]:
    """Compare the pieces of some texts with those of the most similar published pattern."""
    own = _patterns(spec)
    name, nearest = max(PATTERNS.items(), key=lambda item: _likeness(own, item[1]))
    if own in PATTERNS.values():
        return
    if _likeness(own, nearest) < NEAR:
        raise NotApplicable("the pattern resembles no published pattern")
    for text in PROBES:
        given, published = traces.given(text), cut(nearest, text)
        if "".join(given) == text and given != published:
            yield Finding(
                Severity.INFO,
                f"The pre-tokenizer's pattern is nearly the published pattern of {name}, but "
                f"splits {text!r} into {given}; the published pattern gives {published}.",
                (stage(spec, "pre_tokenizer", list(own)),),
                (Evidence("text", text=text, note=f"published: {nearest[-1]}"),),
                cause="near",
            )
            return


def _patterns(spec: TokenizerSpec) -> tuple[str, ...]:
    """Return the split patterns; not applicable if other steps also split."""
    cutting = [step.effects for step in spec.pre_tokenizer.steps if step.effects.cuts_words]
    splits = [split for effects in cutting for split in effects.splits or ()]
    if not splits or any(effects.splits is None for effects in cutting):
        raise NotApplicable("no pattern alone cuts the text")
    return tuple(split.pattern.text for split in splits)


def _likeness(own: Sequence[str], published: Sequence[str]) -> float:
    """Return the share of characters that two lists of patterns have in common, in order."""
    ours, theirs = "\n".join(own), "\n".join(published)
    if len(ours) > LONGEST:
        return 0.0
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio()


def cut(patterns: Sequence[str], text: str) -> list[str]:
    """Split a text by published patterns, one after another, keeping matches and gaps.

    >>> cut(PATTERNS["gpt2"], "we'll go")
    ['we', "'ll", ' go']
    """
    pieces = [text]
    for pattern in patterns:
        pieces = [part for piece in pieces for part in _isolated(pattern, piece)]
    return pieces


def _isolated(pattern: str, text: str) -> Iterator[str]:
    end = 0
    for match in regex.finditer(pattern, text):
        yield from (part for part in (text[end : match.start()], match.group()) if part)
        end = match.end()
    if text[end:]:
        yield text[end:]
