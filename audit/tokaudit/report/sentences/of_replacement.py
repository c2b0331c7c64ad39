"""The sentence of `compare --for replacing`: who needs fewer tokens, and at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.report.comparison import Rate
from tokaudit.report.replacement import PairedFigure, Replacement
from tokaudit.report.sentences.of_comparison import labels, listed

LEAST = 0.005  # a share below is as many
MILLION = 1e6
AS_MANY = "as many"


def replacement_sentence(found: Sequence[Replacement]) -> str:
    """Compare the others' token counts with the first one's, and name other changes."""
    names = labels([found[0].left, *(each.right for each in found)])
    said = (_of_two(names[0], name, each) for name, each in zip(names[1:], found, strict=True))
    return "; ".join(said)


def _of_two(left: str, right: str, found: Replacement) -> str:
    parts = [*_made_of(left, right, found), ", ".join(_needs(left, right, found))]
    return "; ".join((*parts, *_price(right, found)))


def _made_of(left: str, right: str, found: Replacement) -> Iterator[str]:
    """Say first if a recipe names the text as training data of one side."""
    names = {found.left: left, found.right: right}
    if whose := [names[each] for each in found.made_of]:
        recipes = f"the recipe{'s' if whose[1:] else ''} of {listed(whose)}"
        yield (
            f"Figures flatter {listed(whose)} here, as {recipes} name{'' if whose[1:] else 's'} "
            "your text as what to learn from"
        )


def _needs(left: str, right: str, found: Replacement) -> Iterator[str]:
    """Describe the tokens on the corpus, and the language that gains or loses most."""
    on = "the built-in samples" if found.built_in else "your text"
    whole = totals(found)
    if whole is None:
        yield f"{right} and {left} cannot be compared on {on}: one of them loses text"
        return
    much = change(whole)
    than = "as" if much == AS_MANY else "than"
    yield f"{right} needs {much} tokens {than} {left} on {on}{_between(whole)}"
    language = _furthest(found, whole)
    if language is not None and language.ratio is not None:
        yield f"{change(language.ratio)} on {language.texts['name']}"


def totals(found: Replacement) -> Rate | None:
    """Return the second side's tokens over the first's, on all files of the corpus."""
    files = [each for each in found.figures if _counts(each, "corpus")]
    pairs = [(each.left, each.right) for each in files]
    if len(files) == 1:
        return files[0].ratio
    if not pairs or any(None in pair for pair in pairs):
        return None
    left = sum(one.value for one, _ in pairs if one)
    return Rate(sum(other.value for _, other in pairs if other) / left) if left else None


def _counts(figure: PairedFigure, kind: str) -> bool:
    return figure.key == "tokens" and figure.texts["kind"] == kind


def _furthest(found: Replacement, whole: Rate) -> PairedFigure | None:
    """Return the language that loses most if the total gains, and the reverse."""
    languages = [each for each in found.figures if _counts(each, "language") and each.ratio]
    sign = -1 if whole.value <= 1 else 1
    return min(
        languages,
        key=lambda each: (sign * (each.ratio.value if each.ratio else 1), each.texts["key"]),
        default=None,
    )


def change(rate: Rate) -> str:
    """Describe a ratio as a share more or fewer.

    >>> change(Rate(0.65)), change(Rate(1.123)), change(Rate(1.001))
    ('35 % fewer', '12 % more', 'as many')
    """
    share = rate.value - 1
    if abs(share) < LEAST:
        return AS_MANY
    return f"{abs(share):.0%}".replace("%", " %") + (" more" if share > 0 else " fewer")


def _between(rate: Rate) -> str:
    """Describe the interval of a share, smallest first; empty without one."""
    if rate.interval is None or abs(rate.value - 1) < LEAST:
        return ""
    ends = sorted(100 * (bound - 1) * (1 if rate.value > 1 else -1) for bound in rate.interval)
    return f" ({ends[0]:.0f} to {ends[1]:.0f})"


def _price(right: str, found: Replacement) -> Iterator[str]:
    use, rows = found.uses[1], found.rows
    never = "are" if use.never != 1 else "is"
    yield f"{use.never:,} of the {use.entries:,} entries of {right} {never} never used there"
    difference = rows.parameters
    if difference:
        size = f"{abs(difference) / MILLION:,.0f} M" if abs(difference) >= MILLION else "under 1 M"
        more = "more" if difference > 0 else "fewer"
        yield f"at width {rows.width:,} its embedding has {size} parameters {more}"
    else:
        yield "its embedding is as large"
