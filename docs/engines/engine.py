"""An engine that gives each byte of a text as its id, as `tokaudit.engine/1` asks."""

import json
import sys


def answer(asked):
    """The answer to one question."""
    if asked["op"] == "hello":
        can = ["decode", "batch"]
        return {"protocol": "tokaudit.engine/1", "name": "bytes", "version": "1", "can": can}
    if asked["op"] == "encode":
        return {"ids": [list(text.encode()) for text in asked["texts"]]}
    if asked["op"] == "decode":
        return {"texts": [bytes(ids).decode(errors="replace") for ids in asked["ids"]]}
    return {"error": "unknown op"}


for line in sys.stdin:
    try:
        found = answer(json.loads(line))
    except Exception as error:
        found = {"error": repr(error)}
    print(json.dumps(found), flush=True)
