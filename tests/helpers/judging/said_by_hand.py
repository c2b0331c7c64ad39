"""What the records that no library answers say, each kind in the words of its recorded answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from functools import cache
from typing import Any

from recorded_answers import HERE, Said

from tokaudit.subject.upstream import (
    checkpoints,
    conversion,
    records,
    sentence_encoders,
    setting_key,
)
from tokaudit.subject.upstream.engine_files import engine_statements
from tokaudit.subject.upstream.llama_cpp import gguf_patterns, gguf_tokens
from tokaudit.subject.upstream.llama_cpp.gguf_models import every_model, gguf_model
from tokaudit.subject.upstream.llama_cpp.gguf_splits import every_split, pre_tokenizer
from tokaudit.subject.upstream.model_class import Does, endings
from tokaudit.subject.upstream.model_type import KnownModelType, every_type, known_type
from tokaudit.subject.upstream.published import (
    confusables,
    known_encodings,
    speech_prompt,
    spellings,
)
from tokaudit.subject.upstream.template_engines import readings
from tokaudit.subject.upstream.tokenizer_class import class_named, every_class
from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer as built

TEXT = "It'ſ 12345 x²³ ÉcoleÉa's (a_b)… e\u0301a [東京]\n\n\t don't <sentinel:1>   ok"
"""A text that any two rules of llama.cpp cut at other places, if they differ at all."""

READ_PARTS = ("layout", "listed", "loading", "vocabulary", "bytes", "pipelines", "input", "sides")
"""The parts of a class that were read in its source."""


@cache
def recorded() -> Mapping[str, Said]:
    """The recorded answers by kind and name."""
    found: Mapping[str, Said] = json.loads((HERE / "by_hand.json").read_text("utf-8"))
    return found


def said_of_split(name: str) -> Said:
    """What follows from a name in `tokenizer.ggml.pre`."""
    known = every_split().get(name)
    if known is None:
        return {}
    options, of_model = pre_tokenizer(name, "pre").options, gguf_model("gpt2", name)
    return {
        "known": True,
        "pieces": None if options is None else built(pre_tokenizer(name, "pre"))(TEXT, True),
        **({"BOS": True} if of_model.begins_with_bos else {}),
        **({"id of BOS": None} if of_model.ends[0] is None else {}),
        **{
            key: True
            for key in ("whole_entries", "cleans_up", "marked", "unlisted")
            if getattr(known, key)
        },
    }


def said_of_rule(name: str) -> Said:
    """The pieces of a text by the name of a rule, or by one that the engine cuts otherwise.

    The patterns themselves are answers too, as no text needs every branch of them.
    """
    return {
        "pieces": said_of_split(name)["pieces"],
        "patterns": list(gguf_patterns.SPLITS.get(name, ())),
        "written by the engine": list(gguf_patterns.OF_THE_ENGINE.get(name, ())),
    }


def said_of_gguf_model(name: str) -> Said:
    """What the engine does for a model."""
    return stated_of(asdict(every_model()[name])) if name in every_model() else {}


def said_of_gguf_token(name: str) -> Said:
    """Of which type a token is by its text, and by what is there with it."""
    other = gguf_tokens.unless().get(name)
    return {
        "type": gguf_tokens.types().get(name),
        **({} if other is None else {f"type with {' '.join(r)}": other.type for r in other.rows}),
    }


def said_of_gap(name: str) -> Said:
    """By what the marker of a gap is found."""
    return stated_of(asdict(gguf_tokens.gaps()[name])) if name in gguf_tokens.gaps() else {}


def said_of_spaces(name: str) -> Said:
    """Which tokens take white space, and when."""
    return stated_of(asdict(gguf_tokens.spaces()[name])) if name in gguf_tokens.spaces() else {}


def said_of_construct(name: str) -> Said:
    """What engines make of a construct of templates."""
    known = readings().get(name)
    return {} if known is None else {"always": known.always, **known.effects}


def said_of_role(name: str) -> Said:
    """How the token of a role is spelled, and how that of no other is."""
    alone = spellings.spelled_alone().get(name, ())
    return {"spelled": list(spellings.spelled(name)), "alone": list(alone)}


def said_of_unlisted(name: str) -> Said:
    """The tokens of a file that lists none."""
    known = name in records.hand_written(records.SPELLINGS)["without_list"]
    return {"tokens": list(spellings.control_tokens_without_list())} if known else {}


def said_of_conversion(name: str) -> Said:
    """The steps that a conversion writes down."""
    steps = conversion.written_normalizers().get(name, ())
    return {"steps": [step.to_json() for step in steps]}


def said_of_scores(name: str) -> Said:
    """By how much a score is lowered, and whose."""
    if name not in records.hand_written(records.CONVERSIONS)["scores"]:
        return {}
    known = conversion.lowered_commas()
    return {"ends in": known.ends_in.pattern, "lower by": known.lower_by}


def said_of_nested_config(name: str) -> Said:
    """Whether the config of a part is read, and whether the part reads text."""
    read, of_text = checkpoints.nested_parts(), checkpoints.parts_that_read_text()
    return {"is read": name in read, "reads text": name in of_text}


def said_of_size(name: str) -> Said:
    """What a key of a config is the size of."""
    width, whole = checkpoints.width_keys(), checkpoints.sizes_of_a_whole()
    more = name in checkpoints.keys_of_more_rows()
    found = {"width": name in width, "of a whole": name in whole, "more rows": more}
    return {**found, "added rows": True} if name in checkpoints.keys_of_added_rows() else found


def said_of_tensor(name: str) -> Said:
    """What the rows of a tensor are for."""
    inputs, outputs = checkpoints.embedding_names(), checkpoints.output_names()
    positions = checkpoints.position_names()
    found = {"in": name in inputs, "out": name in outputs, "position": name in positions}
    if name in checkpoints.whole_embedding_names():
        return {**found, "in": "as a whole name"}
    return {**found, "bias": True} if name in checkpoints.bias_names() else found


def said_of_stated_rows(name: str) -> Said:
    """What the rows of matrices are, of which models, and what counts them."""
    row = checkpoints.stated_rows().get(name)
    stated = {} if row is None else as_json(asdict(row))
    return {key: value for key, value in stated.items() if value and key != "source"}


def said_of_statement(name: str) -> Said:
    """The effect of a statement in the engine that reads it, and how it is compared."""
    rows = (each for each in engine_statements() if f"{each.file} {each.at}" == name)
    stated = {f"{each.engine} {each.states}": as_json(asdict(each)) for each in rows}
    left_out = ("source", *(k for each in stated.values() for k, v in each.items() if v is None))
    return {key: {k: v for k, v in e.items() if k not in left_out} for key, e in stated.items()}


def said_of_key(name: str) -> Said:
    """What loaders take for a key."""
    return stated_of({"takes": setting_key.taken_kinds().get(name)})


def said_of_ending(name: str) -> Said:
    """What a model class does whose name ends so."""
    return stated_of({"does": [does for does in Does if name in endings(does)]})


def said_of_quantised(name: str) -> Said:
    """Whether a tensor of that name is a packed matrix, or the scales of one."""
    packed, scales = checkpoints.packed_names(), checkpoints.scale_names()
    return {"packed": name in packed, "scale": name in scales}


def read_classes() -> list[str]:
    """The classes of which more was read than where their ids come from."""
    read = {name: (records.class_record(name) or {})[records.BY_HAND] for name in every_class()}
    return [name for name, said in read.items() if said.keys() - {"ids", "builds"}]


def said_of_class(name: str) -> Said:
    """What was read of a class that no library shows."""
    known = class_named(name)
    if known is None:
        return {}
    settings = {key: [value.four, value.five] for key, value in known.settings.items()}
    has = [known.four, known.five]
    return {"source": known.source, "has": has, "files": list(known.files), **settings}


def said_of_reading(name: str) -> Said:
    """What was read in the source of a class, by the part of it."""
    known = class_named(name)
    if known is None:
        return {}
    parts = {part: getattr(known, part) for part in READ_PARTS}
    said = {
        f"{part} {own.name}": value
        for part, each in parts.items()
        if each is not None
        for own in fields(each)
        if (value := getattr(each, own.name)) or value not in (own.default, None, {})
    }
    return as_json({"ids": known.ids, "builds": known.builds, "tail": known.tail, **said})


def said_of_encoding(name: str) -> Said:
    """Which encoding a rank file is, by its digest, and the tokens that it does not list."""
    digest = recorded().get(f"encoding {name}", {}).get("sha256", "")
    found = known_encodings.by_digest(digest)
    if found is None:
        return {}
    named, known = found
    special = sorted(known.special.items(), key=lambda pair: pair[1])
    ends = [[token, id] for token, id in (special[0], special[-1])]
    return {
        "name": named,
        "sha256": known.sha256,
        "ranks": known.ranks,
        "cache": known.cache_name,
        "pattern": known.pattern,
        "special": len(special),
        "ends": ends,
        "digest of special": hashlib.sha256(json.dumps(special).encode()).hexdigest(),
    }


def said_of_module(name: str) -> Said:
    """What a module needs, and which widths it takes and gives."""
    known = sentence_encoders.encoder_modules().get(name)
    return {} if known is None else {key: at for key, at in as_json(asdict(known)).items() if at}


def said_of_speech(name: str) -> Said:
    """What a token of the prompt of speech is for, where it is put, and whether it is a task."""
    is_for = speech_prompt.recorded_tokens().get(name)
    place = speech_prompt.kind_of(name)
    return {} if is_for is None else stated_of({"is for": is_for, "is after the start": place})


def said_of_form(name: str) -> Said:
    """Which texts are written like the tokens of languages, or of times."""
    if name not in records.hand_written(records.SPEECH)["written"]:
        return {}
    texts = ("<|en|>", "<|yue|>", "<|EN|>", "<|engl|>", "<|0.00|>", "<|30.00|>", "<|30|>")
    known = {
        "language": lambda text: speech_prompt.kind_of(text) == speech_prompt.LANGUAGE,
        "time": speech_prompt.is_time,
    }
    return {"is written": [text for text in texts if known[name](text)]}


def said_of_times(name: str) -> Said:
    """Between which times the others lie, and how many there are."""
    if name not in records.hand_written(records.SPEECH)["times"]:
        return {}
    every = speech_prompt.times()
    return {"step": {"first": [*every[:2]]}, "count": {"of all": len(every), "last": every[-1]}}[
        name
    ]


def said_of_look(name: str) -> Said:
    """The characters that look like one of ASCII."""
    return stated_of({"looks": "".join(confusables.looking_like(name))})


def said_of_type(name: str) -> Said:
    """What was read of a model type."""
    known = known_type(name)
    return {} if known is None else dict(_read(known))


def _read(known: KnownModelType) -> Iterator[tuple[str, Any]]:
    if start := known.decoder_start:
        yield "decoder begins with", start.begins_with
        yield "another start is", start.otherwise
    for key, each in known.treats.items():
        yield f"treats {key}", each.does if each.value is None else [each.value, each.does]
    if known.positions:
        yield "positions", known.positions.value
    if known.begins_with_bos:
        yield "begins with BOS", True
    if any(known.tokenizers):
        yield "tokenizer", list(known.tokenizers)


def read_types() -> list[str]:
    """The model types of which something was read."""
    return [n for n in every_type() if (records.type_record(n) or {}).get(records.BY_HAND)]


def stated_of(said: Mapping[str, Any]) -> Said:
    """The fields that say something, as JSON has them."""
    return as_json({key: value for key, value in said.items() if value})


def as_json(said: Mapping[str, Any]) -> Said:
    """Answers as JSON has them."""
    found: Said = json.loads(json.dumps(said))
    return found
