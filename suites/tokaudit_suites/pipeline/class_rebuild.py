"""A tokenizer class that builds another tokenizer than tokenizer.json states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.engine.canonical_steps import acting_steps
from tokaudit.plugin import (
    Basis,
    Comparison,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Severity,
    Skip,
    Subject,
    Tokenizer,
    check,
    token_names,
)
from tokaudit.products.compare.encoders import NamedEncoder, compare
from tokaudit.subject.upstream.tokenizer_class import AS_STATED, class_named
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.pipeline._class_kind import other_kind
from tokaudit_suites.pipeline._rebuilt import (
    STAGES,
    WHOLE_FILE,
    Rebuilt,
    RebuiltRuns,
    class_that_builds,
)
from tokaudit_suites.shared.repairs import person_decides, repaired, setting
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import stage

MANY = 0.02  # of ordinary sentences; what only odd texts show, whole families of files have
MOST_SPECIAL = 20
MOST_SENTENCES = 300
SETTINGS = "tokenizer_config.json"


@check(
    "pipeline/class-rebuild",
    title="The tokenizer class rebuilds tokenizer.json's pipeline",
    why="transformers 5 reads only vocabulary and merges from tokenizer.json; the class that the "
    "configuration names builds the normalizer and pre-tokenizer. If the configuration names the "
    "class of another model family, transformers 5 produces other ids than engines that read all "
    "of tokenizer.json, or fails to load the folder.",
    remedy="In tokenizer_config.json, set tokenizer_class to PreTrainedTokenizerFast, or write the "
    "settings that the class needs.",
    repair=person_decides("the class or the file is right, and the weights belong to one of them"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Byte-level files whose configuration names GPT2Tokenizer gave a tenth more tokens "
    "under transformers 5 (huggingface/transformers #45701); cased BERT models lost their capitals "
    "for want of do_lower_case (allenai/scibert #79).",
    measures=(Measured("pipeline/rebuilt_differently"),),
)
def class_rebuild(
    subject: Subject, spec: TokenizerSpec, rebuilt: Rebuilt | None, runs: RebuiltRuns | None
) -> Iterator[Finding | Measurement]:
    """Compare the kinds of model; if equal, encode with the file and with the class."""
    fact = class_that_builds(subject)
    known = None if fact is None else class_named(str(fact.value))
    if spec.format != WHOLE_FILE or fact is None or known is None:
        raise NotApplicable("no class is named that is given the vocabulary of tokenizer.json")
    kinds = list(other_kind(spec, fact, known))
    yield from kinds
    if any(finding.severity is Severity.ERROR for finding in kinds):
        return
    if runs is not None:
        yield from _differences(runs, spec)
    elif rebuilt is not None:
        raise Skip(f"the reference does not run what {rebuilt.name} builds")
    elif not kinds and (not known.builds or known.pipelines.in_five):
        raise NotApplicable(f"{known.name} builds what tokenizer.json states, or takes it")


def _differences(runs: RebuiltRuns, spec: TokenizerSpec) -> Iterator[Finding | Measurement]:
    """Compare ordinary sentences, then texts after special tokens, then probes."""
    rebuilt, built, reference = runs.rebuilt, runs.built, runs.file
    whole = [text for sample in runs.samples.all for text in sample.sentences]
    sentences = tuple(whole[:: -(-len(whole) // MOST_SENTENCES)])
    plain = _compared(rebuilt, built.tokenizer, spec, reference, sentences)
    yield Measurement(
        "pipeline/rebuilt_differently",
        "Sentences that the class encodes differently",
        plain.different,
        "sentences",
        plain.texts,
        "the built-in sample, encoded as the file states and as the class builds",
    )
    if plain.different:
        many = plain.different > MANY * plain.texts
        yield _finding(rebuilt, spec, plain, Severity.ERROR if many else Severity.WARNING)
        return
    special = [token.content for token in spec.added_tokens if token.special][:MOST_SPECIAL]
    after_special = tuple(f"{token}{text}" for token in special for text in ("I", "a b"))
    marked = _compared(rebuilt, built.tokenizer, spec, reference, after_special)
    if marked.different and rebuilt.certain:
        yield _finding(rebuilt, spec, marked, Severity.WARNING, "texts after a special token")
        return
    odd = _compared(rebuilt, built.tokenizer, spec, reference, runs.probes.texts)
    if odd.different:
        yield _finding(rebuilt, spec, odd, Severity.INFO, "probe texts")


def _compared(
    rebuilt: Rebuilt, built: Tokenizer, spec: TokenizerSpec, file: Tokenizer, texts: Sequence[str]
) -> Comparison:
    names = token_names(spec)
    left = NamedEncoder(spec.files[0], file, file.encode(texts), names)
    right = NamedEncoder(rebuilt.name, built, built.encode(texts), names)
    return compare(texts, left, right)


def _finding(
    rebuilt: Rebuilt,
    spec: TokenizerSpec,
    found: Comparison,
    severity: Severity,
    kind: str = "ordinary sentences",
) -> Finding:
    differing = [
        name for name in STAGES if acting_steps(rebuilt.spec, name) != acting_steps(spec, name)
    ]
    what = " and ".join(differing)
    message = (
        f"{rebuilt.fact.file} makes transformers 5 build {rebuilt.name} with its own {what} "
        f"instead of the one in {spec.files[0]}: {found.different:,} of {found.texts:,} {kind} "
        "get different ids."
    )
    places = [stage(spec, name, getattr(spec, name).options) for name in differing]
    shown = (found.minimal,) if found.minimal is not None else ()
    folder = rebuilt.fact.file.rpartition("/")[0]
    settings = f"{folder}/{SETTINGS}" if folder else SETTINGS
    return Finding(
        severity,
        message,
        (place_of(rebuilt.fact, "config"), *places),
        shown,
        cause="rebuilt",
        repair=repaired(setting(settings, "tokenizer_class", AS_STATED)),
    )
