"""Added tokens whose flags differ from another tokenizer's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.engine.canonical_steps import acting_steps
from tokaudit.engine.facet_names import ADDED
from tokaudit.plugin import Base, Finding, Place, Repair, Severity, Subject
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets, claimed, of_base
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.stated_roles import stated_added
from tokaudit_suites.shared.vocab_entries import added_by_content
from tokaudit_suites.shared.wording import does, in_added, quote, some

FLAGS = {
    "lstrip": "only one of the two tokenizers strips white space before such a token",
    "rstrip": "only one of the two tokenizers strips white space after such a token",
    "single_word": "the two tokenizers find such a token at different places of a text",
    "normalized": "only one of the two tokenizers looks for such a token in normalized text",
    "special": "decoding with skip_special_tokens drops such a token in only one of the two",
}
IDLE = "without a normalizer, the flag makes no difference yet"


def other_flags(
    spec: TokenizerSpec, base: Base, facets: BaseFacets, subject: Subject | None = None
) -> Iterator[Finding]:
    """Compare the flags of the tokens that both sides have.

    The base's flags are to be stated by every file of the subject, where one is given.
    """
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
                f"{does(len(changed), 'added token', 'has')} another value of {flag} than in "
                f"{base.called}: {some([quote(content) for content in changed])}; "
                f"{IDLE if idle else effect}.",
                (
                    in_added(spec, changed[0], {flag: getattr(mine[changed[0]], flag)}),
                    of_base(
                        base,
                        in_added(base.spec, changed[0], {flag: getattr(theirs[changed[0]], flag)}),
                    ),
                ),
                cause=flag,
                repair=None if subject is None else _as_there(spec, base, subject, flag, changed),
            )
            yield finding if idle or flag == "special" else claimed(finding, facets, ADDED)


def _as_there(
    spec: TokenizerSpec, base: Base, subject: Subject, flag: str, contents: Sequence[str]
) -> Repair | None:
    """Set the base's flag in each file that states one for these tokens."""
    theirs = added_by_content(base.spec)
    places = [(content, in_added(spec, content)) for content in contents]
    for fact, content, id, flags in stated_added(subject):
        if content in contents and flag in flags:
            place = Place("added_tokens", fact.file, f"{fact.pointer}/{id}")
            places.append((content, place))
    return repaired(
        *(
            set_to(replace(at, pointer=f"{at.pointer}/{flag}"), getattr(theirs[content], flag))
            for content, at in places
        )
    )


def _normalizes(spec: TokenizerSpec) -> bool:
    return spec.normalizer.standing is Standing.UNSTATED or bool(acting_steps(spec, "normalizer"))
