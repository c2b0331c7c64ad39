"""Small folders of cases that users reported, each with a twin that has not the fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from class_folders import model, pieces_of

import tokaudit_suites.throughput
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders import gguf_files as gguf
from tokaudit_folders.folder import FLAGS, Folder

WHOLE: dict[str, Any] = json.loads(
    (Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json").read_bytes()
)
"""A byte-level BPE of 8,192 entries."""
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
NAMED = (
    "{{ bos_token }}{% for m in messages %}{{ '<|' + m.role + '|>' + m.content }}"
    "{% if m.role == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
AS_IT_IS = {"normalization_rule_name": "identity", "remove_extra_whitespaces": False}
FAST, GENERATION = "PreTrainedTokenizerFast", "generation_config.json"


@dataclass(frozen=True)
class Case:
    """The fault and its twin, what is asked, and what is said of the fault."""

    bad: Folder
    good: Folder
    select: tuple[str, ...]
    said: tuple[str, ...]
    words: tuple[str, ...] = ()
    base: Folder | None = None
    asked: Mapping[str, Any] = field(default_factory=dict)


def small() -> Folder:
    return Folder(WHOLE)


def marked(*tokens: str) -> Folder:
    return small().added(*tokens)


def around(folder: Folder, *tokens: str) -> Folder:
    """With a template that puts tokens around a text and a pair; `$` is the text."""
    ids = folder.vocab

    def of(name: str) -> list[Any]:
        text = {"Sequence": {"id": name, "type_id": 0}}
        return [
            text if each == "$" else {"SpecialToken": {"id": each, "type_id": 0}} for each in tokens
        ]

    begins = tokens.index("$")
    special = {t: {"id": t, "ids": [ids[t]], "tokens": [t]} for t in tokens if t != "$"}
    made = {"type": "TemplateProcessing", "single": of("A"), "pair": [*of("A"), *of("B")[begins:]]}
    return folder.changed(post_processor={**made, "special_tokens": special})


def chat(**roles: str) -> Folder:
    """A chat checkpoint of ChatML, whose class takes the file as it is."""
    made = marked("<|endoftext|>", "<|im_start|>", "<|im_end|>").template(CHATML)
    rows = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}
    made = made.config(vocab_size=len(made.vocab), **rows)
    return made.tokenizer_config(tokenizer_class=FAST, **roles)


def turn_that_only_generation_ends() -> Case:
    good = chat(eos_token="<|im_end|>")
    end, text = good.vocab["<|im_end|>"], good.vocab["<|endoftext|>"]
    good = good.config(eos_token_id=text).settings(GENERATION, eos_token_id=[end, text])
    bad = good.tokenizer_config(eos_token="<|endoftext|>")
    said = ("warning chat_template/stops:only-in-generation",)
    return Case(bad, good, ("chat_template/stops",), said)


def role_of_the_base() -> Case:
    one = turn_that_only_generation_ends()
    said = ("error baseline/special-roles:eos_token",)
    return replace(one, select=("baseline/special-roles",), said=said, base=one.good)


def padding_that_ends_turns() -> Case:
    bad = chat(eos_token="<|im_end|>", pad_token="<|im_end|>")
    good = chat(eos_token="<|im_end|>", pad_token="<|endoftext|>")
    said = ("warning padding/pad-token:eos",)
    return Case(bad, good, ("padding/pad-token",), said)


def last_token_of(named: str) -> Case:
    plain, modes = marked("<s>", "</s>"), {"pooling_mode_mean_tokens": False}
    stated = {"add_eos_token": True, "bos_token": "<s>", "eos_token": "</s>"}

    def made(*tokens: str) -> Folder:
        folder = around(plain, *tokens).tokenizer_config(tokenizer_class=named, **stated)
        return folder.settings("1_Pooling/config.json", pooling_mode_lasttoken=True, **modes)

    said = ("error config/pooling:pooling_mode_lasttoken",)
    words = (f"{FOUR} (emulated) writes the token",) if named == "LlamaTokenizerFast" else ()
    return Case(made("<s>", "$"), made("<s>", "$", "</s>"), ("config/pooling",), said, words)


def pieces_under(settings: Mapping[str, str], config: Mapping[str, str]) -> Case:
    """XLM-R's files, whose ids are moved by the tokens that its class puts first."""
    data = model("unigram", **AS_IT_IS)
    head = ("<s>", "<pad>", "</s>", "<unk>")
    listed = [(piece, 0.0) for piece in (*head, *pieces_of(data)[3:], "<mask>")]
    step = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False}
    whole = Folder.unigram(listed, unk_id=3).added(*head, "<mask>")
    whole = around(whole, "<s>", "$", "</s>").changed(pre_tokenizer=step, decoder=step)
    whole = whole.file("sentencepiece.bpe.model", data)
    named = whole.tokenizer_config(**settings) if settings else whole
    good = whole.tokenizer_config(tokenizer_class="XLMRobertaTokenizer")
    select = ("agreement/vocab", "loaders/same-settings", "special_tokens/class-defaults")
    words = ("those that XLMRobertaTokenizer gives",)
    said = ("error agreement/vocab:class",)
    return Case(named.config(**config) if config else named, good, select, said, words)


