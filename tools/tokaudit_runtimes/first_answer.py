"""`python first_answer.py NAME SUBJECT` prints what to install for a runtime, or its first answer.

It is run by the interpreter of a new environment, which has tokaudit and not this package.
"""

from __future__ import annotations

import sys

TEXT = "Hello world"


def first_answer(name: str, subject: str) -> str:
    """The version that answers with ids, or a line that begins with what is missing."""
    from tokaudit.engine.opening import subject_of
    from tokaudit.engine.settings.settings import BareFiles
    from tokaudit.runtimes.named_runtimes import named_runtime, runtime_request
    from tokaudit.runtimes.registry import lacks
    from tokaudit.runtimes.worker.client import WorkerTokenizer
    from tokaudit.subject.representations import parse_all

    runtime = named_runtime(name)
    if not runtime.place and (missing := lacks(runtime.adapter)):
        return f"missing: {missing}"
    opened = subject_of(subject, BareFiles())
    wanted = runtime_request(opened, parse_all(opened), runtime)
    with WorkerTokenizer(wanted.request) as tokenizer:
        ids = tokenizer.encode([TEXT])[0].ids
        return f"{tokenizer.info.package} {tokenizer.info.version}: {list(ids)}"


if __name__ == "__main__":
    print(first_answer(*sys.argv[1:]))
