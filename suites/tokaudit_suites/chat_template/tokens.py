"""Chat template markers that are split into pieces, or have the wrong flag."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from tokaudit.plugin import Base, Basis, Evidence, Finding, Harm, Options, Severity, Subject, check
from tokaudit.products.chat.work.renderings import ChatRendering, ChatRenderings
from tokaudit.subject.effective.loaders import loader_named
from tokaudit.subject.upstream.published.spellings import read_after_decoding
from tokaudit.subject.upstream.versions import BOTH
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.chat_template._template_markers import COMMENT, Marker, markers
from tokaudit_suites.shared.near_names import nearest
from tokaudit_suites.shared.rendered_chats import named, place_of, plain_chat
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import stated_added
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.vocab_entries import added_by_content
from tokaudit_suites.shared.wording import about, in_added, plural, quote, some
from tokaudit_suites.shared.written_tokens import LONGEST, with_roles

PARSED = re.compile(  # by programs that read the answer as text
    r"</?(?:tool_call|think|answer|reasoning)s?>|\[(?:TOOL_CALLS|/?THINK)\]"
)
OF_PARSERS = dict.fromkeys(("rollouts", "serving"), Severity.WARNING)
FOR_PARSERS = {**OF_PARSERS, "sft": Severity.INFO}  # a trainer decodes nothing
BRACKETED = re.compile(r"[<\[]{1,2}[|｜]?/?[\w▁.:-]{2,40}[|｜]?[>\]]{1,2}")
BARE = re.compile(r"[\W_▁｜]+")
LEAVES_SPACE = ("llama_cpp", "sentencepiece")
"""Loaders that know no lstrip and no rstrip of a file.

llama.cpp sets them by the name of a model alone (phi-3, some embeddings): `impl::load` of
llama-vocab.cpp.
"""
AROUND = 60  # characters of a text from a token on
LEAST_LETTERS = 3  # of fewer, two markers may be meant


@check(
    "chat_template/tokens",
    title="Every marker of the template is one token",
    why="A turn marker that is not an added token is split into three to six tokens, and the "
    "model sees punctuation instead of the end of a turn. If the `special` flag of a turn marker "
    "is wrong, decoded text lacks the marker, or users can write the marker in their text.",
    remedy="Add the markers to the tokenizer as special tokens and train their embeddings, or use "
    "the chat template of the model that this tokenizer belongs to.",
    repair=person_decides(
        "a marker needs its own token and row, or the template is another model's"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.CROSS_FILE, Basis.BASELINE),
    left_to_code=True,
    incident="ChatML templates on base vocabularies (foundation-model-stack/fms-hf-tuning #470).",
)
def tokens(
    renderings: ChatRenderings,
    spec: TokenizerSpec,
    subject: Subject,
    base: Base | None,
    options: Options,
) -> Iterator[Finding]:
    """Look up every marker of the templates and their renderings among the added tokens.

    One that is not there is a warning where the base has it, or where the tokenizer has a token
    of its kind; else it was never meant as one.
    """
    known = {*added_by_content(spec), *(content for _, content, _, _ in stated_added(subject))}
    had = {token.content for token in base.spec.added_tokens} if base is not None else set()
    reported: set[str] = set()
    for one in renderings.all:
        new = [m for m in markers(one, renderings.conversations) if m.content not in reported]
        reported.update(marker.content for marker in new)
        missing = [marker for marker in new if marker.content not in known]
        near = _near(one, missing, known)
        yield from _as_near(one, spec, near)
        missing = [marker for marker in missing if marker.content not in near]
        meant = [marker for marker in missing if _meant(marker, known, had)]
        yield from _split(one, spec, meant, Severity.WARNING)
        said = {*near, *(marker.content for marker in meant)}
        wrong = _misspelled(one, known, said)
        yield from _as_misspelled(one, spec, wrong)
        others = [m for m in missing if m not in meant and m.content not in wrong]
        parsed = any(PARSED.fullmatch(marker.content) for marker in others)
        for found in _split(one, spec, others, Severity.INFO):
            yield for_use(found, options, OF_PARSERS if parsed else {})
        yield from _flags(one, spec, new, options)
        yield from _stripped(one, spec, options)


def _meant(marker: Marker, known: set[str], had: set[str]) -> bool:
    """Return whether the marker should be a token."""
    sibling = any(marker.is_sibling(content) for content in known)
    return marker.content in had or (sibling and not marker.passed)


def _split(
    one: ChatRendering, spec: TokenizerSpec, missing: Sequence[Marker], severity: Severity
) -> Iterator[Finding]:
    contents = [marker.content for marker in missing]
    if contents:
        yield Finding(
            severity,
            f"{named(one.template)} writes {plural(len(contents), 'marker')} that the tokenizer "
            f"does not have as a token: {some([quote(content) for content in contents])}.",
            (place_of(one.template), in_added(spec, None, contents[:20])),
            cause="marker",
            about=about(*contents),
        )


def _near(one: ChatRendering, missing: Sequence[Marker], known: set[str]) -> dict[str, str]:
    """Return the template's markers that are one edit away from a token, with that token."""
    source = COMMENT.sub("", one.template.text[:LONGEST])
    tagged = dict.fromkeys(BRACKETED.findall(source))
    alone = [m for m in tagged if m not in known and not _has_other_end(m, tagged)]
    named_here = [marker.content for marker in missing if marker.content in source]
    pairs = {marker: nearest(marker, known) for marker in (*named_here, *alone)}
    return {marker: token for marker, token in pairs.items() if token}


