"""A stand-in tokenizer for a chat template without one: bytes and its markers.

That is enough to see turns, masks and lost words before there is a checkpoint.  Ids are stand-ins,
and so are the tokens of the roles that the template names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tokaudit.subject.configs import LARGEST_CONFIG
from tokaudit.subject.formats.bytes_alone import BYTES, EVERY_BYTE, FORMAT
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit_reference.spec import AddedToken, Component, ModelType, Standing, TokenizerSpec
from tokaudit_reference.steps.decoders.bytes_joined import Bytes

SUFFIX, ROLE = ".jinja", "template"
RULE = "a template alone is read with bytes, and its markers as added tokens"
MARKER = re.compile(r"</?[|｜]?[\w▁./:-]{1,60}[|｜]?>|\[\|?/?[A-Za-z_]{2,40}\|?\]")
TAG = re.compile(r"</?\w+>")  # of a call or of reasoning, which parsers look for in text
MOST = 500  # markers
STAND_INS = {"bos_token": "<|bos_token|>", "eos_token": "<|eos_token|>"}


def is_template(name: str) -> bool:
    """Return whether a name is that of a chat template file.

    >>> is_template("mine.jinja"), is_template("models/mine")
    (True, False)
    """
    return name.endswith(SUFFIX)


def template_alone(subject: Subject) -> SourceFile | None:
    """Return the template if it is the subject's only file; else None."""
    only = subject.files[0] if len(subject.files) == 1 else None
    return only if only is not None and only.role == ROLE and only.base.endswith(SUFFIX) else None


def stand_ins(subject: Subject) -> Mapping[str, str]:
    """Return stand-in tokens for the roles in a template alone."""
    file = template_alone(subject)
    text = "" if file is None else _text(file)
    return {name: token for name, token in STAND_INS.items() if name in text}


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build a spec of bytes, stand-ins and markers, in the template's order."""
    written = (*stand_ins(subject).values(), *MARKER.findall(_text(file)))
    markers = list(dict.fromkeys(written))[:MOST]

    def stage(options: Mapping[str, object] | None = None) -> Component:
        return Component(options, Standing.IMPLIED, RULE)

    return TokenizerSpec(
        model_type=ModelType.BPE,
        pieces=dict(enumerate(EVERY_BYTE)),
        byte_level=True,
        merges=(),
        added_tokens=tuple(
            AddedToken(id, content, special=TAG.fullmatch(content) is None, normalized=False)
            for id, content in enumerate(markers, BYTES)
        ),
        normalizer=stage(),
        pre_tokenizer=stage(),
        post_processor=stage(),
        decoder=stage(Bytes().to_json()),
        format=FORMAT.name,
        files=(file.name,),
        ids_rule=RULE,
    )


def _text(file: SourceFile) -> str:
    return read_bytes(file, LARGEST_CONFIG).decode("utf-8", "replace")
