"""Bytes without a vocabulary entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Decider,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    check,
    decision,
)
from tokaudit.subject.origins import origin_of
from tokaudit_reference.spec import TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import CHARACTER_OF
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import IN_TEXT, missing_bytes, single_bytes
from tokaudit_suites.shared.wording import count_of, ids_evidence, in_model, in_vocab, plural, some

CONTROLS = frozenset({*range(0x20), 0x7F}) - {0x09, 0x0A, 0x0D}  # in hardly any text
NAMES = {f"<0x{byte:02X}>": byte for byte in range(256)}


@check(
    "vocab/byte-coverage",
    title="Every byte of UTF-8 text has an entry",
    why="If the vocabulary lacks the token of one byte, text with this byte is silently dropped "
    "or becomes the unknown token, although a byte-level tokenizer should encode any text.",
    remedy="Put the missing entry into {file|the vocabulary}, at the id of its embedding row. If "
    "the model has no embedding row for the byte, train the tokenizer again with all 256 bytes, or "
    "add an entry for the byte and a row to the embedding.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A tokenizer trained without the alphabet of bytes drops characters "
    "(huggingface/course #775).",
)
def byte_coverage(spec: TokenizerSpec) -> Iterator[Finding]:
    """Look for all 256 bytes, except those that UTF-8 never uses if byte-level."""
    if spec.byte_level:
        yield from _byte_level(spec)
        return
    fallback = _fallback_bytes(spec)
    if spec.byte_fallback:
        covered = fallback | _in_own_characters(spec)
        missing = [name for name, byte in NAMES.items() if byte not in covered]
        if missing:
            yield _missing(spec, missing, "so its byte fallback fails on")
    elif len(fallback | _in_own_characters(spec)) == 256:
        yield _switched_off(spec)
    else:
        raise NotApplicable("the vocabulary is not made of bytes and has no byte fallback")


def _fallback_bytes(spec: TokenizerSpec) -> set[int]:
    return {byte for name, byte in NAMES.items() if name in spec.ids_by_surface}


def _in_own_characters(spec: TokenizerSpec) -> set[int]:
    """Return ASCII bytes whose character shares their entry's id, like Gemma's tab."""
    known = spec.ids_by_surface
    ids = {byte: known[name] for name, byte in NAMES.items() if name in known}
    first = Counter(id - byte for byte, id in ids.items()).most_common(1)
    places = {byte: spec.pieces.get(first[0][0] + byte) for byte in range(0x80)} if first else {}
    return {byte for byte, piece in places.items() if piece and piece.value == chr(byte)}


def _byte_level(spec: TokenizerSpec) -> Iterator[Finding]:
    missing = missing_bytes(spec)
    if missing and spec.unused:
        yield _left_out(spec, missing)
    elif missing:
        rare = CONTROLS.issuperset(missing)
        severity = Severity.WARNING if rare else Severity.ERROR
        names = [f"0x{byte:02X}" for byte in missing]
        yield _missing(spec, names, "so it drops", severity, _free_ids(spec, missing))
    at_end = single_bytes(spec, TokenType.WORD_END)
    lost = [f"0x{byte:02X}{spec.end_of_word_suffix}" for byte in sorted(IN_TEXT - at_end)]
    if spec.end_of_word_suffix and lost:
        yield _missing(spec, lost, "so at the end of a word it drops")


def _free_ids(spec: TokenizerSpec, missing: list[int]) -> list[int]:
    """Return the free ids of missing bytes, if the other bytes' ids are in order.

    The order is that of the bytes, or of the characters that byte-level files write them with.
    """
    known = {
        piece.value[0]: id
        for id, piece in spec.each_entry()
        if isinstance(piece.value, bytes) and len(piece.value) == 1
    }
    for order in (sorted(CHARACTER_OF), sorted(CHARACTER_OF, key=CHARACTER_OF.__getitem__)):
        at = {byte: place for place, byte in enumerate(order)}
        steps = Counter(id - at[byte] for byte, id in known.items()).most_common(1)
        if steps and 2 * steps[0][1] > len(CHARACTER_OF):
            ids = [steps[0][0] + at[byte] for byte in missing]
            taken = spec.pieces.keys() | {token.id for token in spec.added_tokens}
            return [id for id in ids if id >= 0 and id not in taken]
    return []


def _ids(free: Sequence[int]) -> str:
    listed = some([str(id) for id in free])
    return f"id {listed} is" if len(free) == 1 else f"ids {listed} are"


def _missing(
    spec: TokenizerSpec,
    names: list[str],
    effect: str,
    severity: Severity = Severity.ERROR,
    free: Sequence[int] = (),
) -> Finding:
    where = f"; in the order of the other bytes, {_ids(free)} free" if free else ""
    return Finding(
        severity,
        f"The vocabulary has no entry for {plural(len(names), 'byte')}, {effect} text with "
        f"{'this byte' if len(names) == 1 else 'these bytes'}: {some(names)}{where}.",
        (in_vocab(spec, names[:20]),),
        (ids_evidence(free),) if free else (),
        cause="missing",
    )


def _left_out(spec: TokenizerSpec, missing: Sequence[int]) -> Finding:
    """Report a count below the number of entries that the same file lists."""
    count = count_of(spec)
    listed = spec.size() + spec.unused
    return Finding(
        Severity.ERROR,
        f"{count.pointer.rpartition('/')[2]} in {count.file} is {spec.size():,}, and the file has "
        f"{listed:,} ids: the last {spec.unused:,} are left out, and with them entries for "
        f"{plural(len(missing), 'byte')}, so that texts with them stop the encoder.",
        (count,),
        cause="left out",
        remedy=f"In {count.file}, set {count.pointer.rpartition('/')[2]} to vocab_size of the "
        f"model, which is at most {listed:,}.",
        repair=decision(Decider.PERSON, "no file here says how many entries the model knows"),
    )


def _switched_off(spec: TokenizerSpec) -> Finding:
    """Report a model setting or entry type that disables byte fallback."""
    said = "The vocabulary has entries for all 256 bytes from <0x00> to <0xFF>, but "
    types = origin_of(spec, "token_types")
    if types.pointer:
        said += "they are typed as ordinary text and not as bytes"
        place = Place("vocab", types.file, types.pointer)
        remedy = "In the model file, give these 256 entries the type of bytes, which is 6."
    else:
        said += "byte fallback is switched off"
        place = in_model(spec, "byte_fallback", False)
        remedy = "In the model file, switch byte fallback on; the vocabulary has the tokens for it."
    return Finding(
        Severity.ERROR,
        f"{said}, so unseen characters become the unknown token.",
        (place,),
        remedy=remedy,
        cause="switched off",
    )