def file_without_bos() -> Case:
    """Saved by a version 4: a class that takes the file as it is, which has no BOS."""
    folder = around(marked("<s>", "</s>"), "$").config(model_type="llama", vocab_size=8194)

    def made(named: str) -> Folder:
        return folder.tokenizer_config(tokenizer_class=named, bos_token="<s>", eos_token="</s>")

    select = ("special_tokens/post-processor", "loaders/same-settings", "pipeline/class-rebuild")
    said = ("warning pipeline/class-rebuild:bytes",)
    return Case(made("LlamaTokenizerFast"), made(FAST), select, said)


def speech_of_text() -> Case:
    folder = Folder.bpe("abcdefghijkl", ["a b", "c d", "e f", "g h"]).added("[START]", "[STOP]")

    def made(rows: int) -> Folder:
        weights = {"gpt.text_embedding.weight": [rows, 8]}
        alone = replace(folder, tokenizer={}).file("vocab.json", folder.text())
        return alone.config(gpt_number_text_tokens=rows).weights(**weights)

    tokens = len(folder.vocab)
    select = ("embeddings/rows", "loaders/loads")
    said = ("error embeddings/rows:short",)
    return Case(made(tokens - 9), made(tokens), select, said, ("so 9 tokens have no row",))


def bytes_of_gguf() -> Case:
    listed = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a"]

    def made(kind: int) -> Folder:
        types = [gguf.UNKNOWN, gguf.CONTROL, gguf.CONTROL, *[kind] * 256, *[gguf.NORMAL] * 2]
        scores = (gguf.F32, [0.0] * 259 + [-1.0, -2.0])
        keys = gguf.tokenizer("llama", listed, token_type=(gguf.I32, types), scores=scores)
        return Folder().gguf({"general.architecture": (gguf.TEXT, "llama"), **keys})

    said = ("error vocab/byte-coverage:switched-off",)
    return Case(made(gguf.NORMAL), made(gguf.BYTE), ("vocab/byte-coverage",), said)


def pictures_without_a_processor() -> Case:
    bad = marked("<image>").config(vision_config={"hidden_size": 8}, image_token_id=8192)
    good = bad.file("preprocessor_config.json", {"image_processor_type": "CLIPImageProcessor"})
    return Case(bad, good, ("files/processor",), ("warning files/processor:no-processor",))


def one_text_at_two_ids() -> Case:
    text = next(
        each
        for each in WHOLE["model"]["vocab"]
        if len(each) > 4 and each.isascii() and each.isalpha()
    )

    def made(content: str) -> Folder:
        return small().changed(
            added_tokens=[{"id": 8192, "content": content, "special": False, **FLAGS}]
        )

    select = ("vocab/duplicate-id", "special_tokens/ordinary-words", "special_tokens/atomicity")
    said = ("error vocab/duplicate-id:token",)
    return Case(made(text), made("<extra>"), select, said, ("so that row 8192 is never used",))


