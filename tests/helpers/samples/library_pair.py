"""Two small tokenizer.json as the facets see them, each run by the reference and by the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from run_here import trial_here

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.engine.texts.suspects import added_token_texts, bare_texts, entry_texts
from tokaudit.products.compare.facets.compared import Searched, compared, ids_are_proved
from tokaudit.report.comparison import Comparison, Facet
from tokaudit.runtimes.adapters import tokenizers_adapter
from tokaudit.runtimes.request import LoadRequest
from tokaudit.subject.formats import tokenizer_json
from tokaudit.subject.opening import open_subject
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import TokenizerSpec

Content = dict[str, Any]


def bpe(tokens: list[str], merges: list[tuple[str, str]] | None = None, **options: Any) -> Content:
    """A BPE model whose merges are all that its tokens can be made by, unless they are given."""
    known = set(tokens)
    made = [(t[:at], t[at:]) for t in tokens for at in range(1, len(t))]
    listed = [pair for pair in made if known.issuperset(pair)] if merges is None else merges
    vocab = {token: id for id, token in enumerate(tokens)}
    return dict(Folder.bpe(vocab, listed, **options).tokenizer["model"])


def split(literal: str, behavior: str = "Isolated", *, invert: bool = False) -> Content:
    pattern = {"String": literal}
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def tokenizer(model: Content, **stages: Any) -> Content:
    empty = {"added_tokens": [], "normalizer": None, "pre_tokenizer": None, "decoder": None}
    return {"version": "1.0", **empty, "post_processor": None, "model": model, **stages}


class LibraryPair:
    """Both contents in folders, opened, and loaded by the library."""

    def __init__(self, folder: Path, one: Content, other: Content) -> None:
        self.sides = [self._side(folder / name, each) for name, each in (("a", one), ("b", other))]
        requests = [LoadRequest("tokenizers", f"{side.name}/tokenizer.json") for side in self.sides]
        self.libraries = [tokenizers_adapter.load(request) for request in requests]

    def _side(self, folder: Path, content: Content) -> Side:
        folder.mkdir(parents=True)
        (folder / "tokenizer.json").write_text(json.dumps(content))
        subject = open_subject(str(folder))
        file = subject.file("tokenizer.json")
        assert file is not None
        return Side(str(folder), tokenizer_json.parse(subject, file), subject)

    @property
    def specs(self) -> tuple[TokenizerSpec, TokenizerSpec]:
        return self.sides[0].spec, self.sides[1].spec

    def trial(self, *, library: bool = True) -> Trial:
        alone = trial_here(*self.sides)
        pair = EncoderPair("the library", self.libraries[0], self.libraries[1])
        return Trial(*self.sides, [*alone.pairs, *([pair] if library else [])], alone.mixed)

    def compared(self, *texts: str, library: bool = True) -> Comparison:
        """The comparison that runs these texts, and those that the facets ask for."""
        suspects = *added_token_texts(*self.specs), *entry_texts(*self.specs)
        searched = Searched((*texts, *suspects), bare_texts(*self.specs), texts)
        return compared(self.trial(library=library), searched)

    def facet(self, name: str, *texts: str, library: bool = True) -> Facet:
        found = self.compared(*texts, library=library)
        return next(facet for facet in found.facets if facet.name == name)

    def proved(self) -> bool:
        """Whether all facets of ids are proved, without any help of the library."""
        return ids_are_proved(self.compared(library=False).facets)

    def differ(self, text: str) -> bool:
        """Whether the library gives other ids on both sides."""
        one, other = (each.encode([text])[0] for each in self.libraries)
        return one.ids != other.ids