def _as_near(one: ChatRendering, spec: TokenizerSpec, near: dict[str, str]) -> Iterator[Finding]:
    """Report markers that are one letter away from a token, with the templates that write it."""
    if near:
        shown = [f"{quote(marker)}, did you mean {quote(token)}?" for marker, token in near.items()]
        text = one.template.text
        for marker, token in near.items():
            text = text.replace(marker, token)
        place = place_of(one.template)
        yield Finding(
            Severity.ERROR,
            f"{named(one.template)} writes {plural(len(near), 'marker')} that the tokenizer does "
            f"not have as a token; each is one edit away from a token: {some(shown)}",
            (place, in_added(spec, next(iter(near.values())))),
            cause="near name",
            about=about(*near, *near.values()),
            remedy="Write the token that the tokenizer has.",
            repair=repaired(set_to(place, text)),
        )


def _misspelled(one: ChatRendering, known: set[str], reported: set[str]) -> dict[str, str]:
    """Map text of the template that has the letters of a token to that token."""
    sources = with_roles(COMMENT.sub("", one.template.text[:LONGEST]))
    found = dict(pair for text in sources for pair in _spelled_alike(text, known))
    return {marker: token for marker, token in found.items() if marker not in reported}


def _as_misspelled(
    one: ChatRendering, spec: TokenizerSpec, wrong: dict[str, str]
) -> Iterator[Finding]:
    if wrong:
        shown = [f"{quote(marker)} for {quote(token)}" for marker, token in wrong.items()]
        yield Finding(
            Severity.WARNING,
            f"{named(one.template)} writes {plural(len(wrong), 'marker')} that the tokenizer does "
            f"not have as a token; each has the same letters as a token: {some(shown)}.",
            (place_of(one.template), in_added(spec, next(iter(wrong.values())))),
            cause="misspelled",
            about=about(*wrong, *wrong.values()),
        )