def classifier_without_padding() -> Case:
    bad = chat(eos_token="<|im_end|>", pad_token="<|endoftext|>").config(
        architectures=["GPT2ForSequenceClassification"]
    )
    good = bad.config(pad_token_id=bad.vocab["<|endoftext|>"])
    said = ("warning padding/classifier-pad:no-pad-id",)
    return Case(bad, good, ("padding/classifier-pad",), said)


def content_that_is_null() -> Case:
    line = "m.content + '<|im_end|>\n' }}"
    written = "'' }}{{ CONTENT }}{{ m.tool_calls or '' }}{{ '<|im_end|>\n' }}"
    bad, good = (
        chat(eos_token="<|im_end|>").template(CHATML.replace(line, written.replace("CONTENT", by)))
        for by in ("m.content", "m.content or ''")
    )
    words = ("writes the word None", "transformers 4.57")
    said = ("warning chat_template/shapes:None",)
    return Case(bad, good, ("chat_template/shapes",), said, words)


def nulls(file: str) -> Case:
    keys = ("forced_decoder_ids", "suppress_tokens", "begin_suppress_tokens", "bad_words_ids")
    folder = chat(eos_token="<|im_end|>")
    folder = folder.config(eos_token_id=folder.vocab["<|im_end|>"])
    select = ("config", "files", "special_tokens", "padding")
    return Case(folder.settings(file, **dict.fromkeys(keys)), folder, select, ())


def character_map() -> Case:
    bytes_ = {"byte_fallback": True}
    bad, good = (
        Folder.sentencepiece(model("bpe", **bytes_, **rule)).tokenizer_config(
            tokenizer_class="LlamaTokenizer"
        )
        for rule in ({"normalization_rule_name": "nmt_nfkc_cf"}, AS_IT_IS)
    )
    words = (f"LlamaTokenizerFast of transformers {FOUR}", "The ids of the two loaders differ for")
    said = ("error loaders/pieces:built",)
    return Case(bad, good, ("loaders/pieces", "loaders/loads"), said, words)


CASED = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "The", "the", "Cat", "Paris", *"abcTC")


def switch_of_the_model() -> Case:
    words = Folder().file("vocab.txt", "".join(f"{word}\n" for word in CASED))
    bad = words.config(model_type="bert", do_lower_case=False)
    good = words.config(model_type="bert").tokenizer_config(do_lower_case=False)
    said = ("error pipeline/rewritten:lower-casing", "warning config/switches:do_lower_case")
    told = (f"{FOUR} and transformers {FIVE} read this setting only in tokenizer_config.json",)
    return Case(bad, good, ("config/switches", "pipeline/rewritten"), said, told)


def without_merge(at: int) -> dict[str, Any]:
    listed = [each for place, each in enumerate(WHOLE["model"]["merges"]) if place != at]
    return {**WHOLE, "model": {**WHOLE["model"], "merges": listed}}


LOST = 4  # the first merge of two letters
NEVER_MADE = ("1 token has no merge that builds it", "tokens are never produced")


def first_merge(write: Callable[[Mapping[str, Any]], Folder]) -> Case:
    select = ("merges/missing", "vocab/unreachable")
    said = ("error merges/missing:none",)
    return Case(write(without_merge(LOST)), write(WHOLE), select, said, NEVER_MADE)


def two_files(whole: Mapping[str, Any]) -> Folder:
    pairs = [each if isinstance(each, str) else " ".join(each) for each in whole["model"]["merges"]]
    lines = "".join(f"{each}\n" for each in ("#version: 0.2", *pairs))
    made = Folder().file("vocab.json", whole["model"]["vocab"]).file("merges.txt", lines)
    return made.tokenizer_config(tokenizer_class="GPT2Tokenizer")


