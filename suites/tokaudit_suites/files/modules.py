"""Parts of a sentence encoder that modules.json names and the folder lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    UnreadableError,
    check,
)
from tokaudit.subject.safe_json import parse
from tokaudit.subject.upstream.sentence_encoders import modules_with_config
from tokaudit.subject.weights import weight_files
from tokaudit_suites.shared.repairs import base_decides

LISTED, CONFIG = "modules.json", "config.json"


@check(
    "files/modules",
    title="Every module of a sentence encoder is here",
    why="sentence-transformers builds an encoder from the modules that modules.json names, each "
    "from the config in its own folder. Where a copy left that folder out, loading ends.",
    remedy="Copy the folder that is named from the base model, or save the model again.",
    repair=base_decides("the missing folder comes from the base, or from who saved the model"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    incident="Copies without 1_Pooling/config.json ended with FileNotFoundError "
    "(All-Hands-AI/OpenHands #580, huggingface/transformers #20310).",
)
def modules(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Look for the config of each module, where the weights of the encoder are here."""
    listed = [file for file in subject.files if file.base == LISTED and not file.impostor]
    if not listed:
        raise NotApplicable("no file lists the modules of a sentence encoder")
    if not weight_files(subject):
        raise NotApplicable("no weights are here, so nothing loads the encoder")
    here = {file.name for file in subject.files}
    for file in listed:
        above = file.name.removesuffix(LISTED)
        for pointer, path in _with_a_config(contents, file):
            if f"{above}{path}/{CONFIG}" not in here:
                message = (
                    f"{file.name} names the module {path!r}, and {above}{path}/{CONFIG} is not "
                    "here: sentence-transformers stops when it loads the encoder."
                )
                yield Finding(
                    Severity.ERROR,
                    message,
                    (Place("config", file.name, pointer, path),),
                    cause="missing module",
                )


def _with_a_config(contents: Contents, file: SourceFile) -> Iterator[tuple[str, str]]:
    """The pointer and the folder of each module that needs a config."""
    try:
        found: Any = parse(contents.whole(file), file.name)
    except UnreadableError:
        return  # files/parse says so
    for at, module in enumerate(found if isinstance(found, list) else ()):
        stated = module if isinstance(module, dict) else {}
        path, kind = stated.get("path"), stated.get("type")
        needs = isinstance(kind, str) and kind.rpartition(".")[2] in modules_with_config()
        if isinstance(path, str) and path and needs:
            yield f"/{at}/path", path.strip("/")
