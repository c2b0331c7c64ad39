"""Files of other engines that contradict the tokenizer next to them."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_suites.config._engine_rules import RULES
from tokaudit_suites.config._engine_statements import EngineStatements
from tokaudit_suites.shared.repairs import person_decides


@check(
    "config/engine-files",
    title="Files of other engines fit the tokenizer",
    why="A converted or exported model holds a second copy of the vocabulary, the special ids and "
    "the sizes, in files that only one inference engine reads. If the tokenizer changes after the "
    "export, the engine's files stay the same, and the engine reads wrong tokens or never stops.",
    remedy="Convert the model again with this tokenizer, or correct {pointer|the key} in "
    "{file|the file named}.",
    repair=person_decides("the weights fit one of the two, and no file says which"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Training ran to its end with a loss of zero, since the index of the token for "
    "classes was that of another one (urchade/GLiNER #332).",
)
def engine_files(statements: EngineStatements) -> Iterator[Finding]:
    """Compare each statement by the rule of its form."""
    if not statements.all:
        raise NotApplicable("no file of another engine states anything of the tokenizer")
    for stated in statements.all:
        yield from RULES[stated.row.states](statements.tokenizer, stated)
