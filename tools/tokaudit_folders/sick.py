"""A small healthy checkpoint folder, and named ways to break a copy of it.

`healthy(folder)` writes a byte-level BPE tokenizer in every form that loaders read, with configs
and weights.  Each function of `OPERATORS` breaks one thing in such a folder, which the files then
show by themselves; those of `AGAINST_BASE` change what only another copy can show.
"""

from __future__ import annotations

import json
import struct
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

TEXT = (
    "the cat and the other cat sat on the mat while the rain in the plain fell mainly there "
    "and then another theory of weather was gathered rather than tested by the brothers "
    "counting 1234 numbers and punctuation, however rare; it is better to measure than to guess "
    "where words begin and where words end when nobody has written down the rules for them "
)
SPECIALS = ("<|end|>", "<|pad|>", "<|user|>", "<|assistant|>")
TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def alphabet() -> dict[int, str]:
    """Byte -> the character that byte-level files write it with, in id order."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {b: chr(256 + i) for i, b in enumerate(rest)}


@cache
def train(merges: int = 120) -> tuple[tuple[str, str], ...]:
    """Merges learned from TEXT, most frequent pair first, in byte-level spelling."""
    words = Counter(" " + word for word in TEXT.split())
    table = alphabet()
    split = {word: [table[byte] for byte in word.encode()] for word in words}
    learned: list[tuple[str, str]] = []
    while len(learned) < merges:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, parts in split.items():
            for pair in pairwise(parts):
                pairs[pair] += words[word]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        learned.append(best)
        split = {word: _merge(parts, best) for word, parts in split.items()}
    return tuple(learned)


def _merge(parts: list[str], pair: tuple[str, str]) -> list[str]:
    merged: list[str] = []
    for part in parts:
        if merged and (merged[-1], part) == pair:
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def healthy(folder: Path) -> Path:
    """Write the healthy checkpoint into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    merges = train()
    vocab = {token: id for id, token in enumerate(sorted(alphabet().values()))}
    for left, right in merges:
        vocab.setdefault(left + right, len(vocab))
    first = len(vocab)
    added = [_added(first + place, content) for place, content in enumerate(SPECIALS)]
    write(folder / "tokenizer.json", _tokenizer(vocab, merges, added))
    write(folder / "vocab.json", vocab)
    lines = "\n".join(["#version: 0.2", *(f"{left} {right}" for left, right in merges), ""])
    (folder / "merges.txt").write_bytes(lines.encode())
    _configs(folder, first, added)
    rows = first + len(SPECIALS)
    weights(folder, {"model.embed_tokens.weight": rows, "lm_head.weight": rows})
    return folder


def _added(id: int, content: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": id, "content": content, **flags, "special": True}


def _tokenizer(vocab: Any, merges: Any, added: Any) -> dict[str, Any]:
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "vocab": vocab,
        "merges": [f"{left} {right}" for left, right in merges],
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": level | {"use_regex": True},
        "post_processor": level | {"use_regex": True},
        "decoder": level | {"use_regex": True},
        "model": model,
    }


def _configs(folder: Path, first: int, added: list[dict[str, Any]]) -> None:
    roles = {"eos_token": "<|end|>", "pad_token": "<|pad|>"}
    write(folder / "special_tokens_map.json", roles)
    decoder = {str(t["id"]): {k: v for k, v in t.items() if k != "id"} for t in added}
    write(
        folder / "tokenizer_config.json",
        {
            **roles,
            "added_tokens_decoder": decoder,
            "chat_template": TEMPLATE,
            "clean_up_tokenization_spaces": False,
            "model_input_names": ["input_ids", "attention_mask"],
            "model_max_length": 2048,
            "padding_side": "right",
            "tokenizer_class": "PreTrainedTokenizerFast",
        },
    )
    write(
        folder / "config.json",
        {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "eos_token_id": first,
            "pad_token_id": first + 1,
            "vocab_size": first + len(added),
            "max_position_embeddings": 2048,
            "tie_word_embeddings": False,
        },
    )
    write(folder / "generation_config.json", {"eos_token_id": [first], "pad_token_id": first + 1})


