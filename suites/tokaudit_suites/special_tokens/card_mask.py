"""The mask token in a model card compared with the tokenizer's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    check,
)
from tokaudit.subject.upstream.published.spellings import spelled
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import quote

CARD, LARGEST = "README.md", 1_000_000  # bytes
FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)", re.DOTALL)
STATED = re.compile(r"^mask_token:\s*(['\"]?)(.+?)\1\s*$", re.MULTILINE)
EXAMPLE = re.compile(r"^\s*-?\s*text:\s*(.+)$", re.MULTILINE)


@check(
    "special_tokens/card-mask",
    title="The model card masks with the tokenizer's token",
    why="Model hubs let visitors try a masked language model with the examples in the model's "
    "card. If an example in the model card uses another mask token than the tokenizer's, users "
    "who copy the example get an error or a meaningless guess.",
    remedy="Write the tokenizer's mask token into the examples of the model card.",
    repair=person_decides("the card is text for people, whom a person writes to"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="a card is an example; no file says what users send.",
    basis=Basis.CROSS_FILE,
    incident="A hub asked for <mask> where the tokenizer of the model has [MASK], so the card's "
    "own examples ended in an error (huggingface/transformers #11884).",
)
def card_mask(spec: TokenizerSpec, subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Check `mask_token` in the card's header, and examples with another mask."""
    masks = [(f, t) for f, t in role_tokens(subject, "mask") if id_of(spec, t) is not None]
    cards = [f for f in subject.files if f.base == CARD and f.regular and f.size <= LARGEST]
    if not masks or not cards:
        raise NotApplicable("no card, or no file that names a mask token")
    own = {token for _, token in masks}
    for card in cards:
        if wrong := _wrong(_head(contents, card), own):
            fact, token = masks[0]
            yield Finding(
                Severity.WARNING,
                f"{card.name} has examples with the mask {quote(wrong[0])}, but {fact.file} names "
                f"{quote(token)} as the mask token: these examples mask nothing.",
                (Place("file", card.name), place_of(fact, "special_roles")),
                cause="card",
            )


def _head(contents: Contents, card: SourceFile) -> str:
    """Return the metadata header of a card."""
    found = FRONT.match(contents.whole(card).decode("utf-8", "replace").replace("\r\n", "\n"))
    return found[1] if found else ""


def _wrong(head: str, own: set[str]) -> Sequence[str]:
    """Return mask tokens in the header that are not the tokenizer's."""
    stated = [found[2] for found in STATED.finditer(head)]
    texts = [found[1] for found in EXAMPLE.finditer(head)]
    unmasked = [text for text in texts if not any(token in text for token in own)]
    typed = [mask for text in unmasked for mask in spelled("mask") if mask in text]
    return [token for token in (*stated, *typed) if token not in own]
