"""A declared vocabulary size smaller than the ids, or unlike the embedding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.checkpoints import keys_of_added_rows, parts_that_read_text
from tokaudit.subject.upstream.model_class import Does, model_classes, one_of
from tokaudit.subject.upstream.model_type import treatment
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._declared_rows import OWN_CODE, declared_rows
from tokaudit_suites.embeddings._heights import height, ids_in_use, spare, uncounted
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.vocab_entries import is_special, name_of
from tokaudit_suites.shared.wording import (
    about,
    count_of,
    ids_evidence,
    in_added,
    plural,
    quote,
    some,
)


@check(
    "embeddings/config-vocab-size",
    title="vocab_size fits the ids and the embedding",
    why="Loaders build a model with as many embedding rows as vocab_size in config.json states. A "
    "token whose id is not below vocab_size causes an index error, and converters refuse the "
    "model. If the stored embedding does not have vocab_size rows, loaders refuse the checkpoint; "
    "with ignore_mismatched_sizes set, they leave the embedding at random values.",
    remedy="Raise vocab_size and resize the embeddings, or remove the tokens with higher ids. If "
    "only the rows differ, set vocab_size to the number of rows.",
    repair=person_decides("add rows for these tokens, or remove them"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.CROSS_FILE, Basis.WEIGHTS),
    left_to_code=True,
    incident="Gemma 3 1B has a token at id 262144 and a vocab_size of 262144 "
    "(vllm-project/vllm PR#33509). 'size mismatch for model.embed_tokens.weight' after tokens were "
    "added and the config of the base model was kept (huggingface/peft #349).",
)
def config_vocab_size(
    spec: TokenizerSpec, subject: Subject, weights: WeightHeaders | None
) -> Iterator[Finding]:
    """Compare each stated vocab_size with the highest id and with the embedding's rows."""
    facts = [
        fact
        for fact in subject.facts_named("vocab_size")
        if isinstance(fact.value, int) and _is_of_a_model(fact)
        if not treatment(subject, fact)
    ]
    if not facts:
        raise NotApplicable("no config here states a vocab_size")
    beyond = uncounted(subject)
    for fact in facts:
        if (part := _of_the_text(fact, facts)) is not None:
            yield _said_twice(fact, part)
        elif fact.value + _added_rows(subject, fact) + beyond < ids_in_use(spec, subject):
            yield _exceeded(spec, subject, fact, _rows(weights))
        elif spec.size() < fact.value <= spec.size() + spec.unused:
            yield _left_out(spec, fact)
        elif fact.value > spec.size() and fact.value != _rows(weights):
            extra = fact.value - spec.size()
            converted = _in_gguf(fact) and fact.file in spec.files  # which lists a token for each
            yield Finding(
                Severity.WARNING if converted else Severity.INFO,
                f"{fact.file} declares {fact.value:,} ids, but the tokenizer has {spec.size():,} "
                f"ids: {plural(extra, 'row')} {spare(fact.value, spec.size())}.",
                (place_of(fact, "config"),),
                cause="vocab size",
            )
    if weights is not None:
        yield from declared_rows(subject, weights, spec.size())


def _added_rows(subject: Subject, fact: Fact) -> int:
    """Count the rows of a second matrix, which has its own key in the config."""
    counts = (each for each in subject.facts_named(*keys_of_added_rows()) if each.file == fact.file)
    return sum(each.value for each in counts if type(each.value) is int and each.value > 0)


def _is_of_a_model(fact: Fact) -> bool:
    """Return whether a file describes the model; in a GGUF file, one key does."""
    return _in_gguf(fact) or ("config" in fact.file and "tokenizer" not in fact.file)


def _in_gguf(fact: Fact) -> bool:
    """Return whether engines may count the tokens listed in the same file instead."""
    return fact.file.endswith(".gguf")


