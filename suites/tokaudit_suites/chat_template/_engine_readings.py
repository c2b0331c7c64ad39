"""How engines that are not Jinja read the constructs of a chat template, by their records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.report.model import Severity
from tokaudit.runtimes.chat.terms import Construct
from tokaudit.subject.upstream.template_engines import readings as recorded

ONNX = "onnxruntime-genai"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the engines that read a construct otherwise do with it, and how much that is worth."""

    severity: Severity
    effects: Mapping[str, str]


@cache
def readings() -> Mapping[Construct, Reading]:
    """Every construct that an engine reads otherwise."""
    return {
        Construct[name.upper()]: Reading(
            Severity.WARNING if known.always else Severity.INFO, known.effects
        )
        for name, known in recorded().items()
    }