def _flags(
    one: ChatRendering, spec: TokenizerSpec, found: Sequence[Marker], options: Options
) -> Iterator[Finding]:
    """Report turn markers that are not special, and special ones that a parser needs as text."""
    special = {token.content: token.special for token in spec.added_tokens}
    chat = plain_chat(one)
    turns = chat.whole.plain.text if chat is not None else ""
    flags = {marker.content: special.get(marker.content) for marker in found}
    forged = [marker for marker, flag in flags.items() if flag is False and marker in turns]
    lost = [marker for marker, flag in flags.items() if flag and PARSED.fullmatch(marker)]
    for contents, what, remedy in (
        (
            forged,
            "but not special, so that encoding user text with split_special_tokens keeps them",
            "Mark the tokens that open and end turns as special.",
        ),
        (
            lost,
            "and special, so that decoding with skip_special_tokens drops markers that a parser "
            "expects",
            "Set special to false for these tokens in the files of the tokenizer, or decode with "
            "skip_special_tokens=False where the answer is parsed.",
        ),
    ):
        if contents:
            known = read_after_decoding() if contents is lost else {}
            readers = {known[each]: None for each in contents if each in known}
            harm = f"; {', '.join(readers)} then take an answer for reasoning" if readers else ""
            told = Finding(
                Severity.WARNING if harm else Severity.INFO,
                f"{named(one.template)} writes markers that are tokens, {what}: "
                f"{some([quote(content) for content in contents])}{harm}.",
                (place_of(one.template), in_added(spec, None, contents[:20])),
                remedy=remedy,
                cause="forged" if contents is forged else "lost",
                about=about(*contents),
            )
            yield told if contents is forged else for_use(told, options, FOR_PARSERS)


def _stripped(one: ChatRendering, spec: TokenizerSpec, options: Options) -> Iterator[Finding]:
    """Report tokens that strip white space which the template writes next to them."""
    chat = plain_chat(one)
    text = chat.whole.plain.text if chat is not None else ""
    stripping = [t for t in spec.added_tokens if t.content and _strips(t, text)]
    leaves = [each for each in map(loader_named, options.loaders) if each.library in LEAVES_SPACE]
    if stripping:
        first = stripping[0]
        flag = "rstrip" if first.rstrip else "lstrip"
        says = f"; {leaves[0].name} is to load it, and keeps that space" if leaves else ""
        yield Finding(
            Severity.WARNING if leaves else Severity.INFO,
            f"{named(one.template)} writes space or line ends next to "
            f"{some([quote(token.content) for token in stripping])}, which {flag} of the token "
            f"takes away: {BOTH} drop it, and an engine without these flags "
            f"gives the model more tokens{says}.",
            (place_of(one.template), in_added(spec, first.content)),
            (Evidence("text", text=text[: text.find(first.content) + AROUND]),),
            cause="stripped",
            about=about(*(token.content for token in stripping)),
            remedy="Write the template without that space, so that every engine reads it alike.",
        )


def _strips(token: AddedToken, text: str) -> bool:
    """Return whether a token's flag strips white space somewhere in a text."""
    found = re.escape(token.content)
    return bool(
        (token.rstrip and re.search(rf"{found}\s", text))
        or (token.lstrip and re.search(rf"\s{found}", text))
    )


def _spelled_alike(text: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each marker that is not a token, with the token that has its letters.

    >>> list(_spelled_alike("<|im_start>user<|im_end|>", ["<|im_start|>", "<|im_end|>"]))
    [('<|im_start>', '<|im_start|>')]
    >>> list(_spelled_alike("<tool_call>x</tool_call>", ["<|tool_call|>"]))  # a tag
    []
    """
    by_letters = {_letters_of(each): each for each in known if BRACKETED.fullmatch(each)}
    found = dict.fromkeys(BRACKETED.findall(text))
    for marker in found:
        meant = by_letters.get(_letters_of(marker))
        inside = any(marker in token for token in known)
        if meant is None or inside or len(_letters_of(marker).lstrip("/")) < LEAST_LETTERS:
            continue
        if not _has_other_end(marker, found):
            yield marker, meant


def _letters_of(marker: str) -> str:
    """Return letters and digits alone, with a slash for an end marker."""
    end = "/" if marker.lstrip("<[|｜").startswith("/") else ""
    return end + BARE.sub("", marker).casefold()


def _has_other_end(marker: str, found: Collection[str]) -> bool:
    own = _letters_of(marker)
    other = own[1:] if own.startswith("/") else f"/{own}"
    return any(_letters_of(each) == other for each in found)
