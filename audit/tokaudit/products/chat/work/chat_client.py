"""Parent-side client that renders chat templates in a worker process."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import msgspec

from tokaudit.engine.workers import Workers
from tokaudit.products.chat.rendering.jobs import RENDER
from tokaudit.products.chat.rendering.rendering import RenderedTemplate, RenderRequest, Trouble
from tokaudit.runtimes.worker.allowance import Allowance, WorkerLimits
from tokaudit.runtimes.worker.answers import LARGEST, Shape, clean
from tokaudit.runtimes.worker.deaths import WorkerDied, surely
from tokaudit.runtimes.worker.known_answers import Replay
from tokaudit.runtimes.worker.process import WorkerProcess
from tokaudit.runtimes.worker.questions import Do

SECONDS = 20.0  # for one template over all conversations; a published one takes about 0.2


class _Ended(Exception):
    """Raised if a limit ended the worker; a faster machine may succeed."""


class ChatRenderer:
    """Renders templates one by one; a template that kills the worker affects no other."""

    def __init__(
        self,
        *,
        timeout: float = SECONDS,
        memory: int | None = None,
        limits: WorkerLimits | None = None,
        idle: list[WorkerProcess] | None = None,
        room: AbstractContextManager[object] | None = None,
        replay: Replay | None = None,
    ) -> None:
        """Store the processes, the lock and the answers that renderers may share.

        `room` is held while one works, so that few do so at once.
        `replay` is what was rendered of the same templates before in this run.
        """
        self._limits = limits or WorkerLimits(timeout)
        self._memory = memory or self._limits.budget.of_one
        self._allowance = Allowance(self._limits.encoder)
        self._idle = idle if idle is not None else []
        self._room = room or nullcontext()
        self._replay = replay

    def __enter__(self) -> ChatRenderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the idle processes; a later request starts another."""
        while self._idle:
            self._idle.pop().close()

    def render(self, request: RenderRequest) -> RenderedTemplate:
        """Render a template over its conversations; never raises for the template's faults."""
        question = Do(RENDER.name, msgspec.to_builtins(request))
        try:
            if self._replay is None:
                return self._surely(question, request)
            return self._replay.answer(question, lambda: self._surely(question, request))
        except (_Ended, WorkerDied) as error:
            return RenderedTemplate(trouble=Trouble.LIMIT, error=str(error))

    def _surely(self, question: Do, request: RenderRequest) -> RenderedTemplate:
        """Render by a reused process, or by another one if it died of something else."""
        with self._room:
            return surely(lambda: self._rendered(question, request))

    def _rendered(self, question: Do, request: RenderRequest) -> RenderedTemplate:
        if self._allowance.left <= 0:
            used = f"the {self._limits.encoder:g} s of processor time of all templates are used"
            raise _Ended(used)
        process = self._taken()
        processor = min(self._limits.processor, self._allowance.left)
        try:
            answer = process.ask(question, renderings_of(request), self._limits.question, processor)
        except WorkerDied as error:  # the process has ended itself, or was ended for its lateness
            self._allowance.died(after=processor if error.late else 0.0)
            raise
        except BaseException:
            process.close()
            raise
        self._allowance.answered(answer.processor)
        if isinstance(
            answer.result, msgspec.UnsetType
        ):  # this worker may not be able to take the next either
            process.close()
            return RenderedTemplate(trouble=Trouble.FAILED, error=clean(answer.error or ""))
        self._idle.append(process)
        return answer.result

    def _taken(self) -> WorkerProcess:
        try:
            return self._idle.pop()
        except IndexError:
            return WorkerProcess(self._memory, self._limits.deadline, budget=self._limits.budget)


def renderer_of(workers: Workers) -> ChatRenderer:
    """Return a renderer whose processes all renderers of an audit share."""

    def made(workers: Workers, replay: Replay | None) -> ChatRenderer:
        idle, room = workers.idle_for_jobs, workers.room_for_jobs
        return ChatRenderer(limits=workers.limits, idle=idle, room=room, replay=replay)

    return workers.client(made)


def renderings_of(request: RenderRequest) -> Shape[RenderedTemplate]:
    """Return the valid shape of an answer: trouble, or all steps of all conversations."""
    asked = [(one.id, len(one.messages), one.continue_final) for one in request.conversations]

    def fits(found: RenderedTemplate) -> bool:
        if found.trouble is not None:
            return not found.conversations
        steps = [(one.id, [step.messages for step in one.steps]) for one in found.conversations]
        return steps == [
            (id, list(range(1, count + 1)) if request.steps and not alone else [count])
            for id, count, alone in asked
        ]

    return Shape(RenderedTemplate, LARGEST, fits)
