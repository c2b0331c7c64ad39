"""Flags of added tokens that are not those of another tokenizer."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.comparison.canonical_steps import acting_steps
from tokaudit.comparison.facet_names import ADDED
from tokaudit.engine.needs import Base
from tokaudit.report.model import Finding, Severity
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets, claimed, of_base
from tokaudit_suites.shared.vocab_entries import added_by_content
from tokaudit_suites.shared.wording import in_added, plural, quote, some

FLAGS = {
    "lstrip": "it now eats or keeps the white space before it",
    "rstrip": "it now eats or keeps the white space after it",
    "single_word": "it is now found in other places",
    "normalized": "it is now looked for before or after the normalizer",
    "special": "output that skips special tokens now shows or hides it",
}
IDLE = "there is no normalizer, so it makes no difference yet"


def other_flags(spec: TokenizerSpec, base: Base, facets: BaseFacets) -> Iterator[Finding]:
    """Compare the flags of the tokens that both sides have."""
    mine, theirs = added_by_content(spec), added_by_content(base.spec)
    for flag, effect in FLAGS.items():
        changed = [
            content
            for content, token in mine.items()
            if content in theirs and getattr(token, flag) != getattr(theirs[content], flag)
        ]
        if changed and spec.format == base.spec.format:
            idle = flag == "normalized" and not (_normalizes(spec) or _normalizes(base.spec))
            finding = Finding(
                Severity.WARNING if idle else Severity.ERROR,
                f"{flag} of {plural(len(changed), 'added token')} is not {base.called}'s: "
                f"{some([quote(content) for content in changed])}; {IDLE if idle else effect}.",
                (
                    in_added(spec, changed[0], {flag: getattr(mine[changed[0]], flag)}),
                    of_base(
                        base,
                        in_added(base.spec, changed[0], {flag: getattr(theirs[changed[0]], flag)}),
                    ),
                ),
                cause=flag,
            )
            yield finding if idle or flag == "special" else claimed(finding, facets, ADDED)


def _normalizes(spec: TokenizerSpec) -> bool:
    return spec.normalizer.standing is Standing.UNSTATED or bool(acting_steps(spec, "normalizer"))
