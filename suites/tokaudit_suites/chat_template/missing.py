"""Chat checkpoints without a chat template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import Base, Basis, Finding, Harm, Place, Severity, Subject, check
from tokaudit.products.chat.rendering.templates import DEFAULT, FOLDER, ChatTemplate, chat_templates
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.upstream.published.spellings import chatml_start, turn_ends, turn_starts
from tokaudit.subject.upstream.versions import BOTH
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared import stated_roles
from tokaudit_suites.shared.rendered_chats import COMPONENT
from tokaudit_suites.shared.repairs import base_decides
from tokaudit_suites.shared.uses import if_it_generates
from tokaudit_suites.shared.wording import in_added, quote, some

PROCESSOR, TOKENIZER = "processor_class", "tokenizer_config.json"
OF_PROCESSORS = ("processor_config.json", "preprocessor_config.json")
FROM_ELSEWHERE = (  # by their class, of one version or both
    "HunYuanVLProcessor",
    "NeoMMEProcessor",
    "OmniASRProcessor",
    "Qwen2AudioProcessor",
    "SmolVLMProcessor",
    "VoxtralProcessor",
)


@check(
    "chat_template/missing",
    title="A chat checkpoint has a chat template",
    why="If a model has no chat template, transformers refuses to render a chat, while "
    "llama.cpp's server writes the chat as ChatML. Without a chat template, no file says which "
    "chat format the model expects.",
    remedy="Copy chat_template.jinja, or the chat_template of tokenizer_config.json, from the "
    "base model.",
    repair=base_decides("no file of this folder says what a turn looks like"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.CROSS_FILE, Basis.BASELINE),
    incident="Exports that lost it: hiyouga/LlamaFactory #8399, QwenLM/Qwen3-VL #1488.",
)
def missing(spec: TokenizerSpec, subject: Subject, base: Base | None) -> Iterator[Finding]:
    """If there is no template, look for the base's, and for turn markers among tokens and stops."""
    if stated := chat_templates(subject):
        yield from _no_default(stated)
        yield from _lost_in_conversion(subject, stated)
        yield from _not_the_processors(subject, stated)
        return
    had = chat_templates(base.subject) if base is not None else ()
    opening = [token.content for token in spec.added_tokens if token.content in turn_starts()]
    if had:
        what = f"{had[0].file} of the base has a chat template"
        lost = _finding(spec, Severity.ERROR, what, opening, "the base has one")
        yield if_it_generates(lost, subject)
    elif opening:
        ends = _stops_at_turns(spec, subject)
        what = f"the tokenizer has the turn markers {some([quote(one) for one in opening])}"
        if ends:
            what += f", and generation stops at {some([quote(end) for end in ends])}"
        severity = Severity.WARNING if ends else Severity.INFO
        yield _finding(spec, severity, what, opening, "turn markers")
    yield from _by_the_engine(spec, subject)


def _no_default(stated: Sequence[ChatTemplate]) -> Iterator[Finding]:
    """Report named templates without a default for plain chats: transformers refuses those.

    Where a template has a file of its own, the key of the settings is read by neither version.

    Source: `get_chat_template` and `_from_pretrained` of both versions, tokenization_utils_base.py.
    """
    alone = [each for each in stated if _has_its_own_file(each)]
    read = alone or stated
    if any(each.name == DEFAULT for each in read):
        return
    names = some([quote(each.name) for each in read])
    hidden = [each for each in stated if each.name == DEFAULT]
    why = (
        f"do not read the template of {hidden[0].file} next to such a file, and " if hidden else ""
    )
    first = read[0]
    yield Finding(
        Severity.ERROR,
        f"{first.file} has templates named {names}, and none is named {quote(DEFAULT)}: "
        f"{BOTH} {why}refuse a chat that names no template.",
        (Place("chat_template", first.file, first.pointer),),
        remedy=f"Move the template of {hidden[0].file} into chat_template.jinja." if hidden else "",
        cause="no default",
    )


def _has_its_own_file(template: ChatTemplate) -> bool:
    """Return whether the template is chat_template.jinja, or one of the folder's own files."""
    name = template.file.removeprefix(FOLDER)
    return name.endswith(".jinja") and "/" not in name


def _lost_in_conversion(subject: Subject, stated: Sequence[ChatTemplate]) -> Iterator[Finding]:
    """Report a GGUF file without the template that its source files have."""
    have = {each.file for each in stated}
    for file in (fact.file for fact in subject.facts_named("gguf_model")):
        if file not in have:
            source = Place("chat_template", stated[0].file, stated[0].pointer)
            yield Finding(
                Severity.WARNING,
                f"{file} holds no chat template, and {stated[0].file} does: llama.cpp's server "
                "writes ChatML, whatever the model expects.",
                (Place("chat_template", file, implied_by="llama.cpp"), source),
                cause="not converted",
            )


def _not_the_processors(subject: Subject, stated: Sequence[ChatTemplate]) -> Iterator[Finding]:
    """Report a template in the tokenizer's files alone, which the processor does not read.

    Source: `get_processor_dict` and `apply_chat_template` of processing_utils.py in both versions.
    """
    settings = {name: settings_object(subject, name) for name in OF_PROCESSORS}
    named = next(((f, c) for f, s in settings.items() if (c := s.get(PROCESSOR))), None)
    own = any("auto_map" in each for each in settings.values())
    if named is None or own or named[1] in FROM_ELSEWHERE:
        return
    if all(each.file.rpartition("/")[2] == TOKENIZER for each in stated):
        file, first = settings_file(subject, named[0]), stated[0]
        yield Finding(
            Severity.WARNING,
            f"{first.file} alone has a chat template, and {named[0]} names {named[1]}: "
            f"AutoProcessor of {BOTH} reads no template from there, so its apply_chat_template "
            "refuses. AutoProcessor reads chat_template.jinja, chat_template.json and "
            "processor_config.json.",
            (
                Place("chat_template", first.file, first.pointer),
                *([] if file is None else [Place("config", file.name, f"/{PROCESSOR}", named[1])]),
            ),
            remedy="Write the template into chat_template.jinja, which both read.",
            cause="not the processor's",
        )


def _by_the_engine(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report that llama.cpp's server writes ChatML for a GGUF file without a template."""
    models = [fact.file for fact in subject.facts_named("gguf_model")]
    if models and chatml_start() not in {token.content for token in spec.added_tokens}:
        yield Finding(
            Severity.INFO,
            f"{models[0]} holds no chat template: llama.cpp's server then writes ChatML, and "
            f"{quote(chatml_start())} is no token of this vocabulary.",
            (Place("chat_template", models[0], implied_by="llama.cpp"),),
            cause="chatml",
        )


def _stops_at_turns(spec: TokenizerSpec, subject: Subject) -> list[str]:
    """Return the turn ends among the stop ids, a sign that the model is tuned for chat."""
    stated = stated_roles.role_ids(subject, "eos")
    stop = {id for _, ids in stated for id in ids}
    return [t.content for t in spec.added_tokens if t.id in stop and t.content in turn_ends()]


def _finding(
    spec: TokenizerSpec, severity: Severity, what: str, opening: list[str], cause: str
) -> Finding:
    place = in_added(spec, None, opening[:20])
    message = f"There is no {COMPONENT.replace('_', ' ')} in any file, but {what}."
    return Finding(severity, message, (place,), cause=cause)
