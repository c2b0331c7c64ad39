"""What is known of other people's code is quoted in one room: no class is named outside of it.

Docstrings and what a check tells its readers count: what names a class there is listed, with why.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path

import tokaudit
from tokaudit.subject.upstream import own_code
from tokaudit.subject.upstream.llama_cpp import gguf_tokens
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.published import speech_prompt, spellings
from tokaudit.subject.upstream.tokenizer_class import ANY, every_class
from tokaudit.subject.upstream.versions import FIVE, FIVE_SHORT, FOUR, FOUR_SHORT

TREE = Path(tokaudit.__file__).parents[2]
ROOM = TREE / "audit" / "tokaudit" / "subject" / "upstream"
PACKAGES = ("audit", "suites", "reports", "reference_impl", "tools")
USERS = ("audit", "suites", "reports", "reference_impl")
"""What users install, where a text that is a model type is knowledge of its models."""
NAMED: Mapping[str, str] = {
    "audit/tokaudit/products/train/trainers/tokenizer_file.py": "writes the class of a trained tokenizer",
    "tools/tokaudit_template_engines/transformers_driver.py": "renders by the library's plainest class",
    "tools/tokaudit_faults": "checkpoints as they are published and as transformers saves them",
    "tools/tokaudit_fuzz/of_formats": "the folders that it changes",
    "tools/tokaudit_fuzz/sample.py": "the settings of some of them",
    "tools/tokaudit_fuzz/samples.py": "the checkpoint that it changes",
    "tools/tokaudit_folders/sick.py": "a checkpoint as transformers saves it",
    "audit/tokaudit/products/demo/checkpoints.py": "writes the class of small checkpoints",
    "tools/tokaudit_upstream": "asks the library itself",
    "tools/tokaudit_loaders": "asks the library itself",
    "audit/tokaudit/subject/effective/class_choice.py": "decides as the library's function does",
    "audit/tokaudit/runtimes/adapters/transformers_adapter.py": "calls the library itself",
    "suites/tokaudit_suites/merges/counts.py": "tells whose lines lose their merges",
    "suites/tokaudit_suites/pipeline/class_rebuild.py": "tells users which class to write, and why",
    "suites/tokaudit_suites/special_tokens/timestamps.py": "tells who counted the ids of times",
    "suites/tokaudit_suites/vocab/word_delimiter.py": "tells who writes the mark for a space",
}
"""Where a class is named all the same, with the reason."""
TYPED: Mapping[str, str] = {
    "audit/tokaudit/products/demo/checkpoints.py": "writes the type of small checkpoints",
    "audit/tokaudit/products/train/": "writes files with the pattern of GPT-2",
    "audit/tokaudit/runtimes/adapters/mistral_common_adapter.py": "the name of a package",
    "audit/tokaudit/subject/formats/gguf/": "values that a file of llama.cpp states",
    "audit/tokaudit/subject/formats/rwkv_trie.py": "the name of a format",
    "audit/tokaudit/subject/formats/vocab_merges.py": "the family of a bare vocabulary",
    "audit/tokaudit/subject/formats/vocab_txt.py": "the family of a bare list",
    "suites/tokaudit_suites/special_tokens/_gguf_families.py": "values of llama.cpp",
    "reference_impl/tokaudit_reference/text/published_patterns.py": "the names of patterns",
}
"""Where a text is a model type, or spelled as one, with what it is there."""
SPELLED: Mapping[str, str] = {
    "audit/tokaudit/products/demo/checkpoints.py": "writes the tokens of small checkpoints",
    "audit/tokaudit/products/train/": "writes the unknown token that a model needs",
    "audit/tokaudit/products/compare/proofs/defaults.py": "what a step takes that states none",
    "audit/tokaudit/subject/formats/common/arranged.py": "what a model has without a stated one",
    "audit/tokaudit/subject/formats/common/trained_roles.py": "defaults of the format",
    "audit/tokaudit/subject/formats/vocab_txt.py": "by it a list is a WordPiece",
    "audit/tokaudit/testing/strategies.py": "texts that are tried",
    "suites/tokaudit_suites/special_tokens/piece_types.py": "tells users what ends a prompt",
    "suites/tokaudit_suites/special_tokens/timestamps.py": "tells users which ids are times",
    "reference_impl/tokaudit_reference/steps/": "what a step takes that states none",
    "reference_impl/tokaudit_reference/training/wordpiece_trainer.py": "what the trainer adds",
}
"""Where a special token is quoted all the same, with what it is there."""
QUOTED_VERSIONS = ("audit", "suites", "tools", "tests")
CITED: Mapping[str, str] = {
    "tests/helpers/samples/layouts.py": "cites a file as it was in that version",
    "audit/tokaudit/runtimes/adapters/transformers_adapter.py": "the oldest version that it runs",
    "audit/tokaudit/cli/chat_command/__init__.py": "a command as it is typed",
}
"""Where a version is named all the same; an incident happened in one, and a docstring cites it."""
DATA = (".toml", ".json", ".jsonl", ".csv", ".tsv", ".mjs", ".js", ".j2")
WORD = re.compile(r"\w+")
NAME = re.compile(r"[\w.-]+")
MODEL_CLASS = re.compile(r"\b[A-Z]\w*(?:For[A-Z]\w+|LMHeadModel)\b")
VERSION = re.compile("|".join(rf"\b{re.escape(short)}\b" for short in (FOUR_SHORT, FIVE_SHORT)))
TYPES = frozenset(every_type())
TOKENS = frozenset(
    {
        *(text for role in spellings.spelled_roles() for text in spellings.spelled(role)),
        *spellings.turn_starts(),
        *spellings.turn_ends(),
        *spellings.reasoning(),
        *spellings.reasoning().values(),
        *spellings.control_tokens_without_list(),
        *speech_prompt.recorded_tokens(),
        *gguf_tokens.types(),
        *(token for known in every_class().values() for token in (known.tokens or {}).values()),
    }
)
NAMES = frozenset(
    {name + end for name in (*every_class(), *ANY) for end in ("", "Fast")} | {own_code.KEY}
)


def quoted(tree: ast.AST) -> Iterator[str]:
    """The texts of a module, without its docstrings and without the incidents of its checks."""
    passed: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            passed |= {id(each.value) for each in node.body if isinstance(each, ast.Expr)}
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "check":
            incidents = (word.value for word in node.keywords if word.arg == "incident")
            passed |= {id(each) for value in incidents for each in ast.walk(value)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in passed
        ):
            yield node.value


@cache
def source_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def texts_of(path: Path) -> tuple[str, ...]:
    return tuple(quoted(ast.parse(source_of(path))))


@cache
def modules(*roots: str) -> tuple[Path, ...]:
    paths = (path for root in roots for path in sorted((TREE / root).rglob("*.py")))
    return tuple(path for path in paths if not path.is_relative_to(ROOM))


def is_data(path: Path) -> bool:
    """Whether a file outside of the room is data, or code in another language."""
    apart = path.is_relative_to(ROOM) or "examples" in path.parts
    return not apart and path.suffix in DATA


@cache
def named_in(path: Path) -> frozenset[str]:
    """The classes that a module names, in code, docstrings and prose."""
    source = source_of(path)
    return NAMES.intersection(WORD.findall(source)) | {*MODEL_CLASS.findall(source)}


@cache
def typed_in(path: Path) -> frozenset[str]:
    """The texts of a module that are model types; none is, if its source has no such name."""
    none = TYPES.isdisjoint(NAME.findall(source_of(path)))
    return frozenset() if none else TYPES.intersection(texts_of(path))


@cache
def spelled_in(path: Path) -> frozenset[str]:
    """The special tokens that a module quotes, by themselves or as words of a longer text."""
    if not any(token in source_of(path) for token in TOKENS):
        return frozenset()
    return TOKENS.intersection(word for text in texts_of(path) for word in text.split())


def of_version(path: Path) -> set[str]:
    """The texts of a module that name a version of the records, of a test those in full."""
    source, is_a_test = source_of(path), path.is_relative_to(TREE / "tests")
    if not VERSION.search(source):
        return set()
    named = re.compile(f"{re.escape(FOUR)}|{re.escape(FIVE)}") if is_a_test else VERSION
    return {text for text in texts_of(path) if named.search(text)}


def place_of(path: Path) -> str:
    return path.relative_to(TREE).as_posix()


def offenders(
    find: Callable[[Path], AbstractSet[str]], known: Mapping[str, str], *roots: str
) -> tuple[set[str], set[str]]:
    """Who names something and is not listed, and the entries of the list that name nothing."""
    found = {place_of(path): names for path in modules(*roots) if (names := find(path))}
    wrong = {
        f"{place}: {', '.join(sorted(names))}"
        for place, names in found.items()
        if not place.startswith(tuple(known))
    }
    return wrong, {each for each in known if not any(place.startswith(each) for place in found)}


def test_no_class_of_a_library_is_named_outside_of_its_room() -> None:
    """Neither of tokenizers nor of models; every exception is one."""
    assert offenders(named_in, NAMED, *PACKAGES) == (set(), set())


def test_no_data_file_names_a_class() -> None:
    """The examples of checks are files of subjects, which name their classes."""
    paths = (path for root in PACKAGES for path in (TREE / root).rglob("*.*") if is_data(path))
    named = {place_of(path): NAMES.intersection(WORD.findall(source_of(path))) for path in paths}
    assert len(named) > 20
    assert {place: names for place, names in named.items() if names} == {}


def test_no_model_type_is_quoted_outside_of_the_room() -> None:
    assert offenders(typed_in, TYPED, *USERS) == (set(), set())


def test_no_special_token_of_a_family_is_quoted_outside_of_the_room() -> None:
    """Of published tokenizers, by role, turn or reasoning: what a text is worth is one record."""
    assert offenders(spelled_in, SPELLED, *USERS) == (set(), set())


def test_the_versions_are_said_in_one_module() -> None:
    assert offenders(of_version, CITED, *QUOTED_VERSIONS) == (set(), set())
