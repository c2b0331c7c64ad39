"""Worker-side parsing, counting and encoding of a handed file of ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.typed_values import read_value
from tokaudit.products.data.files import Shard
from tokaudit.products.data.files.batch import HoldsNoIds
from tokaudit.products.data.files.files import DataFile
from tokaudit.products.data.files.opening import open_shard, shard_of
from tokaudit.products.data.files.sources import FileSource
from tokaudit.products.data.ids.counts.tally import Tally
from tokaudit.products.data.ids.loaded import LoadedTokenizer
from tokaudit.products.data.ids.measuring import measure
from tokaudit.products.data.ids.requests import PieceRequest, ShardOpening, ShardRequest
from tokaudit.runtimes.protocol import Tokenizer

TOO_LARGE = "needs more memory than a worker may have"


def opening(session: Handed, request: Mapping[str, Any]) -> ShardOpening:
    """Run the job that opens a file and returns its statements."""
    return session.kept(_shards).opening(request)


def tally(session: Handed, request: Mapping[str, Any]) -> Tally:
    """Run the job that measures a piece, and encodes its documents with a loaded tokenizer."""
    return session.kept(_shards).tally(request, session.loaded)


class Handed(Protocol):
    """The session of a worker with handed files and perhaps a loaded tokenizer."""

    @property
    def files(self) -> HandedFiles:
        """Return the handed files."""
        ...

    @property
    def loaded(self) -> Tokenizer | None:
        """Return the tokenizer."""
        ...

    def kept(self, make: Callable[[Handed], ShardSession]) -> ShardSession:
        """Return an object created at the first request and kept."""
        ...


class HandedFiles(FileSource, Protocol):
    """Files handed over by the parent."""

    def forget(self) -> None:
        """Close open files, because the next request is about another one."""
        ...


@dataclass
class ShardSession:
    """The files handed to a worker, with the last one open."""

    files: HandedFiles
    _opened: tuple[ShardRequest, Shard] | None = None

    def opening(self, request: Mapping[str, Any]) -> ShardOpening:
        """Return the statements of a file about itself, or why it is not read."""
        asked = read_value(request, ShardRequest)
        self._forget()
        try:
            shard = shard_of(self._file(asked), asked.given)
            if shard is None:
                return ShardOpening(others="")
            return ShardOpening(shard.info, tuple(shard.pieces()))
        except HoldsNoIds as error:
            return ShardOpening(others=str(error))
        except UnreadableError as error:
            return ShardOpening(unreadable=str(error))
        except MemoryError:
            return ShardOpening(unreadable=f"{asked.name}: {TOO_LARGE}")
        except UsageError as error:
            return ShardOpening(missing=str(error))

    def tally(self, request: Mapping[str, Any], tokenizer: Tokenizer | None) -> Tally:
        """Return the counts of a piece."""
        asked = read_value(request, PieceRequest)
        encoder = LoadedTokenizer(tokenizer) if tokenizer is not None else None
        try:
            return measure(
                self._shard(asked.shard), asked.piece, asked.plan, encoder, asked.left_out
            )
        except UnreadableError as error:
            return unread(asked.shard.name, str(error).removeprefix(f"{asked.shard.name}: "))
        except MemoryError:
            self._forget()
            return unread(asked.shard.name, f"the part from {asked.piece.start:,} on {TOO_LARGE}")

    def _shard(self, asked: ShardRequest) -> Shard:
        if self._opened is None or self._opened[0] != asked:
            self._forget()
            self._opened = asked, open_shard(self._file(asked), asked.given)
        return self._opened[1]

    def _file(self, asked: ShardRequest) -> DataFile:
        return DataFile(asked.name, Path(asked.bare), asked.size, given=self.files)

    def _forget(self) -> None:
        self._opened = None
        self.files.forget()


def _shards(session: Handed) -> ShardSession:
    return ShardSession(session.files)


def unread(name: str, why: str) -> Tally:
    """Return a tally that says why a piece could not be read."""
    return Tally(faults=(("unreadable", why, name, -1),), faulty=1)
