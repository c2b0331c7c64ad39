"""Every hash of a manifest, made again from the files as `docs/hashes.md` and its neighbour say.

Nothing here imports tokaudit: the ids of the frozen probes come from the upstream library, and of
the files of ours one list of texts is read, as the page says.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from tokenizers import Tokenizer

TOKENS = ["<unk>", "a", "b", "c", "ab", "abc", "-", " ", "d"]
MERGES = [["a", "b"], ["ab", "c"]]
FLAGS = {"lstrip": True, "rstrip": False, "single_word": False, "normalized": False}
ADDED = {"id": 9, "content": "<end>", "special": True, **FLAGS}
DASH = {"type": "Split", "pattern": {"String": "-"}, "behavior": "Removed", "invert": False}
ENDS = [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "<end>", "type_id": 0}}]
AROUND = {
    "type": "TemplateProcessing",
    "single": ENDS,
    "pair": [*ENDS, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<end>": {"id": "<end>", "ids": [9], "tokens": ["<end>"]}},
}
LOWER = {"type": "Lowercase"}
DESCRIBED = {
    "version": "1.0",
    "added_tokens": [ADDED],
    "normalizer": LOWER,
    "pre_tokenizer": DASH,
    "post_processor": AROUND,
    "decoder": {"type": "Fuse"},
    "model": {
        "type": "BPE",
        "vocab": {token: id for id, token in enumerate(TOKENS)},
        "merges": MERGES,
        "unk_token": "<unk>",
        "fuse_unk": True,
    },
}
CONFIG = {"eos_token": "<end>", "chat_template": "{{ messages }}"}
SETTINGS = [
    ("model_type", "bpe"),
    ("byte_level", False),
    ("priority", "pair"),
    ("ignore_merges", False),
    ("unk_id", 0),
    ("fuse_unk", True),
    ("byte_fallback", False),
    ("continuing_subword_prefix", ""),
    ("end_of_word_suffix", ""),
    ("max_input_chars_per_word", 100),
    ("dropout", None),
    ("control_from_text", True),
    ("begin_id", None),
]


def line(row: Any) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def table(rows: Iterable[Any]) -> str:
    return sha("".join(f"{line(row)}\n" for row in rows))


def texts(*tokens: str) -> list[dict[str, str]]:
    return [{"text": token} for token in tokens]


ENTRIES = [
    [id, "unknown" if token == "<unk>" else "ordinary", {"text": token}]
    for id, token in enumerate(TOKENS)
]
FORM = sha(  # at `ab` and at the letters there is one block each
    '[{"text":"a"},{"text":"b"},0,0]\n[{"text":"ab"},{"text":"c"},0,0]\n'
)
SYMBOLS = sorted(line(each) for each in texts("a", "b", "c", "-", " ", "d"))
MODEL = [
    ["merges-canonical-v1", f"sha256:{FORM}"],
    [False, "", "becomes <unk>, neighbours one", True],
    sha("".join(f"{symbol}\n" for symbol in SYMBOLS)),
    sha(""),
]
ACCEPTOR = [
    *(["characters", 0, 0], ["characters", 45, 1], ["characters", 46, 0]),
    *(["move", 0, 0, 1, 1], ["move", 0, 1, 2, 0], ["end", 0]),
    *(["move", 1, 0, 0, 1], ["move", 1, 1, 2, 0], ["end", 1]),
]
SPLIT = [True, False, ACCEPTOR]
ID_PARTS = [
    ["vocab", False, [table(ENTRIES), []]],
    ["model", False, MODEL],
    ["normalizer", False, [LOWER]],
    ["pre_tokenizer", False, SPLIT],
    ["added_tokens", False, [[9, "<end>", True, True, False, False, False]]],
    ["around", False, [[AROUND], None]],
    ["decoder", False, ["False", [{"type": "Fuse"}]]],
]


def folded(node: ast.expr) -> Any:
    """What an expression of texts, sums and repeats is."""
    if not isinstance(node, ast.BinOp):
        return ast.literal_eval(node)
    left, right = folded(node.left), folded(node.right)
    return left + right if isinstance(node.op, ast.Add) else left * right


def frozen_probes() -> list[str]:
    """The contexts, then every 611th code point between letters."""
    package = find_spec("tokaudit")
    assert package is not None and package.origin is not None
    source = (Path(package.origin).parent / "engine" / "texts" / "probes.py").read_text("utf-8")
    body = next(
        node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CONTEXTS"
    )
    assert isinstance(body, ast.Tuple)
    contexts = map(folded, body.elts)
    codes = (code for code in range(1, 0x110000, 611) if not 0xD800 <= code < 0xE000)
    return [*contexts, *(f"a{chr(code)} {chr(code)}b" for code in codes)]


def behaviour() -> str:
    library = Tokenizer.from_str(json.dumps(DESCRIBED))
    found = library.encode_batch(frozen_probes(), add_special_tokens=False)
    return table([True, *each.ids] for each in found)


@pytest.fixture(scope="module")
def identity(
    tmp_path_factory: pytest.TempPathFactory,
    tokaudit_in_fork: Callable[..., CompletedProcess[str]],
) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("model")
    (folder / "tokenizer.json").write_text(json.dumps(DESCRIBED))
    (folder / "tokenizer_config.json").write_text(json.dumps(CONFIG))
    done = tokaudit_in_fork("manifest", folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)["predicate"]["identity"]
    return found


def test_each_hash_is_what_the_page_says(identity: dict[str, str]) -> None:
    kinds = {value["text"]: kind for _, kind, value in ENTRIES}
    pairs = [[[kinds[token], {"text": token}] for token in pair] for pair in MERGES]
    made = {
        "vocab-v1": table(ENTRIES),
        "merges-listed-v1": table(texts(*pair) for pair in MERGES),
        "merges-effective-v1": table(pairs),
        "merges-canonical-v1": FORM,
        "model_settings-v1": table([name, value] for name, value in SETTINGS),
        "model-canonical-v1": sha(line(MODEL)),
        "added_tokens-v1": table([["<end>", 9, True, True, False, False, False]]),
        "special_roles-v1": table([["eos_token", "<end>"]]),
        "normalizer-v1": table([LOWER]),
        "pre_tokenizer-v1": table([DASH]),
        "post_processor-v1": table([AROUND]),
        "decoder-v1": table([{"type": "Fuse"}]),
        "chat_template-v1": table(["{{ messages }}"]),
        "behaviour-v1": behaviour(),
    }
    named = {name.partition("@")[0]: digest for name, digest in identity.items()}
    assert {name: named[name] for name in made} == {n: f"sha256:{d}" for n, d in made.items()}
    rest = {"pre_tokenizer-canonical-v1", "id-v1"}
    assert {n for n in named.keys() - made.keys() if not n.startswith("id.")} == rest
    assert named["pre_tokenizer-canonical-v1"] == f"sha256:{sha(line(SPLIT))}"


def test_the_short_id_is_what_the_page_says(identity: dict[str, str]) -> None:
    (digits,) = (digest for name, digest in identity.items() if name.startswith("id-v1@"))
    assert digits == f"sha256:{table(ID_PARTS)[:32]}"


def test_each_part_of_the_short_id_is_a_hash_as_the_page_says(identity: dict[str, str]) -> None:
    found = {n.partition("@")[0]: digest for n, digest in identity.items() if n.startswith("id.")}
    made = {f"id.{part[0]}-v1": f"sha256:{table([part])}" for part in ID_PARTS}
    assert {name: found[name] for name in made} == made
    assert {found[name] for name in found.keys() - made.keys()} == {f"sha256:{table([])}"}
