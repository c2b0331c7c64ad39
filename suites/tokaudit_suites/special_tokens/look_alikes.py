"""Added tokens that look like another one, or like text of the chat template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from tokaudit.plugin import Basis, Evidence, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.products.chat.rendering.templates import ChatTemplate, chat_templates
from tokaudit.subject.upstream.published.confusables import skeleton
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.rendered_chats import place_of
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.vocab_entries import looks_like_marker
from tokaudit_suites.shared.wording import in_added

SHOWN = 5  # findings of one kind
MOST_PLACES = 200  # of one token in a template


@check(
    "special_tokens/look-alikes",
    title="No added token looks like another marker",
    why="Two markers can look the same and still be different tokens, for example because of a "
    "letter of another script or an invisible character. Users who type or copy one of two "
    "look-alike markers get several pieces or the wrong marker, and cannot see why.",
    remedy="Spell the marker in {file|both files} with the same characters as the other marker.",
    repair=person_decides("which of the two spellings the model expects is not in the files"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC, Basis.CROSS_FILE),
    incident="DeepSeek writes its markers with a fullwidth bar and U+2581; its readme and its file "
    "did not write them alike (deepseek-ai/DeepSeek-Coder #147).",
)
def look_alikes(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Compare the looks of markers with one another, and with text of the templates."""
    tokens = [token for token in spec.added_tokens if looks_like_marker(token.content)]
    if not tokens:
        raise NotApplicable("no added token is written like a marker")
    for one, other in list(_pairs(tokens))[:SHOWN]:
        yield Finding(
            Severity.WARNING,
            f"{one.content!a} (id {one.id}) and {other.content!a} (id {other.id}) look alike, "
            "but are two tokens.",
            (in_added(spec, other.content), in_added(spec, one.content)),
            cause="tokens",
        )
    for template in chat_templates(subject):
        for token, written in list(_written(template.text, tokens))[:SHOWN]:
            yield _other_text(spec, token, written, template)


def _pairs(tokens: Sequence[AddedToken]) -> Iterator[tuple[AddedToken, AddedToken]]:
    """Yield tokens that look like an earlier one."""
    first: dict[str, AddedToken] = {}
    for token in tokens:
        known = first.setdefault(skeleton(token.content)[0], token)
        if known.content != token.content and _only_look(known.content, token.content):
            yield known, token


def _only_look(one: str, other: str) -> bool:
    """Return whether only look-alikes differ, not two plain characters such as I and l."""
    (_, ours), (_, theirs) = skeleton(one), skeleton(other)
    pairs = [(one[a], other[b]) for a, b in zip(ours, theirs, strict=True)]
    return not any(a.isascii() and b.isascii() and a != b for a, b in pairs)


def _written(text: str, tokens: Sequence[AddedToken]) -> Iterator[tuple[AddedToken, str]]:
    """Yield each token that a text contains only in look-alikes, with that text."""
    look, places = skeleton(text)
    known = {token.content for token in tokens}
    for token in tokens:
        wanted = skeleton(token.content)[0]
        for at in islice(_places(look, wanted), MOST_PLACES):
            written = text[places[at] : places[at + len(wanted) - 1] + 1]
            if written not in known and _only_look(token.content, written):
                yield token, written
                break


def _places(look: str, wanted: str) -> Iterator[int]:
    at = look.find(wanted)
    while at >= 0:
        yield at
        at = look.find(wanted, at + 1)


def _other_text(
    spec: TokenizerSpec, token: AddedToken, written: str, template: ChatTemplate
) -> Finding:
    return Finding(
        Severity.ERROR,
        f"The chat template in {template.file} writes {written!a}, which looks like the added "
        f"token {token.content!a} (id {token.id}) but is another text.",
        (place_of(template), in_added(spec, token.content)),
        (Evidence("facts", facts={"template": ascii(written), "token": ascii(token.content)}),),
        cause="template",
    )