def file_for_versions(*listed: str) -> Folder:
    ids = WHOLE["model"]["vocab"]
    one, other = list(ids)[300:302]
    changed = {**ids, one: ids[other], other: ids[one]}
    versioned = {**WHOLE, "model": {**WHOLE["model"], "vocab": changed}}
    made = small().file("tokenizer.4.0.0.json", versioned).file("tokenizer.10.0.0.json", versioned)
    named = {"fast_tokenizer_files": ["tokenizer.json", *listed]} if listed else {}
    return made.tokenizer_config(tokenizer_class=FAST, **named)


def versioned(*twin: str) -> Case:
    select = ("files/versioned-tokenizer", "loaders/loads", "config/paths")
    said = ("error files/versioned-tokenizer:versioned",)
    words = (f"transformers {FOUR} and transformers {FIVE} load tokenizer.4.0.0.json",)
    bad, good = file_for_versions("tokenizer.4.0.0.json"), file_for_versions(*twin)
    return Case(bad, good, select, said, words)


def refused(key: str, good: Folder, **stated: object) -> Case:
    """A value that one of both versions refuses."""
    bad = good.tokenizer_config(**stated)
    words = (f"transformers {FOUR} (emulated)", f"transformers {FIVE} (emulated)")
    return Case(bad, good, ("loaders/loads",), (f"warning loaders/loads:{key}",), words)


def templates_of_a_key() -> Case:
    two = [{"name": name, "template": CHATML} for name in ("default", "tool_use")]
    good = chat(eos_token="<|im_end|>").tokenizer_config(chat_template=two)
    bad = good.file("chat_template.jinja", CHATML)
    words = ("'tool_use'", "llama.cpp's converter reads chat_template")
    said = ("warning chat_template/copies:hidden",)
    return Case(bad, good, ("chat_template/copies",), said, words)


def switch_of_one_version() -> Case:
    folder = marked("<s>", "</s>", "<|user|>", "<|assistant|>", "<|system|>").template(NAMED)

    def made(on: bool) -> Folder:
        named = {"tokenizer_class": "LlamaTokenizerFast", "bos_token": "<s>", "eos_token": "</s>"}
        return folder.tokenizer_config(add_bos_token=on, **named)

    words = (f"LlamaTokenizerFast of transformers {FOUR} (emulated)",)
    said = (
        "info chat_template/bos:doubled-by-a-version",
        "warning special_tokens/post-processor:add_bos_token",
    )
    select = ("chat_template/bos", "special_tokens/post-processor")
    return Case(made(True), made(False), select, said, words)


def near(good: Folder) -> Case:
    """A marker of the template and the end of text, each one edit from a token."""
    template = NAMED.replace("'<|assistant|>'", "'<|asssistant|>'")
    bad = good.tokenizer_config(eos_token="<|endoftxt|>", chat_template=template)
    select = ("chat_template/tokens", "special_tokens/eos-is-special")
    said = (
        "error chat_template/tokens:near-name",
        "error special_tokens/eos-is-special:misspelled",
    )
    words = ("did you mean '<|assistant|>'?", "did you mean '<|endoftext|>'?")
    return Case(bad, good, select, said, words)


def named_markers() -> Folder:
    made = marked("<|endoftext|>", "<|user|>", "<|assistant|>", "<|system|>").template(NAMED)
    return made.tokenizer_config(tokenizer_class=FAST, eos_token="<|endoftext|>")


def exchanged_markers() -> Case:
    good = named_markers()
    listed = {str(each["id"]): each for each in good.tokenizer["added_tokens"]}
    entries = {id: {k: v for k, v in each.items() if k != "id"} for id, each in listed.items()}
    good = good.tokenizer_config(added_tokens_decoder=entries)
    other = {"<|user|>": "<|assistant|>", "<|assistant|>": "<|user|>"}
    tokens = [
        {**each, "content": other.get(each["content"], each["content"])}
        for each in good.tokenizer["added_tokens"]
    ]
    said = ("error agreement/added-tokens:exchanged",)
    return Case(good.changed(added_tokens=tokens), good, ("agreement",), said)


