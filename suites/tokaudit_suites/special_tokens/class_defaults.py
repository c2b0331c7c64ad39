"""Default special tokens of the class that the vocabulary lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.upstream.loading_class import NamedClass, defaults_of
from tokaudit.subject.upstream.model_class import Does, generates, model_classes, one_of
from tokaudit.subject.upstream.tokenizer_class import Ids, input_of
from tokaudit_reference.spec import ModelType, Standing, TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import IdsByText
from tokaudit_suites.shared.wording import in_vocab, plural, quote, some


@check(
    "special_tokens/class-defaults",
    title="The class's default special tokens are present",
    why="If no file names a special token such as EOS, the tokenizer class uses its own default "
    "token. If the vocabulary lacks the class's default token, loaders add the token after the "
    "last id, where the model has no embedding row, or a row that belongs to something else.",
    remedy="In tokenizer_config.json, name a token that the vocabulary has, or copy the missing "
    "entry with its id from the base model.",
    repair=person_decides("whether a text becomes one token is what the model expects"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="The <mask> that a class took by default had an id for which the checkpoint had no "
    "row (huggingface/transformers #3108).",
)
def class_defaults(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Look up each default that no file overrides; report a token of two roles once."""
    found = defaults_of(subject)
    if found is None or spec.model_type is ModelType.TRIE:  # which no class of the table reads
        raise NotApplicable("no file names a class whose special tokens are known")
    named, by_role = found
    own = _stated(spec, subject)
    ids = IdsByText(spec)
    for roles, said in ((by_role, "because no file names others"), (own, "as the files say")):
        if lost := _lost(ids, roles):
            yield _finding(spec, subject, named, lost, said)


def _finding(
    spec: TokenizerSpec,
    subject: Subject,
    named: NamedClass,
    lost: Mapping[str, list[str]],
    said: str,
) -> Finding:
    """Report all lost tokens with the worst severity: they mostly share a cause."""
    worth = min(
        (_worth(subject, named.name, role, token) for token in lost for role in lost[token]),
        key=lambda severity: severity.rank,
    )
    shown = [f"{quote(token)} ({', '.join(roles)})" for token, roles in lost.items()]
    return Finding(
        max(worth, _most(spec, subject, named), key=lambda severity: severity.rank),
        f"{named.name} uses {some(shown)} as special tokens, {said}, but the vocabulary lacks "
        f"{'it' if len(lost) == 1 else 'them'}: loaders add {plural(len(lost), 'new token')} from "
        f"id {spec.size()} on.",
        (in_vocab(spec), place_of(named.fact, "config")),
        cause="lost",
    )


def _stated(spec: TokenizerSpec, subject: Subject) -> dict[str, str]:
    """Return the roles that no other check covers, if the class builds the tokenizer."""
    if spec.normalizer.standing is Standing.STATED:
        return {}
    named = {role: role_tokens(subject, role)[:1] for role in ("sep", "cls", "mask")}
    return {role: content for role, found in named.items() for _, content in found}


def _lost(ids: IdsByText, by_role: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the tokens without an id, each with its roles."""
    lost: dict[str, list[str]] = {}
    for role, token in by_role.items():
        if ids.of(token) is None:
            lost.setdefault(token, []).append(role)
    return lost


def _most(spec: TokenizerSpec, subject: Subject, named: NamedClass) -> Severity:
    """Rate a lost token by whether the model has a row for the new id.

    Some classes add tokens after their pieces in their code, and their models have the rows.
    """
    sizes = [f.value for f in subject.facts_named("vocab_size") if isinstance(f.value, int)]
    if sizes:
        return Severity.INFO if max(sizes) > spec.size() else Severity.ERROR
    listed = named.known is not None and named.known.ids in (Ids.LINES, Ids.FILE)
    return Severity.WARNING if listed else Severity.INFO


def _worth(subject: Subject, name: str, role: str, token: str) -> Severity:
    """Rate a lost role by whether all texts, batches or only some uses need it."""
    of_class = input_of(name)
    around = token in of_class.around or role in ("cls", "sep")
    if around or role == "pad" or (role == "bos" and of_class.begins_with_bos):
        return Severity.ERROR
    if role == "mask":
        names = model_classes(subject)
        if not names:
            return Severity.WARNING
        fills = one_of(names, Does.FILLS_GAPS)
        return Severity.ERROR if fills else Severity.INFO
    return Severity.WARNING if role == "eos" and generates(subject) else Severity.INFO
