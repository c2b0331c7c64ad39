"""What tests of llama.cpp itself need: the extra, or the line that installs it."""

from __future__ import annotations

import pytest

from tokaudit.runtimes.registry import lacks_its_extra

NAME = "llama.cpp"
MISSING = lacks_its_extra(NAME)
runs_llama_cpp = pytest.mark.skipif(bool(MISSING), reason=MISSING)
