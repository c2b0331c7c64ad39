"""A tokenizer.json for versions of a loader, with other ids than the plain one."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Place,
    Probes,
    Reference,
    Samples,
    Severity,
    check,
    token_names,
)
from tokaudit.products.compare.encoders import NamedEncoder, compare
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.files._versioned import VersionedFile
from tokaudit_suites.shared.repairs import person_decides

MOST = 300  # sentences


@check(
    "files/versioned-tokenizer",
    title="Files for loader versions give one tokenizer's ids",
    why="The key fast_tokenizer_files makes some versions of transformers load another file than "
    "tokenizer.json; other engines ignore the key. If the two files produce different ids, the "
    "same text gets other ids in transformers than in engines that read tokenizer.json.",
    remedy="Write tokenizer.json and the versioned file from the tokenizer that the model "
    "expects, or delete the versioned file and the key fast_tokenizer_files.",
    repair=person_decides("the weights belong to one of the two files"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident="fast_tokenizer_files is read in every version, and versions are sorted as texts "
    "(huggingface/transformers #48836).",
)
def versioned_tokenizer(
    versioned: VersionedFile,
    spec: TokenizerSpec,
    reference: Reference,
    samples: Samples,
    probes: Probes,
) -> Iterator[Finding]:
    """Encode sentences and probes by both files."""
    whole = [text for sample in samples.all for text in sample.sentences]
    texts = tuple(dict.fromkeys((*whole[:: max(1, len(whole) // MOST)], *probes.texts)))
    main, other = spec.files[0], versioned.file.name
    left = NamedEncoder(main, reference, reference.encode(texts), token_names(spec))
    given = versioned.tokenizer.encode(texts)
    right = NamedEncoder(other, versioned.tokenizer, given, token_names(versioned.spec))
    found = compare(texts, left, right)
    if found.different:
        named = " and ".join(f"transformers {version}" for version in versioned.versions)
        yield Finding(
            Severity.ERROR,
            f"fast_tokenizer_files makes {named} load {other} instead of {main}; the ids of the "
            f"two differ for {found.different:,} of {found.texts:,} texts.",
            (Place("tokenizer", other), Place("tokenizer", main)),
            () if found.minimal is None else (found.minimal,),
            cause="versioned",
        )
