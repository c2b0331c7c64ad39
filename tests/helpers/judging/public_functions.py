"""The functions that users call, each with the class of its settings."""

from __future__ import annotations

import tokaudit
from tokaudit.engine.settings import settings
from tokaudit.products.chat.chatting import ChatSettings, HoldSettings
from tokaudit.products.data.api.examining import DataCall
from tokaudit.products.data.api.settings import ReadingIds
from tokaudit.products.engines.runtimes import RuntimesSettings
from tokaudit.products.engines.vectors import ReplaySettings
from tokaudit.products.fix.settings import FixSettings
from tokaudit.products.gate.manifests import VerifyCall
from tokaudit.products.trace.tracing import TraceSettings
from tokaudit.products.train.reproducing import ReproduceSettings
from tokaudit.products.train.settings import TrainSettings

FUNCTIONS = {
    "audit": (tokaudit.audit, settings.AuditSettings),
    "run_check": (tokaudit.run_check, settings.CheckSettings),
    "open": (tokaudit.open, settings.Opening),
    "identify": (tokaudit.identify, settings.Identified),
    "manifest": (tokaudit.manifest, settings.ManifestSettings),
    "verify": (tokaudit.verify, VerifyCall),
    "compare": (tokaudit.compare, settings.CompareSettings),
    "recheck": (tokaudit.recheck, settings.BareFiles),
    "chat": (tokaudit.chat, ChatSettings),
    "hold_chats": (tokaudit.hold_chats, HoldSettings),
    "data": (tokaudit.data, DataCall),
    "who_wrote": (tokaudit.who_wrote, ReadingIds),
    "trace": (tokaudit.trace, TraceSettings),
    "train": (tokaudit.train, TrainSettings),
    "train_sizes": (tokaudit.train_sizes, TrainSettings),
    "reproduce": (tokaudit.reproduce, ReproduceSettings),
    "fix": (tokaudit.fix, FixSettings),
    "vectors": (tokaudit.vectors, settings.BareFiles),
    "replay": (tokaudit.replay, ReplaySettings),
    "compare_runtimes": (tokaudit.compare_runtimes, RuntimesSettings),
}
