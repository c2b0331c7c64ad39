"""A program of JSON lines that gives another number of answers than it was asked for."""

from __future__ import annotations

import json
import sys

KNOWN = {"a": 0, "b": 1, " ": 2}
MORE, FEWER = "more", "fewer"


def answer(line: str) -> str:
    """What an honest program says."""
    question = json.loads(line)
    if question["op"] == "encode":
        return json.dumps({"ids": [KNOWN.get(each, 0) for each in question["text"]]})
    return json.dumps({"text": ""})


for number, line in enumerate(sys.stdin):
    if sys.argv[1] == MORE and number == 0:
        print(answer(line), flush=True)
    if sys.argv[1] == FEWER and number == 3:
        break  # and so the stream ends in the middle of a batch
    print(answer(line), flush=True)
