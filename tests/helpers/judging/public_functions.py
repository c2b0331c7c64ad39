"""The functions that users call, each with the class of its settings."""

from __future__ import annotations

import tokaudit
from tokaudit.api.asked import settings
from tokaudit.api.chatting import ChatSettings, HoldSettings
from tokaudit.api.comparing.runtimes import RuntimesSettings
from tokaudit.api.data.examining import DataCall
from tokaudit.api.data.settings import ReadingIds
from tokaudit.api.fixing.settings import FixSettings
from tokaudit.api.manifests import VerifyCall
from tokaudit.api.tracing import TraceSettings
from tokaudit.api.training.reproducing import ReproduceSettings
from tokaudit.api.training.settings import TrainSettings
from tokaudit.api.vectors import ReplaySettings

FUNCTIONS = {
    "audit": (tokaudit.audit, settings.AuditSettings),
    "run_check": (tokaudit.run_check, settings.CheckSettings),
    "open": (tokaudit.open, settings.Opening),
    "identify": (tokaudit.identify, settings.Opening),
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
