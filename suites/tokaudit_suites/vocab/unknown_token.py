"""A missing unknown token that is named, or that the model needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import Basis, Fact, Finding, Harm, Repair, Severity, Subject, check
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.published.spellings import spelled
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import ROLES, place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import in_model, in_vocab, quote

NEEDS_ONE = (ModelType.WORDPIECE, ModelType.UNIGRAM, ModelType.WORDLEVEL)


@check(
    "vocab/unknown-token",
    title="The unknown token exists",
    why="If the tokenizer has no unknown token, the first character that the vocabulary lacks "
    "raises an error in production, or vanishes from the text.",
    remedy="In {file|the tokenizer file}, name an unknown token that is in the vocabulary.",
    repair=person_decides("which entry stands for unknown text is what the model expects"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.INTRINSIC, Basis.CROSS_FILE),
    left_to_code=True,
    incident="Encoding stops with 'Missing [UNK] token from the vocabulary' "
    "(huggingface/tokenizers #531).",
)
def unknown_token(
    spec: TokenizerSpec, subject: Subject, configs: ForeignConfigs
) -> Iterator[Finding]:
    """Look up the named unknown token, and require one if the model needs it."""
    for fact, content in role_tokens(subject, "unk"):
        if id_of(spec, content) is None and configs.own(fact):
            yield Finding(
                Severity.ERROR,
                f"{fact.file} names {quote(content)} as the unknown token, "
                "but no token of that name exists.",
                (place_of(fact, "special_roles"), in_vocab(spec)),
                cause="named",
            )
        elif spec.unk_id is not None and configs.own(fact) and id_of(spec, content) != spec.unk_id:
            yield _another(spec, subject, fact, content, spec.unk_id)
    needed = spec.model_type in NEEDS_ONE and not spec.byte_fallback and not _drops(subject)
    if needed and spec.unk_id is None:
        yield Finding(
            Severity.ERROR,
            f"This {spec.model_type} model has no unknown token and no byte fallback, "
            "so text with a character outside its vocabulary cannot be encoded.",
            (in_vocab(spec, None),),
            cause="none",
            repair=_by_spelling(spec),
        )
    if spec.unk_id is not None and spec.unk_id not in spec.pieces:
        yield Finding(
            Severity.ERROR,
            f"The unknown token's id {spec.unk_id} is not an entry of the vocabulary.",
            (in_vocab(spec, spec.unk_id),),
            cause="id",
        )


def _drops(subject: Subject) -> bool:
    """Return whether the named class drops what its vocabulary lacks."""
    named = class_of(subject)
    return named is not None and named.known is not None and named.known.vocabulary.drops_unknown


def _by_spelling(spec: TokenizerSpec) -> Repair | None:
    """Set the entry that is spelled like the unknown token, if there is one."""
    text = next((text for text in spelled("unk") if id_of(spec, text) is not None), None)
    place = in_model(spec, "unk_token")
    if text is None or spec.model_type is ModelType.UNIGRAM or not place.file.endswith(".json"):
        return None
    return repaired(set_to(replace(place, pointer="/model/unk_token"), text))


def _another(spec: TokenizerSpec, subject: Subject, fact: Fact, content: str, id: int) -> Finding:
    """Report a named unknown token that differs from the one the model uses.

    Several classes name one that is not used.  One of another role is written by the model itself,
    or by who builds it anew from the settings, as transformers 5 does: unknown text becomes
    padding, or an end.
    """
    token = name_of(spec, id) or ""
    learned = not is_special(spec, id) and not looks_like_marker(token)
    roles = {named for role in ROLES if role != "unk" for _, named in role_tokens(subject, role)}
    both = (content, token), (token, content)
    wrong = any(one in roles and other in spelled("unk") for one, other in both)
    return Finding(
        Severity.ERROR if learned or wrong else Severity.INFO,
        f"{fact.file} names {quote(content)} as the unknown token, but the model writes "
        f"{quote(name_of(spec, id) or '')} (id {id}) for text that the vocabulary lacks.",
        (in_vocab(spec, id, token), place_of(fact, "special_roles")),
        cause="another",
    )