def end_that_generation_lacks() -> Case:
    good = named_markers().template(NAMED.replace("eos_token", "'<|end|>'")).added("<|end|>")
    text, end = good.vocab["<|endoftext|>"], good.vocab["<|end|>"]
    good = good.config(model_type="gpt2", eos_token_id=[text, end], vocab_size=len(good.vocab))
    bad, good = (good.settings(GENERATION, eos_token_id=ids) for ids in (text, [text, end]))
    select = ("chat_template/stops",)
    words = (f"transformers {FOUR} and {FIVE}",)
    return Case(bad, good, select, ("error chat_template/stops:not-a-stop",), words)


def pieces_without_a_decoder() -> Case:
    words = Folder.wordpiece(CASED).changed(pre_tokenizer={"type": "BertPreTokenizer"})
    decoder = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    said = ("error pipeline/byte-components:decoder",)
    return Case(words, words.changed(decoder=decoder), ("pipeline/byte-components",), said)


def class_of_the_model() -> Case:
    bart = marked("<s>", "<pad>", "</s>", "<unk>", "<mask>")
    bart = around(bart, "$").tokenizer_config(bos_token="<s>", eos_token="</s>")
    bart = bart.config(model_type="bart", vocab_size=len(bart.vocab))
    said = ("error special_tokens/post-processor:lost-ends",)
    bad, good = (bart.tokenizer_config(tokenizer_class=name) for name in ("BartTokenizer", FAST))
    return Case(bad, good, ("special_tokens/post-processor",), said)


NAMED_CASES: Mapping[str, Callable[[], Case]] = {
    "P01": turn_that_only_generation_ends,
    "P01 with its base": role_of_the_base,
    "P06": padding_that_ends_turns,
    "P06 for SFT": lambda: replace(
        padding_that_ends_turns(), said=("error padding/pad-token:eos",), asked={"use": "sft"}
    ),
    "P08 Llama": lambda: last_token_of("LlamaTokenizerFast"),
    "P08 any": lambda: last_token_of(FAST),
    "P08 Qwen2": lambda: last_token_of("Qwen2TokenizerFast"),
    "P09 named": lambda: pieces_under({"tokenizer_class": "RobertaTokenizer"}, {}),
    "P09 by the model": lambda: pieces_under({}, {"model_type": "bert"}),
    "P12": file_without_bos,
    "P17": speech_of_text,
    "P26": bytes_of_gguf,
    "P32": pictures_without_a_processor,
    "P36": one_text_at_two_ids,
    "P37": classifier_without_padding,
    "P44": content_that_is_null,
    "U01": exchanged_markers,
    "U02": end_that_generation_lacks,
    "U03": lambda: near(named_markers()),
    "W01 config": lambda: nulls("config.json"),
    "W01 generation": lambda: nulls(GENERATION),
    "W02": character_map,
    "W03": switch_of_the_model,
    "W05": class_of_the_model,
    "W08": lambda: first_merge(two_files),
    "W10 absent": versioned,
    "W10 too new": lambda: versioned("tokenizer.4.0.0.json", "tokenizer.10.0.0.json"),
    "W11": pieces_without_a_decoder,
    "W12": lambda: refused(
        "tokenizer_class",
        small().tokenizer_config(tokenizer_class=FAST),
        tokenizer_class="TokenizersBackend",
    ),
    "W13": lambda: refused(
        "extra_special_tokens",
        marked("<x>").tokenizer_config(tokenizer_class=FAST),
        extra_special_tokens=["<x>"],
    ),
    "W14": lambda: refused(
        "add_prefix_space",
        small().tokenizer_config(tokenizer_class="GPT2Tokenizer"),
        add_prefix_space=None,
    ),
    "W15": templates_of_a_key,
    "W17": lambda: first_merge(Folder),
    "W18": switch_of_one_version,
}
"""Cases by the names of a list outside of this project, which reports and notes cite."""
