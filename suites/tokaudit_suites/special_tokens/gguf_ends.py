"""Special tokens of a GGUF file: their ids, and the BOS and EOS of its flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Place,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.effective.text_ends import ends_of_file
from tokaudit.subject.formats.gguf.keys import ENGINE
from tokaudit.subject.upstream.tokenizer_class import input_of
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of, role_tokens
from tokaudit_suites.shared.wording import about, quote, some
from tokaudit_suites.special_tokens._gguf_families import Ends, against_family
from tokaudit_suites.special_tokens._gguf_ids import ids_of_roles

SIDES = (("bos", 0, "before"), ("eos", 1, "after"))
LOST = {"bos": Severity.ERROR, "eos": Severity.WARNING}
MORE = {"bos": Severity.WARNING, "eos": Severity.ERROR}
BY_CLASS_TOKEN, BY_LAST_TOKEN, USE = 2, 3, "embedding"  # ggml-org/llama.cpp, llama_pooling_type


@check(
    "special_tokens/gguf-ends",
    title="A GGUF file has its source's special tokens",
    why="Engines that read a GGUF file add BOS and EOS as the file's keys add_bos_token and "
    "add_eos_token say. A model that expects BOS answers much worse without BOS; with EOS after "
    "every prompt, a model answers as if the text were over. If a GGUF file states the special "
    "ids of another model, these ids are ordinary tokens of this vocabulary: answers end too "
    "early, or fill-in-the-middle prompts contain words instead of markers. If a GGUF file states "
    "no BOS or EOS id, llama.cpp uses a fixed id that fits another vocabulary: for byte-level "
    "models the id 11, which is a comma in GPT-2.",
    remedy="Convert the model again with a converter that copies the settings of the source, or "
    "correct the key in {file|the GGUF file} with gguf_set_metadata.py.",
    repair=person_decides("a model file is rewritten by its converter"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.CROSS_FILE, Basis.INTRINSIC),
    incident="Without BOS the base models of Gemma 4 were significantly worse (ggml-org/llama.cpp "
    "PR#21500); with one Yi repeated itself (ggml-org/llama.cpp #3966). Qwen2 fine-tunes showed "
    "BOS as id 11, a comma (ggml-org/llama.cpp #7898). Embeddings of a file that adds no first "
    "token, or another last one, were not the model's (ggml-org/llama.cpp #14280, #14234).",
)
def gguf_ends(
    subject: Subject, representations: Representations, options: Options
) -> Iterator[Finding]:
    """Compare the added tokens with the file's source or family; then check its ids."""
    files = [(r.files[0], spec) for r, spec in representations.parsed if r.format == "gguf"]
    if not files:
        raise NotApplicable("no GGUF file is here")
    sources = [spec for r, spec in representations.parsed if r.format != "gguf"]
    for file, spec in files:
        stated = {fact.name: fact for fact in subject.facts if fact.file == file}
        if sources:
            for role, side, where in SIDES:
                yield from _against(subject, sources[0], spec, stated, (role, side, where))
        else:
            flags = (stated.get(f"add_{role}_token") for role, *_ in SIDES)
            on = Ends(*(None if flag is None else bool(flag.value) for flag in flags))
            yield from against_family(spec, file, stated, on)
        yield from ids_of_roles(spec, subject, file, stated, sources)
        yield from _pooled(spec, stated, options)


def _pooled(spec: TokenizerSpec, stated: Mapping[str, Fact], options: Options) -> Iterator[Finding]:
    """Report pooling at a token that the file does not add."""
    pooling = stated.get("gguf_pooling")
    if pooling is None:
        return
    if pooling.value == BY_CLASS_TOKEN and _adds(spec, 0) is False:
        named = "bos_token_id" in stated or "cls_token_id" in stated
        word, severity = "first", Severity.ERROR if named else Severity.WARNING
    elif pooling.value == BY_LAST_TOKEN and _adds(spec, 1) is False and options.use == USE:
        word, severity = "last", Severity.WARNING
    else:
        return
    flag = stated.get("add_bos_token" if word == "first" else "add_eos_token")
    yield Finding(
        severity,
        f"The vector of a text is the vector of its {word} word: {pooling.file} pools at the "
        f"{word} token, and adds no token {'before' if word == 'first' else 'after'} a text.",
        (
            place_of(pooling, "config"),
            *([] if flag is None else [place_of(flag, "special_roles")]),
        ),
        remedy=f"Set tokenizer.ggml.add_{'bos' if word == 'first' else 'eos'}_token to true with "
        "gguf_set_metadata.py, or convert the source again.",
        cause=f"{word} word",
    )


