"""One token in two exclusive roles, such as padding and unknown."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Fact, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of, role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import quote
from tokaudit_suites.shared.written_tokens import written_tokens


@check(
    "special_tokens/exclusive-roles",
    title="No token has two exclusive roles",
    why="Padding is left out of attention and loss, so a model never sees, or never learns, a "
    "word or a marker with the same id as the pad token. Many tokenizers use the end-of-text "
    "token as the pad token; the check padding/pad-token reports such tokenizers.",
    remedy="In {file|tokenizer_config.json}, name a separate token as the pad token; a reserved "
    "token will do.",
    repair=person_decides("which free token with a row to use for the role"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="no second file gives the role to another token.",
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="With the end of a turn as padding, fine-tunes did not stop after their answer "
    "(huggingface/trl #1623).",
)
def exclusive_roles(
    spec: TokenizerSpec, subject: Subject, configs: ForeignConfigs
) -> Iterator[Finding]:
    """Compare the pad token with the unknown token and with markers of a template."""
    pads = [(fact, text) for fact, text in role_tokens(subject, "pad") if configs.own(fact)]
    if not pads:
        raise NotApplicable("no file names a pad token")
    for content, fact in {content: fact for fact, content in reversed(pads)}.items():
        pad = id_of(spec, content)
        if pad is None:
            continue  # padding/pad-token says so
        if pad == _unknown(spec):
            also = "the unknown token: unknown words are masked as well"
            yield _shared(fact, content, also, "the token of what is unknown")
        elif pad in written_tokens(spec, subject) - _ends(spec, subject):
            marker = "a marker that the chat template writes"
            also = f"{marker}: labels masked by id lose it, and a mask of padding hides it"
            yield _shared(fact, content, also, marker)


def _shared(fact: Fact, content: str, also: str, cause: str) -> Finding:
    return Finding(
        Severity.WARNING,
        f"{fact.file} names {quote(content)} as the pad token, but this token is also {also}.",
        (place_of(fact, "special_roles"),),
        cause=cause,
    )


def _unknown(spec: TokenizerSpec) -> int | None:
    """Return the id for out-of-vocabulary words; None if bytes spell every word."""
    whole_words = spec.model_type in (ModelType.WORDPIECE, ModelType.WORDLEVEL)
    return spec.unk_id if whole_words and not spec.byte_fallback else None


def _ends(spec: TokenizerSpec, subject: Subject) -> set[int]:
    named = {id_of(spec, text) for _, text in role_tokens(subject, "eos")}
    stated = {id for _, ids in role_ids(subject, "eos") for id in ids}
    return stated | {id for id in named if id is not None}
