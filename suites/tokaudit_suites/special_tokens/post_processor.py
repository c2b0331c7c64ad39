"""A post-processor that adds tokens which are not there, or against the flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.engine.check import check
from tokaudit.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec, components_of
from tokaudit_suites.stated_roles import place_of, role_tokens
from tokaudit_suites.vocab_entries import id_of, name_of
from tokaudit_suites.wording import quote, stage


@check(
    "special_tokens/post-processor",
    title="The post-processor adds the tokens that it names",
    why="The post-processor writes ids, not names. A stale id puts another token before every "
    "text; a flag that contradicts it holds in one loader and not in the next.",
    remedy="Write the ids that the tokenizer gives these tokens, and let add_bos_token and "
    "add_eos_token say what the post-processor does.",
    severity=Severity.ERROR,
    basis=(Basis.INTRINSIC, Basis.CROSS_FILE),
    incident="OLMo appended its end token against the flag, and generation broke "
    "(huggingface/transformers PR#47988).",
)
def post_processor(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Look up every token and id that the post-processor names, then compare the flags."""
    steps = components_of(spec.post_processor, "processors")
    if not steps:
        raise NotApplicable("there is no post-processor")
    for step in steps:
        for problem in [*_template(spec, step), *_pairs(spec, step)]:
            yield Finding(
                Severity.ERROR, problem, (stage(spec, "post_processor", step),), cause=problem
            )
    yield from _flags(spec, subject, steps)


def _template(spec: TokenizerSpec, step: Mapping[str, Any]) -> Iterator[str]:
    table = step.get("special_tokens")
    if step.get("type") != "TemplateProcessing" or not isinstance(table, Mapping):
        return
    for name, entry in table.items():
        tokens, ids = entry.get("tokens") or [], entry.get("ids") or []
        if len(tokens) != len(ids):
            yield f"The template names {len(tokens)} tokens but {len(ids)} ids for {quote(name)}."
            continue
        for token, id in zip(tokens, ids, strict=True):
            yield from _wrong(spec, token, id)
    used = {*_specials(step, "single"), *_specials(step, "pair")}
    for name in sorted(used - set(table)):
        yield f"The template adds {quote(name)}, but says neither which tokens nor which ids it is."


def _pairs(spec: TokenizerSpec, step: Mapping[str, Any]) -> Iterator[str]:
    for key in ("cls", "sep"):
        pair = step.get(key)
        if isinstance(pair, list | tuple) and len(pair) == 2:
            yield from _wrong(spec, pair[0], pair[1])


def _wrong(spec: TokenizerSpec, token: Any, id: Any) -> Iterator[str]:
    have = id_of(spec, token) if isinstance(token, str) else None
    if have is None:
        yield f"The post-processor adds {token!r}, which is no token."
    elif have != id:
        stands = quote(name_of(spec, id) or "") if isinstance(id, int) else "nothing"
        yield f"The post-processor adds {quote(token)} as id {id} ({stands}), but its id is {have}."


def _specials(step: Mapping[str, Any], part: str) -> list[str]:
    pieces = step.get(part)
    found = [piece.get("SpecialToken") for piece in pieces or [] if isinstance(piece, Mapping)]
    return [str(special["id"]) for special in found if isinstance(special, Mapping)]


def _around(steps: list[Mapping[str, Any]]) -> tuple[list[str], list[str]] | None:
    """The tokens that a template puts before and after a text; None without a template."""
    for step in steps:
        single = step.get("single")
        if step.get("type") == "TemplateProcessing" and isinstance(single, list):
            at = next((i for i, piece in enumerate(single) if "Sequence" in piece), len(single))
            return (
                _specials({"single": single[:at]}, "single"),
                _specials({"single": single[at:]}, "single"),
            )
    return None


def _flags(
    spec: TokenizerSpec, subject: Subject, steps: list[Mapping[str, Any]]
) -> Iterator[Finding]:
    around = _around(steps)
    for role, side in (("bos", 0), ("eos", 1)):
        flag, tokens = subject.fact(f"add_{role}_token"), role_tokens(subject, role)
        if flag is None or not isinstance(flag.value, bool) or not tokens:
            continue
        adds = around is not None and tokens[0][1] in around[side]
        if adds == flag.value:
            continue
        does = "adds" if adds else "does not add"
        blamed: Place = place_of(flag, "post_processor")
        yield Finding(
            Severity.WARNING,
            f"{flag.file} says add_{role}_token is {flag.value}, but the post-processor {does} "
            f"{quote(tokens[0][1])}; loaders follow the one or the other.",
            (blamed, stage(spec, "post_processor")),
            cause=f"add_{role}_token",
        )
