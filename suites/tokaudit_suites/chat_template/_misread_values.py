"""Values in calls that parsers of servers make others of, once a model writes them so."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Finding, Severity
from tokaudit.products.chat.work.renderings import ChatRendering
from tokaudit.products.chat.work.shapes.apart import BaseShapeTexts
from tokaudit.products.chat.work.shapes.faults import Law
from tokaudit.products.chat.work.shapes.parsers import same_values
from tokaudit.products.chat.work.shapes.renderings import ShapeRendering
from tokaudit.subject.upstream.published.templates import published_template
from tokaudit_suites.chat_template._shapes import shape_finding
from tokaudit_suites.shared.wording import quote, some


def misread_values(
    one: ChatRendering, found: ShapeRendering, base: BaseShapeTexts | None
) -> Iterator[Finding]:
    """Values in calls that parsers make others of; what a model was trained on is information."""
    faults = [each for each in found.faults if each.fault.law is Law.READ]
    if not faults:
        return
    said = some(list(dict.fromkeys(each.fault.where for each in faults)))
    what = "writes values in calls that a server's parser reads as others where a model repeats "
    what += f"them: {said}, such as {quote(' '.join(faults[0].words.split()))}"
    released = published_template(one.template.text)
    who = f"{released} writes" if released else "the base writes" if _as_base(found, base) else ""
    if who:
        what += f"; {who} them so, and its model was trained on it"
    yield shape_finding(
        one, faults, Severity.INFO if who else Severity.WARNING, what, "misread values"
    )


def _as_base(found: ShapeRendering, base: BaseShapeTexts | None) -> bool:
    """Return whether a base writes the same values; one with the same text is not rendered."""
    if base is None:
        return False
    ours = [each.text for each in found.texts]
    theirs = [[each.text for each in texts] for texts in base.by_text.values()]
    return not theirs or any(same_values(ours, each) for each in theirs)
