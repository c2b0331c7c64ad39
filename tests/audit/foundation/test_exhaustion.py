"""What Python and its libraries make of a refused allocation is a limit, and no bug of ours."""

from __future__ import annotations

import pytest

from tokaudit.foundation.exhaustion import refused_by_system

AFTER_A_REFUSED_ALLOCATION = [
    RuntimeError("can't start new thread"),
    RuntimeError("can't allocate lock"),
    RuntimeError("can't allocate read lock"),
    ValueError("[digital envelope routines] not able to copy ctx"),
    ValueError("unmarshallable object"),
    SystemError("error return without exception set"),
]


@pytest.mark.parametrize("error", AFTER_A_REFUSED_ALLOCATION, ids=str)
def test_an_error_in_other_words_is_a_limit_of_the_process(error: Exception) -> None:
    assert refused_by_system(error) == f"ended by a limit of this process: {error}"


def test_an_error_while_another_was_dealt_with_is_looked_through() -> None:
    masking = AttributeError("'_StoreAction' object has no attribute 'save_nargs'")
    masking.__context__ = MemoryError()
    assert refused_by_system(masking) == "ended by a limit of this process: out of memory"
