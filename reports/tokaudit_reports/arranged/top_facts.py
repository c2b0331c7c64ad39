"""The facts at the top of a page on which a decision rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tokaudit.plugin import Comparison, Outcome, Report, Status
from tokaudit.report.sentences.not_examined import about_data, unexamined
from tokaudit.report.sentences.of_comparison import labels, listed
from tokaudit_reports.arranged.loaders import loaders_sentence
from tokaudit_reports.arranged.status_words import failed_words

SETTINGS = "settings files"  # the facet, whose files a comparison names by themselves


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the subject, the loaders that agree, and the most important unexamined part."""
    if report.comparison is not None and report.compared and not report.results:
        yield from _of_comparison(report, report.comparison)
        return
    formats = ", ".join(report.subject.formats)
    commit = f", commit {report.subject.commit}" if report.subject.commit else ""
    subject = report.title + (f" ({formats}{commit})" if formats or commit else "")
    name, said = ("Data", "ids on disk, read with ") if about_data(report) else ("Subject", "")
    yield name, said + subject
    of_loaders = not report.parts and not about_data(report)
    if said := loaders_sentence(report) if of_loaders else "":
        yield "Loaders", said
    elif report.results:
        passed = report.summary.get(str(Status.PASSED), 0)
        yield "Checks", f"{passed:,} passed, {failed_words(report)}"
    left = unexamined(report)
    yield "Not examined", left[0].words if left else "nothing was left out"


def _of_comparison(report: Report, comparison: Comparison) -> Iterator[tuple[str, str]]:
    """Yield both sides, the engine, and the undecided facets."""
    yield "Compared", listed(labels(report.compared))
    if comparison.run_by:
        yield "Loaders", f"run by {listed(comparison.run_by)} on {_texts(report)}"
    yield "Not examined", _not_compared(report.comparisons) or "nothing was left out"


def _texts(report: Report) -> str:
    """Return the number of texts; for several pairs, of each.

    >>> from types import SimpleNamespace as Made
    >>> _texts(Made(comparisons=[Made(texts=10), Made(texts=30)]))
    '10 to 30 texts for each pair'
    """
    least, most = (end(each.texts for each in report.comparisons) for end in (min, max))
    many = f"{most:,} texts" if least == most else f"{least:,} to {most:,} texts"
    return f"{many} for each pair" if report.comparisons[1:] else many


def _not_compared(found: Sequence[Comparison]) -> str:
    """Name the facets that no pair decides, and those that some pairs leave open."""
    files = list(dict.fromkeys(name for each in found for name in each.uncompared))
    open_in: Counter[str] = Counter()
    for each in found:
        open_in.update({facet.name for facet in each.facets if facet.outcome is Outcome.UNKNOWN})
    of_files = f"{SETTINGS} ({', '.join(files)})" if files else ""
    names = [name for name in open_in if not files or name != SETTINGS]
    in_all = [name for name in names if open_in[name] == len(found)]
    in_some = [name for name in names if open_in[name] < len(found)]
    said = ", ".join(filter(None, (of_files, *in_all)))
    some = f"in some pairs: {', '.join(in_some)}" if in_some else ""
    return "; ".join(filter(None, (said, some)))
