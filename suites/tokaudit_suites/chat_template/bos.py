"""BOS tokens at the start of a chat, by each way to its ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    BaseTrial,
    Basis,
    EncodeOptions,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Reference,
    Severity,
    Skip,
    Subject,
    Upstream,
    check,
    token_names,
)
from tokaudit.products.chat.rendering.templates import DEFAULT
from tokaudit.products.chat.work.renderings import (
    BaseChatRenderings,
    ChatIds,
    ChatRendering,
    ChatRenderings,
)
from tokaudit.subject.effective.text_ends import TextEnds, text_ends
from tokaudit.subject.upstream.published.spellings import begun_with, turn_starts
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._openings import SEVERAL, begins_in_turns
from tokaudit_suites.shared.rendered_chats import named, place_of, plain_chat, shown
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import about

WITH_SPECIALS = EncodeOptions(add_special_tokens=True)


@check(
    "chat_template/bos",
    title="A chat begins with one BOS",
    why="Some evaluation tools, servers and trainers add a BOS token to a chat that the template "
    "has rendered; others do not. A second BOS token at the start of a prompt shifts every "
    "position and makes answers worse.",
    remedy="Encode rendered chats with add_special_tokens=False, or remove BOS from either the "
    "template or the post-processor.",
    repair=person_decides(
        "BOS may be left out of the template or of the post-processor, as the code that calls "
        "them needs"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.CROSS_FILE, Basis.BASELINE),
    left_to_code=True,
    incident="deepseek-ai/DeepSeek-R1 #151, vllm-project/vllm #27515, huggingface/open-r1 #462.",
)
def bos(
    renderings: ChatRenderings,
    spec: TokenizerSpec,
    subject: Subject,
    ids: ChatIds,
    reference: Reference,
    upstream: Upstream | None,
    base: BaseChatRenderings | None,
    by: BaseTrial | None,
) -> Iterator[Finding]:
    """Count BOS at the start of a chat without and with specials, of a plain text, in a batch."""
    token = renderings.special_tokens.get("bos_token")
    wanted = {added.id for added in spec.added_tokens if added.content == token}
    if token is None or not wanted:
        raise NotApplicable("the tokenizer has no BOS")
    for one in renderings.usable:
        chat = plain_chat(one)
        if chat is not None and one.template.name == DEFAULT:
            text = chat.whole.plain.text
            found = reference.encode([text, "Hello."], WITH_SPECIALS)
            if any(encoding.error for encoding in found):
                raise Skip("the reference does not add special tokens here")
            counts = {
                "rendered text, no special tokens added": _leading(ids.one(text).ids, wanted),
                "rendered text, special tokens added": _leading(found[0].ids, wanted),
                "plain text, special tokens added": _leading(found[1].ids, wanted),
            }
            if upstream is not None:
                batch = upstream.encode([text, "Hello."], WITH_SPECIALS)
                way = f"batch by {upstream.info.package}, special tokens added"
                counts[way] = _leading(batch[0].ids, wanted)
            evidence = shown(chat.id, text, found[0].ids[:40], token_names(spec))
            found_counts = tuple(counts.values())[:3]
            shows = (evidence, _table(counts))
            yield from _judged(one, token, found_counts, shows, _owed(base))
            yield from _repeated(one, token, renderings.special_tokens.get("eos_token", ""))
            rendered, added, _ = found_counts
            if rendered == 1 and added == 1:
                yield from _by_version(one, token, text_ends(subject, spec))
            if not any(counts.values()) and not _owed(base) and _is_meant(subject, token):
                yield _unwritten(one, token, shows, by)


def _repeated(one: ChatRendering, token: str, eos: str) -> Iterator[Finding]:
    """Report a BOS before every turn, where the template has other markers that open turns."""
    count, chat = begins_in_turns(one, token, eos), one.rendered.conversation(SEVERAL)
    if count and chat is not None:
        yield Finding(
            Severity.WARNING,
            f"{named(one.template)} writes BOS ({token!r}) before every message, {count} times in "
            f"a chat of {chat.whole.messages} messages: the model learned BOS as the beginning of "
            "a text, and takes each message for a new one.",
            (place_of(one.template),),
            (shown(chat.id, chat.whole.plain.text),),
            cause="in every turn",
            about=about(token),
            remedy="In the chat template, write BOS once, before the loop over the messages.",
        )


def _by_version(one: ChatRendering, token: str, ends: Sequence[TextEnds]) -> Iterator[Finding]:
    """Report versions that add a second BOS before the template's own, whatever the file says."""
    doubling = [each.by for each in ends if each.before[:1] == (token,) and not each.of_file]
    others = [each.by for each in ends if token not in each.before]
    if not doubling:
        return
    alone = f" No BOS is added by {' and '.join(others)}." if others else ""
    yield Finding(
        Severity.INFO,
        f"A chat begins with two BOS tokens ({token!r}) where {' and '.join(doubling)} adds "
        f"special tokens to the rendered text: {_inside(named(one.template))} writes one.{alone}",
        (place_of(one.template),),
        cause="doubled by a version",
        about=about(token),
    )


