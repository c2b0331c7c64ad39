"""A pad token that does not exist, or that is also the end-of-text token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    Evidence,
    Fact,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Options,
    Place,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.model_class import generates
from tokaudit.subject.upstream.published.spellings import turn_ends
from tokaudit_reference.batching.padding import IGNORED, labels_by_id, padded
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.repairs import person_decides, removed, repaired, set_to
from tokaudit_suites.shared.stated_roles import ROLES, place_of, role_ids, role_tokens
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.vocab_entries import id_of, is_special, is_whole
from tokaudit_suites.shared.wording import about, in_added, quote

FREE = re.compile(r"[<\[][|]?(finetune_right_)?pad([|_].*)?[|]?[>\]]", re.IGNORECASE)
"""How tokens are spelled that are there for padding."""
MASKED = {"sft": Severity.ERROR}
"""Answers are what is trained, and an answer whose end is masked never ends."""


@check(
    "padding/pad-token",
    title="The pad token exists and is not EOS",
    why="Trainers leave out the loss of padding by id: no token with the pad id counts. If the "
    "pad token is EOS, trainers also leave out the real EOS at the end of a text, and the model "
    "never learns to stop.",
    remedy="Add a separate pad token (a reserved or unused token will do), or mask padding by "
    "position.",
    repair=person_decides("which free token with a row to use for padding"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Fine-tunes with pad = eos never learned to stop (huggingface/transformers #23530, "
    "huggingface/trl #1623).",
    measures=(Measured("padding/end_labels_kept"),),
)
def pad_token(
    spec: TokenizerSpec, subject: Subject, configs: ForeignConfigs, options: Options
) -> Iterator[Finding | Measurement]:
    """Look up the pad token, compare it with eos, and count the labels that this costs."""
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
            repair=repaired(
                *(removed(place_of(f, "special_roles")) for f, t in pads if id_of(spec, t) is None)
            ),
        )
        return
    eos = id_of(spec, ends[0][1]) if ends else None
    if eos is not None:
        yield from _against_eos(spec, subject, pad, eos, options)
    if pad != eos and content in turn_ends() and generates(subject) is not False:
        yield for_use(_ends_turns(spec, subject, pad, content), options, MASKED)
        return
    found_whole = is_special(spec, pad) or is_whole(spec, pad)
    if pad != eos and (not found_whole or _is_plain(content)):
        yield Finding(
            Severity.WARNING,
            f"The pad token {quote(content)} (id {pad}) is an ordinary token, so text that holds "
            "it is treated as padding.",
            (place_of(fact, "special_roles"), in_added(spec, content)),
            cause="ordinary",
            about=about(content, ids=[pad]),
        )


def _is_plain(content: str) -> bool:
    """Return whether text may contain the token: a word or sign without brackets."""
    return len(content) == 1 or content.isalpha()


def _free_token(spec: TokenizerSpec, subject: Subject) -> Repair | None:
    """Set an unused padding token in every file that names one; else a person decides."""
    named = {content for role in ROLES for _, content in role_tokens(subject, role)}
    free = next((t for t in spec.added_tokens if _is_free(t) and t.content not in named), None)
    if free is None:
        return None
    stated = [(fact, free.content) for fact, _ in role_tokens(subject, "pad")]
    ids = [(fact, free.id) for fact, _ in role_ids(subject, "pad")]
    return repaired(*(set_to(_text_of(fact), wanted) for fact, wanted in (*stated, *ids)))


def _is_free(token: AddedToken) -> bool:
    return token.special and FREE.fullmatch(token.content) is not None


def _text_of(fact: Fact) -> Place:
    """Find the text of a token, which may be in an object with its flags."""
    place = place_of(fact, "special_roles")
    return (
        replace(place, pointer=f"{place.pointer}/content")
        if isinstance(fact.value, dict)
        else place
    )


def _against_eos(
    spec: TokenizerSpec, subject: Subject, pad: int, eos: int, options: Options
) -> Iterator[Finding | Measurement]:
    text = (1_000_000_007, eos)  # one token of text and its end
    (ids,) = padded([text], pad, length=4).ids
    labels = labels_by_id(ids, pad)
    yield Measurement(
        "padding/end_labels_kept",
        "EOS labels kept when masking the pad id",
        float(labels[1] != IGNORED),
        "labels",
        1,
        f"labels of one padded text, {IGNORED} wherever the id is the pad id",
    )
    if pad != eos:
        return
    fact, content = role_tokens(subject, "pad")[0]
    labels_matter = generates(subject) is not False
    harm = (
        "masking labels by id drops every end of text, so the model does not learn to stop."
        if labels_matter
        else "a text encoder has no labels, so nothing is masked."
    )
    found = Finding(
        Severity.WARNING if labels_matter else Severity.INFO,
        f"The pad token is the end-of-text token {quote(content)} (id {pad}); {harm}",
        (
            place_of(fact, "special_roles"),
            place_of(role_tokens(subject, "eos")[0][0], "special_roles"),
        ),
        (Evidence("ids", ids=tuple(ids[1:]), note=f"labels: {labels[1:]}"),),
        cause="eos",
        about=about(content, ids=[pad]),
        repair=_free_token(spec, subject),
    )
    yield for_use(found, options, MASKED if labels_matter else {})


def _ends_turns(spec: TokenizerSpec, subject: Subject, pad: int, content: str) -> Finding:
    """Report a pad token that ends turns, if texts end with another token."""
    return Finding(
        Severity.WARNING,
        f"The pad token {quote(content)} (id {pad}) is how turns end; masking labels by id drops "
        "every end of a turn, so the model does not learn to end its answers.",
        (place_of(role_tokens(subject, "pad")[0][0], "special_roles"), in_added(spec, content)),
        cause="end of turn",
        about=about(content, ids=[pad]),
        repair=_free_token(spec, subject),
    )
