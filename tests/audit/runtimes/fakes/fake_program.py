"""A program that speaks JSON lines, as `cmd:` expects of any language."""

from __future__ import annotations

import json
import sys

for line in sys.stdin:
    question = json.loads(line)
    if question["op"] == "decode":
        answer: object = {"text": "".join(map(chr, question["ids"]))}
    elif question["text"] == "refuse":
        answer = {"error": "not this one"}
    elif question["text"] == "nonsense":
        answer = ["no object"]
    else:
        answer = {"ids": [ord(character) for character in question["text"]]}
    print(json.dumps(answer), flush=True)
