"""End tokens that are only matched if no letter touches them."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Encoding,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    Subject,
    TokenView,
    Upstream,
    check,
)
from tokaudit.products.chat.rendering.templates import chat_templates
from tokaudit.subject.upstream.published.spellings import turn_ends
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.repairs import blamed_set_to
from tokaudit_suites.shared.stated_roles import role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import in_added, quote

WORD = "Yes"


@check(
    "special_tokens/single-word",
    title="Tokens ending texts match after letters",
    why="An added token with single_word=true is found only where no letter or digit is next "
    "to it. An end token with single_word=true is split into pieces after every answer that ends "
    "in a letter, and the model neither learns nor sees where texts and turns end.",
    remedy="Set single_word to false for {pointer|this token} in {file|tokenizer.json}.",
    repair=blamed_set_to(False, below="/single_word"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A mask token with single_word was cut into characters next to other text "
    "(huggingface/tokenizers #918).",
)
def single_word(spec: TokenizerSpec, subject: Subject, upstream: Upstream) -> Iterator[Finding]:
    """Encode each such token after a word and before one."""
    kinds = _kinds(spec, subject)
    if not kinds or "special" not in upstream.capabilities:
        raise NotApplicable("no token that ends texts or turns is taken from text")
    alone = [token for token in spec.added_tokens if token.id in kinds and token.single_word]
    texts = [text for token in alone for text in (WORD + token.content, token.content + WORD)]
    answers = upstream.encode(texts)
    for place, token in enumerate(alone):
        both = zip(texts[2 * place :], answers[2 * place : 2 * place + 2], strict=False)
        missed = next(((t, one) for t, one in both if token.id not in one.ids), None)
        if missed is not None:
            library = f"{upstream.info.package} {upstream.info.version}"
            yield _finding(spec, token, f"{kinds[token.id]}, but {library}", missed)


def _kinds(spec: TokenizerSpec, subject: Subject) -> dict[int, str]:
    """Describe each token: named eos, spelled like an end, or in a template."""
    templates = [each.text for each in chat_templates(subject)]
    named = {content for _, content in role_tokens(subject, "eos")}
    ends = {id for _, ids in role_ids(subject, "eos") for id in ids}
    kinds: dict[int, str] = {}
    for token in spec.added_tokens:
        if token.content in named or token.id in ends or token.content in turn_ends():
            kinds[token.id] = "ends texts"
        elif token.content and any(token.content in template for template in templates):
            kinds[token.id] = "marks turns in the chat template"
    return kinds


def _finding(
    spec: TokenizerSpec, token: AddedToken, what: str, missed: tuple[str, Encoding]
) -> Finding:
    text, answer = missed
    views = [(id, name_of(spec, id)) for id in answer.ids]
    shown = Evidence(
        "text",
        text=text,
        expected=(TokenView(token.id, token.content),),
        actual=tuple(TokenView(id, None if n is None else quote(n)) for id, n in views),
        note=answer.error or "",
    )
    return Finding(
        Severity.ERROR,
        f"{quote(token.content)} (id {token.id}) {what} does not find this token in {text!r}: "
        "single_word prevents a match next to a letter.",
        (in_added(spec, token.content),),
        (shown,),
        cause="missed",
    )
