"""The worker processes of one audit."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field

from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.chat_client import ChatRenderer
from tokaudit.runtimes.worker.client import WorkerTokenizer


@dataclass
class Workers:
    """The worker processes of one audit, closed together."""

    timeout: float
    opened: dict[str, WorkerTokenizer] = field(default_factory=dict)
    _stack: ExitStack = field(default_factory=ExitStack)

    def open(self, role: str, request: LoadRequest) -> WorkerTokenizer:
        """A started worker that holds the requested tokenizer."""
        tokenizer = WorkerTokenizer(request, timeout=self.timeout)
        self._stack.callback(tokenizer.close)
        self.opened[role] = tokenizer
        _ = tokenizer.info  # starts and loads, so that a refusal shows here
        return tokenizer

    def chat_renderer(self) -> ChatRenderer:
        """A renderer of chat templates, which starts when it is asked."""
        return self._stack.enter_context(ChatRenderer(timeout=self.timeout))

    def close(self) -> None:
        """End every worker."""
        self._stack.close()
