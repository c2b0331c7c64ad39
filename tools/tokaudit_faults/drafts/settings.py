"""Operators on settings next to the tokenizer."""

from __future__ import annotations

from random import Random

from tokaudit.subject.upstream.pipeline import refuses_null
from tokaudit.subject.upstream.tokenizer_class import class_named
from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import (
    CONFIG,
    GENERATION,
    SETTINGS,
    added,
    model,
    settings,
    stage,
)
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft

GROUP = "settings"
LEFT_ON, BUDGET = "padding/settings-left-on", "padding/position-budget"
WHERE = ("config", "padding", "special_roles", "tokenizer")
CLASSES = ("BertTokenizer", "GPT2Tokenizer", "T5Tokenizer", "CLIPTokenizer", "XLMRobertaTokenizer")


@operator(
    *(GROUP, "padding/side"),
    blamed=WHERE,
    severity="warning",
    unseen="which models count positions by the mask is in their code, and in no file",
)
def pad_an_encoder_on_the_left(draft: Draft, draw: Random) -> None:
    if settings(draft, CONFIG)["model_type"] != "bert":
        raise Inapplicable
    settings(draft, SETTINGS)["padding_side"] = "left"


@operator(GROUP, BUDGET, "config/lengths", blamed=WHERE, severity="warning")
def allow_more_tokens_than_positions(draft: Draft, draw: Random) -> None:
    if settings(draft, CONFIG)["model_type"] == "t5":
        raise Inapplicable  # relative positions have no end
    settings(draft, SETTINGS)["model_max_length"] *= draw.randrange(2, 20)


@operator(
    GROUP, "special_tokens/post-processor", "config/switches", blamed=(*WHERE, "post_processor")
)
def say_that_no_begin_is_written(draft: Draft, draw: Random) -> None:
    if not settings(draft, SETTINGS).get("add_bos_token"):
        raise Inapplicable
    settings(draft, SETTINGS)["add_bos_token"] = False


@operator(
    *(GROUP, "special_tokens/post-processor", "config/switches"),
    blamed=(*WHERE, "post_processor"),
    unseen="some classes follow the switch and some the post-processor, so it is a warning",
)
def say_that_an_end_is_written(draft: Draft, draw: Random) -> None:
    if settings(draft, SETTINGS).get("add_eos_token") is not False:
        raise Inapplicable
    settings(draft, SETTINGS)["add_eos_token"] = True


@operator(
    GROUP,
    *("pipeline/class-rebuild", "files/class-files", "special_tokens/class-defaults"),
    blamed=(*WHERE, "file", "model"),
)
def name_another_class(draft: Draft, draw: Random) -> None:
    own = settings(draft, SETTINGS)["tokenizer_class"]
    kind = {"BertTokenizer": "WordPiece", "T5Tokenizer": "Unigram"}
    kind["XLMRobertaTokenizer"] = "Unigram"
    type = model(draft)["type"]
    others = [c for c in CLASSES if c != own and kind.get(c, "BPE") != type]
    settings(draft, SETTINGS)["tokenizer_class"] = draw.choice(others)


@operator(GROUP, "round_trip/clean-up", blamed=(*WHERE, "decoder"), severity="warning")
def tidy_up_spaces(draft: Draft, draw: Random) -> None:
    if settings(draft, SETTINGS).get("clean_up_tokenization_spaces") is not False:
        raise Inapplicable
    if model(draft)["type"] == "Unigram":
        raise Inapplicable  # nobody promises that spaces come back
    settings(draft, SETTINGS)["clean_up_tokenization_spaces"] = True


@operator(GROUP, LEFT_ON, blamed=(*WHERE, "truncation"), severity="warning")
def leave_truncation_on(draft: Draft, draw: Random) -> None:
    stage(draft, "model")
    block = {"strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    draft.tokenizer["truncation"] = {"max_length": draw.randrange(4, 200), **block}


@operator(GROUP, LEFT_ON, blamed=(*WHERE, "padding"), severity="warning")
def leave_padding_on(draft: Draft, draw: Random) -> None:
    token = added(draft)[0]
    block = {"direction": "Right", "pad_to_multiple_of": None, "pad_type_id": 0}
    named = {"pad_id": token["id"], "pad_token": token["content"]}
    draft.tokenizer["padding"] = {"strategy": {"Fixed": draw.randrange(8, 200)}, **block, **named}


@operator(GROUP, "config/switches", "pipeline/class-rebuild", blamed=(*WHERE, "normalizer"))
def say_that_case_is_kept(draft: Draft, draw: Random) -> None:
    if settings(draft, SETTINGS).get("do_lower_case") is not True:
        raise Inapplicable
    settings(draft, SETTINGS)["do_lower_case"] = False


@operator(GROUP, "config/model-inputs", blamed=WHERE, severity="warning")
def list_an_input_that_the_model_lacks(draft: Draft, draw: Random) -> None:
    if settings(draft, CONFIG)["model_type"] != "llama":
        raise Inapplicable
    names = ["input_ids", "token_type_ids", "attention_mask"]
    settings(draft, SETTINGS)["model_input_names"] = names


@operator(GROUP, BUDGET, "config/lengths", blamed=WHERE, severity="warning")
def read_sentences_longer_than_positions(draft: Draft, draw: Random) -> None:
    settings(draft, "sentence_bert_config.json")["max_seq_length"] = draw.randrange(600, 5000)


@operator(GROUP, "config/model-inputs", blamed=(*WHERE, "post_processor"))
def have_one_type_of_text_for_two(draft: Draft, draw: Random) -> None:
    if settings(draft, CONFIG).get("type_vocab_size") != 2:
        raise Inapplicable
    settings(draft, CONFIG)["type_vocab_size"] = 1
    name = "embeddings.token_type_embeddings.weight"
    draft.matrices[name] = draft.matrices[name][:1]


@operator(GROUP, "config/model-inputs", blamed=WHERE, severity="warning")
def leave_out_the_mask(draft: Draft, draw: Random) -> None:
    if settings(draft, CONFIG)["model_type"] != "bert":
        raise Inapplicable
    settings(draft, SETTINGS)["model_input_names"] = ["input_ids", "token_type_ids"]


@operator(GROUP, "baseline/padding", blamed=WHERE, severity="warning", base=True)
def pad_on_the_other_side_than_the_base(draft: Draft, draw: Random) -> None:
    stated = settings(draft, SETTINGS)
    stated["padding_side"] = "right" if stated.get("padding_side", "right") == "left" else "left"


@operator(
    *(GROUP, "baseline/settings-files", "baseline/special-roles"),
    blamed=WHERE,
    severity="warning",
    base=True,
)
def lose_the_generation_config_of_the_base(draft: Draft, draw: Random) -> None:
    settings(draft, GENERATION)
    del draft.settings[GENERATION]


@operator(GROUP, "files/config-types", blamed=WHERE, severity="warning")
def state_a_null_that_the_class_refuses(draft: Draft, draw: Random) -> None:
    found = settings(draft, SETTINGS)
    known = class_named(str(found.get("tokenizer_class", "")).removesuffix("Fast"))
    keys = [key for key in sorted(known.settings) if refuses_null(known, key)] if known else []
    if not keys:
        raise Inapplicable
    found[draw.choice(keys)] = None


@operator(GROUP, "config/plain-json", blamed=WHERE, severity="warning")
def state_a_number_that_is_none(draft: Draft, draw: Random) -> None:
    settings(draft, SETTINGS)["temperature"] = draw.choice((float("nan"), float("inf"), 10**400))
