"""Settings that no loader is known to read."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit_suites.config.rows import KNOWN, TOKENIZER
from tokaudit_suites.config.stated import StatedKeys
from tokaudit_suites.wording import plural, some

TOKEN = "_token"  # a token of the model's own, such as boi_token


@check(
    "config/unknown-keys",
    title="Every key of tokenizer_config.json is one that loaders know",
    why="A key that is misspelled, or meant for another class, is passed over without a word; what "
    "its author wanted does not happen.",
    remedy="Correct the spelling, or delete the key.",
    severity=Severity.INFO,
    basis=Basis.INTRINSIC,
    bad='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}\n'
    'tokenizer_config.json: {"pading_side": "left"}',
    good='tokenizer.json: {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}\n'
    'tokenizer_config.json: {"padding_side": "left"}',
)
def unknown_keys(keys: StatedKeys) -> Iterator[Finding]:
    """One finding that lists them all."""
    stated = [key for key in keys.all if key.file.endswith(TOKENIZER)]
    if not stated:
        raise NotApplicable("there is no tokenizer_config.json")
    strange = [key for key in stated if key.key not in KNOWN and not key.key.endswith(TOKEN)]
    if strange:
        names = some([repr(key.key[:60]) for key in strange], 12)
        yield Finding(
            Severity.INFO,
            f"{strange[0].file} has {plural(len(strange), 'key')} that no loader is known to read: "
            f"{names}.",
            tuple(key.place() for key in strange[:12]),
            cause="unknown",
        )
