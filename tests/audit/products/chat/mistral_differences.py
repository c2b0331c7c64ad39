"""On which conversations Mistral's templates and mistral-common's request encoder differ, and why.

On every other conversation of the role matrix both give the same text and ids, or both refuse.
`OWN` are the templates that mistral-common makes for its tokenizers; `AXOLOTL` those of that
package, which are not meant to be equal everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

Reasons = Mapping[str, str]

NAMES = "only ours: the encoder takes names of functions in ASCII alone"
THOUGHTS = "only ours: the encoder knows no reasoning before version 13"
LATER = "only ours: the encoder refuses a system message after an answer"
PICTURES = "only ours: the encoder takes a picture only with its bytes"
BEGINS = "only theirs: the encoder writes an empty question first, and reads a developer as system"
STRIPPED = "other text: the encoder drops the spaces at the end of an answer"
RESULTS = "other text: the encoder reads a result that is JSON as a value, the template as text"
ALONE = "other text: the encoder writes an empty question after a system message without one"
NOTHING = "other text: the encoder writes no piece for an empty content, the template a space"
TOOLS_3 = "tools-offered-system tool-calls-two tool-call-scripts"
TOOLS_2 = "tools-offered-system tool-call-scripts"
THINKING = "reasoning reasoning-turns reasoning-tool-call thinking-on"
TALK = "reasoning reasoning-turns thinking-on"  # where calls are refused anyhow
FIRST = "assistant-first developer"
ENDS = "spaces continue-space"
ARGUMENTS = "tool-call-text-arguments"

_SINCE_3 = {NAMES: TOOLS_3, THOUGHTS: THINKING, BEGINS: FIRST, STRIPPED: ENDS}
_THREE = {**_SINCE_3, LATER: "system-later", RESULTS: ARGUMENTS, ALONE: "system-only"}

OWN: Mapping[str, Reasons] = {
    "tokenizer.model.v1": {
        NAMES: "tools-offered-system",
        THOUGHTS: TALK,
        LATER: "system-later",
        BEGINS: FIRST,
        ALONE: "system-only",
    },
    "mistral_instruct_tokenizer_240216.model.v2": {
        **_THREE,
        NAMES: TOOLS_2,
        NOTHING: "empty-user",
    },
    "mistral_instruct_tokenizer_240323.model.v3": {**_THREE, NOTHING: "empty-user"},
    "mistral_instruct_tokenizer_241114.model.v7": {
        **_SINCE_3,
        NOTHING: "empty-user empty-system",
    },
    "tekken_240718.json": _THREE,
    "tekken_240911.json": {**_THREE, PICTURES: "parts-image"},
    "tekken_v7.json": _SINCE_3,
    "tekken_v11.json": _SINCE_3,
    "tekken_v13.json": {
        NAMES: TOOLS_3,
        BEGINS: FIRST,
        STRIPPED: ENDS,
    },
}

EMPTY = "only ours: the encoder refuses an empty answer"
WORDS = "only ours: before version 7 the encoder refuses words next to a call"
NO_CALLS = "only ours: version 1 of the encoder knows no calls, the template leaves them out"
JOINED = "only theirs: the encoder joins messages of one role in a row, the template refuses them"
NO_TOOLS = "only theirs: the template knows no messages of tools"
OFFERED = "other text: the template leaves tools and calls out"
SYSTEM = "other text: the template drops the system message where an answer is last"
SEPARATED = "other text: the template separates an empty system message from the question"
PARTS = "other text: the encoder joins parts by two line ends, the template by nothing"
UNQUOTED = "other text: the template writes a result without quotation marks"
OLD_CALLS = "other text: version 2 has calls without ids, and results as a list with names"
DEFAULT = "other text: the template adds a system message"
ROW = "users-in-a-row assistants-in-a-row"
LAST = "system-turns-1 system-turns-2 system-turns-3 system-turns-4 lines line-ends"
RESULT = "tool-call tool-calls-in-turn tool-call-null tool-result-last tool-turns " + ARGUMENTS

_ALL = {THOUGHTS: TALK, PICTURES: "parts-image", EMPTY: "empty-assistant", PARTS: "parts-text"}
_AXOLOTL = {**_ALL, NAMES: "tools-offered-system", STRIPPED: ENDS, ALONE: "system-only"}
_WITH_TOOLS = {
    **_AXOLOTL,
    THOUGHTS: THINKING,
    NAMES: TOOLS_3,
    WORDS: "tool-call-with-words",
    BEGINS: FIRST,
    JOINED: ROW,
    SYSTEM: LAST,
    UNQUOTED: RESULT,
}
AXOLOTL: Mapping[tuple[str, str], Reasons] = {
    ("mistral_v1", "tokenizer.model.v1"): {
        **_ALL,
        NAMES: "tools-offered-system",
        ALONE: "system-only",
        NO_CALLS: "tool-call-last",
        BEGINS: FIRST,
        JOINED: ROW,
        SEPARATED: "empty-system",
    },
    ("mistral_v2v3", "mistral_instruct_tokenizer_240216.model.v2"): {
        **_WITH_TOOLS,
        UNQUOTED: "",
        OLD_CALLS: f"{RESULT} tool-call-last",
        NOTHING: "empty-user",
    },
    ("mistral_v2v3", "mistral_instruct_tokenizer_240323.model.v3"): {
        **_WITH_TOOLS,
        NOTHING: "empty-user",
    },
    ("mistral_v3_tekken", "tekken_240718.json"): _WITH_TOOLS,
    ("pixtral", "tekken_240911.json"): {
        **_AXOLOTL,
        BEGINS: FIRST,
        JOINED: ROW,
        SYSTEM: LAST,
        NO_TOOLS: RESULT,
        OFFERED: "tools-offered tool-call-last",
    },
    ("mistral_v7_tekken", "tekken_v7.json"): {
        **_AXOLOTL,
        ALONE: "",
        PARTS: "",
        LATER: "system-later",
        NO_TOOLS: f"{RESULT} tool-call-with-words developer",
        DEFAULT: "user turns-1 turns-2 turns-3 turns-4 turns-open empty-user only-space scripts "
        "markup code tools-offered tool-call-last reasoning-inline thinking-off parts-text "
        f"assistant-first documents continue continue-parts {ROW}",
    },
}


def listed(reasons: Reasons) -> dict[str, set[str]]:
    """How conversations differ -> those that do."""
    found: dict[str, set[str]] = {}
    for reason, conversations in reasons.items():
        found.setdefault(reason.partition(":")[0], set()).update(conversations.split())
    return {how: conversations for how, conversations in found.items() if conversations}
