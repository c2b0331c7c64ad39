"""What llama.cpp's converter and mistral-common take of a folder, next to what transformers takes."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import tokaudit
from tokaudit.cli.loaders_command import lines
from tokaudit.subject.effective.readers import gguf_converter, mistral_values
from tokaudit_folders.folder import Folder

PAIR = [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"]
BEGIN: dict[str, Any] = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, PAIR[0]],
    "pair": PAIR,
    "special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]}},
}


def of(loader: str, folder: Path) -> dict[str, tuple[Any, str]]:
    with tokaudit.open(folder) as opened:
        return {c.key: (c.value, c.source) for c in opened.loaded if c.loader == loader}


def folder(path: Path, bos: Any, **settings: Any) -> Path:
    made = Folder.bpe("ab").added("<s>", "</s>").changed(post_processor=BEGIN)
    made = made.tokenizer_config(bos_token=bos, tokenizer_class="LlamaTokenizer", **settings)
    return made.config(vocab_size=4, eos_token_id=3, model_type="llama").write(path)


def test_the_converter_takes_an_id_of_the_added_tokens_before_that_of_the_config(
    tmp_path: Path,
) -> None:
    rows = of(gguf_converter.NAME, folder(tmp_path, "<s>"))
    assert rows["bos_token_id"] == (2, "tokenizer_config.json#/bos_token")
    assert rows["eos_token_id"] == (3, "config.json#/eos_token_id")
    assert rows["add_bos_token"] == (True, "tokenizer.json#/post_processor")


def test_a_bos_that_is_an_object_is_not_known_again_in_the_post_processor(tmp_path: Path) -> None:
    rows = of(gguf_converter.NAME, folder(tmp_path, {"content": "<s>", "__type": "AddedToken"}))
    assert rows["bos_token_id"][0] == 2
    assert rows["add_bos_token"] == (False, "tokenizer.json#/post_processor")


def test_the_converter_takes_the_key_of_templates_before_the_file(tmp_path: Path) -> None:
    named = [{"name": "default", "template": "a"}, {"name": "tool_use", "template": "b"}]
    made = folder(tmp_path, "<s>", chat_template=named)
    (made / "chat_template.jinja").write_text("c", "utf-8")
    rows = of(gguf_converter.NAME, made)
    assert rows["chat_template"][0] == "default, tool_use"


def test_the_terminal_names_the_keys_that_were_never_run(tmp_path: Path) -> None:
    made = folder(tmp_path, "<s>")
    stated = json.loads((made / "tokenizer.json").read_text("utf-8"))
    stated["normalizer"] = {"type": "Lowercase"}
    (made / "tokenizer.json").write_text(json.dumps(stated), "utf-8")
    with tokaudit.open(made) as opened:
        last = [*lines(opened.loaded)][-1]
    assert last == "read from the source of llama.cpp's converter, never run: do_lower_case"


def tekken(path: Path, version: str, special: list[str]) -> Path:
    vocab = [
        {"rank": id, "token_bytes": base64.b64encode(bytes((id,))).decode(), "token_str": None}
        for id in range(256)
    ]
    config = {"pattern": ".", "num_vocab_tokens": 256, "default_vocab_size": 266}
    config |= {"default_num_special_tokens": 10, "version": version}
    listed = [{"rank": id, "token_str": t, "is_control": True} for id, t in enumerate(special)]
    whole = {"config": config, "vocab": vocab, "special_tokens": listed}
    (path / "tekken.json").write_text(json.dumps(whole), "utf-8")
    return path


def test_mistral_common_looks_roles_up_by_text(tmp_path: Path) -> None:
    rows = of(mistral_values.NAME, tekken(tmp_path, "v1", ["<unk>", "<s>", "</s>"]))
    assert rows["eos_token_id"] == (2, "default of mistral-common, </s>")
    assert rows["pad_token_id"] == (None, "stated nowhere")
    assert rows["version"] == ("v1", "tekken.json#/config/version")


def test_mistral_common_refuses_a_version_whose_tokens_are_not_there(tmp_path: Path) -> None:
    rows = of(mistral_values.NAME, tekken(tmp_path, "v3", ["<unk>", "<s>", "</s>"]))
    said = "refused: v3 writes [INST], which is not there"
    assert rows == {"tokenizer file": (said, "tekken.json#/config/version")}