def _is_meant(subject: Subject, token: str) -> bool:
    """Return whether BOS is a separate token that no switch disables on purpose."""
    others = [
        fact.value for role in ("eos_token", "pad_token") for fact in subject.facts_named(role)
    ]
    return subject.fact("add_bos_token") is None and token not in others


def _unwritten(
    one: ChatRendering, token: str, shows: tuple[Evidence, Evidence], by: BaseTrial | None
) -> Finding:
    """Report a missing BOS: a warning if the base begins its texts with one."""
    begun = by is not None and _begins(by)
    known = "; the base begins its texts with one" if begun else ""
    return Finding(
        Severity.WARNING if begun else Severity.INFO,
        f"The tokenizer names a BOS ({token!r}), but neither {_inside(named(one.template))} nor "
        f"the post-processor writes it{known}.",
        (place_of(one.template),),
        shows,
        cause="written by nobody",
        about=about(token),
    )


def _begins(by: BaseTrial) -> bool:
    """Return whether the base puts a token before a plain text."""
    for pair in by.trial.pairs[:1]:
        (bare,) = pair.left.encode(["Hello."])
        (whole,) = pair.left.encode(["Hello."], WITH_SPECIALS)
        return whole.ids[:1] != bare.ids[:1] and whole.error is None
    return False


def _owed(base: BaseChatRenderings | None) -> bool | None:
    """Return whether the base's template begins a plain chat with its BOS, if there is a base."""
    if base is None:
        return None
    token = base.renderings.special_tokens.get("bos_token")
    chats = [plain_chat(one) for one in base.renderings.usable if one.template.name == DEFAULT]
    texts = [chat.whole.plain.text for chat in chats[:1] if chat is not None]
    return bool(token) and any(text.startswith(str(token)) for text in texts)


def _leading(ids: Sequence[int], wanted: set[int]) -> int:
    """Count the BOS tokens at the start."""
    return next((i for i, id in enumerate(ids) if id not in wanted), len(ids))


def _inside(name: str) -> str:
    """Return a template's name as written inside a sentence."""
    return name[0].lower() + name[1:]


def _table(counts: dict[str, int]) -> Evidence:
    return Evidence("facts", facts=counts, note="BOS tokens at the start")


def _judged(
    one: ChatRendering,
    token: str,
    counts: tuple[int, ...],
    evidence: tuple[Evidence, Evidence],
    owed: bool | None,
) -> Iterator[Finding]:
    """Judge the count of BOS: none is an error if the base writes one, else by the family."""
    rendered, added, plain = counts
    place = (place_of(one.template),)
    if rendered > 1:
        text = f"{named(one.template)} begins a chat with {rendered} BOS tokens ({token!r})."
        yield Finding(
            *(Severity.ERROR, text, place, evidence),
            cause="doubled by the template",
            about=about(token),
        )
    elif added > 1:
        gguf = one.template.file.endswith(".gguf")  # llama.cpp drops the one of the template
        yield Finding(
            Severity.INFO if gguf else Severity.WARNING,
            f"A chat begins with {added} BOS tokens ({token!r}) where special tokens are added to "
            f"the rendered text: {_inside(named(one.template))} writes one, the post-processor "
            "another.",
            place,
            evidence,
            cause="doubled by two writers",
            about=about(token),
        )
    elif owed and not rendered:
        text = f"{named(one.template)} writes no BOS ({token!r}), but the base's writes one."
        yield Finding(
            *(Severity.ERROR, text, place, evidence),
            cause="the base writes one",
            about=about(token),
        )
    elif plain and not rendered:
        family = _family_with(one, token) if owed is None else ""
        others = f", and so does every chat of {family}" if family else ""
        yield Finding(
            Severity.WARNING if family else Severity.INFO,
            f"{named(one.template)} writes no BOS ({token!r}), but a plain text begins with "
            f"one{others}.",
            place,
            evidence,
            cause="missing",
            about=about(token),
            remedy="Begin the chat template with {{ bos_token }}: a chat is encoded without adding "
            "special tokens.",
        )


def _family_with(one: ChatRendering, token: str) -> str:
    """Name the family whose chats begin with this BOS, if the template writes its turns.

    In a GGUF file the template may leave BOS to llama.cpp, which adds it.
    """
    chat = plain_chat(one)
    text = chat.whole.plain.text if chat is not None else ""
    starts = [start for start, bos in begun_with().items() if bos == token and start in text]
    written = starts and not one.template.file.endswith(".gguf")
    return turn_starts()[starts[0]] if written else ""
