"""Settings that contradict what the tokenizer's own files do."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.config._judges import known_token
from tokaudit_suites.config._row import Ground
from tokaudit_suites.config._rows import Rules
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.stated_keys import StatedKeys


@check(
    "config/rules",
    title="The settings beside the tokenizer fit what its files do",
    why="Loaders lay the settings over the tokenizer. One that names a token or an id that is not "
    "there, a path outside of the folder or a switch that the tokenizer does not have gives other "
    "ids in the library that reads it than in the one that does not.",
    remedy="Correct {pointer|the key} in {file|the file named}, or delete it.",
    severity=Severity.ERROR,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Stated ids of added tokens were ignored and the tokens numbered anew "
    "(huggingface/transformers PR#48446).",
)
def rules(
    keys: StatedKeys,
    table: Rules,
    subject: Subject,
    spec: TokenizerSpec,
    configs: ForeignConfigs,
) -> Iterator[Finding]:
    """Ask the rule of each key that the table has one for.

    Tokens that a file of another tokenizer names are one fault, which files/foreign-config says.
    """
    if not keys.all:
        raise NotApplicable("no settings file is beside the tokenizer")
    ground = Ground(subject, spec, keys.all)
    for stated in keys.all:
        for row in table.by_file.get(stated.base, ()):
            if row.key != stated.key or row.judge is None or stated.value is None:
                continue
            if row.judge is not known_token or stated.file not in configs.lost:
                yield from row.judge(ground, stated)
