"""Has chat templates rendered in a worker process, seen from the parent."""

from __future__ import annotations

import msgspec

from tokaudit.foundation.errors import OutOfTime
from tokaudit.runtimes.chat.rendering import RenderedTemplate, RenderRequest, Trouble
from tokaudit.runtimes.worker.allowance import Allowance, WorkerLimits
from tokaudit.runtimes.worker.answers import clean, rendered
from tokaudit.runtimes.worker.process import WorkerDied, WorkerProcess
from tokaudit.runtimes.worker.questions import Render

SECONDS = 20.0  # for one template over all conversations; a published one takes about 0.2


class ChatRenderer:
    """Renders templates one after the other; a template that kills the worker costs only itself."""

    def __init__(
        self,
        *,
        timeout: float = SECONDS,
        memory: int | None = None,
        limits: WorkerLimits | None = None,
    ) -> None:
        self._limits = limits or WorkerLimits(timeout)
        self._memory = memory or self._limits.budget.of_one
        self._allowance = Allowance(self._limits.encoder)
        self._process: WorkerProcess | None = None

    def __enter__(self) -> ChatRenderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker; a later request starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def render(self, request: RenderRequest) -> RenderedTemplate:
        """The template over its conversations; never raises for what the template does."""
        if self._allowance.left <= 0:
            used = f"the {self._limits.encoder:g} s of processor time of all templates are used"
            return RenderedTemplate(trouble=Trouble.LIMIT, error=used)
        if self._process is None:
            self._process = WorkerProcess(
                self._memory, self._limits.deadline, budget=self._limits.budget
            )
        question = Render(msgspec.to_builtins(request))
        processor = min(self._limits.processor, self._allowance.left)
        try:
            answer = self._process.ask(
                question, rendered(request), self._limits.question, processor
            )
        except WorkerDied as error:  # the process has ended itself, or was ended for its lateness
            self._process = None
            self._allowance.died(after=processor if error.late else 0.0)
            return RenderedTemplate(trouble=Trouble.LIMIT, error=str(error))
        except OutOfTime:
            self._process = None
            raise
        self._allowance.answered(answer.processor)
        if isinstance(
            answer.result, msgspec.UnsetType
        ):  # this worker may not be able to take the next either
            self.close()
            return RenderedTemplate(trouble=Trouble.FAILED, error=clean(answer.error or ""))
        return answer.result
