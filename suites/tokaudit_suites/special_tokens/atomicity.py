"""Added tokens that are split into pieces in text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    Encoding,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    TokenView,
    Upstream,
    check,
    token_names,
    view,
)
from tokaudit_reference.spec import AddedToken, TokenizerSpec, TokenType
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.token_contexts import (
    FIRST,
    Context,
    contexts,
    other_case,
    some_of_each_kind,
)
from tokaudit_suites.shared.vocab_entries import taken_whole, text_of
from tokaudit_suites.shared.wording import about, does, in_added, quote, some

Broken = tuple[Context, Encoding]


@check(
    "special_tokens/atomicity",
    title="Every added token encodes to its id",
    why="If a turn marker is split into pieces, the model reads the pieces as ordinary text, and "
    "does not see where a turn starts or ends.",
    remedy="Add the token to the added tokens in {file|the tokenizer file}, with the id of its "
    "embedding row.",
    repair=person_decides("whether a text becomes one token is what the model expects"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="'<think>' became '<th', 'ink', '>' in engines that dropped added tokens that are "
    "not special (iree-org/iree PR#24076).",
    measures=(Measured("special_tokens/whole"),),
)
def atomicity(spec: TokenizerSpec, upstream: Upstream) -> Iterator[Finding | Measurement]:
    """Encode each token alone and between others, and some of each kind in every context."""
    tokens = _from_text(spec)
    if not tokens or "special" not in upstream.capabilities:
        raise NotApplicable("this tokenizer takes no added tokens from text")
    asked = list(contexts(tokens))
    answers = upstream.encode([one.text for one in asked])
    broken: dict[bool, dict[str, Broken]] = {False: {}, True: {}}
    known = {token.content for token in tokens}
    for one, answer in zip(asked, answers, strict=True):
        if not _whole(spec, one, answer) and not _excused(one, answer, known):
            shorter = broken[one.odd].setdefault(one.token.content, (one, answer))
            if len(one.text) < len(shorter[0].text):
                broken[one.odd][one.token.content] = (one, answer)
    yield Measurement(
        "special_tokens/whole",
        "Added tokens that encode to one id",
        len(tokens) - len(broken[False]),
        "tokens",
        len(tokens),
        f"each token encoded in {len(FIRST)} contexts by {upstream.info.package}",
    )
    if broken[False]:
        yield _finding(spec, list(broken[False].values()))
    if odd := [found for content, found in broken[True].items() if content not in broken[False]]:
        yield _finding(spec, odd)
    yield from _in_other_case(spec, upstream, tokens)


def _whole(spec: TokenizerSpec, one: Context, answer: Encoding) -> bool:
    """Return whether the token occurs as often as in the text.

    What is around the unknown token may be unknown too.
    """
    id = one.token.id
    if one.text == one.token.content:
        return answer.ids == (id,)
    found = answer.ids.count(id)
    return found >= one.times if id == spec.unk_id else found == one.times


def _excused(one: Context, answer: Encoding, known: set[str]) -> bool:
    """Return whether neighbours explain the failure: no ids, or a longer added token."""
    text, content = one.text, one.token.content
    if text == content:
        return False
    longest = max(map(len, known))
    ends = ((start, start + size) for start in range(len(text)) for size in range(1, longest + 1))
    whole = {one.before, one.after}  # the same token or another one next to it
    longer = any(
        (part := text[a:b]) in known and part not in content and part not in whole for a, b in ends
    )
    return answer.error is not None or longer


def _in_other_case(
    spec: TokenizerSpec, upstream: Upstream, tokens: Sequence[AddedToken]
) -> Iterator[Finding]:
    """Report a token matched in another case, unless the file declares it normalized.

    A normalizer may also write an entry that its model takes whole, as ALBERT's do `<pad>`.
    """
    known = {token.content for token in tokens}
    swapped = [(t, o) for t in some_of_each_kind(tokens) if (o := other_case(t)) is not None]
    asked = [(token, other) for token, other in swapped if other not in known]
    answers = upstream.encode([other for _, other in asked])
    taken = [
        (Context(replace(token, content=other), "", ""), answer)
        for (token, other), answer in zip(asked, answers, strict=True)
        if token.id in answer.ids and token.id != spec.unk_id and not taken_whole(spec, token.id)
    ]
    if taken:
        names = [f"{quote(one.token.content)} as {one.token.id}" for one, _ in taken]
        yield Finding(
            Severity.ERROR,
            f"{does(len(taken), 'text', 'is')} read as an added token that is written in another "
            f"case, which the file does not state: {some(names)}.",
            (in_added(spec),),
            tuple(_evidence(spec, *item) for item in taken[:3]),
            cause="other case",
            about=about(*(one.token.content for one, _ in taken)),
        )


def _from_text(spec: TokenizerSpec) -> list[AddedToken]:
    """Return the tokens that text may contain; some formats exclude control tokens."""
    found = [token for token in spec.added_tokens if spec.control_from_text or not token.special]
    known = {token.id for token in found}
    for id, piece in spec.each_entry():
        if piece.token_type is TokenType.USER_DEFINED and id not in known:
            found.append(AddedToken(id, text_of(piece) or "", normalized=False))
    return [token for token in found if token.content]


def _finding(spec: TokenizerSpec, broken: list[Broken]) -> Finding:
    """Report broken tokens; a warning if only an unusual neighbour breaks them.

    Where the file has it looked for in normalized text, characters may compose with it.
    """
    odd, declared = broken[0][0].odd, all(one.token.normalized for one, _ in broken)
    worth = Severity.INFO if declared else Severity.WARNING
    names = [f"{quote(one.token.content)} (id {one.token.id}){_within(one)}" for one, _ in broken]
    next_to = " next to odd characters" if odd else ""
    return Finding(
        worth if odd else Severity.ERROR,
        f"{does(len(broken), 'added token', 'is')} not encoded as one id{next_to}: {some(names)}.",
        tuple(in_added(spec, one.token.content) for one, _ in broken[:5]),
        tuple(_evidence(spec, *item) for item in broken[:5]),
        cause="split next to odd characters" if odd else "split",
        about=about(*(one.token.content for one, _ in broken)),
    )


def _within(one: Context) -> str:
    return f" in {one.text!a}" if one.before or one.after else ""


def _evidence(spec: TokenizerSpec, one: Context, answer: Encoding) -> Evidence:
    return Evidence(
        "text",
        text=one.text,
        expected=(TokenView(one.token.id, one.token.content),),
        actual=view(answer.ids, token_names(spec)),
        note=answer.error or "",
    )
