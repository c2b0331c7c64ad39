"""Find the component that crashes the upstream library, by trying each alone."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_reference.spec import TokenizerSpec

ASKED = ("normalizer", "pre_tokenizer", "post_processor")
PROCESSOR = 2.0  # seconds; the text had more before it was given up
SMALLEST = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}


@dataclass(frozen=True)
class Costly:
    """Tries the components of one tokenizer, each with the smallest possible model."""

    spec: TokenizerSpec
    limits: WorkerLimits

    def component(self, text: str) -> str:
        """Return the first component that crashes like the whole tokenizer; empty if none does."""
        stages = (stage for stage in ASKED if getattr(self.spec, stage).options)
        return next((stage for stage in stages if self._kills(stage, text)), "")

    def _kills(self, stage: str, text: str) -> bool:
        limits = replace(self.limits, processor=PROCESSOR, encoder=4 * PROCESSOR)
        with tempfile.TemporaryDirectory(prefix="tokaudit-") as folder:
            path = Path(folder, "tokenizer.json")
            path.write_text(json.dumps(_alone(stage, getattr(self.spec, stage).options)))
            request = LoadRequest("tokenizers", str(path))
            with WorkerTokenizer(request, limits=limits) as tokenizer:
                try:
                    return tokenizer.encode([text])[0].killed
                except (UpstreamTrouble, OutOfTime):
                    return False


def _alone(stage: str, options: Any) -> dict[str, Any]:
    """Build a file with only one component of ours."""
    others = dict.fromkeys((*ASKED, "decoder", "truncation", "padding"))
    return {"version": "1.0", "added_tokens": [], **others, stage: options, "model": SMALLEST}
