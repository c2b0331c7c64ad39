"""Entries with a word mark that the model does not write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, check
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE, repaired, set_to
from tokaudit_suites.shared.vocab_entries import entries
from tokaudit_suites.shared.wording import in_model, in_vocab, quote

INSIDE, LAST = "##", "</w>"
MANY = 0.1  # of the entries; those families have a fifth at least, others a handful
ENOUGH = 3


@check(
    "pipeline/word-marks",
    title="The model writes its entries' word marks",
    why="In a WordPiece vocabulary, entries that continue a word begin with ##; in CLIP's BPE "
    "vocabulary, entries that end a word end with </w>. If the tokenizer file lacks the setting "
    "for the mark ## or </w>, no text uses entries with the mark, and every word becomes other "
    "tokens.",
    remedy="Set {pointer|the key} in {file|the file} to the mark that the entries contain.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Models written without their surrounding settings cut every word differently "
    "(huggingface/transformers PR#34319).",
)
def word_marks(spec: TokenizerSpec) -> Iterator[Finding]:
    """Count the entries with each mark, and check if the model writes it."""
    if spec.model_type not in (ModelType.BPE, ModelType.WORDPIECE):
        raise NotApplicable("the model writes no marks")
    values = [value for _, _, value in entries(spec)]
    if not _many(values, INSIDE) and not _many(values, LAST):
        return  # as nearly always, and counted at once
    texts = [_text(value) for value in values]
    inside = sum(text.startswith(INSIDE) and text.strip("#") != "" for text in texts)
    last = sum(text.endswith(LAST) and text != LAST for text in texts)
    for count, mark, key, stated in (
        (inside, INSIDE, "continuing_subword_prefix", spec.continuing_subword_prefix),
        (last, LAST, "end_of_word_suffix", spec.end_of_word_suffix),
    ):
        if count < max(ENOUGH, MANY * len(texts)) or stated == mark:
            continue
        yield Finding(
            Severity.ERROR,
            f"{count:,} of {len(texts):,} vocabulary entries contain the mark {quote(mark)}, but "
            f"the model's {key} is {quote(stated or '')}, so no text ever becomes these entries.",
            (in_model(spec, key, stated), in_vocab(spec)),
            cause=key,
            repair=repaired(set_to(_key(spec, key), mark)),
        )


def _key(spec: TokenizerSpec, key: str) -> Place:
    """Return the place of the key in the model, which may be absent."""
    place = in_model(spec, key)
    return replace(place, pointer=place.pointer or f"/model/{key}")


def _many(values: Sequence[bytes | str], mark: str) -> bool:
    """Return whether enough entries may contain a mark, in any position."""
    known = [
        value if isinstance(value, bytes) else value.encode("utf-8", "replace") for value in values
    ]
    return b"\n".join(known).count(mark.encode()) >= max(ENOUGH, MANY * len(values))


def _text(value: bytes | str) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value
