"""Tabulate what llama.cpp uses from a GGUF file: keys, defaults, and tokens by text.

The engine reads no other file.  What a key leaves out is by the model that the file names, and a
token that ends a turn is looked for by its text.

Source: `llama_vocab::impl::load` in `llama-vocab.cpp` of llama.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.material import Fact, Subject
from tokaudit.subject.upstream.llama_cpp.gguf_models import GgufModel, gguf_model
from tokaudit.subject.upstream.llama_cpp.gguf_tokens import ends, gaps, turn_ends, unless
from tokaudit_reference.spec import TokenizerSpec

MODEL, PRE = "gguf_model", "gguf_pre"
ROLES = ("bos", "eos", "unk", "sep", "pad", "mask")
BOS, EOS, TURN, SPACE = "add_bos_token", "add_eos_token", "eot_token_id", "add_space_prefix"
OF_GGUF = (MODEL, PRE, *(f"{role}_token_id" for role in ROLES), TURN, BOS, EOS, SPACE)
STOPPING = "ids that end an answer"
GAPS_THAT_END = ("pad", "rep", "sep")
Known = int | bool | str | None


@dataclass(frozen=True)
class GgufValues:
    """One GGUF file, as the engine reads its tokenizer."""

    subject: Subject
    spec: TokenizerSpec

    @property
    def file(self) -> str:
        """The name of the file."""
        return self.spec.files[0]

    @property
    def loader(self) -> str:
        """Name the engine and the file that it reads."""
        return f"llama.cpp ({self.file})"

    def cells(self) -> Iterator[LoaderValue]:
        """Yield the values of every known key, in the order of keys."""
        for key in (MODEL, PRE):
            if (fact := self._facts.get(key)) is not None:
                yield self._stated(key, fact)
        for role in ROLES:
            yield self._role(role)
        turn = self._turn_end()
        yield from () if turn is None else (turn,)
        for key, by_habit in zip((BOS, EOS), self._model.around, strict=True):
            yield self._flag(key, by_habit)
        if SPACE in self._facts:
            yield self._stated(SPACE, self._facts[SPACE])
        else:
            yield self._by_habit(SPACE, self._model.prefixes_space)
        if (stops := self._stops(turn)) is not None:
            yield self._by_text(STOPPING, stops)

    @cached_property
    def _facts(self) -> Mapping[str, Fact]:
        return {fact.name: fact for fact in self.subject.facts if fact.file == self.file}

    @cached_property
    def _model(self) -> GgufModel:
        return gguf_model(self._text(MODEL), self._text(PRE))

    @cached_property
    def _ids(self) -> Mapping[str, int]:
        """Return the id of each token's text."""
        by_text = {}
        for id, piece in self.spec.each_entry():
            text = self.spec.surface(piece)
            by_text[text.decode("utf-8", "replace") if isinstance(text, bytes) else text] = id
        return by_text | {token.content: token.id for token in self.spec.added_tokens}

    def _text(self, key: str) -> str:
        fact = self._facts.get(key)
        return "" if fact is None else str(fact.value)

    def _stated(self, key: str, fact: Fact) -> LoaderValue:
        return LoaderValue(key, self.loader, fact.value, SaidBy.FILE, self.file, fact.pointer)

    def _by_habit(self, key: str, value: Known) -> LoaderValue:
        if value is None:
            return LoaderValue(key, self.loader, None, SaidBy.NOBODY)
        name = f"llama.cpp for the model {self._text(MODEL)}"
        return LoaderValue(key, self.loader, value, SaidBy.CLASS, class_name=name)

    def _by_text(self, key: str, value: int | list[int]) -> LoaderValue:
        name = "llama.cpp by texts and roles"
        return LoaderValue(key, self.loader, value, SaidBy.CLASS, class_name=name)

    def _role(self, role: str) -> LoaderValue:
        key = f"{role}_token_id"
        if (fact := self._facts.get(key)) is not None:
            return self._stated(key, fact)
        own = self._model.ids.get(role)
        return self._by_habit(key, own if own is not None and own < self.spec.size() else None)

    def _flag(self, key: str, by_habit: bool) -> LoaderValue:
        """Return a flag; some models begin with BOS whatever the file says."""
        fact = self._facts.get(key)
        if fact is None or (key == BOS and self._model.bos_always):
            return self._by_habit(key, by_habit)
        return self._stated(key, fact)

    def _turn_end(self) -> LoaderValue | None:
        """Return the end of a turn; None if several texts qualify, of which any is used."""
        if (fact := self._facts.get(TURN)) is not None:
            return self._stated(TURN, fact)
        found = [self._ids[text] for text in turn_ends() if text in self._ids]
        if len(found) > 1:
            return None
        if not found:
            return LoaderValue(TURN, self.loader, None, SaidBy.NOBODY)
        return self._by_text(TURN, found[0])

    def _stops(self, turn: LoaderValue | None) -> list[int] | None:
        """Return the ids that end an answer: by text, by role, and three gap markers."""
        gap_ends = [self._gap_end(part) for part in GAPS_THAT_END]
        if None in gap_ends:
            return None
        kept = (text for text in ends() if text in self._ids and not self._is_kept(text))
        found = {self._ids[text] for text in kept}
        found |= {id for each in gap_ends for id in each or ()}
        roles = (self._role("eos").value, None if turn is None else turn.value)
        return sorted(found | {id for id in roles if id is not None} - self._taken_out())

    def _is_kept(self, text: str) -> bool:
        """Return whether other tokens keep a token from ending answers."""
        rule = unless().get(text)
        rows = () if rule is None else rule.rows
        return any(all(each in self._ids for each in row) for row in rows)

    def _taken_out(self) -> set[int]:
        return {self._ids[text] for text in unless() if text in self._ids and self._is_kept(text)}

    def _gap_end(self, part: str) -> Sequence[int] | None:
        """Return a gap marker's id; None if several texts qualify."""
        if (fact := self._facts.get(f"fim_{part}_token_id")) is not None:
            return [fact.value]
        found = [self._ids[text] for text in gaps()[part].texts if text in self._ids]
        return None if len(found) > 1 else found


def templates_of(facts: Sequence[Fact]) -> str:
    """Name the templates of a GGUF file; the unnamed one is the default."""
    names = {fact.pointer.partition("chat_template")[2].removeprefix(".") for fact in facts}
    return ", ".join(name or "default" for name in sorted(names))
