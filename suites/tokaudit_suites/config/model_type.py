"""A kind of model that no version of transformers finds under its name."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.upstream.model_class import model_classes
from tokaudit.subject.upstream.records import type_names
from tokaudit_suites.shared.repairs import person_decides, repaired, setting
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.wording import quote

MODEL, KEY, OWN_CODE = "config.json", "model_type", "auto_map"
ENDS = ("For", "Model", "LMHead")
"""What follows the kind of model in the name of a class."""


@check(
    "config/model-type",
    title="Transformers knows the type of the model",
    why="AutoConfig finds the class of a config by model_type alone. Without it, or under another "
    "name, neither the model nor the classes that its type implies are found.",
    remedy="Write the type into {pointer|model_type} of {file|config.json}.",
    repair=person_decides("which type the model is of"),
    severity=Severity.WARNING,
    harm=Harm.CRASH,
    milder="A newer version of transformers, or another engine, may know the type.",
    basis=Basis.CROSS_FILE,
    incident="'Should have a `model_type` key in its config.json' is what users of checkpoints "
    "without one get (huggingface/transformers #42381, #44496).",
)
def model_type(subject: Subject, keys: StatedKeys) -> Iterator[Finding]:
    """Compare the type with that of the model's class, where transformers has the class."""
    own = {key.key: key for key in keys.all if key.file == MODEL}
    named = next((name for name in model_classes(subject) if _type_of(name)), None)
    if named is None or OWN_CODE in own:
        raise NotApplicable("no config of a model names a class of transformers")
    stated = own[KEY].value if KEY in own else None
    if stated in type_names():
        return
    wanted = _type_of(named)
    is_text = isinstance(stated, str)
    found = f"is {quote(str(stated))}, a type that no version has" if is_text else "is not stated"
    place = own[KEY].place() if KEY in own else Place("config", MODEL)
    yield Finding(
        Severity.WARNING,
        f"model_type in {MODEL} {found}; {named} is of the type {quote(wanted)}: AutoConfig of "
        "transformers raises, and the model is not loaded.",
        (place,),
        cause="unknown" if is_text else "unstated",
        repair=repaired(setting(MODEL, KEY, wanted)),
    )


def _type_of(name: str) -> str:
    """The model type whose class has this name; empty where there is none.

    >>> _type_of("XLMRobertaForMaskedLM"), _type_of("GPT2LMHeadModel"), _type_of("OwnModel")
    ('xlm-roberta', 'gpt2', '')
    """
    stems = (name[:at].lower() for end in ENDS if (at := name.find(end)) > 0)
    return next((_types()[stem] for stem in stems if stem in _types()), "")


@cache
def _types() -> dict[str, str]:
    """The types by their names in small letters alone, as classes have them."""
    return {name.replace("_", "").replace("-", "").lower(): name for name in type_names()}
