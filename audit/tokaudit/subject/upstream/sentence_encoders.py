"""What sentence-transformers needs to build an encoder, and what it takes if nothing is stated."""

from __future__ import annotations

from functools import cache

from tokaudit.subject.upstream.records import ENCODERS, hand_written


@cache
def modules_with_config() -> frozenset[str]:
    """The kinds of modules that cannot be built without their config.json.

    >>> "Pooling" in modules_with_config(), "Normalize" in modules_with_config()
    (True, False)
    """
    stated = hand_written(ENCODERS)["modules"].items()
    return frozenset(kind for kind, said in stated if said["needs_config"])


@cache
def prompts_of_every_encoder() -> frozenset[str]:
    """The prompts that there are where the file states none."""
    stated = hand_written(ENCODERS)["prompts"].items()
    return frozenset(name for name, said in stated if said["always"])
