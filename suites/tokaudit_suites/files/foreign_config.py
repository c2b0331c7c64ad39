"""Configs copied from another model."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Place, Severity, check
from tokaudit_suites.shared.foreign_configs import ForeignConfigs
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import quote, some


@check(
    "files/foreign-config",
    title="No config belongs to another tokenizer",
    why="A config file that belongs to another model names tokens that this tokenizer does not "
    "have. If only a config names a token, loaders add the token after the vocabulary, at an id "
    "without an embedding row of its own, or split the token's text into pieces.",
    remedy="Name this tokenizer's own special tokens in {file|the config}.",
    repair=person_decides("the config is another tokenizer's, and this one's own is not here"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="A tokenizer_config.json of another model made loaders add its tokens after the "
    "vocabulary (huggingface/transformers #24650 shows what wrong role ids then do).",
)
def foreign_config(configs: ForeignConfigs) -> Iterator[Finding]:
    """Report all such files and roles in one finding."""
    if not configs.lost:
        return
    roles = {role: text for lost in configs.lost.values() for role, text in lost.items()}
    names = [f"{quote(text)} ({role})" for role, text in roles.items()]
    files = list(configs.lost)
    name = "names" if len(files) == 1 else "name"
    yield Finding(
        Severity.ERROR,
        f"{some(files)} {name} special tokens that the tokenizer does not have: {some(names, 7)}.",
        tuple(Place("config", file) for file in files),
        cause="foreign",
    )
