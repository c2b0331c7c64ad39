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
    why="Engines that take the first match instead of the longest read the longer token as the "
    "shorter one and some text.",
    remedy="Nothing to do where engines take the longest match; else rename one of the tokens.",
    repair=person_decides("whether a text becomes one token is what the model expects"),
    severity=Severity.INFO,
    harm=Harm.STYLE,
    basis=Basis.INTRINSIC,
    incident="'<im' + 'age>' or '<image>' depending on the order of insertion "
    "(huggingface/tokenizers #772).",
)
def overlap(spec: TokenizerSpec) -> Iterator[Finding]:
    """List the pairs of which one token starts the other; runs of one space do not count."""
    contents = sorted({t.content for t in spec.added_tokens if len(set(t.content)) > 1})
    if len(contents) < 2:
        raise NotApplicable("fewer than two added tokens")
    pairs = list(_prefixes(contents))
    if pairs:
        shown = [f"{quote(short)} in {quote(long)}" for short, long in pairs]
        yield Finding(
            Severity.INFO,
            f"{does(len(pairs), 'added token', 'begins')} with another one: {some(shown)}; only "
            "engines that take the longest match read such text right.",
            tuple(in_added(spec, long) for _, long in pairs[:5]),
            cause="prefix",
        )


def _prefixes(contents: list[str]) -> Iterator[tuple[str, str]]:
    """Sorted, a prefix comes before what it begins, with only its own extensions between."""
    open_: list[str] = []
    for content in contents:
        while open_ and not content.startswith(open_[-1]):
            open_.pop()
        if open_:
            yield open_[-1], content
        open_.append(content)
