"""Where the reference's encoder spends its time on text that it has not met.

    python benchmarks/encode_profile.py TEXT [--megabytes 10] [--page FILE]

For the vocabularies from packages of `encode.py`: the processor seconds of splitting the text into
pre-tokens, of merging each distinct one once, and of looking up every one, with how many there are.
What is left of the whole is filling the cache and joining ids.  `--page` writes a page of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from encode import documents
from encoders import deepseek, gpt3, spec_of

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer

SOURCES = {"gpt3": (gpt3, "vocab.json+merges.txt"), "deepseek": (deepseek, "tokenizer.json")}
Part = tuple[str, float, int]
PAGE = """# Where the reference's encoder spends its time

Written by `python benchmarks/encode_profile.py TEXT --megabytes {megabytes:g} --page FILE`, from
the first {megabytes:g} MB of the text that `benchmarks/corpus.py` assembles: manual pages and
translations in some 150 languages, and code. The encoder has met none of it before.
`benchmarks/encode.py` has the time of other libraries on the same text.

| vocabulary | part | share of the time | how many |
|---|---|---|---|
{rows}
The rest is filling the cache and joining ids.

## What would make it faster

Most of the time goes into merging pre-tokens that are seen for the first time; one that comes back
costs a lookup. It was made faster twice. Parts of a pre-token between *seams*, which no merge
crosses, are merged once and remembered: Chinese and Japanese come in long runs that are never seen
again, and their parts are. Of few symbols the best rank is found by a scan rather than a heap.

What is left is one lookup of a pair for each symbol and two more for each merge, in Python.

- The merge loop in C or Rust would save nearly all of the merging. The reference would no longer
  be an oracle that one can read.
- A table of the words that are tokens, looked up first, would save the merging of those. It needs a
  proof for each token that merging makes it, which takes longer to build than it saves in an audit.
- A cache kept between runs would save the merging of common words. An audit would depend on what
  ran before it.
"""


def main() -> None:
    """Print one line for each part of each vocabulary, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("text", type=Path)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    texts, rows = documents(options.text, int(options.megabytes * 1e6)), ""
    for name, (folder, format) in SOURCES.items():
        parts = list(profile(spec_of(folder(), format), texts))
        for title, seconds, number in parts:
            print(f"{name:12}{title:32}{seconds:8.2f} s  {number:10,}", flush=True)
            rows += f"| {name} | {title} | {seconds / parts[0][1]:.0%} | {number:,} |\n"
    if options.page:
        options.page.write_text(PAGE.format(megabytes=options.megabytes, rows=rows), "utf-8")


def profile(spec: TokenizerSpec, texts: list[str]) -> Iterator[Part]:
    """Each part with its processor seconds, and of how many it is."""
    whole, parts = ReferenceTokenizer(spec), ReferenceTokenizer(spec)
    yield "the whole, in texts", timed(lambda: [whole.encode(text) for text in texts]), len(texts)
    normalize, cut = parts.pipeline.normalize, parts.pipeline.pieces
    split: list[list[str]] = []
    seconds = timed(lambda: split.extend(cut(normalize(text), True) for text in texts))
    yield "splitting into pre-tokens", seconds, sum(map(len, split))
    distinct = dict.fromkeys(piece for pieces in split for piece in pieces)
    for title, ascii_ones in (("ASCII", True), ("others", False)):
        some = [piece for piece in distinct if piece.isascii() == ascii_ones]
        yield f"merging distinct ones, {title}", merging(parts, some), len(some)
    known = dict.fromkeys(distinct, (0, 1))
    seconds = timed(lambda: [look_up(known, pieces) for pieces in split])
    yield "looking every one up", seconds, sum(map(len, split))


def merging(tokenizer: ReferenceTokenizer, pieces: list[str]) -> float:
    """The seconds of giving each pre-token to the model."""
    return timed(lambda: [tokenizer.model.encode(piece) for piece in pieces])


def look_up(known: dict[str, tuple[int, int]], pieces: list[str]) -> list[int]:
    """The ids of a text whose pre-tokens are all known."""
    ids: list[int] = []
    for piece in pieces:
        ids += known[piece]
    return ids


def timed(work: Callable[[], object]) -> float:
    """The processor seconds of something."""
    begun = process_time()
    work()
    return process_time() - begun


if __name__ == "__main__":
    main()
