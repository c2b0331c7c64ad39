"""Question a program in one line of JSON, and read its answer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any


def answer_of(
    process: subprocess.Popen[bytes], question: Mapping[str, Any], called: str
) -> dict[str, Any]:
    """Return a program's answer; raise `RuntimeError` for an error or an exit."""
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(question).encode() + b"\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{called} ended with exit code {process.wait()}")
    answer = json.loads(line)
    if not isinstance(answer, dict):
        raise RuntimeError(f"{called} answered {line[:80]!r}, which is not a JSON object")
    if "error" in answer:
        raise RuntimeError(str(answer["error"]))
    return answer
