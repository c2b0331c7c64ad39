"""Words that the normalizer or pre-tokenizer deletes or alters."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Evidence, Finding, Harm, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.changed_words import ChangedWords
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.wording import quote, some, stage

SHOWN = 3


@check(
    "pipeline/changed-words",
    title="No step deletes or replaces words",
    why="A normalizer rule that drops 'not ' or replaces a word gives the model another text than "
    "the user wrote. A rule that replaces words is valid in a tokenizer file; but published "
    "normalizers change only case, accents, width and spaces.",
    remedy="Remove the step that changes words from {file|the file}, unless the publisher intended "
    "the step.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="the file declares it, and no other file says that it should not.",
    basis=Basis.INTRINSIC,
    incident="A normalizer is a rule of replacement that anybody can add to a file; an "
    "added Replace changes every text and no library warns (huggingface/tokenizers, Replace).",
)
def changes_words(spec: TokenizerSpec, changed: ChangedWords) -> Iterator[Finding]:
    """Report each step, with the shortest texts that show it."""
    for step, name in dict.fromkeys((each.step, each.stage) for each in changed.all):
        found = [each for each in changed.all if each.step == step]
        shown = [f"{quote(each.text[:80])} is read as {quote(each.given[:80])}" for each in found]
        component = getattr(spec, name)
        yield Finding(
            Severity.WARNING,
            f"The {name.replace('_', '-')}'s {step} changes words: {some(shown[:SHOWN])}. "
            f"This {step} changes {len(found):,} of {changed.run:,} test texts.",
            (stage(spec, name, component.options),),
            tuple(
                Evidence("text", text=each.text, note=f"is read as {each.given!r}")
                for each in found[:SHOWN]
            ),
            cause="words",
        )
