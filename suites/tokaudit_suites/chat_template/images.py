"""Images without a placeholder, with more than one, or in another place."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    check,
)
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit_suites.chat_template._parts import part_finding, source, with_parts
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED

WORDS = ("Nettles.", "Pebbles.", "Willows.")


@check(
    "chat_template/images",
    title="Each image has one placeholder in place",
    why="A processor fills the placeholders of a prompt with the images in order: with one too "
    "few an image is never seen, with one too many every later position moves.",
    remedy="Write one placeholder for each part of the type `image`, in the order of the parts.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="Comfy-Org/ComfyUI #15976, kekzl/imp #1177, vllm-project/vllm #15125.",
)
def images(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[Finding]:
    """Compare a message without images with the same message and one or two of them."""
    found = [one for one in with_parts(renderings, parts) if _takes_images(one)]
    if not found:
        raise NotApplicable("no chat template writes images")
    for one in found:
        yield from _placeholders(one)


def _takes_images(one: PartRendering) -> bool:
    ids = ("image-none", "image-one", "image-two")
    return "image" in source(one) and all(one.plain(id).ok for id in ids)


def _placeholders(one: PartRendering) -> Iterator[Finding]:
    """The text of one image, once more for the second, each between its words."""
    none, single, double = (one.plain(f"image-{n}") for n in ("none", "one", "two"))
    placeholder = _gap(single.text, 0).strip()
    if single.text == none.text:
        said = ("lost", "takes images and writes no placeholder for one")
        yield part_finding(one, Severity.ERROR, said, ("image-one", single))
    elif not placeholder:
        said = ("moved", "writes an image in another place than between the words around it")
        yield part_finding(one, Severity.WARNING, said, ("image-one", single))
    elif (
        _repeated(placeholder) or single.text.count(placeholder) > none.text.count(placeholder) + 1
    ):
        said = ("two placeholders", f"writes two placeholders for one image: {placeholder!r}")
        yield part_finding(one, Severity.ERROR, said, ("image-one", single))
    elif not _gap(double.text, 1).strip():
        said = ("one placeholder", "writes a placeholder for only the first of two images")
        yield part_finding(one, Severity.ERROR, said, ("image-two", double))


def _gap(text: str, at: int) -> str:
    """What is between two of the words."""
    return text.partition(WORDS[at])[2].partition(WORDS[at + 1])[0]


def _repeated(gap: str) -> bool:
    """Whether a text is the same text twice; more often, it stands for the patches of an image.

    >>> _repeated("<image><image>"), _repeated("<image>"), _repeated("<patch>" * 4)
    (True, False, False)
    """
    bare = "".join(gap.split())
    period = (bare + bare).find(bare, 1)
    return bool(bare) and 2 * period == len(bare)
