"""Added tokens whose flags changed since the base model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from json import dumps

from tokaudit.plugin import Base, Basis, Finding, Harm, Place, Severity, Subject, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import BaseFacets
from tokaudit_suites.shared.other_flags import FLAGS, other_flags
from tokaudit_suites.shared.repairs import as_in_base, repaired, set_to
from tokaudit_suites.shared.stated_roles import stated_added
from tokaudit_suites.shared.wording import quote

WHOLE = "tokenizer.json"  # whose flags loaders take, and other checks compare


@check(
    "baseline/added-token-flags",
    title="The added tokens' flags are the base model's",
    why="If a flag of an added token strips the white space next to the token, texts with a space "
    "there get other ids, and decoding cannot bring the space back.",
    remedy="Copy the token's entry from {other|the base model's tokenizer.json}.",
    repair=as_in_base,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="Phi-3's markers swallowed the newline after them (huggingface/transformers #32136).",
)
def flags_base(
    spec: TokenizerSpec, base: Base, facets: BaseFacets, subject: Subject
) -> Iterator[Finding]:
    """Compare the flags of the tokens that both sides have."""
    found = list(other_flags(spec, base, facets, subject))
    yield from found
    if spec.format != WHOLE:
        told = {each.cause for each in found}
        yield from _of_settings(subject, base, [flag for flag in FLAGS if flag not in told])


def _of_settings(subject: Subject, base: Base, wanted: Sequence[str]) -> Iterator[Finding]:
    """Report flags stated only in settings, because the vocabulary file has none."""
    there = {content: flags for _, content, _, flags in stated_added(base.subject)}
    for fact, content, id, flags in stated_added(subject):
        for flag in wanted:
            mine, theirs = flags.get(flag), there.get(content, {}).get(flag)
            if None not in (mine, theirs) and mine != theirs:
                place = Place("added_tokens", fact.file, f"{fact.pointer}/{id}/{flag}", mine)
                yield Finding(
                    Severity.ERROR,
                    f"{flag} of {quote(content)} is {_json(mine)} in {fact.file}, and "
                    f"{_json(theirs)} in {base.called}: {FLAGS[flag]}.",
                    (place,),
                    cause=flag,
                    repair=repaired(set_to(place, theirs)),
                )


def _json(value: object) -> str:
    return dumps(value)[:20]
