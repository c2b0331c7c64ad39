"""Generation prompts that end in an end token once special tokens are added."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.subject.effective.text_ends import TextEnds, text_ends
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import quote, stage

POOLING = "modules.json"  # of an encoder, whose vector is often that of the end


@check(
    "chat_template/ended-prompt",
    title="No end is added after a prompt",
    why="A model writes its answer as a continuation of the prompt. If the tokenizer appends the "
    "end-of-text token to every text that it encodes with special tokens, a prompt ends before "
    "the answer begins, and a rendered chat has two end tokens.",
    remedy="Remove the end of text from the post-processor in {file|tokenizer.json}, or encode "
    "all prompts with add_special_tokens=False.",
    repair=person_decides("no file says whether the code that calls it adds special tokens"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="who encodes rendered chats without special tokens is not affected.",
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Turns ended twice after the end had been written by template and tokenizer "
    "(axolotl-ai-cloud/axolotl PR#976).",
)
def ended_prompt(
    renderings: ChatRenderings, spec: TokenizerSpec, subject: Subject
) -> Iterator[Finding]:
    """Compare the last token that loaders append to a text with the tokens that end an answer."""
    if not renderings.usable or any(file.base == POOLING for file in subject.files):
        raise NotApplicable("no model here answers prompts of a template")
    stops = {renderings.special_tokens.get("eos_token")}
    ids = {id for fact in subject.facts_named("eos_token_id") for id in _ids(fact.value)}
    stops |= {token.content for token in spec.added_tokens if token.id in ids}
    ending = [
        each for each in text_ends(subject, spec) if each.after[-1:] and each.after[-1] in stops
    ]
    if ending:
        yield _finding(spec, ending)


def _finding(spec: TokenizerSpec, ending: list[TextEnds]) -> Finding:
    token = ending[0].after[-1]
    by = " and ".join(each.by for each in ending)
    return Finding(
        Severity.WARNING,
        f"{by} {'append' if len(ending) > 1 else 'appends'} {quote(token)} to every text that is "
        "encoded with special tokens: a prompt then ends before the model answers, and a "
        "rendered chat ends twice.",
        (stage(spec, "post_processor", spec.post_processor.options),),
        cause="end after the prompt",
    )


def _ids(value: object) -> list[int]:
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, int)]
