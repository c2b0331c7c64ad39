"""Tokens in settings that the tokenizer lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit_reference.text.bytes_alphabet import to_bytes
from tokaudit_suites.config._compared_keys import ComparedKeys, Rule, RuleContext
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.near_names import markers_of, nearest
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_roles import content_of
from tokaudit_suites.shared.vocab_entries import added_by_content, id_of
from tokaudit_suites.shared.wording import plural, quote, some
from tokaudit_suites.shared.written_tokens import LONGEST, with_roles

METHOD, SOFTMAX, YES_AND_NO = "method", "from_2_way_softmax", ("no", "yes")
SCORED_BY = "vllm-project/vllm at 00620f91ea18, model_executor/models/adapters.py"
ADDED_BY_LOADERS = ("tokenizer_config.json", "special_tokens_map.json")


@check(
    "config/tokens",
    title="Tokens that settings name are in the tokenizer",
    why="If a settings file names a token that the tokenizer lacks, loaders add the token after "
    "the last id, where the model has no embedding row, or split the token's text into pieces. An "
    "engine that reads only tokenizer.json does not know a token that only the settings name.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.CROSS_FILE, Basis.WEIGHTS),
    left_to_code=True,
    incident="The <mask> that a class took by default had an id for which the checkpoint had no "
    "row (huggingface/transformers #3108).",
)
def tokens(compared: ComparedKeys, configs: ForeignConfigs) -> Iterator[Finding]:
    """Look up each token.

    Tokens that a file of another tokenizer names are one fault, which files/foreign-config says.
    """
    for stated in compared.of("config/tokens"):
        if stated.file not in configs.lost:
            yield from RULES.get(stated.key, known_token)(compared.context, stated)


def known_token(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a named token that the tokenizer lacks."""
    content = content_of(stated.value)
    if not context.lists_added_tokens:
        return
    if content and id_of(context.spec, content) is None:
        id, sizes = context.spec.size(), context.sizes
        near = nearest(content, markers_of(context.spec))
        if near is not None:
            yield _misspelled(stated, content, near)
            return
        says = f"{stated.file} names {quote(content)} as {stated.key}, but the tokenizer has no "
        added = stated.base in ADDED_BY_LOADERS  # a processor only looks its tokens up
        rows, place = (sizes.rows, sizes.rows_at) if sizes is not None else (None, None)
        if not added or rows is None or place is None or id < rows:
            message = (
                f"{says}such token: loaders add the token with the new id {id}, or split its text."
            )
            yield stated.reported(Severity.WARNING, message, stated.left_out())
            return
        message = (
            f"{says}such token: loaders add the token with the new id {id}, for which the model "
            f"has no row ({place.file}: {rows:,})."
        )
        found = stated.reported(Severity.ERROR, message, stated.left_out())
        yield replace(found, places=(*found.places, place))


def _misspelled(stated: StatedKey, content: str, near: str) -> Finding:
    """Report a name one edit away from a token of the tokenizer."""
    message = (
        f"{stated.file} names {quote(content)} as {stated.key}, but the tokenizer has no such "
        f"token; did you mean {quote(near)}?"
    )
    wanted = {**stated.value, "content": near} if isinstance(stated.value, dict) else near
    return stated.reported(Severity.ERROR, message, stated.as_it_should_be(wanted))


def a_stop(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report stops that look like tokens but are none, and those that are words."""
    values = stated.value if isinstance(stated.value, list) else [stated.value]
    yield from _words(context, stated, values)
    marks = [v for v in values if isinstance(v, str) and v.startswith("<|") and v.endswith("|>")]
    templates = [str(fact.value) for fact in context.subject.facts_named("chat_template")]
    texts = [text for template in templates for text in with_roles(template[:LONGEST])]
    for mark in marks:
        if id_of(context.spec, mark) is not None:
            continue
        near = nearest(mark, markers_of(context.spec))
        if near is not None:
            message = (
                f"{stated.key} in {stated.file} has {quote(mark)}, which is not a token; did you "
                f"mean {quote(near)}?"
            )
            listed = isinstance(stated.value, list)
            wanted = [near if v == mark else v for v in values] if listed else near
            yield stated.reported(Severity.ERROR, message, stated.as_it_should_be(wanted))
        elif texts and not any(mark in text for text in texts):
            message = (
                f"{stated.key} in {stated.file} has {quote(mark)}, which is no token and in no "
                "chat template: no answer ends there, unless the model spells the text."
            )
            yield stated.reported(Severity.WARNING, message)


def _words(context: RuleContext, stated: StatedKey, stops: Sequence[object]) -> Iterator[Finding]:
    """Report stops of letters alone, but for capitals as in STOP, which no answer has by chance."""
    added = added_by_content(context.spec)
    texts = (stop.strip(" ") for stop in stops if isinstance(stop, str))
    words = [each for each in texts if each.isalpha() and not each.isupper()]
    found = [quote(each) for each in words if each not in added]
    if found:
        message = (
            f"{stated.key} in {stated.file} has {some(found)}: an answer that contains the word, "
            "or a longer one that it is a part of, ends there."
        )
        yield stated.reported(Severity.WARNING, message)


def scored(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report tokens for rows of a classifier that are not entries in the file's spelling."""
    listed, spec = stated.value, context.spec
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        return
    if context.stated(stated.base, METHOD) == SOFTMAX and len(listed) != len(YES_AND_NO):
        message = (
            f"{stated.key} in {stated.file} has {plural(len(listed), 'token')}, and {SOFTMAX} "
            f"takes two, of {' and '.join(YES_AND_NO)}: vLLM stops when it loads the model (read "
            f"in {SCORED_BY})."
        )
        yield stated.reported(Severity.ERROR, message)
        return
    for each in listed:
        value = to_bytes(each) if spec.byte_level else each
        added = any(token.content == each for token in spec.added_tokens)
        if not added and (value is None or spec.ids_by_surface.get(value) is None):
            message = (
                f"{stated.key} in {stated.file} names {quote(each)}, which is no entry of the "
                "tokenizer as its file spells it: vLLM takes the row of the unknown token for its "
                f"score, or stops where there is none (read in {SCORED_BY})."
            )
            yield stated.reported(Severity.ERROR, message)


RULES: Mapping[str, Rule] = {"stop_strings": a_stop, "classifier_from_token": scored}
