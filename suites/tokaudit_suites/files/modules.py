"""Parts of a sentence encoder in modules.json that the folder lacks."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.upstream.versions import SENTENCE_TRANSFORMERS
from tokaudit.subject.weights import weight_files
from tokaudit_suites.shared.listed_modules import ListedModules
from tokaudit_suites.shared.repairs import base_decides

CONFIG = "config.json"


@check(
    "files/modules",
    title="Every module of a sentence encoder is here",
    why="sentence-transformers builds an encoder from the modules that modules.json names, each "
    "with the config in its own folder. If the folder of a module is missing, the encoder cannot "
    "be loaded.",
    remedy="Copy the missing folder from the base model, or save the model again.",
    repair=base_decides("the missing folder comes from the base, or from who saved the model"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    incident="Copies without 1_Pooling/config.json ended with FileNotFoundError "
    "(All-Hands-AI/OpenHands #580, huggingface/transformers #20310).",
)
def modules(subject: Subject, listed: ListedModules) -> Iterator[Finding]:
    """Look for the config of each module, if the encoder's weights exist."""
    if not listed.by_file:
        raise NotApplicable("no file lists the modules of a sentence encoder")
    if not weight_files(subject):
        raise NotApplicable("no weights are here, so nothing loads the encoder")
    here = {file.name for file in subject.files}
    for file, modules in listed.by_file.items():
        for module in modules:
            needs = module.known is not None and module.known.needs_config and module.path
            if needs and module.file(CONFIG) not in here:
                message = (
                    f"{file} names the module {module.path!r}, but the folder lacks "
                    f"{module.file(CONFIG)}: sentence-transformers {SENTENCE_TRANSFORMERS} stops "
                    "with an error when it loads the encoder."
                )
                yield Finding(Severity.ERROR, message, (module.place,), cause="missing module")
