"""All that is plugged in here, ours and what is installed of others, by its kind and name."""

from __future__ import annotations

from typing import Any

from tokaudit.engine.check import CHECKS
from tokaudit.engine.resolver import NEEDS
from tokaudit.foundation.plugins.installed import Kind, installed
from tokaudit.report.writer import WRITERS
from tokaudit.runtimes.registry import ADAPTERS
from tokaudit.subject.formats import FORMATS

KINDS: tuple[Kind[Any], ...] = (CHECKS, NEEDS, FORMATS, ADAPTERS, WRITERS)
FOUND = {kind.word: dict(installed(kind).by_name) for kind in KINDS}


def every(*kinds: Kind[Any]) -> dict[str, Any]:
    """Each plug-in of these kinds, by the kind's word and its name."""
    return {
        f"{kind.word} {name}": plugin for kind in kinds for name, plugin in FOUND[kind.word].items()
    }
