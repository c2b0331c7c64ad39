"""Template switches that have no effect, or the opposite one."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit.products.chat.work.part_renderings import PartRendering, PartRenderings
from tokaudit.products.chat.work.renderings import ChatRenderings
from tokaudit.subject.upstream.published.spellings import reasoning
from tokaudit_suites.chat_template._parts import part_finding, source, with_parts
from tokaudit_suites.shared.repairs import TEMPLATE_AS_TRAINED

SWITCH = "enable_thinking"


@check(
    "chat_template/switches",
    title="The thinking switch does what it says",
    why="Servers pass the variable `enable_thinking`, which turns reasoning on or off, to the "
    "chat template. If the template renders the same prompt for `enable_thinking` true and false, "
    "users cannot turn reasoning off, and every request pays for reasoning.",
    remedy="In the chat template, write empty reasoning tags in the generation prompt if "
    "`enable_thinking` is false.",
    repair=TEMPLATE_AS_TRAINED,
    severity=Severity.WARNING,
    harm=Harm.COST,
    basis=(Basis.INTRINSIC,),
    left_to_code=True,
    incident="raullenchai/Rapid-MLX #3054, huggingface/transformers #37949.",
)
def switches(renderings: ChatRenderings, parts: PartRenderings) -> Iterator[Finding]:
    """Compare the generation prompts with the switch on, off and absent."""
    found = [one for one in with_parts(renderings, parts) if SWITCH in source(one)]
    if not found:
        raise NotApplicable(f"no chat template reads {SWITCH}")
    for one in found:
        yield from _compared(one)


def _compared(one: PartRendering) -> Iterator[Finding]:
    prompts = [one.prompted(f"thinking-{state}") for state in ("unset", "on", "off")]
    if not all(prompt.ok for prompt in prompts):
        return
    _, on, off = (prompt.text for prompt in prompts)
    if len({prompt.text for prompt in prompts}) == 1:
        said = ("ignored", f"reads {SWITCH} but writes the same prompt for true and false")
        yield part_finding(one, Severity.WARNING, said, ("thinking-off", prompts[2]))
    elif _opened(off) > _closed(off):
        said = (
            "left open",
            f"opens reasoning if {SWITCH} is false, but never closes the reasoning",
        )
        yield part_finding(one, Severity.WARNING, said, ("thinking-off", prompts[2]))
    elif _closed(on) > _closed(off):
        said = (
            "reversed",
            f"closes reasoning in the prompt if {SWITCH} is true, so that the model cannot "
            f"reason, but not if {SWITCH} is false: it seems to be the wrong way round",
        )
        yield part_finding(one, Severity.WARNING, said, ("thinking-on", prompts[1]))


def _opened(prompt: str) -> int:
    """Count the openings of reasoning in a prompt."""
    return sum(map(prompt.count, reasoning()))


def _closed(prompt: str) -> int:
    """Count the closings of reasoning in a prompt."""
    return sum(map(prompt.count, reasoning().values()))
