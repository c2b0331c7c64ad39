"""Run the texts of a stored comparison again, and compare their ids."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from tokaudit.engine.evidence import view
from tokaudit.engine.facet_names import CHAT_TEMPLATE, CORPUS, DECIDE_IDS, OF_LOADERS, TYPE_IDS
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.batch import apart
from tokaudit.products.compare.facets.decoding import SKIPPED, WHOLE, decoded_apart, row_of
from tokaudit.products.compare.facets.type_ids import PAIRED, types_apart
from tokaudit.products.compare.recheck.claims import Rechecked
from tokaudit.products.compare.recheck.whole import rederived
from tokaudit.report.comparison import Comparison, Facet
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import EncodeOptions

OF_THE_SEARCH = (*OF_LOADERS, CHAT_TEMPLATE)
"""The facets whose texts are not run as they are; searching again gives them."""
OF_TEXTS = (*DECIDE_IDS, CORPUS)
RANDOM = 200  # times that a text is run where dropout makes the tokens random
PLAIN, AROUND = EncodeOptions(), EncodeOptions(add_special_tokens=True)


def rerun(trial: Trial, stored: Comparison) -> Iterator[Rechecked]:
    """Yield each differing text or row of ids, run by the reference and the libraries."""
    for facet in stored.facets:
        for shown in facet.evidence if facet.name not in OF_THE_SEARCH else ():
            text = text_of(shown)
            if shown.note.startswith(TYPE_IDS):
                yield Rechecked(f"{facet.name}: {TYPE_IDS}", _not_typed(trial, shown))
            elif shown.kind == "text" and text is not None:
                yield Rechecked(f"{facet.name}: {text!r}", _objection(trial, shown, text))
            elif shown.kind == "ids":
                claim = f"{facet.name}: ids {list(shown.ids)}"
                yield Rechecked(claim, _not_decoded(trial, shown))
    trial.run(text for facet in stored.facets if facet.name in OF_TEXTS for text in _texts(facet))
    minimal = stored.minimal
    if minimal is not None and (text := text_of(minimal)) is not None:
        yield Rechecked(f"minimal text: {text!r}", _objection(trial, minimal, text))
        trial.run([text])
    yield from rederived(trial, stored)


def _texts(facet: Facet) -> Iterator[str]:
    found = (text_of(shown) for shown in facet.evidence if shown.kind == "text")
    return (text for text in found if text is not None)


def text_of(shown: Evidence) -> str | None:
    """Return the text of an evidence, even if it is not valid Unicode.

    >>> text_of(Evidence("text", text_base64="7aCA")) == chr(0xD800)
    True
    """
    if shown.text_base64 is None:
        return shown.text
    return base64.b64decode(shown.text_base64).decode("utf-8", "surrogatepass")


def _objection(trial: Trial, shown: Evidence, text: str) -> str:
    stated = [tuple(token.id for token in row) for row in (shown.expected, shown.actual)]
    if stated[0] == stated[1]:
        return "both sides give the same ids"
    if any(
        row != view([token.id for token in row], side.names)
        for side, row in ((trial.left, shown.expected), (trial.right, shown.actual))
    ):
        return "the tokens are not named by their own vocabularies"
    times = RANDOM if trial.left.spec.dropout or trial.right.spec.dropout else 1
    for pair in trial.pairs:
        if apart(pair, text) == tuple(stated):
            return ""
        for options in (PLAIN, AROUND, PAIRED):
            rows = (each.encode([text] * times, options) for each in (pair.left, pair.right))
            if any([a.ids, b.ids] == stated for a, b in zip(*rows, strict=True)):
                return ""
    return "no encoder gives the ids that are stated"


def _not_typed(trial: Trial, shown: Evidence) -> str:
    found = [types_apart(trial.left, trial.right, pair) for pair in trial.pairs]
    same = any(each is not None and each.note == shown.note for each in found)
    return "" if same else "nobody gives the type ids that are stated"


def _not_decoded(trial: Trial, shown: Evidence) -> str:
    row = row_of(trial.left, trial.right, shown.ids)
    if row is None:
        return "the two sides do not both have these tokens"
    for pair in trial.pairs:
        for options in (WHOLE, SKIPPED):
            found = decoded_apart(trial.left, trial.right, [pair], [row], options)
            if found is not None and found.facts == shown.facts:
                return ""
    return "nobody decodes them to the texts that are stated"
