"""Options of steps without those that the library never reads.

This is the checker's own list.  The prover asks each step of the reference how it acts.

Source: the serializers of Hugging Face's tokenizers, and the code that reads each option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokaudit.products.compare.proofs.steps_of_files import Options, steps_of
from tokaudit_reference.spec import Standing, TokenizerSpec

NEVER_READ = {
    ("pre_tokenizer", "ByteLevel"): {"trim_offsets"},
    ("post_processor", "ByteLevel"): {"use_regex"},
    ("decoder", "ByteLevel"): {"add_prefix_space", "trim_offsets", "use_regex"},
    ("decoder", "Metaspace"): {"split"},
}
PLACING = ("TemplateProcessing", "BertProcessing", "RobertaProcessing")
CUTS_ONLY = ("Split", "CharDelimiterSplit", "WhitespaceSplit")
UNDONE = {
    "NFC": {"NFC", "NFD"},
    "NFD": {"NFD"},
    "NFKC": {"NFC", "NFD", "NFKC", "NFKD"},
    "NFKD": {"NFD", "NFKD"},
}
"""For each form the forms just before it that change nothing in its result (UAX 15)."""
DONE_BY = {"NFC": {"NFKC"}, "NFD": {"NFKD"}}


def plain_steps(spec: TokenizerSpec, stage: str) -> list[Options]:
    """Return a stage's steps as rows of effective options; equal rows are equivalent."""
    component = getattr(spec, stage)
    if stage == "decoder" and component.options is None and component.standing is Standing.STATED:
        return [{"type": "no decoder"}]
    listed = steps_of(spec, stage)
    if stage == "pre_tokenizer":
        listed = list(_without_idle_splits(listed, _written_over(spec)))
    read = [_read(stage, step) for step in listed]
    if stage == "post_processor":
        return list(_without_idle_templates(read))
    kept = [step for step in read if not _does_nothing(stage, step)]
    return _forms_in_one(kept) if stage == "normalizer" else kept


def _read(stage: str, step: Options) -> Options:
    """Return a step without unread options, and with its fallback values."""
    ignored = NEVER_READ.get((stage, str(step.get("type"))), set())
    found = {key: value for key, value in step.items() if key not in ignored}
    if step.get("type") == "BertNormalizer":
        stated = step.get("strip_accents")
        found["strip_accents"] = bool(step.get("lowercase") if stated is None else stated)
    return found


def _does_nothing(stage: str, step: Options) -> bool:
    if stage != "normalizer":
        return False
    if step.get("type") == "Strip":
        return not (step["strip_left"] or step["strip_right"])
    literal = step.get("pattern", {}).get("String") if step.get("type") == "Replace" else None
    return literal is not None and len(literal) < 2 and literal == step["content"]


def _forms_in_one(steps: Iterable[Options]) -> list[Options]:
    kept: list[Options] = []
    for step in steps:
        form = str(step.get("type"))
        while kept and kept[-1].get("type") in UNDONE.get(form, ()):
            kept.pop()
        if not kept or kept[-1].get("type") not in DONE_BY.get(form, ()):
            kept.append(step)
    return kept


def _without_idle_templates(steps: Iterable[Options]) -> Iterator[Options]:
    """Drop a template with the usual order of two texts, unless it follows another."""
    placed = False
    for step in steps:
        usual = step.get("single") == [_text("A", 0)]
        usual = usual and step.get("pair") == [_text("A", 0), _text("B", 1)]
        if not usual or placed:
            yield step
            placed = placed or (step.get("type") in PLACING and step.get("single", ()) is not None)


def _text(name: str, type_id: int) -> Options:
    return {"Sequence": {"id": name, "type_id": type_id}}


def _written_over(spec: TokenizerSpec) -> set[str]:
    """Return single characters that the normalizer always replaces."""
    found: set[str] = set()
    written = ""
    for options in reversed(steps_of(spec, "normalizer")):
        if options["type"] == "Prepend":
            written += options["prepend"]
            continue
        if options["type"] != "Replace":
            break
        written += options["content"]
        literal = options["pattern"].get("String", "")
        found |= {literal} if len(literal) == 1 and literal not in written else set()
    return found


def _without_idle_splits(steps: Iterable[Options], gone: set[str]) -> Iterator[Options]:
    """Drop splits at a character that the normalizer has replaced everywhere."""
    for step in steps:
        literal = step.get("delimiter") or step.get("pattern", {}).get("String") or ""
        drops_all = step.get("invert") and step.get("behavior") == "Removed"
        if step.get("type") in CUTS_ONLY and gone & {*literal} and not drops_all:
            continue
        yield step
        if step.get("type") not in CUTS_ONLY:
            gone = set()
