"""The folders whose settings are drawn: classes of every kind, on bare files and tokenizer.json."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, every_class
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_folders import MODEL, SETTINGS, WHOLE, Base

BASES = {
    "GPT2Tokenizer": "gpt2",
    "Qwen2Tokenizer": "qwen2",
    "RobertaTokenizer": "roberta",
    "WhisperTokenizer": "whisper",
    "LlamaTokenizer": "llama",
    "GemmaTokenizer": "gemma",
    "BertTokenizer": "bert",
    "DistilBertTokenizer": "distilbert",
    "T5Tokenizer": "t5",
    "XLMRobertaTokenizer": "xlm-roberta",
    "CLIPTokenizer": "clip",
    "CohereTokenizer": "cohere",
    "ByT5Tokenizer": "t5",
}
GENERAL = ("PreTrainedTokenizerFast", "TokenizersBackend", "")
"""The classes that take a tokenizer.json as it is; no class at all is by the model's type."""
OF_BYTES, OF_MARKS = "GPT2Tokenizer", "LlamaTokenizer"
SPECIAL = ("<s>", "</s>", "<unk>", "<pad>", "<mask>", "[CLS]", "[SEP]", "<|endoftext|>")

OfClass = Callable[[TokenizerClass, Path], Path]


def bases(root: Path, judge: Judge, of_class: OfClass) -> Iterator[Base]:
    """Every class on its own files and on the tokenizer.json that it saves, then any class."""
    wholes: dict[str, str] = {}
    for name, kind in BASES.items():
        folder = of_class(every_class()[name], root / name)
        (folder / MODEL).write_text(json.dumps({"model_type": kind}), "utf-8")
        whole = judge(folder, (), whole=True).get("whole")
        if not (folder / WHOLE).is_file():
            yield Base(f"{name} bare", folder, _tokens(whole), kind)
        if whole:
            wholes[name] = whole
            yield _on_json(root / f"{name}-json", folder / SETTINGS, whole, name, kind)
    for made_by in (OF_BYTES, OF_MARKS, "BertTokenizer"):
        for name in GENERAL:
            folder = root / f"{name or 'none'}-{made_by}"
            yield _any(folder, wholes[made_by], name, BASES[made_by])
    yield _any(root / "llama-bytes", wholes[OF_BYTES], OF_MARKS, "llama")


def _on_json(folder: Path, settings: Path, whole: str, name: str, kind: str) -> Base:
    folder.mkdir()
    shutil.copy(settings, folder / SETTINGS)
    (folder / MODEL).write_text(json.dumps({"model_type": kind}), "utf-8")
    (folder / WHOLE).write_text(whole, "utf-8")
    return Base(f"{name} json", folder, _tokens(whole), kind)


def _any(folder: Path, whole: str, name: str, kind: str) -> Base:
    folder.mkdir()
    stated = {"tokenizer_class": name} if name else {}
    (folder / SETTINGS).write_text(json.dumps(stated), "utf-8")
    (folder / WHOLE).write_text(whole, "utf-8")
    (folder / MODEL).write_text(json.dumps({"model_type": kind}), "utf-8")
    return Base(folder.name, folder, _tokens(whole), kind)


def _tokens(whole: str | None) -> dict[str, int]:
    """The special tokens that a tokenizer has in its vocabulary, with their ids."""
    vocab = json.loads(whole)["model"]["vocab"] if whole else SPECIAL[1:4]
    texts = [each if isinstance(each, str) else each[0] for each in vocab]
    ids = vocab if isinstance(vocab, dict) else {text: id for id, text in enumerate(texts)}
    return {each: ids[each] for each in SPECIAL if each in ids} or dict(list(ids.items())[:2])
