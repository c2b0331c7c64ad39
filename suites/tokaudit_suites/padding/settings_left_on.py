"""Truncation or padding stored in tokenizer.json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.upstream.model_class import generates
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.shared.repairs import blamed_set_to
from tokaudit_suites.shared.rows_and_positions import UNSET
from tokaudit_suites.shared.vocab_entries import id_of, name_of
from tokaudit_suites.shared.wording import quote, stage

ABSURD = 1_000_000  # tokens; padding every text to this exhausts memory
ENOUGH = 64  # tokens; filling fewer positions costs little, and samples have so few
TOO_SHORT = 32  # tokens; no model is served with so few
TINY_SHARE = 64  # of the positions, where no length is declared
SHARE = 4  # a cut below this part of what the model takes loses most of an ordinary document


@check(
    "padding/settings-left-on",
    title="tokenizer.json leaves truncation and padding off",
    why="If tokenizer.json leaves truncation or padding on, a runtime that reads only "
    "tokenizer.json silently cuts or pads every text. The library that saved tokenizer.json "
    "resets truncation and padding when it loads the file, so its users do not see the problem.",
    remedy="Set {pointer|truncation and padding} to null in {file|tokenizer.json}.",
    repair=blamed_set_to(None),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="all-MiniLM-L6-v2 is cut at 128 tokens where its model takes 256 "
    "(martin-conur/quackformers PR#83).",
)
def settings_left_on(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Describe the effect of both blocks on every text."""
    if Standing.STATED not in (spec.truncation.standing, spec.padding.standing):
        raise NotApplicable("the format has no such settings")
    if spec.truncation.options:
        yield _truncation(spec, subject, spec.truncation.options)
    if spec.padding.options:
        yield from _padding(spec, subject, spec.padding.options)


def _truncation(spec: TokenizerSpec, subject: Subject, block: Mapping[str, Any]) -> Finding:
    length = block.get("max_length")
    fact = subject.fact("max_seq_length") or subject.fact("model_max_length")
    declared = fact.value if fact is not None and isinstance(fact.value, int) else None
    same = declared is not None and length == declared
    known = (
        ""
        if declared is None or declared >= UNSET or same
        else (f", although the model takes {declared:,}")
    )
    return Finding(
        _harm(length, None if not known else declared, _positions(subject), same=same),
        f"Truncation is left on: {spec.files[0]} cuts every text to {length} tokens{known}.",
        (stage(spec, "truncation", dict(block)),),
        cause="truncation",
    )


def _harm(length: object, declared: int | None, positions: int, *, same: bool) -> Severity:
    """Rate a truncation: an error if it cuts most text, information if it limits nothing.

    Positions alone promise less than a declared length: encoders are served with a part of them.
    """
    if same:
        return Severity.INFO
    tokens = length if isinstance(length, int) else 0
    short = tokens < TOO_SHORT or (declared is not None and SHARE * tokens < declared)
    short = short or (declared is None and TINY_SHARE * tokens < positions)
    return Severity.ERROR if short else Severity.WARNING


def _positions(subject: Subject) -> int:
    fact = subject.fact("max_position_embeddings") or subject.fact("n_positions")
    return fact.value if fact is not None and isinstance(fact.value, int) else 0


def _padding(spec: TokenizerSpec, subject: Subject, block: Mapping[str, Any]) -> Iterator[Finding]:
    """Report padding of every text; an error if a generating model has no room left."""
    strategy = block.get("strategy")
    length = strategy.get("Fixed") if isinstance(strategy, Mapping) else None
    multiple = block.get("pad_to_multiple_of") or 0
    place = (stage(spec, "padding", dict(block)),)
    wrong = [*_pad_id(spec, block)]
    yield from wrong
    worst = max(length if isinstance(length, int) else 0, multiple)
    positions = _positions(subject)
    if worst > ABSURD:
        yield Finding(
            Severity.ERROR,
            f"Padding is left on: every text is padded to {worst:,} tokens, which exhausts memory.",
            place,
            cause="padding",
        )
    elif worst >= max(ENOUGH, positions) and positions and generates(subject):
        yield Finding(
            Severity.ERROR,
            f"Padding is left on: every text is padded to {worst:,} tokens, which fills all "
            f"{positions:,} positions of a model that generates: none is left for an answer.",
            place,
            cause="padding",
        )
    elif worst > 1:
        yield Finding(
            Severity.WARNING,
            f"Padding is left on: every text is padded to {worst:,} tokens with "
            f"{block.get('pad_token')!r}; runtimes that ignore the mask take the padding for text.",
            place,
            cause="padding",
        )
    elif isinstance(length, int):
        message = (
            f"Padding is not switched off, though its length is {length}: it adds nothing today, "
            "but a runtime that sets its own length pads every text with "
            f"{block.get('pad_token')!r}."
        )
        yield Finding(Severity.WARNING, message, place, cause="padding")
    else:
        encoder = not wrong and generates(subject) is False  # as sentence-transformers saves it
        yield Finding(
            Severity.INFO if encoder else Severity.WARNING,
            "Padding is left on: every batch is padded to its longest text with "
            f"{block.get('pad_token')!r}; runtimes that ignore the mask take the padding for text.",
            place,
            cause="padding",
        )


def _pad_id(spec: TokenizerSpec, block: Mapping[str, Any]) -> Iterator[Finding]:
    named, pad = block.get("pad_token"), block.get("pad_id")
    if not isinstance(named, str) or not isinstance(pad, int):
        return
    own = id_of(spec, named)
    if own is not None and pad != own:
        there = quote(name_of(spec, pad) or "")
        yield Finding(
            Severity.ERROR,
            f"Padding is left on with {quote(named)} as id {pad} ({there}), but the id of the "
            f"token is {own}.",
            (stage(spec, "padding", dict(block)),),
            cause="pad id",
        )
