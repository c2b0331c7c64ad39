"""Settings of an audit that all its checks and workers may read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokaudit.engine.pieces import InPieces
from tokaudit.engine.settings.data import WithData
from tokaudit.foundation.deadline import Deadline
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.own_process import MEMORY_OF_ALL, bound_memory
from tokaudit.foundation.settings.numbers import Flag, Seconds, Whole
from tokaudit.foundation.settings.places import (
    FilesOrFolders,
    NamedPath,
    PlacedFile,
    existing_files,
)
from tokaudit.foundation.settings.setting import inherited, setting
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.foundation.settings.words import Names, Word, only
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.runtimes.worker.resources.budget import MEGABYTE, Budget

if TYPE_CHECKING:
    from tokaudit.subject.conversations.conversation import Conversation

RUNTIME_FORMS = (
    "NAME, NAME@/path/to/python, call:module:object, cmd:program or http://host:port; "
    "may be given again"
)
LOADER_FORMS = "NAME or NAME==VERSION, optionally followed by @/path/to/python; may be given again"
TIER_SECONDS = {"quick": 240.0, "default": 1800.0, "full": 14400.0}
TIERS = tuple(TIER_SECONDS)
CHAT_USES = ("rollouts", "sft", "serving")
USES = ("pretraining", *CHAT_USES, "embedding", "classification", "speculative")
FORMS = "JSON lines, JSON or Parquet, in any usual chat format"
BY_TIER = "{:g}, {:g} or {:g} for --tier quick, default or full".format(*TIER_SECONDS.values())
QUESTION_SECONDS = 60.0  # of the wall clock; generous, because a machine may be busy
QUESTION_SHARE = 1 / 6  # of that in processor time, which no machine makes longer
MEMORY = MEMORY_OF_ALL // MEGABYTE
LEAST_MEMORY, MOST_MEMORY = 500, 1_000_000  # megabytes
ENCODER_SHARE = 0.1  # of the audit's seconds in processor time, for each encoder
CHECKS_SHARE = 1 / 6  # of the audit's seconds in processor time, for what is computed here
LEAST_FOR_CHECKS = 40.0  # seconds; below that the audit's own seconds decide
MOST_CHATS = 10_000  # conversations that an audit renders next to its own


def _conversations(name: str, given: Iterable[object]) -> tuple[Conversation, ...]:
    """Return the conversations that a program passes itself."""
    from tokaudit.subject.conversations.conversation import Conversation

    return only(Conversation, "a conversation; name a file of them", name, given)


@dataclass(frozen=True)
class OwnChats(PlacedFile):
    """Conversations of a file, with ids that differ from the role matrix's."""

    def checked(
        self, name: str, given: NamedPath | Sequence[Conversation]
    ) -> tuple[Conversation, ...]:
        """Return the conversations, reading them from a file if needed."""
        from tokaudit.subject.conversations.conversation import refuse_doubled, role_matrix
        from tokaudit.subject.conversations.reading import ChatData

        if not isinstance(given, str | os.PathLike):
            return _conversations(name, given)
        (path,) = existing_files(name, [given])
        found = tuple(islice(ChatData(path).conversations(), MOST_CHATS + 1))
        if len(found) > MOST_CHATS:
            why = f"contains more than {MOST_CHATS:,} conversations; run tokaudit chat --check"
            raise UsageError(f"{name} {str(path)!r}: {why}")
        refuse_doubled(found, str(path))
        known = {one.id for one in role_matrix()}
        for one in found:
            if one.id in known:
                raise UsageError(
                    f"{name} {str(path)!r}: a built-in conversation has the id {one.id!r} already; "
                    "give this conversation another id"
                )
        return found


@dataclass(frozen=True)
class ChatFile(PlacedFile):
    """A file of conversations of any length, read lazily."""

    def checked(
        self, name: str, given: NamedPath | Sequence[Conversation]
    ) -> Path | Sequence[Conversation]:
        if isinstance(given, str | os.PathLike):
            return existing_files(name, [given])[0]
        return _conversations(name, given)


@dataclass(frozen=True)
class RuntimeNames(Names):
    """Names of known runtimes."""

    def checked(self, name: str, given: Iterable[str]) -> tuple[str, ...]:
        names = super().checked(name, given)
        if names:
            from tokaudit.runtimes.named_runtimes import named_runtime

            for each in names:
                named_runtime(each)
        return names

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        """Read the names; their paths are relative to the configuration's folder."""
        names = table.texts(key)
        if not names:
            return names
        from tokaudit.runtimes.named_runtimes import placed_from

        return tuple(placed_from(folder, each) for each in names)


