"""Check what two post-processors add around one text and two, token by token.

That is all there is to them: they never look at the ids that they are given.  So each is written
out as two rows, of which a row lists ids, texts and type ids, and the rows are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import dropwhile
from typing import Any

from tokaudit.engine.facet_names import POST_PROCESSOR
from tokaudit.products.compare.proofs.acts_alike.options import plain_steps
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.ids_of_loaders import begun_with
from tokaudit.products.compare.proofs.steps_of_files import Options, steps_of
from tokaudit.report.comparison import Proof
from tokaudit_reference.spec import Standing, TokenizerSpec

Row = tuple[tuple[Any, ...], ...] | None
WITHOUT: tuple[Row, Row] = ((("A", 0),), (("A", 0), ("B", 1)))
"""What is done without a post-processor: the texts alone, one after the other."""


def objection(claim: Claim) -> str:
    """Explain why ids or type ids around some text may differ; "" if they do not."""
    ours, theirs = map(_rows, claim.specs)
    return "" if ours == theirs else "the steps do not give the same ids"


def _rows(spec: TokenizerSpec) -> Any:
    """Return one text and two as the steps lay them out, or the steps if several.

    A template that gives the texts their usual places does nothing before the others; after one it
    numbers that one's tokens anew.
    """
    if spec.post_processor.standing is Standing.UNSTATED:
        return "unstated", begun_with(spec)
    placing = [each for each in steps_of(spec, STAGE) if each["type"] != "ByteLevel"]
    rows = [*dropwhile(WITHOUT.__eq__, map(_of_step, placing))]
    if len(rows) > 1 or None in rows:
        return plain_steps(spec, STAGE)
    return rows[0] if rows else WITHOUT


STAGE = "post_processor"


def _of_step(step: Options) -> tuple[Row, Row] | None:
    """Return both layouts of a step; None if it is unknown."""
    match step["type"]:
        case "TemplateProcessing":
            known = step.get("special_tokens", {})
            return _template(step.get("single"), known), _template(step.get("pair"), known)
        case "BertProcessing":
            cls, sep = (step["cls"][1], 0), (step["sep"][1], 0)
            pair = cls, ("A", 0), sep, ("B", 1), (step["sep"][1], 1)
            return (cls, ("A", 0), sep), pair
        case "RobertaProcessing":
            cls, sep = (step["cls"][1], 0), (step["sep"][1], 0)
            return (cls, ("A", 0), sep), (cls, ("A", 0), sep, sep, ("B", 0), sep)
    return None


def _template(pieces: Any, known: Mapping[str, Any]) -> Row:
    if pieces is None:
        return None
    row: list[tuple[Any, ...]] = []
    for piece in pieces:
        ((kind, inner),) = piece.items()
        if kind == "Sequence":
            row.append((inner["id"], inner["type_id"]))
        else:
            ids = known.get(inner["id"], {}).get("ids", [inner["id"], "undefined"])
            row += [(id, inner["type_id"]) for id in ids]
    return tuple(row)


CHECKER = Checker(Proof.SAME_IDS, frozenset({POST_PROCESSOR}), objection)
