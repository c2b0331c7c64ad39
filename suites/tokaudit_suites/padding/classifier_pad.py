"""A classifier that finds a text's last token by a pad id missing from its config."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Decider,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Place,
    Severity,
    Subject,
    check,
    decision,
)
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.upstream.checkpoints import last_token_classifiers, parts_that_read_text
from tokaudit.subject.upstream.model_class import model_classes
from tokaudit.subject.upstream.model_type import value_of
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides, repaired, setting
from tokaudit_suites.shared.stated_roles import role_tokens
from tokaudit_suites.shared.uses import for_use
from tokaudit_suites.shared.vocab_entries import id_of

CONFIG, KEY = "config.json", "pad_token_id"


@check(
    "padding/classifier-pad",
    title="A last-token classifier's config has a pad id",
    why="A model that classifies a text by its last token uses pad_token_id in config.json to "
    "find this token, whichever token the tokenizer pads with. Without pad_token_id in "
    "config.json, a model that classifies a text by its last token refuses a batch of more than "
    "one text.",
    remedy="Write the id of the pad token as pad_token_id into config.json.",
    repair=person_decides("no file says which token pads the model's inputs"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Rerankers stopped with 'Cannot handle batch sizes > 1 if no padding token is "
    "defined' (huggingface/transformers #35352).",
)
def classifier_pad(subject: Subject, spec: TokenizerSpec, options: Options) -> Iterator[Finding]:
    """Check the model's config, or else the default of its class."""
    classes = [name for name in model_classes(subject) if name in last_token_classifiers()]
    file, config = settings_file(subject, CONFIG), settings_object(subject, CONFIG)
    if not classes or file is None:
        raise NotApplicable("no config names a class that classifies by the last token")
    inner = (config.get(key) for key in parts_that_read_text())
    parts = [config, *(part for part in inner if isinstance(part, dict))]
    own = value_of(str(config.get("model_type")), KEY)
    if any(part.get(KEY) is not None for part in parts) or (own and any(own.by_version().values())):
        return
    pad = next((id_of(spec, token) for _, token in role_tokens(subject, "pad")), None)
    found = Finding(
        Severity.WARNING,
        f"{file.name} states no {KEY}, the id that {classes[0]} uses to find the last token of a "
        f"text: {' and '.join(VERSIONS)} refuse a batch of more than one text, even if the "
        "tokenizer has a pad token.",
        (Place("special_roles", file.name, f"/{KEY}" if KEY in config else ""),),
        cause="no pad id",
        repair=decision(Decider.PERSON, "no file names a pad token")
        if pad is None
        else repaired(setting(file.name, KEY, pad)),
    )
    yield for_use(found, options, {"classification": Severity.ERROR})
