"""Images with no placeholder, several, or one in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.chat_template._parts import part_finding, source, with_parts
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED

WORDS = ("Nettles.", "Pebbles.", "Willows.")
CONFIG, KEYS = "config.json", ("image_token_id", "image_token_index")


@check(
    "chat_template/images",
    title="Each image has one placeholder in place",
    why="The processor of a vision model replaces the image placeholders in a prompt with the "
    "images, in order. With one image placeholder too few, the model never sees one of the "
    "images; with one placeholder too many, all later positions shift.",
    remedy="In the chat template, write one placeholder for each part of the type `image`, in the "
    "order of the parts.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC, Basis.CROSS_FILE),
    left_to_code=True,
    incident="Comfy-Org/ComfyUI #15976, kekzl/imp #1177, vllm-project/vllm #15125, jundot/omlx "
    "#3785.",
)
def images(
    renderings: ChatRenderings,
    parts: PartRenderings,
    subject: Subject,
    spec: TokenizerSpec | None,
) -> Iterator[Finding]:
    """Compare messages with no image, one image and two."""
    rendered = [one for one in with_parts(renderings, parts) if _renders_images(one)]
    found = [one for one in rendered if "image" in source(one)]
    place = _stated(subject)
    if not found and (place is None or not rendered):
        raise NotApplicable("no chat template writes images")
    for one in found:
        yield from _placeholders(one)
    if place is not None and spec is not None:
        yield from _without_tokens(rendered, place, spec)


def _renders_images(one: PartRendering) -> bool:
    return all(one.plain(id).ok for id in ("image-none", "image-one", "image-two"))


def _stated(subject: Subject) -> Place | None:
    """Return the place of the image token's id in the model's config."""
    file, config = settings_file(subject, CONFIG), settings_object(subject, CONFIG)
    key = next((key for key in KEYS if type(config.get(key)) is int), None)
    if file is None or key is None:
        return None
    return Place("config", file.name, f"/{key}", config[key])


def _without_tokens(
    rendered: list[PartRendering], place: Place, spec: TokenizerSpec
) -> Iterator[Finding]:
    """Report image parts without a token of their own, though the model's config names one.

    Any added token counts: a processor may put the one of the config in its place.
    """
    tokens = {token.content for token in spec.added_tokens}
    if any(_new_tokens(one, tokens) for one in rendered):
        return
    for one in rendered[:1]:
        if one.plain("image-one").text == one.plain("image-none").text and "image" in source(one):
            return  # a lost placeholder, which is reported as such
        said = f"writes no token for an image, but {place.file} states {place.pointer[1:]} "
        said += str(place.value)
        shows = ("image-one", one.plain("image-one"))
        finding = part_finding(one, Severity.ERROR, ("no image token", said), shows)
        yield replace(finding, places=(*finding.places, place))


def _new_tokens(one: PartRendering, tokens: set[str]) -> set[str]:
    """Return the added tokens that one more image adds to a text."""
    none, single = (one.plain(id).text for id in ("image-none", "image-one"))
    return {each for each in tokens if single.count(each) > none.count(each)}


def _placeholders(one: PartRendering) -> Iterator[Finding]:
    """Report image placeholders that are not in place, or not one for each image."""
    none, single, double = (one.plain(f"image-{n}") for n in ("none", "one", "two"))
    placeholder = _gap(single.text, 0).strip()
    if single.text == none.text:
        said = ("lost", "accepts images but writes no placeholder token for an image")
        yield part_finding(one, Severity.ERROR, said, ("image-one", single))
    elif not placeholder:
        said = ("moved", "writes the placeholder of an image away from the texts around the image")
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
    """Return the text between two of the words."""
    return text.partition(WORDS[at])[2].partition(WORDS[at + 1])[0]


def _repeated(gap: str) -> bool:
    """Return whether a text repeats itself once; more repeats stand for an image's patches.

    >>> _repeated("<image><image>"), _repeated("<image>"), _repeated("<patch>" * 4)
    (True, False, False)
    """
    bare = "".join(gap.split())
    period = (bare + bare).find(bare, 1)
    return bool(bare) and 2 * period == len(bare)
