"""Runtimes that an audit should compare with the subject's file."""

from __future__ import annotations

from tokaudit.engine.needs import ComparedRuntimes, Options
from tokaudit.engine.resolver import need_from_worker
from tokaudit.engine.samples import Samples
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representations


@need_from_worker
def compared_runtimes(
    options: Options, subject: Subject, found: Representations, workers: Workers, samples: Samples
) -> ComparedRuntimes:
    """Compare each named runtime, whatever it does."""
    if not options.runtime:
        raise NotApplicable("no runtime was named with --runtime")
    from tokaudit.products.engines.compared_runtimes import Refereeing, all_refereed
    from tokaudit.runtimes.named_runtimes import named_runtime

    languages = samples.of_kind("language")
    asked = Refereeing(subject, found, workers, options.tier, languages)
    named = [named_runtime(name) for name in options.runtime]
    return ComparedRuntimes(tuple(all_refereed(asked, named)))
