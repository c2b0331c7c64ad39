"""A pad token that does not exist, or that is the end-of-text token."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.engine.measured import Measured
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Evidence, Finding, Measurement, Severity
from tokaudit.subject.material import Subject
from tokaudit_reference.batching.padding import IGNORED, labels_by_id, padded
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.stated_roles import generates, place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, is_special
from tokaudit_suites.shared.wording import in_added, quote


@check(
    "padding/pad-token",
    title="The pad token exists and is not the end-of-text token",
    why="Trainers mask padding by id. When pad is eos they mask the real eos as well, and the "
    "model never learns to stop.",
    remedy="Add a separate pad token (a reserved or unused token will do), or mask by position.",
    severity=Severity.ERROR,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Fine-tunes with pad = eos never learned to stop (huggingface/transformers #23530, "
    "huggingface/trl #1623).",
    measures=(Measured("padding/end_labels_kept"),),
)
def pad_token(
    spec: TokenizerSpec, subject: Subject, configs: ForeignConfigs
) -> Iterator[Finding | Measurement]:
    """Look the pad token up, compare it with eos, and count the labels that this costs."""
    pads = [(fact, text) for fact, text in role_tokens(subject, "pad") if configs.own(fact)]
    ends = role_tokens(subject, "eos")
    if not pads:
        raise NotApplicable("no file names a pad token")
    fact, content = pads[0]
    pad = id_of(spec, content)
    if pad is None:
        yield Finding(
            Severity.ERROR,
            f"{fact.file} names {quote(content)} as the pad token, but no token of that name "
            "exists.",
            (place_of(fact, "special_roles"), in_added(spec)),
            cause="missing",
        )
        return
    eos = id_of(spec, ends[0][1]) if ends else None
    if eos is not None:
        yield from _against_eos(subject, pad, eos, content)
    if pad != eos and (not is_special(spec, pad) or _is_plain(content)):
        yield Finding(
            Severity.WARNING,
            f"The pad token {quote(content)} (id {pad}) is an ordinary token, so text that holds "
            "it is taken for padding.",
            (place_of(fact, "special_roles"), in_added(spec, content)),
            cause="ordinary",
        )


def _is_plain(content: str) -> bool:
    """Whether text may well hold it: a word or a sign without a control token's brackets."""
    return len(content) == 1 or content.isalpha()


def _against_eos(
    subject: Subject, pad: int, eos: int, content: str
) -> Iterator[Finding | Measurement]:
    text = (1_000_000_007, eos)  # one token of text and its end
    (ids,) = padded([text], pad, length=4).ids
    labels = labels_by_id(ids, pad)
    yield Measurement(
        "padding/end_labels_kept",
        "End-of-text labels that masking by the pad id keeps",
        float(labels[1] != IGNORED),
        "labels",
        1,
        f"labels of one padded text, {IGNORED} wherever the id is the pad id",
    )
    if pad != eos:
        return
    fact = role_tokens(subject, "pad")[0][0]
    labels_matter = generates(subject) is not False
    harm = (
        "labels masked by id lose every end of text, so a model does not learn to stop from them."
        if labels_matter
        else "a text encoder has no labels, so nothing is masked."
    )
    yield Finding(
        Severity.WARNING if labels_matter else Severity.INFO,
        f"The pad token is the end-of-text token {quote(content)} (id {pad}); {harm}",
        (
            place_of(fact, "special_roles"),
            place_of(role_tokens(subject, "eos")[0][0], "special_roles"),
        ),
        (Evidence("ids", ids=tuple(ids[1:]), note=f"labels: {labels[1:]}"),),
        cause="eos",
    )
