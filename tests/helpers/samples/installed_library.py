"""The installed version of Hugging Face's tokenizers, where it is older than the one followed."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from tokaudit_reference.library_versions import older_version

OLDER = older_version(version("tokenizers"))
of_the_newest = pytest.mark.skipif(OLDER != "", reason=f"tokenizers {OLDER} does otherwise")
