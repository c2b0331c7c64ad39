"""Engines that refuse this draft model next to its target, which is the base."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.sides.side import Side
from tokaudit.plugin import (
    Base,
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Place,
    Severity,
    Subject,
    Verdict,
    check,
)
from tokaudit.products.compare.judging.engine_rules import accepted_nowhere, judged_by_engines
from tokaudit.report.comparison import EngineSuitability, Purpose
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.base_facets import of_base
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import in_vocab

SIZE = "vocab_size"


@check(
    "baseline/speculative",
    title="Engines take the draft with its target",
    why="In speculative decoding, a small draft model proposes token ids for a large target "
    "model. Each engine has its own rule for which draft models fit a target model, and refuses "
    "to start if the two do not fit.",
    remedy="Choose a draft model of the target's family, or pad the vocabulary of {file|the "
    "draft} to the size of {other|the target}.",
    repair=person_decides("no file says which of the two models is changed"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.BASELINE,
    incident="vLLM refuses drafts of Qwen2 whose vocab_size is padded differently "
    "(vllm-project/vllm #7252); a draft with another BOS (LostRuins/koboldcpp #2325).",
)
def speculative(
    spec: TokenizerSpec, subject: Subject, base: Base, options: Options
) -> Iterator[Finding]:
    """Apply each engine's rule with the base as target; other checks report differing ids."""
    if options.use != Purpose.SPECULATIVE:
        raise NotApplicable("no --use speculative says that the base is a target of this draft")
    target = Side(base.subject.name, base.spec, base.subject)
    found = judged_by_engines(Purpose.SPECULATIVE, target, Side(subject.name, spec, subject))
    nowhere = accepted_nowhere(found)
    for engine in found:
        if engine.verdict is Verdict.FAIL:
            yield _refused(engine, nowhere, (_place(spec, subject), _there(base)))


def _refused(engine: EngineSuitability, nowhere: bool, places: tuple[Place, ...]) -> Finding:
    """Report a refused pair: an error if no engine is known to accept it."""
    return Finding(
        Severity.ERROR if nowhere else Severity.WARNING,
        f"With the base as target model and this one as draft model, {engine.engine} "
        f"{engine.why.removeprefix('it ')} (target and draft; read in {engine.source}).",
        places,
        cause=engine.engine,
    )


def _place(spec: TokenizerSpec, subject: Subject) -> Place:
    """Return the place of the model's size in a config, else the vocabulary."""
    size = subject.fact(SIZE)
    stated = size is not None and size.file not in spec.files
    return place_of(size, "config") if size is not None and stated else in_vocab(spec)


def _there(base: Base) -> Place:
    return of_base(base, _place(base.spec, base.subject))
