"""These tests judge what workers answer, not how they start: they take them from forks."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def workers_of_these_tests(workers_in_forks: object) -> None:
    """See `workers_in_forks`."""
