"""Tokens that an adapter adds to its base, and their saved rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import replace

from tokaudit.plugin import (
    Base,
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Subject,
    Tensor,
    check,
)
from tokaudit.subject.weights import WeightHeaders, embedding_tensors, output_tensors, read_headers
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._adapter_files import (
    DELTA,
    NEW_INPUTS,
    NEW_OUTPUTS,
    NEW_ROWS,
    ROWS,
    SETTINGS,
    WEIGHTS,
)
from tokaudit_suites.embeddings._heights import height
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, name_of
from tokaudit_suites.shared.wording import does, ids_evidence, in_vocab, plural, quote, some

NAME, LONGEST = "base_model_name_or_path", 200


@check(
    "embeddings/adapter-rows",
    title="The adapter saves rows for added tokens",
    why="A token with an id beyond the base model's embedding rows has no row in the base model. "
    "If the adapter saves no embedding row for a new token, loaders add a random row, so that the "
    "token means something else after every load.",
    remedy="Save the adapter together with the embedding (modules_to_save or "
    "trainable_token_indices), or give the token a reserved id of the base.",
    repair=person_decides(
        "the missing rows have to come from the full weights, which are not here"
    ),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.WEIGHTS, Basis.CROSS_FILE),
    left_to_code=True,
    incident="An adapter's files held the base's 32,000 rows after tokens had been added "
    "(huggingface/peft #1300); 151,666 saved rows were copied onto the 151,936 of the base "
    "(axolotl-ai-cloud/axolotl #2277).",
    no_example="The settings of an adapter are read with its own weights, which examples lack.",
)
def adapter_rows(
    spec: TokenizerSpec,
    weights: WeightHeaders,
    keys: StatedKeys,
    base: Base | None,
    subject: Subject,
) -> Iterator[Finding]:
    """Look for a row, in the base or the adapter, for each token that the base lacks.

    Without a base no file tells its added tokens from the adapter's: then all are information.
    """
    own = [file for file in weights.files if _base_name(file).startswith(WEIGHTS)]
    apart = [file for file in weights.files if _base_name(file) == NEW_ROWS]
    if not own or len(own) + len(apart) < len(weights.files):
        raise NotApplicable("the weights here are not those of an adapter alone")
    rows = None if base is None else _rows_of(base)
    own_entries = 1 + max(_entries(spec), default=-1)  # without added tokens
    others = own_entries if base is None else base.spec.size()
    first = others if rows is None else rows
    saved = max(map(height, embedding_tensors(weights).values()), default=0)
    new = [t.shape[0] for name, t in weights.tensors.items() if name == NEW_INPUTS and t.shape]
    saved = max(saved, first + new[0] if new else 0)  # appended after the base rows
    ids = {*spec.pieces, *(token.id for token in spec.added_tokens)}
    single = _single_rows(keys) if any(n.endswith(DELTA) for n in weights.tensors) else set()
    lost = sorted(id for id in ids if id >= first and id >= saved and id not in single)
    if lost:
        if rows is not None and base is not None:
            yield _without_rows(spec, f" {base.subject.name}", lost, own[0], rows)
        else:
            named = _stated_base(keys) if base is None else f" {base.subject.name}"
            severity = Severity.INFO if base is None else Severity.WARNING
            found = _perhaps_without(spec, named, lost, own[0], severity)
            alone = f" It saves the rows of {_named(spec, sorted(single))} alone." if single else ""
            yield replace(found, message=found.message + alone)
    if base is not None and single and not lost:
        pads = {id_of(spec, content) for _, content in role_tokens(subject, "pad")}
        needed = {id for id in ids - pads if id >= saved}  # padding is masked
        yield from _of_other_tokens(spec, base, needed, single, own[0])
    if rows is not None and base is not None:
        yield from _fewer_than_base(weights, base, rows)
    if base is not None and not lost and not single:  # `lost` would explain this too
        yield from _without_output(spec, weights, base, saved, own[0])


def _fewer_than_base(weights: WeightHeaders, base: Base, rows: int) -> Iterator[Finding]:
    """Report whole matrices that loaders copy over the base's taller ones."""
    found = {**embedding_tensors(weights), **output_tensors(weights)}
    short = {name: tensor for name, tensor in found.items() if 1 < height(tensor) < rows}
    for name, tensor in [*short.items()][:1]:
        yield Finding(
            Severity.ERROR,
            f"{name} has {height(tensor):,} rows, and the base {base.subject.name} has {rows:,}: "
            "peft copies such a layer onto that of the base and stops with a size mismatch, unless "
            "a user resizes the base first.",
            (Place("embeddings", tensor.file, name, list(tensor.shape)),),
            remedy=f"Resize the base to {height(tensor):,} rows before loading the adapter, and "
            "write this into the model card of the adapter; or save the adapter without these "
            "layers.",
            cause="fewer rows than the base",
        )


