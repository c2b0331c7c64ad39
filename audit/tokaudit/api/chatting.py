"""`tokaudit.chat`: conversations as the chat template renders them, token by token."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.api.asked.keywords import keywords
from tokaudit.api.asked.settings import BareFiles
from tokaudit.api.opening import SubjectName, subject_of
from tokaudit.comparison.evidence import token_names
from tokaudit.engine.chat import ChatIds, ChatRenderings
from tokaudit.engine.options import Options, WithChats
from tokaudit.engine.outcome.transcript import transcript
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip, UnreadableError
from tokaudit.foundation.settings.setting import checked
from tokaudit.report.recorded import Transcript
from tokaudit_reference.spec import TokenizerSpec

SHOWN = ("system-turns-2", "tool-call", "reasoning")  # of ours, where no file is named


@dataclass(frozen=True, kw_only=True)
class ChatSettings(WithChats, BareFiles):
    """What `chat` may be asked."""


@keywords(ChatSettings)
def chat(subject: SubjectName, asked: ChatSettings) -> tuple[Transcript, ...]:
    """Conversations as the template that loaders take renders them, each token with its role.

    Those of the `conversations` file are shown, or a few of ours.  The template runs in a worker,
    and the ids are the reference's.  Raises `UnreadableError` where there is no template.
    """
    options = Options(conversations=checked(asked).conversations)
    opened = subject_of(subject, asked)
    workers = Workers(options.limits())
    try:
        needs = audit_needs(opened, options, workers)
        renderings: ChatRenderings = needs.get(ChatRenderings)
        names, ids = token_names(needs.get(TokenizerSpec)), needs.get(ChatIds)
        wanted = [one.id for one in options.chats()] or SHOWN
        shown = [one for one in renderings.conversations if one.id in wanted]
        return tuple(transcript(one, renderings.all[0], renderings, ids, names) for one in shown)
    except (NotApplicable, Skip) as error:
        raise UnreadableError(f"{opened.name}: {error}") from error
    finally:
        workers.close()