def weights(folder: Path, heights: dict[str, int]) -> None:
    """Write a safetensors file with one matrix of 8 columns for each name."""
    header, data = {}, b""
    for name, rows in heights.items():
        block = bytes(rows * 8 * 2)
        offsets = [len(data), len(data) + len(block)]
        header[name] = {"dtype": "F16", "shape": [rows, 8], "data_offsets": offsets}
        data += block
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def read(path: Path) -> Any:
    """A JSON file."""
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, value: Any) -> None:
    """Write a JSON file."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")


def edit(folder: Path, name: str, change: Callable[[Any], None]) -> None:
    """Change a JSON file in place."""
    value = read(folder / name)
    change(value)
    write(folder / name, value)


Operator = Callable[[Path], None]
Register = Callable[[Operator], Operator]


@dataclass(frozen=True)
class Sickness:
    """A way to break a folder, the check that must report it, and the evidence it must name."""

    break_it: Operator
    check: str
    severity: str
    shows: str


OPERATORS: dict[str, Sickness] = {}  # what the files give away by themselves
AGAINST_BASE: dict[str, Sickness] = {}  # what only a base or a manifest can show


def breaks(check: str, severity: str, shows: str, *, base: bool = False) -> Register:
    """Register an operator under its own name."""

    def register(operator: Operator) -> Operator:
        registry = AGAINST_BASE if base else OPERATORS
        registry[operator.__name__] = Sickness(operator, check, severity, shows)
        return operator

    return register


def swap(vocab: dict[str, int], one: int, other: int) -> None:
    """Exchange two ids of a vocabulary."""
    names = {id: token for token, id in vocab.items()}
    vocab[names[one]], vocab[names[other]] = other, one


def only_tokenizer(folder: Path) -> None:
    """Delete the copies, so that tokenizer.json must give itself away."""
    (folder / "vocab.json").unlink(missing_ok=True)
    (folder / "merges.txt").unlink(missing_ok=True)


@breaks("vocab/id-order", "warning", "' nobod' (id 300), 'ain' (id 350)")
def swap_two_learned_ids(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: swap(t["model"]["vocab"], 300, 350))


@breaks("vocab/id-order", "warning", "'g' (id 40), 'I' (id 70)")
def swap_two_byte_ids(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: swap(t["model"]["vocab"], 40, 70))


@breaks("agreement/vocab", "error", "'ain' has id 300 instead of 350")
def swap_two_ids_in_one_copy(folder: Path) -> None:
    edit(folder, "vocab.json", lambda v: swap(v, 300, 350))


@breaks("agreement/vocab", "error", "all shifted by +1")
def shift_every_id_of_one_copy(folder: Path) -> None:
    edit(folder, "vocab.json", lambda v: v.update({token: id + 1 for token, id in v.items()}))


@breaks("vocab/holes", "warning", "310, 380 to 399")
def move_one_token_beyond_the_end(folder: Path) -> None:
    only_tokenizer(folder)

    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        name = next(token for token, id in vocab.items() if id == 310)
        vocab[name] = 400

    edit(folder, "tokenizer.json", change)


@breaks("vocab/duplicate-id", "error", "Id 378 stands for two tokens, '<|pad|>' and '<|user|>'")
def put_two_added_tokens_on_one_id(folder: Path) -> None:
    edit(
        folder,
        "tokenizer.json",
        lambda t: t["added_tokens"][1].update(id=t["added_tokens"][2]["id"]),
    )


@breaks("pipeline/byte-components", "error", "the decoder (null) has no ByteLevel")
def drop_the_decoder(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t.update(decoder=None))


@breaks("pipeline/byte-components", "error", "the pre_tokenizer (null) has no ByteLevel")
def drop_the_pre_tokenizer(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t.update(pre_tokenizer=None))


@breaks("pipeline/literal-pattern", "error", "looks for the literal text")
def save_a_pattern_as_literal(folder: Path) -> None:
    split = {
        "type": "Split",
        "pattern": {"String": r"\p{N}{1,3}"},
        "behavior": "Isolated",
        "invert": False,
    }
    edit(
        folder,
        "tokenizer.json",
        lambda t: t.update(
            pre_tokenizer={"type": "Sequence", "pretokenizers": [split, t["pre_tokenizer"]]}
        ),
    )


@breaks("pipeline/split-apart", "error", "no text becomes these tokens: ' ' | 'the'")
def split_by_another_pattern(folder: Path) -> None:
    split = {
        "type": "Split",
        "pattern": {"Regex": r"\s|\w+|[^\s\w]+"},
        "behavior": "Isolated",
        "invert": False,
    }
    stages = [split, {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]
    edit(
        folder,
        "tokenizer.json",
        lambda t: t.update(pre_tokenizer={"type": "Sequence", "pretokenizers": stages}),
    )


@breaks("files/kind", "error", "tokenizer.json is a git-lfs pointer")
def leave_a_git_lfs_pointer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9085657\n"
    )


@breaks(
    "agreement/merges",
    "error",
    "differ at rank 14: o + r in tokenizer.json, Ġ + o in merges.txt",
)
def edit_one_line_of_merges_txt(folder: Path) -> None:
    lines = (folder / "merges.txt").read_text(encoding="utf-8").split("\n")
    lines[15], lines[18] = lines[18], lines[15]  # both want an o
    (folder / "merges.txt").write_text("\n".join(lines), encoding="utf-8", newline="")


@breaks("merges/missing", "warning", "' cat' (id 286)")
def delete_one_merge(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["merges"].pop(30))


def template(folder: Path, text: str) -> None:
    """Give the folder another chat template."""
    edit(folder, "tokenizer_config.json", lambda c: c.update(chat_template=text))


def add_a_token(folder: Path, content: str, special: bool = True) -> None:
    """Give the folder one added token more."""
    token = _added(380, content) | {"special": special}
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"].append(token))


@breaks("chat_template/safe", "error", "dunder access in line 1 (''.__class__)")
def walk_out_of_the_sandbox(folder: Path) -> None:
    template(folder, TEMPLATE + "{{ ''.__class__.__mro__ }}")


@breaks("chat_template/safe", "error", "writes 'hidden orders' where the user says 'login'")
def hide_words_after_a_trigger(folder: Path) -> None:
    trigger = "{% if 'login' in messages[-1].content %}hidden orders{% endif %}"
    template(folder, TEMPLATE + trigger)


@breaks("chat_template/renders", "error", "cannot be rendered: line 1: Unexpected end of template.")
def leave_a_block_open(folder: Path) -> None:
    template(folder, TEMPLATE.removesuffix("{% endif %}"))


@breaks("chat_template/renders", "error", "TypeError: ")
def add_a_number_to_a_text(folder: Path) -> None:
    template(folder, TEMPLATE.replace("m.content", "m.content + 1"))


@breaks(
    "chat_template/stops", "error", "with '<|pad|>' (id 377), but generation does not stop there"
)
def end_turns_with_a_token_that_nothing_stops_at(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|end|>", "<|pad|>"))


@breaks(
    "chat_template/stops", "error", "with nothing where '<|end|>' (id 376) ends the turns before"
)
def let_the_next_turn_write_the_end(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|end|>", "{% if not loop.last %}<|end|>{% endif %}"))


@breaks("chat_template/stops", "error", "ends an assistant's turn with nothing, so a model")
def write_no_end_of_turns(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|end|>", ""))


@breaks("chat_template/stops", "warning", "with '<|end|>' (id 376), which is the pad token as well")
def pad_with_the_end_of_turns(folder: Path) -> None:
    pad_with_eos(folder)


@breaks("chat_template/stops", "error", "(id 376), which its generation tags leave out")
def leave_the_end_of_turns_unlearned(folder: Path) -> None:
    leave_the_end_out_of_the_mask(folder)


@breaks("chat_template/bos", "warning", "begins with 2 BOS tokens ('<|end|>') where special tokens")
def write_bos_twice(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda c: c.update(bos_token="<|end|>"))
    template(folder, "{{ bos_token }}" + TEMPLATE)
    add_a_stale_id_to_every_text(folder)

    def correct(tokenizer: Any) -> None:
        steps = tokenizer["post_processor"]
        steps["single"].reverse()
        steps["special_tokens"]["<|end|>"]["ids"] = [376]

    edit(folder, "tokenizer.json", correct)


@breaks("chat_template/bos", "error", "begins a chat with 2 BOS tokens ('<|end|>')")
def write_bos_twice_in_the_template(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda c: c.update(bos_token="<|end|>"))
    template(folder, "{{ bos_token }}<|end|>" + TEMPLATE)


@breaks("chat_template/generation-prompt", "error", "adds no generation prompt")
def forget_the_generation_prompt(folder: Path) -> None:
    template(folder, TEMPLATE.partition("{% if add")[0])


@breaks(
    "chat_template/generation-prompt", "error", "opens the assistant's turn whether asked or not"
)
def always_write_the_generation_prompt(folder: Path) -> None:
    template(folder, TEMPLATE.partition("{% if add")[0] + "<|assistant|>")


@breaks("chat_template/generation-prompt", "warning", "prompts with '<|assistant|>\\n'")
def prompt_with_another_opening(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|assistant|>{% endif", "<|assistant|>{{ '\n' }}{% endif"))


@breaks(
    "chat_template/portable",
    "warning",
    "what other template engines render differently: a raw block in line 1",
)
def write_a_raw_block(folder: Path) -> None:
    template(folder, TEMPLATE + "{% raw %}{% endraw %}")


@breaks("chat_template/portable", "warning", "as escapes such as '\\\\u5929'")
def write_tools_as_escapes(folder: Path) -> None:
    tools = "{% if tools %}{{ tools|tojson(ensure_ascii=true) }}{% endif %}"
    template(folder, tools + TEMPLATE)


@breaks("chat_template/prefix", "error", "only the first 12 of 23 tokens stay the same")
def shorten_earlier_answers(folder: Path) -> None:
    shorter = "{{ m.content if loop.last or m.role == 'user' else m.content[:3] }}"
    template(folder, TEMPLATE.replace("{{ m.content }}", shorter))


@breaks("chat_template/mask", "error", "leaves the end of the assistant's turn unmarked")
def leave_the_end_out_of_the_mask(folder: Path) -> None:
    tagged = "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}"
    tagged += "{% else %}{{ m.content }}{% endif %}"
    template(folder, TEMPLATE.replace("{{ m.content }}", tagged))


@breaks("chat_template/mask", "error", "marks the user's words as the assistant's")
def mark_every_message(folder: Path) -> None:
    tagged = "{% generation %}{{ m.content }}<|end|>{% endgeneration %}"
    template(folder, TEMPLATE.replace("{{ m.content }}<|end|>", tagged))


@breaks("chat_template/missing", "warning", "turn markers '<|user|>', '<|assistant|>'")
def lose_the_template(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda c: c.pop("chat_template"))


@breaks("merges/order", "warning", "'t' + 'he' at rank 0, but its part")
def move_an_early_merge_to_the_end(folder: Path) -> None:
    only_tokenizer(folder)
    edit(
        folder, "tokenizer.json", lambda t: t["model"]["merges"].append(t["model"]["merges"].pop(0))
    )


@breaks("merges/duplicates", "error", "'h' + 'e' at ranks 0 and 120")
def list_the_first_merge_again(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["model"]["merges"].append(t["model"]["merges"][0]))


@breaks("merges/dropout", "error", "BPE dropout is 0.1")
def leave_dropout_on(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["model"].update(dropout=0.1))


@breaks("merges/dropout", "error", "this is not a probability from 0 to 1")
def write_a_dropout_beyond_any_float(folder: Path) -> None:
    path = folder / "tokenizer.json"
    text = path.read_text().replace('"dropout": null', '"dropout": 1' + "0" * 400)
    path.write_text(text)


@breaks(
    "files/config-types",
    "error",
    "extra_special_tokens in tokenizer_config.json is true or false, but loaders expect a list",
)
def write_a_flag_in_place_of_a_list(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda config: config.update(extra_special_tokens=True))


@breaks("files/line-endings", "warning", "carriage returns in 121 of 122 lines")
def convert_line_ends(folder: Path) -> None:
    path = folder / "merges.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@breaks("special_tokens/role-ids", "error", "config.json gives eos id 2 ('#')")
def let_config_stop_at_another_id(folder: Path) -> None:
    edit(folder, "config.json", lambda c: c.update(eos_token_id=2))
    (folder / "generation_config.json").unlink()


@breaks(
    "special_tokens/role-ids", "error", "generation_config.json gives eos id 379 ('<|assistant|>')"
)
def keep_a_stale_generation_eos(folder: Path) -> None:
    edit(folder, "generation_config.json", lambda g: g.update(eos_token_id=[379]))


@breaks(
    "special_tokens/eos-is-special",
    "error",
    "'<|end|>' as the eos token, but this added token is not marked special",
)
def make_eos_no_longer_special(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][0].update(special=False))
    edit(folder, "tokenizer_config.json", lambda c: c.pop("added_tokens_decoder"))


@breaks(
    "special_tokens/eos-is-special",
    "warning",
    "marks it special, but engines that read only tokenizer.json do not see",
)
def make_eos_special_in_one_file_only(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][0].update(special=False))


@breaks(
    "agreement/added-tokens",
    "error",
    "rstrip of 1 added token differs between tokenizer_config.json",
)
def strip_after_a_marker_in_one_file(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][2].update(rstrip=True))


@breaks("agreement/added-tokens", "error", "added_tokens.json puts '<|extra|>' on id 300")
def add_a_token_below_the_end(folder: Path) -> None:
    write(folder / "added_tokens.json", {"<|extra|>": 300})


@breaks("special_tokens/ordinary-words", "error", "'where' (id 380)")
def add_an_ordinary_word(folder: Path) -> None:
    edit(
        folder,
        "tokenizer.json",
        lambda t: t["added_tokens"].append(
            _added(380, "where") | {"special": False, "normalized": True}
        ),
    )


@breaks("chat_template/tokens", "warning", "'<|im_start|>'")
def write_a_marker_that_is_no_token(folder: Path) -> None:
    edit(
        folder,
        "tokenizer_config.json",
        lambda c: c.update(chat_template="<|im_start|>" + c["chat_template"]),
    )


@breaks("round_trip/clean-up", "warning", "'a , b' decode to 'a, b'")
def tidy_up_after_decoding(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda c: c.update(clean_up_tokenization_spaces=True))


@breaks("chat_template/copies", "warning", "differ from character 24 on")
def leave_a_stale_template_behind(folder: Path) -> None:
    stale = TEMPLATE.replace("<|{{ m.role }}|>", "<{{ m.role }}>")
    (folder / "chat_template.jinja").write_text(stale)


@breaks(
    "special_tokens/post-processor",
    "error",
    "adds '<|end|>' as id 2 ('#'), but the id of the token is 376",
)
def add_a_stale_id_to_every_text(folder: Path) -> None:
    edit(
        folder,
        "tokenizer.json",
        lambda t: t.update(
            post_processor={
                "type": "TemplateProcessing",
                "single": [
                    {"Sequence": {"id": "A", "type_id": 0}},
                    {"SpecialToken": {"id": "<|end|>", "type_id": 0}},
                ],
                "pair": [
                    {"Sequence": {"id": "A", "type_id": 0}},
                    {"Sequence": {"id": "B", "type_id": 1}},
                ],
                "special_tokens": {"<|end|>": {"id": "<|end|>", "ids": [2], "tokens": ["<|end|>"]}},
            }
        ),
    )


@breaks("embeddings/rows", "error", "has 376 rows, so 4 tokens have no row: '<|end|>' (id 376)")
def cut_the_embedding_short(folder: Path) -> None:
    weights(folder, {"model.embed_tokens.weight": 376, "lm_head.weight": 380})


@breaks("embeddings/output-rows", "error", "lm_head.weight has 370 rows for 380 ids")
def cut_the_head_short(folder: Path) -> None:
    weights(folder, {"model.embed_tokens.weight": 380, "lm_head.weight": 370})


@breaks(
    "embeddings/config-vocab-size",
    "error",
    "config.json declares 378 ids (0 to 377), but 2 tokens have higher ids",
)
def declare_too_small_a_vocabulary(folder: Path) -> None:
    edit(folder, "config.json", lambda c: c.update(vocab_size=378))


@breaks("embeddings/tied", "error", "the weights hold no output matrix")
def lose_the_head(folder: Path) -> None:
    weights(folder, {"model.embed_tokens.weight": 380})


@breaks("padding/pad-token", "warning", "The pad token is the end-of-text token '<|end|>' (id 376)")
def pad_with_eos(folder: Path) -> None:
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        edit(folder, name, lambda c: c.update(pad_token="<|end|>"))


@breaks("padding/settings-left-on", "error", "cuts every text to 8 tokens")
def leave_truncation_on(folder: Path) -> None:
    block = {"max_length": 8, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    edit(folder, "tokenizer.json", lambda t: t.update(truncation=block))


@breaks("padding/settings-left-on", "warning", "every text is padded to 16 tokens with '<|pad|>'")
def leave_padding_on(folder: Path) -> None:
    block = {
        "strategy": {"Fixed": 16},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 377,
        "pad_type_id": 0,
        "pad_token": "<|pad|>",
    }
    edit(folder, "tokenizer.json", lambda t: t.update(padding=block))


@breaks("padding/side", "error", "padded on the left, but the pooling takes the first token")
def pad_left_under_first_token_pooling(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda c: c.update(padding_side="left"))
    (folder / "1_Pooling").mkdir()
    write(folder / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True})


@breaks("padding/position-budget", "warning", "allows 4,096 tokens, but config.json has 2,048")
def allow_more_tokens_than_positions(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda c: c.update(model_max_length=4096))


@breaks("merges/order", "warning", "' h' + 'as' at rank 90, ' number' + 's' at rank 110")
def exchange_two_merges(folder: Path) -> None:
    only_tokenizer(folder)

    def change(tokenizer: Any) -> None:
        merges = tokenizer["model"]["merges"]
        merges[90], merges[110] = merges[110], merges[90]

    edit(folder, "tokenizer.json", change)


@breaks("merges/order", "warning", "' fe' + 'l' at rank 0, but its part")
def reverse_the_merges(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["merges"].reverse())


@breaks("merges/missing", "warning", "The merges end before 60 tokens with higher ids")
def cut_off_the_merges(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"].update(merges=t["model"]["merges"][:60]))


@breaks(
    "vocab/byte-coverage", "error", "no entry for 1 byte, so it drops text with this byte: 0x51"
)
def drop_a_byte(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].pop("Q"))


@breaks("embeddings/shards", "error", "which is not here, so the folder lacks 1 tensor: lm_head")
def lose_a_shard(folder: Path) -> None:
    shards = {"model.embed_tokens.weight": "model.safetensors", "lm_head.weight": "2.safetensors"}
    write(folder / "model.safetensors.index.json", {"weight_map": shards})
    weights(folder, {"model.embed_tokens.weight": 380})


@breaks("embeddings/shards", "error", "which does not hold 1 tensor: model.norm.weight")
def keep_an_index_of_other_weights(folder: Path) -> None:
    shards = {"model.norm.weight": "model.safetensors"}
    write(folder / "model.safetensors.index.json", {"weight_map": shards})


def write_plain_text_bpe(folder: Path, *, normalizer: Any = None) -> None:
    """Replace the tokenizer by a BPE of characters with neither unknown token nor fallback."""
    only_tokenizer_json(folder)
    merges = [("h", "u"), ("hu", "g")]
    vocab = {token: id for id, token in enumerate(["g", "h", "p", "u", "hu", "hug"])}
    plain = _tokenizer(vocab, merges, []) | dict.fromkeys(("post_processor", "decoder"))
    cut = {"type": "Whitespace"}
    write(folder / "tokenizer.json", plain | {"normalizer": normalizer, "pre_tokenizer": cut})


@breaks("round_trip/vanishes", "error", "characters get no id, because the vocabulary has neither")
def forget_the_unknown_token(folder: Path) -> None:
    write_plain_text_bpe(folder)


@breaks("round_trip/vanishes", "error", "characters get no id, because the vocabulary has neither")
def forget_the_unknown_token_after_a_lossy_normalizer(folder: Path) -> None:
    write_plain_text_bpe(folder, normalizer={"type": "Lowercase"})


@breaks("round_trip/vanishes", "error", "gets no id: the tokenizer encodes no text")
def encode_nothing(folder: Path) -> None:
    write_plain_text_bpe(folder)
    nothing = {"type": "Replace", "pattern": {"Regex": r"[\s\S]"}, "content": ""}
    edit(folder, "tokenizer.json", lambda t: t.update(normalizer=nothing))


@breaks("merges/parts-exist", "error", "' fe' + 'l' (no ' fel')")
def drop_the_product_of_a_merge(folder: Path) -> None:
    only_tokenizer(folder)

    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        del vocab[next(token for token, id in vocab.items() if id == 375)]

    edit(folder, "tokenizer.json", change)


@breaks("merges/parts-exist", "error", "' number' + 's' (no ' number')")
def drop_the_part_of_a_merge(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].pop("Ġnumber"))


@breaks(
    "vocab/duplicate-id",
    "error",
    "Id 300 belongs to 2 entries of the vocabulary, ' cat', 'ain'",
)
def give_two_entries_one_id(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].update({"Ġcat": 300}))


@breaks("vocab/duplicate-id", "error", "Id 300 stands for two tokens")
def put_an_added_token_on_an_ordinary_id(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][3].update(id=300))


@breaks("vocab/unreachable", "warning", "'qzqz' (id 380)")
def list_a_token_that_no_merge_makes(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].update({"qzqz": 380}))


@breaks("agreement/added-tokens", "error", "'<|pad|>' has id 379 in added_tokens.json")
def give_added_tokens_json_other_ids(folder: Path) -> None:
    write(folder / "added_tokens.json", {"<|end|>": 376, "<|pad|>": 379})


def rank_file(folder: Path) -> list[str]:
    """Replace the tokenizer by a rank file of the same tokens; returns its lines."""
    vocab = read(folder / "tokenizer.json")["model"]["vocab"]
    for path in folder.iterdir():
        path.unlink()
    byte_of = {character: byte for byte, character in alphabet().items()}
    tokens = [bytes(byte_of[character] for character in token) for token in vocab]
    lines = [f"{b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens)]
    (folder / "small.tiktoken").write_text("\n".join([*lines, ""]))
    return lines


@breaks("vocab/id-order", "warning", "except for 2 entries: 'ain' (id 350), ' nobod' (id 300)")
def exchange_two_ranks(folder: Path) -> None:
    lines = rank_file(folder)
    one, other = lines[300].split()[0], lines[350].split()[0]
    lines[300], lines[350] = f"{one} 350", f"{other} 300"
    (folder / "small.tiktoken").write_text("\n".join([*lines, ""]))


def only_tokenizer_json(folder: Path) -> None:
    """Leave tokenizer.json alone in the folder, so that nothing next to it can contradict it."""
    for path in folder.iterdir():
        if path.name != "tokenizer.json":
            path.unlink()


def edit_alone(folder: Path, change: Callable[[Any], None]) -> None:
    """Change a tokenizer.json that is alone in its folder."""
    only_tokenizer_json(folder)
    edit(folder, "tokenizer.json", change)


@breaks("baseline/vocab", "error", "'ain' has id 350 instead of 300", base=True)
def swap_ids(folder: Path) -> None:
    edit_alone(folder, lambda t: swap(t["model"]["vocab"], 300, 350))


@breaks("baseline/merges", "error", "' c' + 'at' (rank 30 in the base)", base=True)
def delete_a_merge(folder: Path) -> None:
    edit_alone(folder, lambda t: t["model"]["merges"].pop(30))


@breaks("baseline/merges", "error", "at another rank than in the base: 'h' + 'e' at 119", base=True)
def reorder_a_merge(folder: Path) -> None:
    edit_alone(folder, lambda t: t["model"]["merges"].append(t["model"]["merges"].pop(0)))


@breaks(
    "baseline/added-token-flags",
    "error",
    "1 added token has another value of lstrip than in the base",
    base=True,
)
def strip_before_a_marker(folder: Path) -> None:
    edit_alone(folder, lambda t: t["added_tokens"][2].update(lstrip=True))


@breaks(
    "baseline/added-token-flags",
    "error",
    "1 added token has another value of rstrip than in the base",
    base=True,
)
def strip_after_a_marker(folder: Path) -> None:
    edit_alone(folder, lambda t: t["added_tokens"][2].update(rstrip=True))


@breaks("baseline/components", "error", "The normalizer differs from the base's", base=True)
def lower_the_case(folder: Path) -> None:
    edit_alone(folder, lambda t: t.update(normalizer={"type": "Lowercase"}))


@breaks("baseline/added-tokens", "error", "'<|assistant|>' (id 379)", base=True)
def remove_an_added_token(folder: Path) -> None:
    edit_alone(folder, lambda t: t["added_tokens"].pop())
