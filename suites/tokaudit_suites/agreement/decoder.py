"""Does an independent decoder, working from the declared file, give the library's text?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tokaudit.plugin import (
    Basis,
    DecodeOptions,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    Reference,
    ReferenceEntries,
    Severity,
    Skip,
    Upstream,
    UpstreamAnswers,
    UpstreamEntries,
    UpstreamTrouble,
    check,
    need,
    need_from_worker,
    without_files,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import about, ids_evidence, plural, stage

Ids = tuple[int, ...]


@dataclass(frozen=True)
class IdLists:
    """Inputs of both decoders: each id alone, and the ids of each probe text."""

    all: tuple[Ids, ...]
    options: DecodeOptions


@dataclass(frozen=True)
class UpstreamTexts:
    """Outputs of the upstream library, one for each list of ids."""

    outputs: tuple[bytes | str, ...]


@dataclass(frozen=True)
class ReferenceTexts:
    """Outputs of the reference, one for each list of ids."""

    outputs: tuple[bytes | str, ...]


@without_files
@need
def id_lists(spec: TokenizerSpec, upstream: Upstream, answers: UpstreamAnswers) -> IdLists:
    """List the ids to decode, as bytes if possible because half a character is no text."""
    alone = sorted({*spec.pieces, *(token.id for token in spec.added_tokens)})
    of_texts = dict.fromkeys(one.ids for one in answers.encodings if len(one.ids) > 1)
    options = DecodeOptions(as_bytes="decode_bytes" in upstream.capabilities)
    return IdLists((*((id,) for id in alone), *of_texts), options)


@without_files
@need_from_worker
def upstream_texts(upstream: Upstream, ids: IdLists, after: UpstreamEntries) -> UpstreamTexts:
    """Decode by the library, after its entries: an encoder may be abandoned there."""
    if not upstream.capabilities & {"decode", "decode_bytes"}:
        raise Skip(f"{upstream.info.adapter} does not decode")
    return UpstreamTexts(tuple(upstream.decode(ids.all, ids.options)))


@without_files
@need_from_worker
def reference_texts(reference: Reference, ids: IdLists, after: ReferenceEntries) -> ReferenceTexts:
    """Decode by the reference, after its entries, in the same order as the library."""
    if "decode" not in reference.capabilities:
        raise Skip("the reference does not run this decoder")
    try:
        return ReferenceTexts(tuple(reference.decode(ids.all, ids.options)))
    except UpstreamTrouble as error:
        raise Skip(f"the reference does not decode these ids: {error}") from error


@check(
    "agreement/decoder",
    title="An independent decoder agrees with the upstream library",
    why="Two independent decoders that agree on every id show that tokaudit reads the file "
    "correctly. If two decoders of the same tokenizer differ, one serving engine shows users "
    "another text than the model wrote.",
    incident="The same ids of Mistral 7B are decoded with a space after the first token by one "
    "class and without it by the other (huggingface/tokenizers #1467).",
    remedy="Decode the ids shown with the runtime that serves the model. Write the decoder that "
    "gives the right text into the tokenizer file.",
    repair=person_decides("no file says which decoder gives the intended text: run the ids to see"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    tier="default",  # a quick audit takes the library's word for its own file
    measures=(Measured("agreement/ids_decoded_differently"),),
    no_example="Files cannot show it: on every file that we know the two decoders agree; a file "
    "on which they do not shows a fault in one of them.",
)
def independent_decoder(
    spec: TokenizerSpec,
    upstream: Upstream,
    ids: IdLists,
    theirs: UpstreamTexts,
    ours: ReferenceTexts,
) -> Iterator[Finding | Measurement]:
    """Report the fewest ids on which the reference and the library differ."""
    both = zip(ids.all, ours.outputs, theirs.outputs, strict=True)
    apart = [(one, mine, other) for one, mine, other in both if mine != other]
    yield Measurement(
        "agreement/ids_decoded_differently",
        "Id sequences that the independent decoder decodes differently",
        len(apart),
        "lists",
        len(ids.all),
        "each id alone, and the ids of each probe text",
    )
    if apart:
        fewest, mine, other = min(apart, key=lambda row: len(row[0]))
        who = f"{upstream.info.package} {upstream.info.version}"
        yield Finding(
            Severity.ERROR,
            f"The reference and {who} decode {plural(len(apart), 'list')} of {len(ids.all):,} "
            f"to other text: the ids {list(fewest)} to {mine!r} and {other!r}.",
            (stage(spec, "decoder", spec.decoder.options),),
            (
                replace(ids_evidence(fewest, "decoded"), kind="bytes"),
                Evidence("facts", facts={"the reference": repr(mine), who: repr(other)}),
            ),
            cause="text differs",
            about=about(mine, other),
        )
