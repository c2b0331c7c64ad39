"""Model types that no version of transformers knows."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.effective.loaders import CURRENT
from tokaudit.subject.effective.settings_object import settings_file
from tokaudit.subject.upstream.model_class import model_classes, type_of_class
from tokaudit.subject.upstream.records import type_names
from tokaudit_suites.shared.near_names import nearest_key
from tokaudit_suites.shared.repairs import person_decides, repaired, setting
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.wording import quote

MODEL, KEY, OWN_CODE, CLASSES = "config.json", "model_type", "auto_map", "architectures"
ENDS = (  # of the names of classes of models
    *("ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ForMaskedLM", "Model"),
    *("ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering"),
)


@check(
    "config/model-type",
    title="Transformers knows the type of the model",
    why="AutoConfig chooses the class of a config only by the key model_type. If model_type is "
    "missing or unknown, transformers finds neither the model's class nor the other classes that "
    "belong to this type of model.",
    remedy="Write the model's type into {pointer|model_type} of {file|config.json}.",
    repair=person_decides("which type the model is of"),
    severity=Severity.WARNING,
    harm=Harm.CRASH,
    milder="A newer version of transformers, or another engine, may know the type.",
    basis=Basis.CROSS_FILE,
    incident="'Should have a `model_type` key in its config.json' is what users of checkpoints "
    "without one get (huggingface/transformers #42381, #44496).",
)
def model_type(subject: Subject, keys: StatedKeys) -> Iterator[Finding]:
    """Compare the type with the type of the model's class, if transformers has the class."""
    file = settings_file(subject, MODEL)
    own = {key.key: key for key in keys.all if file is not None and key.file == file.name}
    misspelt = [] if OWN_CODE in own else [*_misspelt(subject, own.get(CLASSES))]
    if misspelt:
        yield from misspelt
        return
    named = next((name for name in model_classes(subject) if type_of_class(name)), None)
    if named is None or file is None or OWN_CODE in own:
        raise NotApplicable("no config names a class of models whose type is known")
    stated = own[KEY].value if KEY in own else None
    if stated in type_names():
        return
    wanted = type_of_class(named)
    is_text = isinstance(stated, str)
    found = f"is {quote(str(stated))}, an unknown type" if is_text else "is not stated"
    four, five = (loader.name for loader in CURRENT)
    raising = f"{four} and {five} find no class for the config, and do not load the model"
    if not is_text:  # version 4 looks for one in the name of the folder
        raising = f"{five} does not load the model, and {four} does only if the folder's name "
        raising += "contains a type"
    place = own[KEY].place() if KEY in own else Place("config", file.name)
    yield Finding(
        Severity.WARNING,
        f"model_type in {file.name} {found}, but the class {named} has the type "
        f"{quote(wanted)}: {raising}.",
        (place,),
        cause="unknown" if is_text else "unstated",
        repair=repaired(setting(file.name, KEY, wanted)),
    )


def _misspelt(subject: Subject, stated: StatedKey | None) -> Iterator[Finding]:
    """Report class names of a known type whose ending is a misspelling."""
    for name in model_classes(subject):
        end = _meant(name)
        if stated is not None and end:
            yield Finding(
                Severity.WARNING,
                f"{CLASSES} in {stated.file} names {quote(name)}, a class that no library has: "
                f"such names end in {quote(end)}. Engines that look the class up by its name, "
                "such as vLLM, do not load the model.",
                (stated.place(),),
                remedy=f"Correct the name of the class in {CLASSES} of {stated.file}.",
                cause="class",
            )


def _meant(name: str) -> str | None:
    """Return the ending that a class name should have; None if it is already correct."""
    if name.endswith(ENDS):
        return None
    at = name.lower().find("for")
    end = next((end for end in ENDS if name.lower().endswith(end.lower())), None)
    near = end or (nearest_key(name[at:], ENDS) if at > 0 else None)
    stem = name[: -len(near)] if end and near else name[:at]
    return near if near and type_of_class(f"{stem}{near}") else None
