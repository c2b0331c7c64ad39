"""Added tokens that are cut into pieces when they occur in text."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.comparison.evidence import token_names, view
from tokaudit.engine.check import check
from tokaudit.engine.measured import Measured
from tokaudit.engine.needs import Upstream
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Evidence, Finding, Measurement, Severity, TokenView
from tokaudit.runtimes.protocol import Encoding
from tokaudit_reference.spec import AddedToken, TokenizerSpec, TokenType
from tokaudit_suites.shared.vocab_entries import text_of
from tokaudit_suites.shared.wording import does, in_added, quote, some

AROUND = (("", ""), ("x", "y"), (". ", " 1"))


@check(
    "special_tokens/atomicity",
    title="Every added token in text becomes exactly its id",
    why="Turn markers that are cut into pieces are just words to the model: it does not see where "
    "a turn starts or ends.",
    remedy="Register the token as an added token, with the id of its embedding row.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="'<think>' became '<th', 'ink', '>' in engines that dropped added tokens that are "
    "not special (iree-org/iree PR#24076).",
    measures=(Measured("special_tokens/whole"),),
)
def atomicity(spec: TokenizerSpec, upstream: Upstream) -> Iterator[Finding | Measurement]:
    """Encode each token alone, within a word, and between words, in one batch."""
    tokens = _from_text(spec)
    if not tokens or "special" not in upstream.capabilities:
        raise NotApplicable("this tokenizer takes no added tokens from text")
    asked = [
        (token, before + token.content + after)
        for token in tokens
        for before, after in AROUND
        if _fair(token, before)
    ]
    answers = upstream.encode([text for _, text in asked])
    broken: dict[str, tuple[AddedToken, str, Encoding]] = {}
    known = {token.content for token in tokens}
    for (token, text), answer in zip(asked, answers, strict=True):
        if not _whole(spec, token, text, answer) and not _excused(token, text, answer, known):
            broken.setdefault(token.content, (token, text, answer))
    yield Measurement(
        "special_tokens/whole",
        "Added tokens that stay whole",
        len(tokens) - len(broken),
        "tokens",
        len(tokens),
        f"each token encoded in {len(AROUND)} contexts by {upstream.info.package}",
    )
    if broken:
        yield _finding(spec, list(broken.values()))


def _whole(spec: TokenizerSpec, token: AddedToken, text: str, answer: Encoding) -> bool:
    """Whether the token is there as often as in the text.

    What is around the unknown token may be unknown too.
    """
    if text == token.content:
        return answer.ids == (token.id,)
    found, wanted = answer.ids.count(token.id), text.count(token.content)
    return found >= wanted if token.id == spec.unk_id else found == wanted


def _excused(token: AddedToken, text: str, answer: Encoding, known: set[str]) -> bool:
    """Whether what is around the token decides: it has no ids, or makes a longer added token."""
    if text == token.content:
        return False
    longest = max(map(len, known))
    ends = ((start, start + size) for start in range(len(text)) for size in range(1, longest + 1))
    longer = any(text[a:b] in known and text[a:b] not in token.content for a, b in ends)
    return answer.error is not None or longer


def _from_text(spec: TokenizerSpec) -> list[AddedToken]:
    """The tokens that text may hold; some formats by design never take control tokens from it."""
    found = [token for token in spec.added_tokens if spec.control_from_text or not token.special]
    known = {token.id for token in found}
    for id, piece in spec.pieces.items():
        if piece.token_type is TokenType.USER_DEFINED and id not in known:
            found.append(AddedToken(id, text_of(piece) or "", normalized=False))
    return [token for token in found if token.content]


def _fair(token: AddedToken, before: str) -> bool:
    """Whether the token may be expected there: alone always, in words if it may be part of one.

    White space beside a run of white space would make a longer run, which is another token.
    """
    if before == "x":
        return not token.single_word
    return not before or token.content == token.content.strip()


def _finding(spec: TokenizerSpec, broken: list[tuple[AddedToken, str, Encoding]]) -> Finding:
    names = [f"{quote(token.content)} ({token.id})" for token, _, _ in broken]
    return Finding(
        Severity.ERROR,
        f"{does(len(broken), 'added token', 'is')} not taken from text as one id: {some(names)}.",
        tuple(in_added(spec, token.content) for token, _, _ in broken[:5]),
        tuple(_evidence(spec, *item) for item in broken[:3]),
        cause="split",
    )


def _evidence(spec: TokenizerSpec, token: AddedToken, text: str, answer: Encoding) -> Evidence:
    return Evidence(
        "text",
        text=text,
        expected=(TokenView(token.id, token.content),),
        actual=view(answer.ids, token_names(spec)),
        note=answer.error or "",
    )
