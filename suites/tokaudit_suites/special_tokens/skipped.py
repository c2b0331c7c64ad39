"""Special tokens that decoding keeps although it should skip them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tokaudit.plugin import (
    Basis,
    DecodeOptions,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Upstream,
    check,
)
from tokaudit_reference.library_versions import older_version
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_reference.steps.decoders.tokens import strings_of_added
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.wording import about, in_added, plural, quote, some

SKIPPING = DecodeOptions(skip_special_tokens=True)
BY_STRING = "tokenizers"  # the library that skips by strings; others skip by ids
MOST = 2_000  # tokens
SHOWN = 5


@check(
    "special_tokens/skipped",
    title="Skipped special tokens leave no text",
    why="If padding or a turn marker is not marked as special, decoding with "
    "skip_special_tokens=True keeps the token. If skip_special_tokens=True does not drop padding "
    "and turn markers, users see them in answers, and programs that compare answers with expected "
    "texts find no match.",
    remedy="In {file|tokenizer.json}, set normalized to false for the token.",
    repair=person_decides("why the library keeps the token is not in the file"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="only decoded text has the token too much; the model gets the same ids.",
    basis=Basis.INTRINSIC,
    incident="Decoding showed special tokens that were to be skipped, with some ways to load the "
    "same files (huggingface/transformers #10202).",
)
def skipped(spec: TokenizerSpec, upstream: Upstream) -> Iterator[Finding]:
    """Decode each special token alone, and look up newer versions' handling of normalized ones."""
    special = [token for token in spec.added_tokens if token.special and token.content][:MOST]
    if not special or upstream.info.package != BY_STRING:
        raise NotApplicable("no special token that a library knows by its string")
    forms = strings_of_added(spec)
    changed = [token for token in special if forms[token.content] != token.content]
    if not older_version(upstream.info.version):
        kept = _kept(upstream, special)
        changed = [token for token in changed if token.content in kept]
        others = [token for token in special if token.content in kept and token not in changed]
        if others:
            yield _kept_by_the_library(spec, upstream, others, kept)
    if changed:
        yield _changed(spec, changed, forms)


def _kept(upstream: Upstream, special: Sequence[AddedToken]) -> Mapping[str, str]:
    """Return the special tokens that are not skipped, with their text."""
    texts = upstream.decode([(token.id,) for token in special], SKIPPING)
    both = zip(special, texts, strict=True)
    return {token.content: str(text) for token, text in both if text}


def _changed(
    spec: TokenizerSpec, tokens: Sequence[AddedToken], forms: Mapping[str, str]
) -> Finding:
    names = [f"{quote(one.content)} as {quote(forms[one.content])}" for one in tokens]
    return Finding(
        Severity.WARNING,
        f"tokenizers 0.23.1 and newer write {some(names)} although they decode with "
        "skip_special_tokens=True: they look for the normalized text of a token with "
        "normalized=true among the special tokens, and do not find it. Versions before 0.23.1 "
        "leave the token out.",
        tuple(in_added(spec, one.content) for one in tokens[:SHOWN]),
        (Evidence("text", text=forms[tokens[0].content], note="decoded, special tokens skipped"),),
        cause="normalized",
        repair=repaired(*(set_to(_flag(spec, one.content), False) for one in tokens)),
        about=about(*(one.content for one in tokens)),
    )


def _kept_by_the_library(
    spec: TokenizerSpec, upstream: Upstream, tokens: Sequence[AddedToken], kept: Mapping[str, str]
) -> Finding:
    who = f"{upstream.info.package} {upstream.info.version}"
    return Finding(
        Severity.WARNING,
        f"Text decoded with skip_special_tokens=True has {plural(len(tokens), 'special token')} in "
        f"{who}: {some([quote(one.content) for one in tokens])}.",
        tuple(in_added(spec, one.content) for one in tokens[:SHOWN]),
        (Evidence("text", text=kept[tokens[0].content], note="decoded, special tokens skipped"),),
        cause="kept",
        about=about(*(one.content for one in tokens)),
    )


def _flag(spec: TokenizerSpec, content: str) -> Place:
    """Return the place of the flag for matching in normalized text."""
    entry = in_added(spec, content)
    return replace(entry, pointer=f"{entry.pointer}/normalized", value=None)
