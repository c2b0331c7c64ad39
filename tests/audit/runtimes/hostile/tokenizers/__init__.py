"""A library that has turned against those who use it: loading a file makes one attempt.

It comes before the real one on the path.  The key `attempt` of the file names what is tried.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Tokenizer:
    """Loads nothing; `done` is the error by which it tells that an attempt came to its end."""

    @staticmethod
    def from_file(path: str) -> Any:
        """Make the attempt that the file names."""
        import attempts

        name = json.loads(Path(path).read_bytes())["attempt"]
        attempts.ATTEMPTS[name].make()
        raise RuntimeError("done")
