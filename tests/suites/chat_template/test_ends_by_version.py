"""A BOS that the template writes, and what versions of transformers add by their switches."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokaudit
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}{{ '<|' + m.role + '|>' + m.content }}"
    "{% if m.role == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)


@pytest.mark.parametrize(("on", "causes"), [(True, ["doubled by a version"]), (False, [])])
def test_a_switch_that_one_version_follows_doubles_the_bos_of_the_template(
    tmp_path: Path, processes: None, on: bool, causes: list[str]
) -> None:
    folder = Folder.bpe(BYTE_OF).added("<s>", "</s>", "<|user|>", "<|assistant|>", "<|system|>")
    folder = folder.changed(pre_tokenizer=LEVEL, decoder=LEVEL).tokenizer_config(
        tokenizer_class="LlamaTokenizerFast",
        add_bos_token=on,
        bos_token="<s>",
        eos_token="</s>",
        chat_template=TEMPLATE,
    )
    found = tokaudit.run_check("chat_template/bos", folder.write(tmp_path), tier="quick").findings
    assert [each.cause for each in found] == causes
    for each in found:
        assert f"LlamaTokenizerFast of transformers {FOUR} (emulated)" in each.message
        assert f"No BOS is added by TokenizersBackend of transformers {FIVE}" in each.message