@dataclass(frozen=True)
class LoaderNames(Names):
    """Names of loaders of known libraries, with or without a version."""

    def checked(self, name: str, given: Iterable[str]) -> tuple[str, ...]:
        names = super().checked(name, given)
        if names:
            from tokaudit.subject.effective.loaders import loader_named

            for each in names:
                place = loader_named(each).place
                if place and not Path(place).exists():
                    raise UsageError(f"{each}: {place} does not exist")
        return names

    def from_toml(self, table: Table, key: str, folder: Path) -> tuple[str, ...]:
        """Read the names; their interpreters are relative to the configuration's folder."""
        names = table.texts(key)
        if not names:
            return names
        from tokaudit.runtimes.named_runtimes import placed_from

        return tuple(placed_from(folder, each) for each in names)


@dataclass(frozen=True, kw_only=True)
class WithLoaders:
    """Loaders that must load the tokenizer."""

    GROUP = "loaders and chats"

    loaders: Sequence[str] = setting(
        (),
        f"a loader that must load this folder and produce the same ids: {LOADER_FORMS}",
        LoaderNames("LOADER"),
        "the two current versions of transformers, for which a difference is only a warning",
        option="loader",
        key="loaders",
    )


@dataclass(frozen=True, kw_only=True)
class WithUse:
    """The use of the tokenizer and its templates."""

    GROUP = "loaders and chats"

    use: str | None = setting(
        None,
        f"the use of the tokenizer: one of {', '.join(USES)}; notes about faults that break this "
        "use become errors or warnings",
        Word("USE", USES),
        "any",
    )


@dataclass(frozen=True, kw_only=True)
class Effort:
    """Amount and time of testing, for an audit or a comparison."""

    GROUP = "how much to test"

    tier: str = setting(
        "default", "how many texts to test: {}, {} or {}".format(*TIERS), Word("TIER", TIERS)
    )
    seed: int = setting(0, "random seed for drawing test texts", Whole())
    timeout: float | None = setting(
        None, "stop after this many seconds and skip the remaining checks", Seconds(), BY_TIER
    )

    def seconds(self) -> float:
        """Return the time limit in seconds."""
        return TIER_SECONDS[self.tier] if self.timeout is None else self.timeout


@dataclass(frozen=True, kw_only=True)
class Drawn(Effort):
    """Amount of testing, and the texts for it."""

    GROUP = "how much to test"

    corpus: Sequence[NamedPath] = setting(
        (),
        "also encode and decode these documents: text files with one document on each line, JSON "
        "lines, Parquet, or a folder of such files; may be given again",
        FilesOrFolders(),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class WithChats:
    """Conversations for chat templates to render."""

    GROUP = "loaders and chats"

    conversations: NamedPath | Sequence[Conversation] | None = setting(
        None,
        f"a file of additional conversations to render: {FORMS}",
        OwnChats(),
        "only the built-in conversations",
    )

    def chats(self) -> tuple[Conversation, ...]:
        """Return the user's conversations, which are added to the role matrix."""
        given = self.conversations
        return () if given is None else OwnChats().checked("conversations", given)


@dataclass(frozen=True, kw_only=True)
class WithRuntimes:
    """Runtimes to run the tokenizer with."""

    GROUP = "runtimes"

    runtime: Sequence[str] = setting(
        (),
        f"also compare the ids of this runtime: {RUNTIME_FORMS}",
        RuntimeNames("RUNTIME"),
        "none",
    )


@dataclass(frozen=True, kw_only=True)
class Options(WithLoaders, WithRuntimes, WithData, WithChats, WithUse, Drawn):
    """Settings to run an audit with."""

    GROUP = "how much to test"

    question_timeout: float = setting(
        QUESTION_SECONDS,
        "time limit in seconds for one request to a worker process; the limit of its processor "
        "time is a sixth of this",
        Seconds(),
    )
    memory: int = setting(
        MEMORY,
        "memory limit in megabytes for all processes of the audit together",
        Whole("MB", LEAST_MEMORY, MOST_MEMORY, "a number of megabytes"),
    )
    jobs: int = inherited(
        InPieces,
        "jobs",
        "how many checks, or parts of the corpus and of the data, to process in parallel",
    )
    read_embeddings: bool = setting(
        False,
        "read up to 4,096 rows of the embedding and measure their norms",
        Flag(),
        "only search for rows of zeros, NaN and infinite values",
    )

    def limits(self) -> WorkerLimits:
        """Return the limits of the audit and its workers, counted from now on."""
        seconds = self.seconds()
        bound_memory(self.memory * MEGABYTE)
        return WorkerLimits(
            self.question_timeout,
            self.question_timeout * QUESTION_SHARE,
            seconds * ENCODER_SHARE,
            Deadline(seconds, max(LEAST_FOR_CHECKS, seconds * CHECKS_SHARE)),
            Budget(self.memory * MEGABYTE, os.getpid()),
        )
