"""Short id of a tokenizer: equal ids prove equal behaviour; different ones nothing.

Behaviour is what the reference does with the spec: the ids of every text, with and without special
tokens around it, and the text of every list of ids.  Each part that decides it enters as a row in
the plainest way that is known to act the same; `docs/short-id.md` says how each is made.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from operator import itemgetter
from typing import Any

from tokaudit.engine.canonical_steps import acting_steps, numbered_anew, steps_for_ids
from tokaudit.products.compare.canonical_rows import Written, canonical
from tokaudit.products.compare.facets.batch import settings_of
from tokaudit.products.compare.patterns.canonical import acceptor
from tokaudit.products.compare.patterns.reading import read_steps
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit.products.compare.proofs.merges.model import MergeModel, merge_model
from tokaudit.products.identity.hashes import SETTINGS, dialect
from tokaudit.products.identity.hashes import Part as HashPart
from tokaudit.report.recorded import ComponentIdentity
from tokaudit_reference.spec import AddedToken, ModelType, Standing, TokenizerSpec
from tokaudit_reference.steps.step import Step
from tokaudit_reference.text.unicode_tables import table

OF_TOKENIZER = "id1"
LENGTH = 32  # hexadecimal digits
OF_PARTS = "id."  # how the identities of the parts begin
PRINTABLE = range(0x21, 0x7F)  # these stand for themselves in the alphabet of bytes


@dataclass(frozen=True)
class ShortId:
    """The id, its parts, and parts that entered as written with the reason.

    `parts` has the digest of each part: the id moves only where one of them does.
    """

    id: str
    as_listed: Mapping[str, str]
    parts: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the id alone."""
        return self.id


Part = tuple[str, Any, str]  # its name, what is hashed, and why it is not canonical
PARTS: Mapping[str, tuple[str, ...]] = {
    "vocab": ("vocab-v1",),
    "model": ("merges-listed-v1", "model_settings-v1", "scores-v1", "product_ranks-v1"),
    "normalizer": ("normalizer-v1",),
    "pre_tokenizer": ("pre_tokenizer-v1",),
    "added_tokens": ("added_tokens-v1",),
    "order of added tokens": ("added_tokens-v1",),
    "around": ("post_processor-v1",),
    "decoder": ("decoder-v1",),
    "unknown text is refused": (),
    "batch settings": (),
}
"""Every part, with the identities of what files state that say more of the same to a reader."""
BATCH_PART = "batch settings"


def short_id(spec: TokenizerSpec, model: MergeModel | None) -> ShortId:
    """Compute the short id of a spec; `model` is that of BPE, which takes a second."""
    digest, listed, parts = hashlib.sha256(), {}, {}
    for name, value, why in _parts(spec, model):
        row = canonical([name, bool(why), value]) + b"\n"
        digest.update(row)
        parts[name] = hashlib.sha256(row).hexdigest()
        if why:
            listed[name] = why
    return ShortId(f"{OF_TOKENIZER}-u{table().name}-{digest.hexdigest()[:LENGTH]}", listed, parts)


def id_of(spec: TokenizerSpec) -> ShortId:
    """Compute the short id of a spec, building its model first."""
    return short_id(spec, merge_model(spec) if spec.model_type is ModelType.BPE else None)


def _parts(spec: TokenizerSpec, model: MergeModel | None) -> Iterator[Part]:
    written = Written()
    yield "vocab", [_table(_entries(spec, model, written)), _order_of_twice(spec)], ""
    yield model_part(spec, model, written)
    yield "normalizer", _steps(acting_steps(spec, "normalizer")), ""
    yield pre_tokenizer_part(spec)
    yield "added_tokens", _added(spec), ""
    if order := numbered_anew(spec):
        yield "order of added tokens", [_row(token, idle=False) for token in order], ""
    yield "around", [_steps(steps_for_ids(spec)), spec.begin_id], ""
    yield "decoder", _decoder(spec), ""
    if spec.unk_lacks_entry:
        yield "unknown text is refused", True, ""
    if left_on := settings_of(spec):
        yield BATCH_PART, left_on, ""


def _entries(spec: TokenizerSpec, model: MergeModel | None, written: Written) -> Iterator[str]:
    """Yield the entries by id, without those that are only added tokens.

    Some formats list an added token in the vocabulary too.  It counts as an entry unless it is
    spelled alike and nothing makes it of text.
    """
    added = {
        token.id: token.content.encode("utf-8", "surrogatepass") for token in spec.added_tokens
    }
    made = None if model is None or model.obstacle else _made(model)
    for id, piece in sorted(spec.each_entry(), key=itemgetter(0)):
        value = piece.value
        bare = value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass")
        if made is None or added.get(id) != bare or spec.surface(piece) in made:
            yield f'[{id},"{piece.token_type}",{written[value]}]'


def _made(model: MergeModel) -> set[bytes | str]:
    """Return the pieces that the model can produce."""
    return {*model.by_product, *model.spelling.symbols, *model.taken_whole}


def _order_of_twice(spec: TokenizerSpec) -> list[int]:
    """Return the ids of duplicate entries in file order, which may matter."""
    many = Counter(piece.value for piece in spec.every_piece())
    return [id for id, piece in spec.each_entry() if many[piece.value] > 1]


