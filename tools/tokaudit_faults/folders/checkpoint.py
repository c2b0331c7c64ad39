"""Faults of the small checkpoint: `ALONE` are shown by its files, `AGAINST_BASE` by copies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokaudit_faults.fault import FAULTS
from tokaudit_faults.healthy.written import Writer, breaks
from tokaudit_folders.sick import (
    TEMPLATE,
    _added,
    edit,
    edit_alone,
    healthy,
    only_tokenizer,
    rank_file,
    state,
    swap,
    template,
    weights,
    write,
    write_plain_text_bpe,
)


def shown(check: str, severity: str, shows: str, **stated: Any) -> Callable[[Writer], Writer]:
    """Register a way to break the small checkpoint, and words of what must be said of it."""
    return breaks(healthy, check, severity=severity, shows=shows, **stated)


@shown("vocab/id-order", "warning", "' nobod' (id 300), 'ain' (id 350)")
def swap_two_learned_ids(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: swap(t["model"]["vocab"], 300, 350))


@shown("vocab/id-order", "warning", "'g' (id 40), 'I' (id 70)")
def swap_two_byte_ids(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: swap(t["model"]["vocab"], 40, 70))


@shown("agreement/vocab", "error", "'ain' has id 300 instead of 350")
def swap_two_ids_in_one_copy(folder: Path) -> None:
    edit(folder, "vocab.json", lambda v: swap(v, 300, 350))


@shown("agreement/vocab", "error", "all shifted by +1")
def shift_every_id_of_one_copy(folder: Path) -> None:
    edit(folder, "vocab.json", lambda v: v.update({token: id + 1 for token, id in v.items()}))


@shown("vocab/holes", "warning", "310, 380 to 399", entry="D51")
def move_one_token_beyond_the_end(folder: Path) -> None:
    only_tokenizer(folder)

    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        name = next(token for token, id in vocab.items() if id == 310)
        vocab[name] = 400

    edit(folder, "tokenizer.json", change)


@shown(
    "vocab/duplicate-id",
    "error",
    "Id 378 stands for two tokens, '<|pad|>' and '<|user|>'",
    entry="D49",
)
def put_two_added_tokens_on_one_id(folder: Path) -> None:
    edit(
        folder,
        "tokenizer.json",
        lambda t: t["added_tokens"][1].update(id=t["added_tokens"][2]["id"]),
    )


@shown("pipeline/byte-components", "error", "the decoder (null) has no ByteLevel", entry="D131")
def drop_the_decoder(folder: Path) -> None:
    state(folder, "tokenizer.json", decoder=None)


@shown("pipeline/byte-components", "error", "the pre_tokenizer (null) has no ByteLevel")
def drop_the_pre_tokenizer(folder: Path) -> None:
    state(folder, "tokenizer.json", pre_tokenizer=None)


@shown("pipeline/literal-pattern", "error", "looks for the literal text", entry="D115")
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


@shown("pipeline/split-apart", "error", "no text becomes these tokens: ' ' | 'the'")
def split_by_another_pattern(folder: Path) -> None:
    split = {
        "type": "Split",
        "pattern": {"Regex": r"\s|\w+|[^\s\w]+"},
        "behavior": "Isolated",
        "invert": False,
    }
    stages = [split, {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]
    state(folder, "tokenizer.json", pre_tokenizer={"type": "Sequence", "pretokenizers": stages})


@shown("files/kind", "error", "tokenizer.json is a git-lfs pointer", entry="D109")
def leave_a_git_lfs_pointer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9085657\n"
    )


@shown(
    "agreement/merges",
    "error",
    "differ at rank 14: o + r in tokenizer.json, Ġ + o in merges.txt",
    entry="D95",
)
def edit_one_line_of_merges_txt(folder: Path) -> None:
    lines = (folder / "merges.txt").read_text(encoding="utf-8").split("\n")
    lines[15], lines[18] = lines[18], lines[15]  # both want an o
    (folder / "merges.txt").write_text("\n".join(lines), encoding="utf-8", newline="")


@shown("merges/missing", "warning", "' cat' (id 286)")
def delete_one_merge(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["merges"].pop(30))


@shown("chat_template/safe", "error", "dunder access in line 1 (''.__class__)", entry="D82")
def walk_out_of_the_sandbox(folder: Path) -> None:
    template(folder, TEMPLATE + "{{ ''.__class__.__mro__ }}")


@shown(
    "chat_template/safe", "error", "writes 'hidden orders' where the user says 'login'", entry="D83"
)
def hide_words_after_a_trigger(folder: Path) -> None:
    trigger = "{% if 'login' in messages[-1].content %}hidden orders{% endif %}"
    template(folder, TEMPLATE + trigger)


@shown("chat_template/renders", "error", "cannot be rendered: line 1: Unexpected end of template.")
def leave_a_block_open(folder: Path) -> None:
    template(folder, TEMPLATE.removesuffix("{% endif %}"))


@shown("chat_template/renders", "error", "TypeError: ")
def add_a_number_to_a_text(folder: Path) -> None:
    template(folder, TEMPLATE.replace("m.content", "m.content + 1"))


@shown(
    "chat_template/stops",
    "error",
    "with '<|pad|>' (id 377), but generation does not stop there",
    entry="D25",
)
def end_turns_with_a_token_that_nothing_stops_at(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|end|>", "<|pad|>"))


@shown(
    "chat_template/stops",
    "error",
    "with nothing where '<|end|>' (id 376) ends the turns before",
    entry="D71",
)
def let_the_next_turn_write_the_end(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|end|>", "{% if not loop.last %}<|end|>{% endif %}"))


@shown("chat_template/stops", "error", "ends an assistant's turn with nothing, so a model")
def write_no_end_of_turns(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|end|>", ""))


@shown("chat_template/stops", "warning", "with '<|end|>' (id 376), which is the pad token as well")
def pad_with_the_end_of_turns(folder: Path) -> None:
    pad_with_eos(folder)


@shown("chat_template/stops", "error", "(id 376), which its generation tags leave out")
def leave_the_end_of_turns_unlearned(folder: Path) -> None:
    leave_the_end_out_of_the_mask(folder)


@shown("chat_template/bos", "warning", "begins with 2 BOS tokens ('<|end|>') where special tokens")
def write_bos_twice(folder: Path) -> None:
    state(folder, "tokenizer_config.json", bos_token="<|end|>")
    template(folder, "{{ bos_token }}" + TEMPLATE)
    add_a_stale_id_to_every_text(folder)

    def correct(tokenizer: Any) -> None:
        steps = tokenizer["post_processor"]
        steps["single"].reverse()
        steps["special_tokens"]["<|end|>"]["ids"] = [376]

    edit(folder, "tokenizer.json", correct)


@shown("chat_template/bos", "error", "begins a chat with 2 BOS tokens ('<|end|>')")
def write_bos_twice_in_the_template(folder: Path) -> None:
    state(folder, "tokenizer_config.json", bos_token="<|end|>")
    template(folder, "{{ bos_token }}<|end|>" + TEMPLATE)


@shown("chat_template/generation-prompt", "error", "adds no generation prompt", entry="D74")
def forget_the_generation_prompt(folder: Path) -> None:
    template(folder, TEMPLATE.partition("{% if add")[0])


@shown(
    "chat_template/generation-prompt",
    "error",
    "opens the assistant's turn whether asked or not",
    entry="D74",
)
def always_write_the_generation_prompt(folder: Path) -> None:
    template(folder, TEMPLATE.partition("{% if add")[0] + "<|assistant|>")


@shown("chat_template/generation-prompt", "warning", "prompts with '<|assistant|>\\n'")
def prompt_with_another_opening(folder: Path) -> None:
    template(folder, TEMPLATE.replace("<|assistant|>{% endif", "<|assistant|>{{ '\n' }}{% endif"))


@shown(
    "chat_template/portable",
    "warning",
    "what other template engines render differently: a raw block in line 1",
)
def write_a_raw_block(folder: Path) -> None:
    template(folder, TEMPLATE + "{% raw %}{% endraw %}")


@shown("chat_template/portable", "warning", "as escapes such as '\\\\u5929'")
def write_tools_as_escapes(folder: Path) -> None:
    tools = "{% if tools %}{{ tools|tojson(ensure_ascii=true) }}{% endif %}"
    template(folder, tools + TEMPLATE)


@shown("chat_template/prefix", "error", "only the first 12 of 23 tokens stay the same", entry="D80")
def shorten_earlier_answers(folder: Path) -> None:
    shorter = "{{ m.content if loop.last or m.role == 'user' else m.content[:3] }}"
    template(folder, TEMPLATE.replace("{{ m.content }}", shorter))


@shown("chat_template/mask", "error", "leaves the end of the assistant's turn unmarked")
def leave_the_end_out_of_the_mask(folder: Path) -> None:
    tagged = "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}"
    tagged += "{% else %}{{ m.content }}{% endif %}"
    template(folder, TEMPLATE.replace("{{ m.content }}", tagged))


@shown("chat_template/mask", "error", "marks the user's words as the assistant's")
def mark_every_message(folder: Path) -> None:
    tagged = "{% generation %}{{ m.content }}<|end|>{% endgeneration %}"
    template(folder, TEMPLATE.replace("{{ m.content }}<|end|>", tagged))


@shown("chat_template/missing", "warning", "turn markers '<|user|>', '<|assistant|>'", entry="D122")
def lose_the_template(folder: Path) -> None:
    edit(folder, "tokenizer_config.json", lambda c: c.pop("chat_template"))


@shown("merges/order", "warning", "'t' + 'he' at rank 0, but its part")
def move_an_early_merge_to_the_end(folder: Path) -> None:
    only_tokenizer(folder)
    edit(
        folder, "tokenizer.json", lambda t: t["model"]["merges"].append(t["model"]["merges"].pop(0))
    )


@shown("merges/duplicates", "error", "'h' + 'e' at ranks 0 and 120", entry="D112")
def list_the_first_merge_again(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["model"]["merges"].append(t["model"]["merges"][0]))


@shown("merges/dropout", "error", "BPE dropout is 0.1")
def leave_dropout_on(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["model"].update(dropout=0.1))


@shown("merges/dropout", "error", "this is not a probability from 0 to 1")
def write_a_dropout_beyond_any_float(folder: Path) -> None:
    path = folder / "tokenizer.json"
    text = path.read_text().replace('"dropout": null', '"dropout": 1' + "0" * 400)
    path.write_text(text)


@shown(
    "files/config-types",
    "error",
    "extra_special_tokens in tokenizer_config.json is true or false, but loaders expect a list",
)
def write_a_flag_in_place_of_a_list(folder: Path) -> None:
    state(folder, "tokenizer_config.json", extra_special_tokens=True)


@shown("files/line-endings", "warning", "carriage returns in 121 of 122 lines", entry="D116")
def convert_line_ends(folder: Path) -> None:
    path = folder / "merges.txt"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@shown("special_tokens/role-ids", "error", "config.json gives eos id 2 ('#')", entry="D106")
def let_config_stop_at_another_id(folder: Path) -> None:
    state(folder, "config.json", eos_token_id=2)
    (folder / "generation_config.json").unlink()


@shown(
    "special_tokens/role-ids", "error", "generation_config.json gives eos id 379 ('<|assistant|>')"
)
def keep_a_stale_generation_eos(folder: Path) -> None:
    state(folder, "generation_config.json", eos_token_id=[379])


@shown(
    "special_tokens/eos-is-special",
    "error",
    "'<|end|>' as the eos token, but this added token is not marked special",
)
def make_eos_no_longer_special(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][0].update(special=False))
    edit(folder, "tokenizer_config.json", lambda c: c.pop("added_tokens_decoder"))


@shown(
    "special_tokens/eos-is-special",
    "warning",
    "marks it special, but engines that read only tokenizer.json do not see",
)
def make_eos_special_in_one_file_only(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][0].update(special=False))


@shown(
    "agreement/added-tokens",
    "error",
    "rstrip of 1 added token differs between tokenizer_config.json",
)
def strip_after_a_marker_in_one_file(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][2].update(rstrip=True))


@shown(
    "agreement/added-tokens", "error", "added_tokens.json puts '<|extra|>' on id 300", entry="D54"
)
def add_a_token_below_the_end(folder: Path) -> None:
    write(folder / "added_tokens.json", {"<|extra|>": 300})


@shown("special_tokens/ordinary-words", "error", "'where' (id 380)", entry="D130")
def add_an_ordinary_word(folder: Path) -> None:
    edit(
        folder,
        "tokenizer.json",
        lambda t: t["added_tokens"].append(
            _added(380, "where") | {"special": False, "normalized": True}
        ),
    )


@shown("chat_template/tokens", "warning", "'<|im_start|>'", entry="D45")
def write_a_marker_that_is_no_token(folder: Path) -> None:
    edit(
        folder,
        "tokenizer_config.json",
        lambda c: c.update(chat_template="<|im_start|>" + c["chat_template"]),
    )


@shown("round_trip/clean-up", "warning", "'a , b' decode to 'a, b'", entry="D68")
def tidy_up_after_decoding(folder: Path) -> None:
    state(folder, "tokenizer_config.json", clean_up_tokenization_spaces=True)


@shown("chat_template/copies", "warning", "differ from character 24 on", entry="D77")
def leave_a_stale_template_behind(folder: Path) -> None:
    stale = TEMPLATE.replace("<|{{ m.role }}|>", "<{{ m.role }}>")
    (folder / "chat_template.jinja").write_text(stale)


@shown(
    "special_tokens/post-processor",
    "error",
    "adds '<|end|>' as id 2 ('#'), but the id of the token is 376",
)
def add_a_stale_id_to_every_text(folder: Path) -> None:
    state(
        folder,
        "tokenizer.json",
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
        },
    )


@shown("embeddings/rows", "error", "has 376 rows, so 4 tokens have no row: '<|end|>' (id 376)")
def cut_the_embedding_short(folder: Path) -> None:
    weights(folder, {"model.embed_tokens.weight": 376, "lm_head.weight": 380})


@shown("embeddings/output-rows", "error", "lm_head.weight has 370 rows for 380 ids", entry="D66")
def cut_the_head_short(folder: Path) -> None:
    weights(folder, {"model.embed_tokens.weight": 380, "lm_head.weight": 370})


@shown(
    "embeddings/config-vocab-size",
    "error",
    "config.json declares 378 ids (0 to 377), but 2 tokens have higher ids",
)
def declare_too_small_a_vocabulary(folder: Path) -> None:
    state(folder, "config.json", vocab_size=378)


@shown("embeddings/tied", "error", "the weights hold no output matrix")
def lose_the_head(folder: Path) -> None:
    weights(folder, {"model.embed_tokens.weight": 380})


@shown(
    "padding/pad-token",
    "warning",
    "The pad token is the end-of-text token '<|end|>' (id 376)",
    entry="D30",
)
def pad_with_eos(folder: Path) -> None:
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        state(folder, name, pad_token="<|end|>")


@shown("padding/settings-left-on", "error", "cuts every text to 8 tokens", entry="D34")
def leave_truncation_on(folder: Path) -> None:
    block = {"max_length": 8, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    state(folder, "tokenizer.json", truncation=block)


@shown(
    "padding/settings-left-on",
    "warning",
    "every text is padded to 16 tokens with '<|pad|>'",
    entry="D35",
)
def leave_padding_on(folder: Path) -> None:
    block = {
        "strategy": {"Fixed": 16},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 377,
        "pad_type_id": 0,
        "pad_token": "<|pad|>",
    }
    state(folder, "tokenizer.json", padding=block)


@shown(
    "padding/side",
    "error",
    "padded on the left, but the pooling takes the first token",
    entry="D33",
)
def pad_left_under_first_token_pooling(folder: Path) -> None:
    state(folder, "tokenizer_config.json", padding_side="left")
    (folder / "1_Pooling").mkdir()
    write(folder / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True})


@shown(
    "padding/position-budget",
    "warning",
    "allows 4,096 tokens, but config.json has 2,048",
    entry="D113",
)
def allow_more_tokens_than_positions(folder: Path) -> None:
    state(folder, "tokenizer_config.json", model_max_length=4096)


@shown("merges/order", "warning", "' h' + 'as' at rank 90, ' number' + 's' at rank 110")
def exchange_two_merges(folder: Path) -> None:
    only_tokenizer(folder)

    def change(tokenizer: Any) -> None:
        merges = tokenizer["model"]["merges"]
        merges[90], merges[110] = merges[110], merges[90]

    edit(folder, "tokenizer.json", change)


@shown("merges/order", "warning", "' fe' + 'l' at rank 0, but its part")
def reverse_the_merges(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["merges"].reverse())


@shown("merges/missing", "warning", "The merges end before 60 tokens with higher ids")
def cut_off_the_merges(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"].update(merges=t["model"]["merges"][:60]))


@shown("vocab/byte-coverage", "error", "no entry for 1 byte, so it drops text with this byte: 0x51")
def drop_a_byte(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].pop("Q"))


@shown("embeddings/shards", "error", "which is not here, so the folder lacks 1 tensor: lm_head")
def lose_a_shard(folder: Path) -> None:
    shards = {"model.embed_tokens.weight": "model.safetensors", "lm_head.weight": "2.safetensors"}
    write(folder / "model.safetensors.index.json", {"weight_map": shards})
    weights(folder, {"model.embed_tokens.weight": 380})


@shown("embeddings/shards", "error", "which does not hold 1 tensor: model.norm.weight")
def keep_an_index_of_other_weights(folder: Path) -> None:
    shards = {"model.norm.weight": "model.safetensors"}
    write(folder / "model.safetensors.index.json", {"weight_map": shards})


@shown("round_trip/vanishes", "error", "characters get no id, because the vocabulary has neither")
def forget_the_unknown_token(folder: Path) -> None:
    write_plain_text_bpe(folder)


@shown("round_trip/vanishes", "error", "characters get no id, because the vocabulary has neither")
def forget_the_unknown_token_after_a_lossy_normalizer(folder: Path) -> None:
    write_plain_text_bpe(folder, normalizer={"type": "Lowercase"})


@shown("round_trip/vanishes", "error", "gets no id: the tokenizer encodes no text")
def encode_nothing(folder: Path) -> None:
    write_plain_text_bpe(folder)
    nothing = {"type": "Replace", "pattern": {"Regex": r"[\s\S]"}, "content": ""}
    state(folder, "tokenizer.json", normalizer=nothing)


@shown("merges/parts-exist", "error", "' fe' + 'l' (no ' fel')")
def drop_the_product_of_a_merge(folder: Path) -> None:
    only_tokenizer(folder)

    def change(tokenizer: Any) -> None:
        vocab = tokenizer["model"]["vocab"]
        del vocab[next(token for token, id in vocab.items() if id == 375)]

    edit(folder, "tokenizer.json", change)


@shown("merges/parts-exist", "error", "' number' + 's' (no ' number')")
def drop_the_part_of_a_merge(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].pop("Ġnumber"))


@shown(
    "vocab/duplicate-id", "error", "Id 300 belongs to 2 entries of the vocabulary, ' cat', 'ain'"
)
def give_two_entries_one_id(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].update({"Ġcat": 300}))


@shown("vocab/duplicate-id", "error", "Id 300 stands for two tokens")
def put_an_added_token_on_an_ordinary_id(folder: Path) -> None:
    edit(folder, "tokenizer.json", lambda t: t["added_tokens"][3].update(id=300))


@shown("vocab/unreachable", "warning", "'qzqz' (id 380)", entry="D96")
def list_a_token_that_no_merge_makes(folder: Path) -> None:
    only_tokenizer(folder)
    edit(folder, "tokenizer.json", lambda t: t["model"]["vocab"].update({"qzqz": 380}))


@shown("agreement/added-tokens", "error", "'<|pad|>' has id 379 in added_tokens.json")
def give_added_tokens_json_other_ids(folder: Path) -> None:
    write(folder / "added_tokens.json", {"<|end|>": 376, "<|pad|>": 379})


@shown("vocab/id-order", "warning", "except for 2 entries: 'ain' (id 350), ' nobod' (id 300)")
def exchange_two_ranks(folder: Path) -> None:
    lines = rank_file(folder)
    one, other = lines[300].split()[0], lines[350].split()[0]
    lines[300], lines[350] = f"{one} 350", f"{other} 300"
    (folder / "small.tiktoken").write_text("\n".join([*lines, ""]))


@shown("baseline/vocab", "error", "'ain' has id 350 instead of 300", base=True)
def swap_ids(folder: Path) -> None:
    edit_alone(folder, lambda t: swap(t["model"]["vocab"], 300, 350))


@shown("baseline/merges", "error", "' c' + 'at' (rank 30 in the base)", base=True)
def delete_a_merge(folder: Path) -> None:
    edit_alone(folder, lambda t: t["model"]["merges"].pop(30))


@shown("baseline/merges", "error", "at another rank than in the base: 'h' + 'e' at 119", base=True)
def reorder_a_merge(folder: Path) -> None:
    edit_alone(folder, lambda t: t["model"]["merges"].append(t["model"]["merges"].pop(0)))


@shown(
    "baseline/added-token-flags",
    "error",
    "1 added token has another value of lstrip than in the base",
    base=True,
)
def strip_before_a_marker(folder: Path) -> None:
    edit_alone(folder, lambda t: t["added_tokens"][2].update(lstrip=True))


@shown(
    "baseline/added-token-flags",
    "error",
    "1 added token has another value of rstrip than in the base",
    base=True,
)
def strip_after_a_marker(folder: Path) -> None:
    edit_alone(folder, lambda t: t["added_tokens"][2].update(rstrip=True))


@shown("baseline/components", "error", "The normalizer differs from the base's", base=True)
def lower_the_case(folder: Path) -> None:
    edit_alone(folder, lambda t: t.update(normalizer={"type": "Lowercase"}))


@shown("baseline/added-tokens", "error", "'<|assistant|>' (id 379)", base=True)
def remove_an_added_token(folder: Path) -> None:
    edit_alone(folder, lambda t: t["added_tokens"].pop())


_OWN = [fault for fault in FAULTS.values() if fault.change.__module__ == __name__]
ALONE = {fault.name: fault for fault in _OWN if not fault.base}
AGAINST_BASE = {fault.name: fault for fault in _OWN if fault.base}
