"""A copy of the tokenizer elsewhere in the repository, with other stages, flags or settings."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Original, Severity, Skip, Subject, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.agreement._main_facets import MainFacets
from tokaudit_suites.shared.other_flags import other_flags
from tokaudit_suites.shared.other_model_settings import other_model_settings
from tokaudit_suites.shared.other_stages import other_stages
from tokaudit_suites.shared.repairs import as_one_of_two
from tokaudit_suites.shared.stated_roles import stated_added
from tokaudit_suites.shared.vocab_entries import added_by_content

OF_A_BASE = (other_stages, other_flags, other_model_settings)


@check(
    "agreement/copied-pipeline",
    title="Copies in the repository have the same pipeline",
    why="An export or a checkpoint inside a repository can have the same vocabulary as the "
    "repository's main tokenizer, and still split text differently, strip white space around a "
    "token, or decode ids to other text. Users of an export or checkpoint whose tokenizer differs "
    "get other ids or texts than users of the repository's main tokenizer.",
    remedy="Find out which of the two tokenizers the weights belong to, and copy its files over "
    "those of the other.",
    repair=as_one_of_two,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="Exports carried a tokenizer of their own making that cut text differently "
    "(huggingface/transformers PR#42131).",
)
def copied_pipeline(
    spec: TokenizerSpec, original: Original, subject: Subject, facets: MainFacets
) -> Iterator[Finding]:
    """Ask what the suite baseline asks about a base; agreement/copies compares the vocabulary."""
    own = _contradicted(spec, subject)
    for each in OF_A_BASE:
        try:
            found = list(each(spec, original, facets))
        except Skip:
            continue  # what the files of one side do not state is unknown, and not different
        yield from (one for one in found if isinstance(one, Finding) and one.cause not in own)


def _contradicted(spec: TokenizerSpec, subject: Subject) -> set[str]:
    """Flags that the copy's own settings state otherwise, which agreement/added-tokens reports."""
    own = added_by_content(spec)
    stated = ((own.get(content), flags) for _, content, _, flags in stated_added(subject))
    both = ((token, item) for token, flags in stated if token for item in flags.items())
    return {flag for token, (flag, value) in both if getattr(token, flag, value) != value}