def _of_the_text(fact: Fact, facts: Sequence[Fact]) -> Fact | None:
    """Return the text part's size, if the top-level size is not the model's."""
    places = {f"/{part}/vocab_size" for part in parts_that_read_text()}
    parts = (f for f in facts if f.file == fact.file and f.pointer in places)
    part = next(parts, None) if fact.pointer == "/vocab_size" else None
    return part if part is not None and part.value != fact.value else None


def _left_out(spec: TokenizerSpec, fact: Fact) -> Finding:
    """Report entries that the file lists and the model has rows for, beyond the stated count."""
    count = count_of(spec)
    left = plural(fact.value - spec.size(), "entry")
    return Finding(
        Severity.ERROR,
        f"{fact.file} declares {fact.value:,} ids, but {count.pointer.rpartition('/')[2]} in "
        f"{count.file} is {spec.size():,}, which leaves out {left} that the file lists: the "
        "encoder never produces these tokens, and splits their text into other tokens.",
        (count, place_of(fact, "config")),
        remedy=f"Set the count in {count.file} to {fact.value}.",
        cause="left out",
        repair=repaired(set_to(count, fact.value)),
    )


def _said_twice(fact: Fact, part: Fact) -> Finding:
    return Finding(
        Severity.WARNING,
        f"{fact.file} declares {fact.value:,} ids at the top and {part.value:,} ids in "
        f"{part.pointer.split('/')[1]}: the model is built with the second number, and code that "
        "reads the first counts too many rows or too few.",
        (place_of(fact, "config"), place_of(part, "config")),
        remedy=f"In {fact.file}, write {part.value} as vocab_size in both places, or delete "
        "vocab_size from the top.",
        cause="two sizes",
        repair=repaired(set_to(place_of(fact, "config"), part.value)),
    )


def _exceeded(spec: TokenizerSpec, subject: Subject, fact: Fact, rows: int | None) -> Finding:
    ids = {*spec.pieces, *(token.id for token in spec.added_tokens)}
    beyond = sorted(id for id in ids if id >= fact.value)
    names = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in beyond]
    added = {token.id: token.content for token in spec.added_tokens}
    first: Place = in_added(spec, added.get(beyond[0]))
    both = (first, place_of(fact, "config"))
    takes_none = one_of(model_classes(subject), Does.SPELLS_SOUND)
    unasked = takes_none and all(is_special(spec, id) for id in beyond)
    own = any(each.file == fact.file for each in subject.facts_named(OWN_CODE))
    severity = Severity.WARNING if _in_gguf(fact) or own else Severity.ERROR
    one = len(beyond) == 1
    tokens, higher = (
        ("this token", "has a higher id") if one else ("these tokens", "have higher ids")
    )
    code = "; the model's own code may have rows for them" if own else ""
    return Finding(
        Severity.INFO if unasked else severity,
        f"{fact.file} declares {fact.value:,} ids (0 to {fact.value - 1:,}), but "
        f"{plural(len(beyond), 'token')} {higher}: "
        f"{some(names)}{code}.",
        both if beyond[0] in added else tuple(reversed(both)),
        (ids_evidence(beyond),),
        f"Set vocab_size in {fact.file} to {rows}, as many as the embedding has rows."
        if rows is not None and rows >= spec.size()
        else f"Raise vocab_size in {fact.file} to {spec.size()} and resize the embeddings to "
        f"{spec.size()} rows, or remove {tokens}.",
        cause="vocab size",
        about=about(*(name_of(spec, id) or "" for id in beyond)),
        repair=_raised(spec, fact, rows),
    )


def _raised(spec: TokenizerSpec, fact: Fact, rows: int | None) -> Repair | None:
    """Set the size to the embedding's rows, if each id has one; None if rows are missing."""
    wanted = spec.size() if rows is None else rows
    return repaired(set_to(place_of(fact, "config"), wanted)) if wanted >= spec.size() else None


def _rows(weights: WeightHeaders | None) -> int | None:
    """Return the row count of the only embedding in the weights."""
    heights = {height(t) for t in embedding_tensors(weights).values()} if weights else set()
    return heights.pop() if len(heights) == 1 else None
