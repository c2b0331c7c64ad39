"""A vision model in a folder without its processor's settings."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Place,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_suites.shared.repairs import base_decides
from tokaudit_suites.shared.uses import for_use

CONFIG, VISION = "config.json", "vision_config"
MARKS = ("image_token_id", "image_token_index", "video_token_id")
SETTINGS = ("preprocessor_config.json", "processor_config.json", "video_preprocessor_config.json")


@check(
    "files/processor",
    title="The processor that the model needs is present",
    why="A vision model gets images through a processor, which loaders build from a config file "
    "of its own. Without the processor's config file, the model takes only text, and the first "
    "request with an image fails.",
    remedy="Copy preprocessor_config.json, or processor_config.json, from the base.",
    repair=base_decides("no file of this folder has the settings of the processor"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="A merged checkpoint of a vision model had no preprocessor_config.json, and its "
    "processor did not load (unslothai/unsloth #4671).",
)
def processor(subject: Subject, options: Options) -> Iterator[Finding]:
    """Look for a vision part and its placeholder token, and for a processor's settings."""
    file, config = settings_file(subject, CONFIG), settings_object(subject, CONFIG)
    mark = next((key for key in MARKS if isinstance(config.get(key), int)), "")
    if file is None or not mark or not isinstance(config.get(VISION), dict):
        raise NotApplicable("no config has a part for pictures and a token in their place")
    if any(settings_file(subject, name) is not None for name in SETTINGS):
        return
    places = (
        Place("config", file.name, f"/{VISION}"),
        Place("config", file.name, f"/{mark}", config[mark]),
    )
    found = Finding(
        Severity.WARNING,
        f"{file.name} belongs to a model that takes images, but there is no {SETTINGS[0]} and no "
        f"{SETTINGS[1]}: {' and '.join(VERSIONS)} load no processor from this folder.",
        places,
        cause="no processor",
    )
    yield for_use(found, options, {"serving": Severity.ERROR})
