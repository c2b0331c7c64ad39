"""Compare two subjects with all their encoders: the reference and their libraries."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from tokaudit.engine.corpus.comparing import CorpusSide, compare_corpus
from tokaudit.engine.corpus.work import ComparingJob
from tokaudit.engine.facet_names import CORPUS
from tokaudit.engine.needs import Options
from tokaudit.engine.resolver import Needs
from tokaudit.engine.samples import Samples
from tokaudit.engine.sides.trial import EncoderPair, Mixed, Trial
from tokaudit.engine.texts.probes import draw
from tokaudit.engine.texts.suspects import (
    added_token_texts,
    bare_texts,
    entry_texts,
    several_in_one,
)
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import OutOfTime, UnreadableError, UpstreamTrouble
from tokaudit.foundation.installed_version import own_version
from tokaudit.foundation.progress import OnStep, silently
from tokaudit.products.compare.facets.compared import OnFacet, Searched, compared, ignored
from tokaudit.products.compare.judging.advice import advice
from tokaudit.products.compare.judging.purposes import suitability
from tokaudit.products.compare.settings.files import is_bare, not_compared, settings_facet
from tokaudit.products.compare.settings.loaded import loaded_facets
from tokaudit.products.compare.settings.unspoken import unspoken_files
from tokaudit.products.compare.work.prepared import Compared
from tokaudit.products.compare.work.side_by_side import Running, side_by_side
from tokaudit.products.compare.work.templates import with_templates
from tokaudit.report.comparison import Comparison, Facet, Outcome, Purpose, Relation
from tokaudit.runtimes.subject_requests import reference_request, request_of_both
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.shards.running import Runners

OF_CORPUS = "Encode the documents again with the tokenizer that the model expects."


def compare_subjects(
    left: Compared,
    right: Compared,
    options: Options,
    workers: Workers,
    purpose: Purpose | None = None,
    look: Trial | None = None,
    on_facet: OnFacet = ignored,
) -> Comparison:
    """Compare every facet of two subjects, with the texts that the tier draws from both.

    `look` has run a few texts before; it decides where the time is over before as many are run.
    `on_facet` gets each facet as it closes.
    """
    first, second = left.side.spec, right.side.spec
    suspects = (
        *added_token_texts(first, second),
        *entry_texts(first, second),
        *several_in_one(first, second),
    )
    sample = dict.fromkeys(draw(first, options.tier, options.seed).texts)
    if (first.pieces, first.sharing) != (second.pieces, second.sharing):
        sample |= dict.fromkeys(draw(second, options.tier, options.seed).texts)
    trial = trial_of(left, right, workers)
    searched = Searched(suspects, bare_texts(first, second), tuple(sample))
    found = compared(trial, searched, on_facet)
    if look is not None and trial.stopped and trial.compared < look.compared:
        look.stopped = True
        trial, found = look, compared(look, Searched(()))
    found = with_settings(with_templates(found, left, right, workers), trial)
    found = replace(found, remedy=advice(trial, found))
    return replace(found, suitability=suitability(purpose, trial, found)) if purpose else found


def with_settings(found: Comparison, trial: Trial) -> Comparison:
    """Add the settings that loaders use, and unknown effects of others.

    Two tokenizers are never *same* while loaders may act on settings that differ.
    """
    left, right = trial.left, trial.right
    loaded = () if is_bare(left) or is_bare(right) else tuple(loaded_facets(trial))
    if loaded:
        found = replace(found, facets=(*found.facets, *loaded), relation=_told(found.relation))
    differing = unspoken_files(left, right, found.facets)
    if not differing:
        return replace(found, uncompared=not_compared(left, right))
    same = found.relation is Relation.SAME
    return replace(
        found,
        facets=(*found.facets, settings_facet(differing)),
        relation=Relation.UNKNOWN if same else found.relation,
        uncompared=tuple(each.name for each in differing),
    )


def _told(relation: Relation) -> Relation:
    """Return the relation of two with differing settings: they are distinguishable."""
    alike = (Relation.SAME, Relation.UNDIFFERING, Relation.UNKNOWN)
    return Relation.DIFFERENT if relation in alike else relation


def with_corpus(
    found: Comparison,
    left: Compared,
    right: Compared,
    paths: Sequence[Path],
    runners: Runners = Runners(),
    resume: str = "",
    on_step: OnStep = silently,
) -> Comparison:
    """Add the user's documents, and a facet that says whether any differ.

    Documents are run by the libraries, or by the reference where a side has none, without a limit
    of processor time; `on_step` gets how many bytes of a file are read.
    """
    if not paths:
        return found
    runner = next(_runners(left, right), None)
    if runner is None:
        raise UnreadableError(
            f"{left.side.name}, {right.side.name}: no installed library can run both tokenizers"
        )
    who, *encoders = runner
    workers = [WorkerTokenizer(each.request, limits=WorkerLimits(60.0, 60.0)) for each in encoders]
    between = f"{left.side.name} against {right.side.name}"
    with workers[0], workers[1]:
        sides = [
            CorpusSide(side.name, worker, side.names)
            for side, worker in zip((left.side, right.side), workers, strict=True)
        ]
        job = ComparingJob.loading(encoders[0].request, encoders[1].request)
        keeping = (resume, _decides(who, left, right)) if resume else None
        slices = tuple(
            compare_corpus(
                path,
                sides[0],
                sides[1],
                who,
                job=job,
                runners=runners,
                keeping=keeping,
                on_bytes=partial(on_step, f"{path.name}: {between}"),
            )
            for path in paths
        )
    different = sum(each.different for each in slices)
    why = (
        f"{different:,} of {sum(each.documents for each in slices):,} documents have different ids"
    )
    shown = next((each.worst[:1] for each in slices if each.worst), ())
    outcome = Outcome.DIFFERS if different else Outcome.UNDIFFERING
    relation = found.relation
    if different and relation in (Relation.SAME, Relation.UNDIFFERING, Relation.UNKNOWN):
        relation = Relation.DIFFERENT
    facets = (*found.facets, Facet(CORPUS, outcome, why, (), shown))
    remedy = found.remedy or (OF_CORPUS if different else "")
    return replace(found, corpus=slices, facets=facets, relation=relation, remedy=remedy)


def _decides(who: str, left: Compared, right: Compared) -> bytes:
    """Return everything that decides the counts of a piece, apart from the piece."""
    specs = (reference_request(each.side.spec).spec for each in (left, right))
    digests = (hashlib.sha256(each).hexdigest() for each in specs)
    return "\0".join((own_version(), who, *digests)).encode()


def with_figures(
    found: Comparison, left: Compared, right: Compared, options: Options
) -> Comparison:
    """Add costs and shared entries side by side, except in the quick tier.

    The libraries run the texts; the reference does where one of them does not.
    """
    if options.tier == "quick":
        return found
    samples = Needs.installed().get(Samples)
    for who, *encoders in _runners(left, right):
        ours, theirs = (
            Running(each.side.spec, encoder)
            for each, encoder in zip((left, right), encoders, strict=True)
        )
        with suppress(UpstreamTrouble, OutOfTime):
            figures = side_by_side(ours, theirs, who, samples, options.seed)
            return replace(found, side_by_side=figures)
    return found


def _runners(
    left: Compared, right: Compared
) -> Iterator[tuple[str, WorkerTokenizer, WorkerTokenizer]]:
    """Yield pairs of encoders for both sides, with their names: libraries first."""
    if left.upstream is not None and right.upstream is not None:
        yield pairs(left, right)[-1].who, left.upstream, right.upstream
    if left.reference is not None and right.reference is not None:
        yield "the reference", left.reference, right.reference


def trial_of(left: Compared, right: Compared, workers: Workers) -> Trial:
    """Return both sides with all encoders; a mixture of the two is loaded on demand."""
    mixture = None
    if left.reference is not None and right.reference is not None:
        request = request_of_both(left.reference.request, right.reference.request)
        mixture = Mixed(
            workers.later("reference of both", request),
            left.reference.pre_tokens,
            (left.reference.normal_forms, right.reference.normal_forms),
            lambda spec: workers.later("reference of a setting", reference_request(spec)),
        )
    return Trial(left.side, right.side, pairs(left, right), mixture)


def pairs(left: Compared, right: Compared) -> list[EncoderPair]:
    """Return the reference on both sides, and the upstream libraries, if they exist."""
    found = []
    if left.reference is not None and right.reference is not None:
        found.append(EncoderPair("the reference", left.reference, right.reference, True))
    if left.upstream is not None and right.upstream is not None:
        who = dict.fromkeys(
            f"{w.info.package} {w.info.version}" for w in (left.upstream, right.upstream)
        )
        found.append(EncoderPair(" against ".join(who), left.upstream, right.upstream))
    return found