def _of_other_tokens(
    spec: TokenizerSpec, base: Base, needed: Set[int], single: Set[int], file: str
) -> Iterator[Finding]:
    """Report rows that are saved one by one for tokens of the base, and for no new token."""
    lost = sorted(id for id in needed if name_of(base.spec, id) is None)
    if lost and single.isdisjoint(lost):
        message = (
            f"{file} saves rows for {_named(spec, sorted(single))} ({ROWS} in {SETTINGS}), but for "
            f"none of the tokens that the base {base.subject.name} lacks: {_named(spec, lost)}."
        )
        remedy = f"List the ids of the new tokens in {ROWS}, and train the adapter again."
        found = _finding(spec, Severity.WARNING, message, lost, file)
        yield replace(found, cause="other rows", remedy=remedy)


def _base_name(file: str) -> str:
    return file.rpartition("/")[2]


def _without_output(
    spec: TokenizerSpec, weights: WeightHeaders, base: Base, saved: int, file: str
) -> Iterator[Finding]:
    """Report tokens with an input row but no output row, if the base has two matrices."""
    heads: Mapping[str, Tensor] = {}
    with suppress(NotApplicable):
        heads = output_tensors(read_headers(base.subject))
    tied = base.subject.fact("tie_word_embeddings")
    rows = max(map(height, heads.values()), default=0)
    new = weights.tensors.get(NEW_OUTPUTS)
    added = rows + new.shape[0] if new is not None and new.shape else 0
    written = max(rows, added, *map(height, output_tensors(weights).values()), 0)
    lost = [id for id in range(written, min(saved, spec.size())) if name_of(spec, id) is not None]
    if rows and lost and not (tied is not None and tied.value is True):
        message = (
            f"{file} saves rows of the embedding and none of lm_head for "
            f"{plural(len(lost), 'token')} beyond the {rows:,} rows of lm_head in the base "
            f"{base.subject.name}: loaders fill them at random ({_named(spec, lost)})."
        )
        yield replace(_finding(spec, Severity.WARNING, message, lost, file), cause="no output row")


def _entries(spec: TokenizerSpec) -> set[int]:
    """Return the model's own ids, without added tokens."""
    return spec.pieces.keys() - {token.id for token in spec.added_tokens}


def _stated_base(keys: StatedKeys) -> str:
    """Return the base's name as the adapter states it, and how to format it."""
    found = next((k.value for k in keys.all if (k.base, k.key) == (SETTINGS, NAME)), None)
    name = f" {found[:LONGEST]}" if isinstance(found, str) and found else ""
    return f"{name} (which --base names)"


def _rows_of(base: Base) -> int | None:
    """Return the row count of the base's embedding, by its weights or else its config."""
    shown: Mapping[str, Tensor] = {}
    with suppress(NotApplicable):  # it has no weights
        shown = embedding_tensors(read_headers(base.subject))
    if shown:
        return max(map(height, shown.values()))
    facts = base.subject.facts_named("vocab_size")
    stated = [f.value for f in facts if isinstance(f.value, int) and "tokenizer" not in f.file]
    return max(stated, default=None)


def _single_rows(keys: StatedKeys) -> set[int]:
    """Return the ids of tokens whose rows are saved one by one."""
    stated = (k.value for k in keys.all if (k.base, k.key) == (SETTINGS, ROWS))
    lists = (v.values() if isinstance(v, Mapping) else [v] for v in stated)
    ids = (each for several in lists for one in several if isinstance(one, list) for each in one)
    return {id for id in ids if isinstance(id, int)}


def _without_rows(spec: TokenizerSpec, base: str, lost: list[int], file: str, rows: int) -> Finding:
    said = f"beyond those of the base{base}, which has {rows:,} rows, and {file} saves no row"
    message = f"{does(len(lost), 'token', 'is')} {said} for {_them(lost)}: {_named(spec, lost)}."
    return _finding(spec, Severity.ERROR, message, lost, file)


def _perhaps_without(
    spec: TokenizerSpec, base: str, lost: list[int], file: str, severity: Severity
) -> Finding:
    them = _them(lost)
    message = (
        f"{does(len(lost), 'token', 'has')} a higher id than the model's own entries, and {file} "
        f"saves no row for {them}: {_named(spec, lost)}. No file here states whether the "
        f"base{base} has rows for {them}."
    )
    return _finding(spec, severity, message, lost, file)


def _them(lost: list[int]) -> str:
    return "it" if len(lost) == 1 else "them"


def _named(spec: TokenizerSpec, lost: list[int]) -> str:
    return some([f"{quote(name_of(spec, id) or '')} (id {id})" for id in lost])


def _finding(
    spec: TokenizerSpec, severity: Severity, message: str, lost: list[int], file: str
) -> Finding:
    return Finding(
        severity,
        message,
        (Place("embeddings", file), in_vocab(spec)),
        (ids_evidence(lost),),
        cause="no row",
    )
