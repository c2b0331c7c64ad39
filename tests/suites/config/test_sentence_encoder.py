"""Values of which sentence-transformers 5.7.0 builds no encoder, by the file that states them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit_folders.folder import Folder

CHECK, OURS = "config/sentence-encoder", "sentence_transformers.models."
LIST, WHOLE, MODEL = (
    "modules.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
)
POOL = "1_Pooling/config.json"
FILES: dict[str, Any] = {
    LIST: [
        {"idx": 0, "name": "0", "path": "", "type": OURS + "Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": OURS + "Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": OURS + "Normalize"},
    ],
    POOL: {"word_embedding_dimension": 4, "pooling_mode_mean_tokens": True},
    MODEL: {"max_seq_length": 256, "do_lower_case": False},
    WHOLE: {"prompts": {"query": "q: "}, "default_prompt_name": None, "similarity_fn_name": "dot"},
}
STATED = {"method": "forward", "method_output_name": "last_hidden_state"}


def said(folder: Path, file: str, *steps: Any, value: Any = None, gone: bool = False) -> list[str]:
    """The messages for an encoder of which one value is another, or gone."""
    files = json.loads(json.dumps(FILES))
    at = files[file]
    for step in steps[:-1]:
        at = at[step]
    if gone:
        del at[steps[-1]]
    elif steps:
        at[steps[-1]] = value
    else:
        files[file] = value
    whole = Folder.bpe("ab", ["a b"]).config(hidden_size=4, vocab_size=3)
    for name, stated in files.items():
        whole = whole.file(name, stated)
    whole.write(folder)
    return [each.message for each in tokaudit.run_check(CHECK, folder).findings]


def test_nothing_is_said_of_an_encoder_that_is_built(tmp_path: Path) -> None:
    assert said(tmp_path, MODEL, "max_seq_length", value=128) == []


@pytest.mark.parametrize(
    "stated",
    [
        {"embedding_dimension": 4, "pooling_mode": "mean", "include_prompt": True},
        {"embedding_dimension": 4, "pooling_mode": ["mean", "cls"]},
        {"word_embedding_dimension": 4},
    ],
)
def test_pooling_is_stated_in_the_words_of_any_version(
    tmp_path: Path, stated: dict[str, Any]
) -> None:
    assert said(tmp_path, POOL, value=stated) == []


def test_a_module_of_code_of_its_own_may_make_anything(tmp_path: Path) -> None:
    assert said(tmp_path, LIST, 1, "type", value="pylate.models.Dense") == []


def test_a_model_may_lie_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "0_Transformer").mkdir()
    (tmp_path / "0_Transformer/config.json").write_text('{"hidden_size": 4}')
    assert said(tmp_path, LIST, 0, "path", value="0_Transformer") == []


@pytest.mark.parametrize(
    ("file", "steps", "value", "expected"),
    [
        (LIST, (), [], "modules.json lists no module"),
        (LIST, (2,), None, "modules.json lists None"),
        (LIST, (2, "name"), "", "name of module 2 in modules.json is '', not a name"),
        (LIST, (0, "path"), 1, "path of module 0 in modules.json is 1, not a folder"),
        (LIST, (0, "path"), "x", "modules.json names x, which has no config.json"),
        (
            LIST,
            (1, "type"),
            "Pooling",
            "modules.json names Pooling, a class that the library lacks",
        ),
        (
            LIST,
            (2, "type"),
            OURS + "Normalise",
            "modules.json names sentence_transformers.models.Normalise, a class that the library lacks",
        ),
        (
            POOL,
            (),
            {},
            "1_Pooling/config.json lacks embedding_dimension, without which there is no Pooling",
        ),
        (
            POOL,
            ("pooling_mode_mean_token",),
            True,
            "1_Pooling/config.json has the key pooling_mode_mean_token, which Pooling does not take",
        ),
        (
            POOL,
            ("pooling_mode",),
            [],
            "pooling_mode in 1_Pooling/config.json is [], which is no way to pool",
        ),
        (
            WHOLE,
            ("prompts",),
            None,
            "prompts in config_sentence_transformers.json is None, not an object",
        ),
        (
            WHOLE,
            ("default_prompt_name",),
            0,
            "default_prompt_name in config_sentence_transformers.json is 0",
        ),
        (
            WHOLE,
            ("similarity_fn_name",),
            "cos",
            "similarity_fn_name in config_sentence_transformers.json is 'cos', and not cosine, dot, "
            "euclidean, manhattan, MaxSim",
        ),
        (
            MODEL,
            ("modality_config",),
            {"text": STATED},
            "sentence_bert_config.json has modality_config and no module_output_name",
        ),
        (
            MODEL,
            ("modality_config",),
            {"text": {}},
            "modality_config in sentence_bert_config.json has no method for text",
        ),
    ],
)
def test_what_ends_loading_is_an_error(
    tmp_path: Path, file: str, steps: tuple[Any, ...], value: Any, expected: str
) -> None:
    found = said(tmp_path, file, *steps, value=value)
    assert f"{expected}: sentence-transformers 5.7.0 stops with an error." in found


@pytest.mark.parametrize("part", ["type", "path", "name"])
def test_an_entry_of_the_list_has_every_part(tmp_path: Path, part: str) -> None:
    found = said(tmp_path, LIST, 2, part, gone=True)
    assert found == [
        f"{part} of module 2 in modules.json is missing: sentence-transformers 5.7.0 stops with an "
        "error."
    ]


def test_vectors_that_no_module_makes_are_not_pooled(tmp_path: Path) -> None:
    ends = "stops at the first text, or leaves the module out"
    assert said(tmp_path, LIST, 1, gone=True) == [
        "Normalize takes sentence_embedding, which no module before it makes: "
        f"sentence-transformers 5.7.0 {ends}."
    ]
    assert said(tmp_path, MODEL, "transformer_task", value="text-generation") == [
        "Pooling takes token_embeddings, which no module before it makes: "
        f"sentence-transformers 5.7.0 {ends}."
    ]


@pytest.mark.parametrize("length", [0, -1, "256", 256.5])
def test_a_longest_text_is_a_whole_number(tmp_path: Path, length: Any) -> None:
    [message] = said(tmp_path, MODEL, "max_seq_length", value=length)
    assert message.startswith(f"max_seq_length in sentence_bert_config.json is {length!r}, which")


def test_a_model_of_another_type_is_built_of_other_modules(tmp_path: Path) -> None:
    [message] = said(tmp_path, WHOLE, "model_type", value="SentenceTransforme")
    assert message.endswith("sentence-transformers 5.7.0 builds other modules than the list has.")
