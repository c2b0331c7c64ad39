"""Added tokens in settings that loaders number or count differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.own_code import own_class
from tokaudit_suites.config._compared_keys import ComparedKeys, Rule, RuleContext
from tokaudit_suites.shared.repairs import person_decides, removed, repaired
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_roles import content_of
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import about, plural, quote

SENTINEL = "<extra_id_"


@check(
    "config/added-tokens",
    title="Added tokens get the ids that are stated",
    why="If tokenizer.json lacks an added token, loaders give the token the next free id, "
    "whatever id a settings file states. An added token that gets another id than the model "
    "expects gets another token's embedding row.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    repair=person_decides("the token's id is that of its row, and no file names it"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Stated ids of added tokens were ignored and the tokens renumbered "
    "(huggingface/transformers PR#48446).",
)
def added_tokens(compared: ComparedKeys) -> Iterator[Finding]:
    """Number the stated tokens as loaders do, and count the sentinels."""
    for stated in compared.of("config/added-tokens"):
        yield from RULES[stated.key](compared.context, stated)


def numbered_as_loaders_do(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a stated token that the tokenizer lacks and loaders give another id."""
    if isinstance(stated.value, dict):
        yield from _unread(stated)
    if not isinstance(stated.value, dict) or not context.lists_added_tokens:
        return
    new = {
        content: int(key)
        for key, entry in stated.value.items()
        if str(key).isdecimal() and len(str(key)) < 12
        if (content := content_of(entry)) and id_of(context.spec, content) is None
    }
    for place, (content, id) in enumerate(sorted(new.items(), key=lambda item: item[1])):
        given = context.spec.size() + place
        if id != given:
            message = (
                f"{stated.key} in {stated.file} gives {quote(content)} the id {id}, but the "
                f"tokenizer lacks this token: loaders add {quote(content)} with the next free id, "
                f"{given}"
            )
            if own := own_class(context.subject):
                message += f"; what {own} of the checkpoint does is not known"
            # agreement/added-tokens warns of them too; one warning is enough for one cause
            found = stated.reported(Severity.INFO if own else Severity.ERROR, f"{message}.")
            yield replace(found, about=about(content, ids=(id, given)))
            return


def _unread(stated: StatedKey) -> Iterator[Finding]:
    """Report the first entry whose id is not a number, or which names no token."""
    for id, entry in stated.value.items():
        text = content_of(entry)
        if not str(id).isdecimal() or not text:
            said = f"{str(id)[:40]!r} for an id" if text else f"id {str(id)[:20]} without a content"
            message = (
                f"{stated.key} in {stated.file} has {said}: loaders stop, or add an empty token."
            )
            entry = replace(stated.place(), pointer=stated.place().pointer + pointer(id))
            yield stated.reported(Severity.ERROR, message, repaired(removed(entry)))
            return


def sentinels(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a count of sentinels that differs from the requested one."""
    texts = {str(piece.value) for piece in context.spec.every_piece()}
    texts |= {token.content for token in context.spec.added_tokens}
    have = sum(text.startswith(SENTINEL) for text in texts)
    if have and isinstance(stated.value, int) and 0 < stated.value != have:
        message = (
            f"{stated.key} in {stated.file} is {stated.value}, but the tokenizer has "
            f"{plural(have, 'sentinel')}: loading stops with an error."
        )
        yield stated.reported(Severity.ERROR, message, stated.as_it_should_be(have))


RULES: Mapping[str, Rule] = {
    "added_tokens_decoder": numbered_as_loaders_do,
    "extra_ids": sentinels,
}