def model_part(spec: TokenizerSpec, model: MergeModel | None, written: Written) -> Part:
    """Return BPE's normal form and spelling, or the stated settings, merges and scores."""
    if model is not None and not model.obstacle:
        spelled = model.spelling
        symbols = sorted(written[symbol] for symbol in spelled.symbols)
        own = sorted(written[symbol] for symbol in spelled.user_defined)
        rules = [spelled.byte_level, spelled.suffix, spelled.unknown, spec.control_from_text]
        rules += map(list, dialect(spec))
        form = [model.form.name, model.form.digest]
        why = model.form.not_canonical
        return "model", [form, rules, _table(symbols), _table(own)], why
    settings = [getattr(spec, name) for name in SETTINGS]
    settings += map(list, dialect(spec))
    merges = None
    if spec.merges is not None:
        merges = _table(f"[{written[left]},{written[right]}]" for left, right in spec.merges)
    numbers = [
        _table(f'[{id},"{float(value).hex()}"]' for id, value in sorted(table.items()))
        for table in (spec.scores, spec.product_ranks)
    ]
    entries = sorted(spec.each_entry(), key=itemgetter(0))
    pieces = _table(f'[{id},"{p.token_type}"]' for id, p in entries)
    why = model.obstacle if model else ""
    if spec.model_type is not ModelType.BPE:
        why = f"the settings of a {spec.model_type} model enter as they are stated"
    rest = [sorted(spec.unlisted.items())] if spec.unlisted else []
    return "model", [settings, merges, *numbers, pieces, *rest], why


def _steps(steps: Iterable[Step]) -> list[dict[str, Any]]:
    return [step.to_json() for step in steps]


def pre_tokenizer_part(spec: TokenizerSpec) -> Part:
    """Return the minimal acceptor of its splits, its standing, and its byte conversion.

    That it does is no news of a model of bytes, unless what it gets is bytes already.
    """
    stated = spec.pre_tokenizer.standing is not Standing.UNSTATED
    steps = spec.pre_tokenizer.steps
    try:
        rows = acceptor(read_steps(steps))
    except Undecidable as unknown:
        return "pre_tokenizer", _steps(acting_steps(spec, "pre_tokenizer")), str(unknown)
    writes = sum(step.effects.writes_bytes for step in steps)
    before = any(step.effects.writes_bytes for step in spec.normalizer.steps)
    if spec.byte_level and not before:
        writes = max(0, writes - 1)
    return (
        "pre_tokenizer",
        [stated, writes if writes > 1 else bool(writes), [list(row) for row in rows]],
        "",
    )


def _added(spec: TokenizerSpec) -> list[list[Any]]:
    """Return the added tokens by id.

    When they are looked for is all one where nothing is normalized and all are looked for at once.
    """
    at_once = len({token.normalized for token in spec.added_tokens}) < 2
    idle = at_once and not acting_steps(spec, "normalizer")
    listed = sorted(spec.added_tokens, key=lambda each: each.id)
    return [_row(token, idle=idle) for token in listed]


def _row(token: AddedToken, *, idle: bool) -> list[Any]:
    flags = token.special, token.lstrip, token.rstrip, token.single_word
    return [token.id, token.content, *flags, token.normalized and not idle]


def _decoder(spec: TokenizerSpec) -> Any:
    """Return the decoder's steps; joining bytes is one step under any name."""
    steps = acting_steps(spec, "decoder")
    plain = all(ord(c) in PRINTABLE for token in spec.added_tokens for c in token.content)
    joins = [step.effects.joins_bytes and not step.effects.cleans_joined for step in steps]
    if spec.byte_level and plain and joins == [True]:
        return "bytes"
    return [str(spec.decoder.standing is Standing.UNSTATED), _steps(steps)]


def _table(lines: Iterable[str]) -> str:
    joined = "".join(f"{line}\n" for line in lines)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()


def canonical_identities(spec: TokenizerSpec, model: MergeModel | None) -> Iterator[HashPart]:
    """Yield the identities that do not depend on notation."""
    unicode = f"unicode-{table().name}"
    if model is not None and not model.obstacle and not model.form.not_canonical:
        form = model.form
        yield form.name, lambda: ComponentIdentity(form.name, form.digest, n=form.merges)
        yield (
            "model-canonical-v1",
            lambda: _of_part("model-canonical-v1", model_part(spec, model, Written())),
        )
    if spec.pre_tokenizer.standing is not Standing.UNSTATED:
        part = pre_tokenizer_part(spec)
        if not part[2]:
            name = f"pre_tokenizer-canonical-v1@{unicode}"
            yield name, partial(_of_part, name, part)
    found = cache(lambda: short_id(spec, model))
    for each in PARTS:
        own = name_of_part(each, unicode)
        yield own, partial(_of_part_of_id, own, each, found)
    yield f"id-v1@{unicode}", lambda: _of_id(f"id-v1@{unicode}", found())


def name_of_part(part: str, unicode: str) -> str:
    """Name the identity of a part of the short id.

    >>> name_of_part("batch settings", "unicode-16.0.0")
    'id.batch_settings-v1@unicode-16.0.0'
    """
    return f"{OF_PARTS}{part.replace(' ', '_')}-v1@{unicode}"


def _of_part_of_id(name: str, part: str, found: Callable[[], ShortId]) -> ComponentIdentity:
    """Return the identity of a part; a missing part has the same one everywhere."""
    digest = found().parts.get(part, hashlib.sha256(b"").hexdigest())
    return ComponentIdentity(name, f"sha256:{digest}", n=int(part in found().parts))


def _of_part(name: str, part: Part) -> ComponentIdentity:
    return ComponentIdentity(name, "sha256:" + hashlib.sha256(canonical(part[1])).hexdigest(), n=1)


def _of_id(name: str, found: ShortId) -> ComponentIdentity:
    return ComponentIdentity(name, "sha256:" + found.id.rpartition("-")[2], n=1)