def _against(
    subject: Subject,
    source: TokenizerSpec,
    spec: TokenizerSpec,
    stated: Mapping[str, Fact],
    end: tuple[str, int, str],
) -> Iterator[Finding]:
    role, side, where = end
    if source.post_processor.standing is Standing.STATED:
        written, added = (ends_of_file(each)[side] for each in (source, spec))
        if written and added:  # whatever role either gives them
            if not {*written} & {*added}:
                yield _other(source, spec, stated.get(f"{role}_token_id"), (written, added), where)
            return
    named, id = role_tokens(subject, role), stated.get(f"{role}_token_id")
    own = spec.pieces.get(id.value) if id is not None else None
    token = named[0][1] if named else str(own.value) if own is not None else ""
    theirs, ours = _of_source(subject, source, role, side, token), _adds(spec, side)
    if theirs is None or ours is None or theirs == ours:
        return
    file = spec.files[0]
    flag = stated.get(f"add_{role}_token")
    place = (
        place_of(flag, "special_roles") if flag else Place("special_roles", file, implied_by=ENGINE)
    )
    does, other = ("puts", "does not") if ours else ("puts no", "does")
    yield Finding(
        (MORE if ours else LOST)[role],
        f"By its flags {file} {does} {role.upper()} {where} every text, and {source.files[0]} with "
        f"its settings {other} ({quote(token)}): engines that read the one and the other give "
        "the model other input.",
        (place, Place("post_processor", source.files[0])),
        cause=f"{role} {'more' if ours else 'lost'}",
        about=about(token),
    )


def _other(
    source: TokenizerSpec,
    spec: TokenizerSpec,
    id: Fact | None,
    tokens: tuple[Sequence[str], Sequence[str]],
    where: str,
) -> Finding:
    """Report different tokens in the same place."""
    written, added = (some([quote(token) for token in each]) for each in tokens)
    file = spec.files[0]
    own = Place("special_roles", file, implied_by=ENGINE)
    return Finding(
        Severity.ERROR,
        f"{file} puts {added} {where} every text, and {source.files[0]} {written}: engines that "
        "read the one and the other give the model other input.",
        (
            own if id is None else place_of(id, "special_roles"),
            Place("post_processor", source.files[0]),
        ),
        cause=f"other token {where}",
        about=about(*tokens[1]),
    )


def _adds(spec: TokenizerSpec, side: int) -> bool | None:
    """Return whether a file adds tokens at one side of a text; None if unstated."""
    if spec.post_processor.standing is Standing.UNSTATED:
        return None
    around = [step.effects.around for step in spec.post_processor.steps]
    return any(found is not None and bool(found[side]) for found in around)


def _of_source(
    subject: Subject, source: TokenizerSpec, role: str, side: int, token: str
) -> bool | None:
    """Return whether the source adds the role's token: by its steps, flag, or class."""
    stated = source.post_processor.standing is Standing.STATED
    around = [step.effects.around for step in source.post_processor.steps]
    if stated and any(found is not None and token in found[side] for found in around):
        return True
    flags = [f for f in subject.facts_named(f"add_{role}_token") if f.file.endswith(".json")]
    if flags:
        return bool(flags[0].value)
    if stated:
        return False
    classes = {str(f.value).removesuffix("Fast") for f in subject.facts_named("tokenizer_class")}
    begins = any(input_of(name).begins_with_bos for name in classes)
    return role == "bos" if begins else None
