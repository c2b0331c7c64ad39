"""Figures of published tables, reproduced by `compare --for replacing` on the texts behind them.

The tables are those that nanochat's evaluation of its tokenizer prints, as the model card of
nanochat-students/nanochat-tokenizer-2B quotes them: "Comparison with GPT-2" and "Comparison with
GPT-4", rows news, korean, code, math and science.  The texts are in that script.

Source: `scripts/tok_eval.py` of nanochat.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from locations import find_material

import tokaudit

BYTES = {"news": 1819, "korean": 893, "code": 1259, "math": 1834, "science": 1112}
TABLES = {  # row: tokens, ratio
    "gpt2": {
        "news": (404, "4.50"),
        "korean": (745, "1.20"),
        "code": (576, "2.19"),
        "math": (936, "1.96"),
        "science": (260, "4.28"),
    },
    "cl100k_base": {
        "news": (387, "4.70"),
        "korean": (364, "2.45"),
        "code": (309, "4.07"),
        "math": (832, "2.20"),
        "science": (249, "4.47"),
    },
}


@pytest.fixture(scope="module")
def material() -> Path:
    """The folder of outside material, with the script in it."""
    found = find_material()
    if found is None or not (found / "published_tables" / "nanochat_tok_eval.py").is_file():
        pytest.skip("needs published_tables/nanochat_tok_eval.py in TOKAUDIT_MATERIAL")
    return found


@pytest.fixture(scope="module")
def texts(material: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each text as a corpus of one document."""
    script = material / "published_tables" / "nanochat_tok_eval.py"
    folder = tmp_path_factory.mktemp("texts")
    found = {}
    for each in ast.parse(script.read_text("utf-8")).body:
        name = each.targets[0].id if isinstance(each, ast.Assign) else ""  # type: ignore[attr-defined]
        if name.endswith("_text"):
            key = name.removesuffix("_text")
            found[key] = folder / f"{key}.jsonl"
            found[key].write_text(json.dumps(ast.literal_eval(each.value).strip()) + "\n")  # type: ignore[attr-defined]
    return found


def test_the_tables_of_nanochat_s_tokenizer_evaluation_are_reproduced(
    material: Path, texts: dict[str, Path], processes: None
) -> None:
    left, right = (str(material / "tokenizers" / name) for name in TABLES)
    report = tokaudit.compare(left, right, purpose="replacing", corpus=list(texts.values()))
    [found] = report.replacements
    for row, file in texts.items():
        tokens = found.figure("tokens", name=str(file))
        ratio = found.figure("bytes_per_token", name=str(file))
        assert tokens is not None and ratio is not None
        for name, counted, size in (
            ("gpt2", tokens.left, ratio.left),
            ("cl100k_base", tokens.right, ratio.right),
        ):
            assert counted is not None and size is not None
            assert (counted.value, f"{size.value:.2f}") == TABLES[name][row]
            assert round(size.value * counted.value) == BYTES[row]
