"""Added tokens that occur inside one another."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import does, in_added, quote, some


@check(
    "special_tokens/overlap",
    title="No added token is the beginning of another",
    why="If one special token begins with another special token, an engine that takes the first "
    "match instead of the longest reads the longer token as the shorter token plus text.",
    remedy="Do nothing if all engines take the longest match; else rename one of the two tokens in "
    "{file|the tokenizer file}.",
    repair=person_decides("whether a text becomes one token is what the model expects"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="Where engines take the longest match, nothing else is read.",
    basis=Basis.INTRINSIC,
    incident="'<im' + 'age>' or '<image>' depending on the order of insertion "
    "(huggingface/tokenizers #772).",
)
def overlap(spec: TokenizerSpec) -> Iterator[Finding]:
    """List pairs in which one token starts the other; runs of a character do not count."""
    contents = sorted({t.content for t in spec.added_tokens if len(set(t.content)) > 1})
    if len(contents) < 2:
        raise NotApplicable("fewer than two added tokens")
    pairs = list(_prefixes(contents))
    special = {token.content for token in spec.added_tokens if token.special}
    behind = [(short, long) for short, long in pairs if short in special and _is_two(short, long)]
    if len(behind) > 1:
        shown = [quote(long) for _, long in behind]
        yield Finding(
            Severity.WARNING,
            f"{does(len(behind), 'added token', 'has')} another added token in front of its own "
            f"text: {some(shown)}. A text without {quote(behind[0][0])} in front, such as a chat, "
            "is split into pieces.",
            tuple(in_added(spec, long) for _, long in behind[:5]),
            cause="decoded",
        )
        pairs = [pair for pair in pairs if pair not in behind]
    if pairs:
        shown = [f"{quote(short)} in {quote(long)}" for short, long in pairs]
        yield Finding(
            Severity.INFO,
            f"{does(len(pairs), 'added token', 'begins')} with the text of another added token: "
            f"{some(shown)}; only engines that take the longest match read such text right.",
            tuple(in_added(spec, long) for _, long in pairs[:5]),
            cause="prefix",
        )


def _is_two(short: str, long: str) -> bool:
    """Return whether the longer token is the shorter one and another in brackets."""
    rest = long.removeprefix(short)
    return len(rest) > 2 and (rest[0], rest[-1]) == (short[0], short[-1])


def _prefixes(contents: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each prefix with its extensions, which follow it in sorted order."""
    open_: list[str] = []
    for content in contents:
        while open_ and not content.startswith(open_[-1]):
            open_.pop()
        if open_:
            yield open_[-1], content
        open_.append(content)
