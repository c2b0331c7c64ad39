"""What the records that no library answers say, kind by kind, and the room without one of them.

Their recorded answers were read in the source that each record names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial

import pytest
import recorded_answers
from recorded_answers import NOTHING, Said
from room_without import (
    without_class,
    without_encoding,
    without_entry,
    without_family_of,
    without_look,
    without_other,
    without_part,
    without_reading,
    without_rule,
    without_setting,
    without_statement,
    without_token,
)
from said_by_hand import (
    as_json,
    read_classes,
    read_types,
    recorded,
    said_of_class,
    said_of_construct,
    said_of_conversion,
    said_of_encoding,
    said_of_ending,
    said_of_form,
    said_of_gap,
    said_of_gguf_model,
    said_of_gguf_token,
    said_of_key,
    said_of_look,
    said_of_module,
    said_of_nested_config,
    said_of_quantised,
    said_of_reading,
    said_of_role,
    said_of_rule,
    said_of_scores,
    said_of_size,
    said_of_spaces,
    said_of_speech,
    said_of_split,
    said_of_stated_rows,
    said_of_statement,
    said_of_tensor,
    said_of_times,
    said_of_type,
    said_of_unlisted,
)
from said_of_family import said_of_family, said_of_files, with_family
from said_of_settings import other_keys, read_keys, said_of_fields, said_of_other, said_of_sound
from upstream_room import ROOM, without

from tokaudit.report.comparison import Purpose
from tokaudit.subject.upstream import (
    checkpoints,
    clean_up,
    conversion,
    precedence,
    records,
    sentence_encoders,
    setting_key,
)
from tokaudit.subject.upstream.engine_files import engine_statements
from tokaudit.subject.upstream.llama_cpp import gguf_patterns, gguf_tokens
from tokaudit.subject.upstream.llama_cpp.gguf_models import (
    converted_architectures,
    converter_takes,
    every_model,
    families,
    needs_bos,
)
from tokaudit.subject.upstream.llama_cpp.gguf_splits import every_split
from tokaudit.subject.upstream.model_class import Does, endings
from tokaudit.subject.upstream.published import (
    confusables,
    known_encodings,
    mistral_common,
    speech_prompt,
    spellings,
)
from tokaudit.subject.upstream.purposes import EngineRule, engine_rules
from tokaudit.subject.upstream.template_engines import readings

Without = Callable[[pytest.MonkeyPatch, str], AbstractContextManager[None]]


IN_NO_LIBRARY = ("MistralCommonTokenizer", "Pop2PianoTokenizer")
"""Classes that neither version shows without packages of others, so that nothing draws them."""


@dataclass(frozen=True)
class ByHand:
    """Records of one kind: their names, what they say, and the room without one."""

    names: Callable[[], Iterable[str]]
    said: Callable[[str], Said]
    without: Without
    sections: tuple[tuple[str, str], ...] = ()  # the files and tables of them that are of the kind
    lists: tuple[tuple[str, str], ...] = ()  # the files and lists at their top that are


def lost(kind: str, name: str) -> list[str]:
    """Each recorded answer that the record does not give: whose, which, the recorded and ours."""
    said = KINDS[kind].said(name)
    return [
        f"{kind} {name}: {answer} is {theirs!r} in the source, and {ours!r} here"
        for answer, theirs in recorded().get(f"{kind} {name}", {}).items()
        if (ours := said.get(answer, NOTHING)) != theirs
    ]


def _section(
    file: str, above: str, names: Callable[[], Iterable[str]], said: Callable[[str], Said]
) -> ByHand:
    return ByHand(names, said, partial(without_part, file, above), ((file, above),))


def _listed(file: str, listed: str, names: Callable[[], Sequence[str]]) -> ByHand:
    """The entries of a list at the top of a file, each with its place there."""

    def said(name: str) -> Said:
        return {"place": names().index(name)} if name in names() else {}

    return ByHand(names, said, partial(without_entry, file, listed), lists=((file, listed),))


def of_drafts() -> Mapping[str, EngineRule]:
    """The rule of each engine for a draft model."""
    return {rule.engine: rule for rule in engine_rules(Purpose.SPECULATIVE)}


def _own_needs(version: str) -> list[str]:
    """The tokens that a version needs and those before it do not."""
    known = mistral_common.versions()
    before = known[known.index(version) - 1 : known.index(version)] if version in known else ()
    earlier = {token for each in before for token in mistral_common.tokens_needed(each)}
    return [t for t in mistral_common.tokens_needed(version) if t not in earlier]


CLASSIFIER = "ForSequenceClassification"
RESERVED = (
    *("[unused12]", "<|reserved_special_token_7|>", "<|placeholder1|>", "<|dummy_9|>"),
    *("<SPECIAL_10>", "[PAD3]", "<|12|>", "<7>"),
)

KINDS: Mapping[str, ByHand] = {
    "class": ByHand(
        lambda: IN_NO_LIBRARY,
        said_of_class,
        without_class,
    ),
    "reading of": ByHand(read_classes, said_of_reading, without_reading),
    "files of": ByHand(with_family, said_of_files, without_family_of),
    "model type": ByHand(
        read_types, said_of_type, lambda patch, name: without(patch, records.TYPES, name)
    ),
    "family": ByHand(
        lambda: sorted(path.stem for path in (ROOM / records.PIPELINES).iterdir()),
        said_of_family,
        lambda patch, name: without(patch, records.PIPELINES, name),
    ),
    "setting": ByHand(read_keys, said_of_fields, without_setting),
    "other setting": ByHand(other_keys, said_of_other, without_other),
    "sound of": ByHand(
        lambda: [setting_key.MODEL],
        said_of_sound,
        lambda patch, name: without_setting(patch, f"{name}: {setting_key.LISTED}"),
    ),
    "first of": _section(
        records.PRECEDENCE,
        precedence.FIRST,
        precedence.precedences,
        lambda name: {"order": " > ".join(precedence.first_of(name))},
    ),
    "split": _section(records.SPLITS, "splits", every_split, said_of_split),
    "rule": ByHand(
        lambda: gguf_patterns.SPLITS | gguf_patterns.OF_THE_ENGINE, said_of_rule, without_rule
    ),
    "model of GGUF": _section(records.GGUF, "models", every_model, said_of_gguf_model),
    "family of GGUF": _section(
        records.GGUF, "families", families, lambda name: {"needs BOS": needs_bos(name)}
    ),
    "token of GGUF": ByHand(
        gguf_tokens.types,
        said_of_gguf_token,
        without_token,
        ((records.TOKENS, "types"), (records.TOKENS, "unless")),
    ),
    "gap": _section(records.TOKENS, "gaps", gguf_tokens.gaps, said_of_gap),
    "spaces": _section(records.TOKENS, "spaces", gguf_tokens.spaces, said_of_spaces),
    "construct": _section(records.ENGINES, "constructs", readings, said_of_construct),
    "role": _section(records.SPELLINGS, "roles", spellings.spelled_roles, said_of_role),
    "end of a turn": _section(
        records.SPELLINGS,
        "turn_ends",
        spellings.turn_ends,
        lambda name: {"family": spellings.turn_ends().get(name)},
    ),
    "start of a turn": _section(
        records.SPELLINGS,
        "turn_starts",
        spellings.turn_starts,
        lambda name: {"family": spellings.turn_starts().get(name)},
    ),
    "BOS of a family": _section(
        records.SPELLINGS,
        "begun_with",
        spellings.begun_with,
        lambda name: {"begins with": spellings.begun_with().get(name)},
    ),
    "mark that parsers read": _section(
        records.SPELLINGS,
        "read_after_decoding",
        spellings.read_after_decoding,
        lambda name: {"read by": spellings.read_after_decoding().get(name)},
    ),
    "reasoning": _section(
        records.SPELLINGS,
        "reasoning",
        spellings.reasoning,
        lambda name: {"ends with": spellings.reasoning().get(name)},
    ),
    "mark of a call": _section(
        records.SPELLINGS,
        "calls",
        lambda: spellings.tool_marks()["calls"],
        lambda name: {"marks a call": name in spellings.tool_marks()["calls"]},
    ),
    "mark of a result": _section(
        records.SPELLINGS,
        "results",
        lambda: spellings.tool_marks()["results"],
        lambda name: {"marks a result": name in spellings.tool_marks()["results"]},
    ),
    "reserved": _section(
        records.SPELLINGS,
        "reserved",
        lambda: ["names"],
        lambda name: {each: spellings.is_reserved(each) for each in RESERVED},
    ),
    "tokens without a list": _section(
        records.SPELLINGS,
        "without_list",
        lambda: ["mistral-common before v8"],
        said_of_unlisted,
    ),
    "conversion": _section(
        records.CONVERSIONS, "normalizers", conversion.written_normalizers, said_of_conversion
    ),
    "lowered score": _section(records.CONVERSIONS, "scores", lambda: ["commas"], said_of_scores),
    "cleaned up": _section(
        records.CLEAN_UP,
        "replaced",
        clean_up.replaced,
        lambda name: {"a text": clean_up.cleaned_up(f"a{name}b")},
    ),
    "statement": ByHand(
        lambda: {f"{each.file} {each.at}" for each in engine_statements()},
        said_of_statement,
        without_statement,
        ((records.ENGINE_FILES, "states"),),
    ),
    "rows": _section(records.CHECKPOINTS, "rows", checkpoints.stated_rows, said_of_stated_rows),
    "tower": _section(
        records.CHECKPOINTS,
        "towers",
        checkpoints.first_tokens_of_towers,
        lambda name: {"first tokens": checkpoints.first_tokens_of_towers().get(name)},
    ),
    "uncounted rows": _section(
        records.CHECKPOINTS,
        "uncounted",
        checkpoints.uncounted_rows,
        lambda name: {"rows": checkpoints.uncounted_rows().get(name)},
    ),
    "nested config": _section(
        records.CHECKPOINTS, "parts", checkpoints.nested_parts, said_of_nested_config
    ),
    "size": _section(
        records.CHECKPOINTS,
        "sizes",
        lambda: {
            *checkpoints.width_keys(),
            *checkpoints.sizes_of_a_whole(),
            *checkpoints.keys_of_more_rows(),
        },
        said_of_size,
    ),
    "model class": _section(
        records.CHECKPOINTS,
        "heads",
        lambda: {end for does in Does for end in endings(does)},
        said_of_ending,
    ),
    "classifier by its last token": _section(
        records.CHECKPOINTS,
        "last_token",
        lambda: {each.removesuffix(CLASSIFIER) for each in checkpoints.last_token_classifiers()},
        lambda name: {
            "finds the last token by padding": (
                name + CLASSIFIER in checkpoints.last_token_classifiers()
            )
        },
    ),
    "engine of a draft": _section(
        records.PURPOSES,
        "speculative",
        of_drafts,
        lambda name: as_json(asdict(of_drafts()[name])) if name in of_drafts() else {},
    ),
    "quantised": _section(
        records.CHECKPOINTS,
        "quantised",
        lambda: (*checkpoints.packed_names(), *checkpoints.scale_names()),
        said_of_quantised,
    ),
    "key": _section(records.STATED, "takes", setting_key.taken_kinds, said_of_key),
    "tensor": _section(
        records.CHECKPOINTS,
        "tensors",
        lambda: (
            *checkpoints.embedding_names(),
            *checkpoints.output_names(),
            *checkpoints.position_names(),
            *checkpoints.whole_embedding_names(),
            *checkpoints.bias_names(),
        ),
        said_of_tensor,
    ),
    "module": _section(
        records.ENCODERS,
        "modules",
        sentence_encoders.encoder_modules,
        said_of_module,
    ),
    "key of a module": _section(
        records.ENCODERS,
        "renamed",
        sentence_encoders.older_names,
        lambda name: {"older": sentence_encoders.older_names().get(name)},
    ),
    "mode of pooling": _section(
        records.ENCODERS,
        "pooling",
        sentence_encoders.pooling_switches,
        lambda name: {"mode": sentence_encoders.pooling_switches().get(name)},
    ),
    "step of the converter": _section(
        records.CONVERTER,
        "takes",
        converter_takes,
        lambda name: {"takes": converter_takes().get(name)},
    ),
    "role of mistral-common": _section(
        records.MISTRAL,
        "roles",
        mistral_common.role_texts,
        lambda name: {"text": mistral_common.role_texts().get(name)},
    ),
    "known to mistral-common": _listed(records.MISTRAL, "versions", mistral_common.versions),
    "without a list in mistral-common": _listed(
        records.MISTRAL, "listless", mistral_common.listless
    ),
    "settings of an encoder": _listed(
        records.ENCODERS, "settings", sentence_encoders.encoder_settings
    ),
    "architecture of the converter": _listed(
        records.CONVERTER, "architectures", converted_architectures
    ),
    "end of a turn in GGUF": _listed(records.TOKENS, "turn_ends", gguf_tokens.turn_ends),
    "version of mistral-common": _section(
        records.MISTRAL,
        "needs",
        lambda: [each for each in mistral_common.versions() if _own_needs(each)],
        lambda name: {"needs": _own_needs(name)},
    ),
    "prompt": _section(
        records.ENCODERS,
        "prompts",
        sentence_encoders.prompts_of_every_encoder,
        lambda name: {"always": name in sentence_encoders.prompts_of_every_encoder()},
    ),
    "value of an encoder": _section(
        records.ENCODERS,
        "taken",
        sentence_encoders.values_taken,
        lambda name: {"takes": [*sentence_encoders.values_taken().get(name, ())]},
    ),
    "task of an encoder": _section(
        records.ENCODERS,
        "outputs",
        sentence_encoders.encoder_outputs,
        lambda name: {"makes": sentence_encoders.encoder_outputs().get(name)},
    ),
    "section in mistral-common": _section(
        records.MISTRAL,
        "sections",
        mistral_common.sections,
        lambda name: mistral_common.sections().get(name, {}),
    ),
    "token of speech": _section(
        records.SPEECH, "tokens", speech_prompt.recorded_tokens, said_of_speech
    ),
    "form of speech": _section(
        records.SPEECH, "written", lambda: ["language", "time"], said_of_form
    ),
    "times of speech": _section(records.SPEECH, "times", lambda: ["step", "count"], said_of_times),
    "look": ByHand(
        confusables.every_look, said_of_look, without_look, (("published/confusables.tsv", ""),)
    ),
    "encoding": ByHand(lambda: known_encodings.KNOWN, said_of_encoding, without_encoding),
}


def record_new() -> None:
    """Record what the records say that have no answer yet; one that is there is changed by hand."""
    answers = dict(recorded())
    for kind, of_kind in KINDS.items():
        for name in of_kind.names():
            if f"{kind} {name}" not in answers and (said := of_kind.said(name)):
                answers[f"{kind} {name}"] = said
    lines = (
        f"{json.dumps(name, ensure_ascii=False)}: "
        f"{json.dumps(said, sort_keys=True, ensure_ascii=False)}"
        for name, said in answers.items()
    )
    (recorded_answers.HERE / "by_hand.json").write_text(
        "{\n" + ",\n".join(lines) + "\n}\n", "utf-8"
    )
    recorded.cache_clear()
