"""Copies of the chat template that differ."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Decider,
    Evidence,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Repair,
    Severity,
    Subject,
    check,
    decision,
)
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_suites.shared.repairs import either, removed

FILES = ("chat_template.jinja", "chat_template.json", "tokenizer_config.json")  # loaders' order
OF_PROCESSORS = ("chat_template.json", "processor_config.json")
PROCESSORS = ("preprocessor_config.json", "processor_config.json")
DEFAULT = "default"  # the name of the template that is taken where none is asked for
GGUF_TEMPLATE = "tokenizer.chat_template"  # the key of a GGUF file


@check(
    "chat_template/copies",
    title="All copies of the template are equal",
    why="A folder can hold its chat template in several files, and loaders read different files. "
    "Where the copies of a chat template differ, the prompt that the model gets depends on the "
    "library.",
    remedy="Delete one copy of the template; newer loaders prefer chat_template.jinja.",
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="each loader reads one of the copies, and the same one each time.",
    basis=(Basis.CROSS_FILE,),
    incident="Engines found no template, or another one, where files state several "
    "(huggingface/text-generation-inference #3247).",
)
def copies(subject: Subject) -> Iterator[Finding]:
    """Compare the single unnamed template of each file, ignoring white space at both ends."""
    single = [fact for fact in subject.facts_named("chat_template") if _unnamed(fact)]
    hidden = [*_hidden(subject), *_of_processors(subject)]
    yield from hidden
    if len(single) < 2 and hidden:
        return
    if len(single) < 2:
        raise NotApplicable("there are no two copies of a chat template")
    preferred, *others = sorted(single, key=_preference)
    for other in others:
        if str(other.value).strip() != str(preferred.value).strip():
            at = _first_difference(str(preferred.value), str(other.value))
            yield Finding(
                Severity.WARNING,
                f"The chat templates of {preferred.file} and {other.file} differ from character "
                f"{at} on; {_who(preferred, other)}.",
                tuple(Place("chat_template", f.file, f.pointer) for f in (other, preferred)),
                (_evidence(preferred, other, at),),
                cause="copies",
                repair=_one_of(preferred, other),
            )


def _hidden(subject: Subject) -> Iterator[Finding]:
    """Report templates in a settings key that a template file overrides in both versions.

    Source: `_from_pretrained` of both versions, tokenization_utils_base.py; `SpecialVocab` of
    gguf 0.19.0, vocab.py, takes the key first.
    """
    facts = subject.facts_named("chat_template")
    whole = next((f for f in facts if f.file.rpartition("/")[2] == FILES[0]), None)
    named = [f for f in subject.facts_named("chat_template_name") if f.value != DEFAULT]
    here = [f for f in named if f.file.rpartition("/")[2] == FILES[2]]
    if whole is not None and here:
        names = ", ".join(repr(str(f.value)[:40]) for f in here)
        yield Finding(
            Severity.WARNING,
            f"{' and '.join(VERSIONS)} read {whole.file} instead of chat_template in "
            f"{here[0].file}, so both lack {names}; llama.cpp's converter reads chat_template.",
            (
                Place("chat_template", here[0].file, here[0].pointer, here[0].value),
                Place("chat_template", whole.file),
            ),
            cause="hidden",
            repair=decision(Decider.PERSON, "which templates the model is served with is yours"),
        )


def _of_processors(subject: Subject) -> Iterator[Finding]:
    """Report a template that only processors read, and no tokenizer of either version.

    Source: `_from_pretrained` of both versions, tokenization_utils_base.py, and
    `get_processor_dict`, processing_utils.py.
    """
    facts = [fact for fact in subject.facts_named("chat_template") if not _in_gguf(fact)]
    bases = {fact.file.rpartition("/")[2] for fact in facts}
    if facts and bases <= {*OF_PROCESSORS}:
        has_processor = any(file.base in PROCESSORS for file in subject.files)
        who = (
            "a processor reads the file"
            if has_processor
            else "no processor that would read it is here"
        )
        first = facts[0]
        yield Finding(
            Severity.INFO if has_processor else Severity.WARNING,
            f"Only {first.file} has a chat template, and the tokenizers of "
            f"{' and '.join(VERSIONS)} do not read this file: {who}, and apply_chat_template of "
            "the tokenizer raises an error.",
            (Place("chat_template", first.file, first.pointer),),
            cause="of processors",
            repair=decision(Decider.PERSON, "who renders chats of this model is yours to say"),
        )


def _who(preferred: Fact, other: Fact) -> str:
    return (
        f"llama.cpp reads {other.file}"
        if _in_gguf(other)
        else f"newer loaders read {preferred.file}"
    )


def _unnamed(fact: Fact) -> bool:
    """Return whether the template is the only one, outside of lists and folders of named ones."""
    alone = fact.file.rpartition("/")[2] in FILES and fact.pointer in ("", "/chat_template")
    return (alone or _in_gguf(fact)) and isinstance(fact.value, str)


def _in_gguf(fact: Fact) -> bool:
    return fact.pointer == GGUF_TEMPLATE


def _preference(fact: Fact) -> int:
    return len(FILES) if _in_gguf(fact) else FILES.index(fact.file.rpartition("/")[2])


def _first_difference(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _evidence(one: Fact, other: Fact, at: int) -> Evidence:
    shown = {fact.file: str(fact.value)[max(0, at - 20) : at + 60] for fact in (one, other)}
    return Evidence("facts", facts=shown, note=f"around character {at}")


def _one_of(preferred: Fact, other: Fact) -> Repair | None:
    """Keep one template alone: the one that loaders prefer today, or the other."""
    places = [Place("chat_template", fact.file, fact.pointer) for fact in (preferred, other)]
    return either(
        (f"a model that expects the template of {preferred.file}", [removed(places[1])]),
        (f"a model that expects the template of {other.file}", [removed(places[0])]),
    )
