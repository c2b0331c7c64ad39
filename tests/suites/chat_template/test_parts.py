"""Each part of a message is found by its distinct words, or named where it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked, Family

MARKERS = ("<pad>", "<|user|>", "<|assistant|>", "<|tool|>", "<|system|>", "<|end|>")
OFFER = "{%- if tools -%}<tools>{{ tools|tojson }}</tools>{%- endif -%}"
ARGUMENTS = "{{ a if a is string else a|tojson }}"
CALLS = (
    "{%- for c in m.tool_calls or [] -%}{%- set a = c.function.arguments -%}"
    "<call>{{ c.function.name }}: " + ARGUMENTS + "</call>{%- endfor -%}"
)
THOUGHT = "{%- if m.reasoning_content -%}<think>{{ m.reasoning_content }}</think>{%- endif -%}"
WORDS = (
    "{%- if m.content is string -%}{{ m.content }}{%- else -%}{%- for p in m.content or [] -%}"
    "{{ p.text if p.type == 'text' else '<image>' }}{%- endfor -%}{%- endif -%}"
)
PROMPT = (
    "{%- if add_generation_prompt -%}<|assistant|>{%- if enable_thinking is false -%}"
    "<think></think>{%- endif -%}{%- endif -%}"
)
TURN = (
    "{%- if m.role == 'assistant' -%}<|assistant|>{%- generation -%}" + THOUGHT + WORDS + CALLS
    + "<|end|>{%- endgeneration -%}{%- else -%}<|{{ m.role }}|>" + WORDS + "<|end|>{%- endif -%}"
)  # fmt: skip
NOT_ANSWERS = "<|{{ m.role }}|>" + WORDS + "<|end|>"
SOUND = OFFER + "{%- for m in messages -%}" + TURN + "{%- endfor -%}" + PROMPT
CHANGED = "error changes what is before the generation prompt"
HEADER = "under the assistant's header"
PARTS = ("tools", "calls", "results", "reasoning", "switches", "images", "dialects", "mask")


def asked(folder: Path, template: str) -> Asked:
    return Asked(chat_folders.write(folder, Family(template, MARKERS, "<|end|>")))


@pytest.mark.parametrize(("end", "said"), [("</result>", []), ("", ["warning no end"])])
def test_a_result_that_is_opened_is_closed_where_there_is_a_token_for_that(
    end: str, said: list[str], tmp_path: Path
) -> None:
    template = SOUND.replace("<|{{ m.role }}|>" + WORDS, "<|{{ m.role }}|><result>" + WORDS + end)
    family = Family(template, (*MARKERS, "<result>", "</result>"), "<|end|>")
    found = Asked(chat_folders.write(tmp_path, family)).findings("results")
    assert [f"{each.severity} {each.cause}" for each in found] == said


@pytest.mark.parametrize("check", PARTS)
def test_a_template_that_writes_every_part_gets_no_finding(check: str, tmp_path: Path) -> None:
    assert asked(tmp_path, SOUND).findings(check) == []


@pytest.mark.parametrize(
    ("check", "old", "new", "said"),
    [
        ("tools", OFFER, "", "warning ignored"),
        ("tools", "if tools -", "if tools is not none -", "info empty list"),
        ("tools", "{%- if tools -%}", "{%- if tools is not none -%}Call a function: {%- endif -%}{%- if tools -%}", "info empty list"),
        ("tools", "{%- if tools -%}", "{%- if tools is not none and not tools -%}[{%- endif -%}{%- if tools -%}", "info empty list"),
        ("tools", "tools|tojson", "tools|reverse|list|tojson", "warning order"),
        ("tools", "tools|tojson", "tools[:1]|tojson", "warning in part"),
        ("tools", "<tools>{{", "{{", "warning not opened"),
        ("tools", "</tools>", "", "warning not closed"),
        ("tools", "tools|tojson", "tools", "warning as Python"),
        ("tools", "tools|tojson", "tools|tojson|tojson", "warning encoded twice"),
        ("tools", "tools|tojson", "tools|tojson|forceescape", "warning entities"),
        ("tools", "tools|tojson", "(tools|tojson)[:-1]", "warning cut"),
        ("tools", "tools|tojson", "(tools + tools)|tojson", "warning twice"),
        (
            "tools",
            "for m in messages ",
            "for m in (messages[:1] if tools and messages[0].role == 'system' else []) + messages ",
            "warning system twice",
        ),
        (
            "tools",
            "for m in messages ",
            "for m in messages if not (tools and m.role == 'system') ",
            "warning no system",
        ),
        ("calls", "{{ c.function.name }}: ", "", "warning no name"),
        ("calls", "m.tool_calls or []", "(m.tool_calls or [])[:1]", "warning one call"),
        ("calls", "m.tool_calls or []", "(m.tool_calls or [])[-1:]", "warning one call"),
        ("calls", "m.tool_calls or []", "(m.tool_calls or [])|reverse", "warning order of calls"),
        ("calls", "</call>{%- endfor -%}", "</call>{%- endfor -%}" + CALLS, "warning twice"),
        ("calls", "<call>", "", "warning not opened"),
        ("calls", "<call>", "{%- if loop.length > 1 -%}{{ raise_exception('one call') }}{%- endif -%}<call>", "warning two calls refused"),
        ("calls", "a|tojson }}", "(a|tojson)[:-1] }}", "warning cut"),
        ("calls", "a|tojson }}", "a }}", "warning as Python"),
        ("calls", "a|tojson }}", "a|tojson|tojson }}", "warning encoded twice"),
        ("calls", ARGUMENTS, "{{ a|tojson }}", "info text arguments"),
        ("calls", "a|tojson }}", "a|tojson|forceescape }}", "warning entities"),
        ("calls", "</call>", "", "warning no end"),
        ("calls", WORDS + CALLS, CALLS + WORDS, "warning order"),
        ("results", "<|{{ m.role }}|>", "<|assistant|>{{ m.role }}: ", "warning " + HEADER),
        ("results", "<|{{ m.role }}|>" + WORDS, "<|user|>" + WORDS, "warning as the user's"),
        ("results", "for m in messages ", "for m in messages if m.role != 'tool' ", "error lost"),
        ("results", "for m in messages ", "for m in messages if not (m.role == 'tool' and messages[messages.index(m) - 1].role == 'user') ", "warning late"),
        ("results", NOT_ANSWERS, NOT_ANSWERS.replace("<|end|>", "{{ '' if m.role == 'tool' else '<|end|>' }}"), "warning turn without end"),
        ("results", NOT_ANSWERS, NOT_ANSWERS.replace(WORDS, "{{ m.content|tojson }}"), "info as JSON"),
        ("results", NOT_ANSWERS, NOT_ANSWERS.replace(WORDS, "{{ '<r>' ~ m.content|tojson ~ '</r>' if m.role == 'tool' else m.content }}"), "warning as JSON"),
        ("results", NOT_ANSWERS, "<|{{ m.role }}|>{{ m.content|forceescape }}<|end|>", "warning entities"),
        ("results", NOT_ANSWERS, "<|{{ m.role }}|>{{ m.content|replace('&', '+') }}<|end|>", "warning other characters"),
        ("reasoning", THOUGHT + WORDS, WORDS + THOUGHT, "warning after the answer"),
        ("reasoning", THOUGHT + WORDS + CALLS, WORDS + CALLS + THOUGHT, "warning after the answer"),
        ("reasoning", THOUGHT, THOUGHT + THOUGHT, "warning twice"),
        ("reasoning", "<think>{{ m", "<think><think>{{ m", "warning tag twice"),
        ("reasoning", "<think>{{ m", "{{ m", "warning not opened"),
        ("switches", "<think></think>", "<think>", "warning left open"),
        ("reasoning", THOUGHT, "{%- set r = m.reasoning_content -%}", "warning lost"),
        ("reasoning", "</think>{%- endif -%}" + WORDS, "{%- endif -%}" + WORDS, "warning no end"),
        ("switches", "is false", "is true", "warning reversed"),
        ("images", "'<image>'", "'' if p.type == 'image' else ''", "error lost"),
        ("images", "<image>", "<image><image>", "error two placeholders"),
        ("dialects", "{%- if m.content is string", "{{ '' if m.content is undefined else m.content.strip()[:0] }}{%- if m.content is string", "info fails"),
        ("mask", "<|assistant|>{%- generation -%}", "{%- generation -%}<|assistant|>", "warning header"),
        ("mask", CALLS + "<|end|>{%- endgeneration -%}", "{%- endgeneration -%}" + CALLS + "{%- generation -%}<|end|>{%- endgeneration -%}", "error calls"),
    ],
)  # fmt: skip
def test_a_part_that_is_not_written_as_it_was_given_is_named_once(
    check: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    """One cause, one finding, with the shortest conversation that shows it."""
    assert old in SOUND
    found = asked(tmp_path, SOUND.replace(old, new)).findings(check)
    assert [f"{one.severity} {one.cause}" for one in found] == [said]
    assert all(one.evidence and one.places for one in found)


NO_REASON = "{%- if m.tool_calls -%}" + WORDS + "{%- else -%}" + THOUGHT + WORDS + "{%- endif -%}"
UNTIL_RESULT = THOUGHT.replace("m.reasoning_content -", "m.reasoning_content and loop.last -")


@pytest.mark.parametrize(
    ("check", "old", "new", "said"),
    [
        ("calls", "m.tool_calls or []", "(m.tool_calls if m.tool_calls and m.tool_calls|length < 2 else [])", "writes one call in a message, but neither call of two in a message"),
        ("calls", ARGUMENTS, "{{ '\"' ~ a.orchard ~ '\"' if a.orchard else a }}", (
            "writes an argument between quotes without escaping the quotes inside, so that "
            "neither JSON nor Python parses it"
        )),
        ("reasoning", THOUGHT + WORDS, NO_REASON, "leaves out the reasoning of a message that calls a tool"),
        ("reasoning", THOUGHT, UNTIL_RESULT, "drops the reasoning before a call when its result has come"),
        ("tools", "{%- if tools -%}", "{%- if tools is not none -%}Call a function: {%- endif -%}{%- if tools -%}", "writes 'Call a function:' if the list of tools is empty, but not if there is no list"),
        ("tools", OFFER, OFFER.replace("if tools", "if tools and messages[0].role != 'system'"), (
            "writes tool calls but leaves out the list of available tools if there is a system "
            "message"
        )),
        ("turns", WORDS + CALLS, WORDS + CALLS + "{{ ' ' if not m.tool_calls }}", "writes a space after an answer before '<|end|>'"),
        ("mask", "<|assistant|>{%- generation -%}", "{%- generation -%}<|assistant|>", "marks '<|assistant|>', which the generation prompt contains already"),
    ],
)  # fmt: skip
def test_a_message_says_what_its_texts_show(
    check: str, old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert old in SOUND
    found = asked(tmp_path, SOUND.replace(old, new)).findings(check)
    whole = f"The chat template in tokenizer_config.json {said}."
    assert whole in [one.message for one in found]


@pytest.mark.parametrize(
    ("check", "old", "new", "shown"),
    [
        ("calls", ARGUMENTS, "{{ a|tojson }}", ["call-text", "call"]),
        ("tools", "if tools -", "if tools is not none -", ["tools-empty", "tools-none"]),
        ("mask", "<|assistant|>{%- generation -%}", "{%- generation -%}<|assistant|>", ["answers", "answers, prompted"]),
    ],
)  # fmt: skip
def test_what_is_said_of_two_texts_shows_both(
    check: str, old: str, new: str, shown: list[str], tmp_path: Path
) -> None:
    (found,) = asked(tmp_path, SOUND.replace(old, new)).findings(check)
    assert [one.note for one in found.evidence] == [f"conversation {id}" for id in shown]


def test_tools_encoded_twice_are_not_the_arguments_of_a_call(tmp_path: Path) -> None:
    twice = SOUND.replace("tools|tojson", "tools|tojson|tojson")
    written = "{{ '!' ~ a if a is string else a|tojson }}"
    (found,) = asked(tmp_path, twice.replace(ARGUMENTS, written)).findings("calls")
    assert found.message == (
        "The chat template in tokenizer_config.json writes a call differently if its arguments "
        "are a JSON string than if they are the same mapping."
    )


def test_a_tag_in_the_instructions_closes_no_sampled_reasoning(tmp_path: Path) -> None:
    instructed = "{{ 'Think between <think> and </think>.' }}" + SOUND
    assert asked(tmp_path, instructed).findings("reasoning") == []


@pytest.mark.parametrize(
    ("said", "how"),
    [
        ("{{ '' }}", "has 1 character of white space more"),
        ("{{ 'spaced' if s else '' }}", "is another text"),
    ],
)
def test_what_trimming_changes_is_white_space_only_where_nothing_else_is(
    said: str, how: str, tmp_path: Path
) -> None:
    captured = "{%- set s -%}{% if true %}\n{% endif %}{%- endset -%}" + said
    lines = "{% if true %}\n{% endif %}" + captured + SOUND
    found = asked(tmp_path, lines).findings("portable")
    (trimming,) = [one.message for one in found if one.cause == "trimming"]
    assert trimming.endswith(
        f"the test conversation 'user' {how}; onnxruntime-genai applies neither option."
    )


USER = "{%- set last = (messages|selectattr('role', 'equalto', 'user')|list)|last -%}"
PLACES = "{%- set n = namespace(last=0) -%}{%- for m in messages -%}{%- if m.role == 'user' -%}{%- set n.last = loop.index0 -%}{%- endif -%}{%- endfor -%}"
ASKED = "<|{{ m.role }}|>{{ 'Answer: ' if WHEN else '' }}"
WHOLE = "{%- if messages[0].role != 'system' -%}<|system|>WORDS<|end|>{%- endif -%}"
AFTER_A_CALL = "{%- if add_generation_prompt and messages[-1].tool_calls -%}<|tool|>{%- else -%}"


@pytest.mark.parametrize(
    ("check", "template", "said"),
    [
        ("turns", USER + SOUND.replace("<|{{ m.role }}|>", ASKED.replace("WHEN", "m == last")), ["warning repeated words"]),
        ("turns", PLACES + SOUND.replace("<|{{ m.role }}|>", ASKED.replace("WHEN", "loop.index0 == n.last")), []),
        ("turns", WHOLE.replace("WORDS", "{system_message}") + SOUND, ["warning placeholder"]),
        ("turns", WHOLE.replace("WORDS", "Write {answer} or {}.") + SOUND, []),
        ("generation-prompt", SOUND.replace("{%- endfor -%}" + PROMPT, PROMPT + "{%- endfor -%}"), [CHANGED]),
        ("generation-prompt", SOUND, []),
        ("generation-prompt", SOUND.replace(PROMPT, AFTER_A_CALL + PROMPT + "{%- endif -%}"), ["info opens a result"]),
    ],
)  # fmt: skip
def test_a_fault_of_longer_chats_is_found_and_its_twin_is_silent(
    check: str, template: str, said: list[str], tmp_path: Path
) -> None:
    found = asked(tmp_path, template).findings(check)
    assert [f"{each.severity} {each.cause}" for each in found] == said


def test_markers_with_odd_brackets_cut_no_call(tmp_path: Path) -> None:
    """MiniMax's turns end so."""
    odd = SOUND.replace("<|end|>", "[e~[")
    written = chat_folders.write(tmp_path, Family(odd, (*MARKERS, "[e~["), "[e~["))
    assert [one.cause for one in Asked(written).findings("calls")] == []


def test_an_image_may_have_a_placeholder_for_each_of_its_patches(tmp_path: Path) -> None:
    """GLM-Edge-V's template writes 578."""
    assert asked(tmp_path, SOUND.replace("<image>", "<image>" * 578)).findings("images") == []


def test_an_end_that_no_generation_tag_leaves_out_is_not_blamed_on_tags(tmp_path: Path) -> None:
    """RWKV's turns end with two line ends, and its template has no tags."""
    untagged = SOUND.replace("{%- generation -%}", "").replace("{%- endgeneration -%}", "")
    end = "\n\n"
    family = Family(untagged.replace("<|end|>", "{{ '\\n\\n' }}"), (*MARKERS, end), end)
    assert Asked(chat_folders.write(tmp_path, family)).findings("stops") == []


PROSE = (
    "<tool>{{ t.function.name }}</tool>Use {{ t.function.name }} to: {{ t.function.description }} "
    "{{ t|tojson }}"
)
AFTER = (
    "{%- if tools -%}Write {'name': the name} in calls. Close each with </function>, as in "
    "<function=name>{}</function>.{%- endif -%}"
)


@pytest.mark.parametrize(
    "offer",
    [
        "{%- for t in tools or [] -%}" + PROSE + "{%- endfor -%}" + AFTER,
        OFFER.replace("</tools>", '</tools>As: <call name="a"><key name="b">c</key></call>'),
        "<top>" + OFFER.replace("<tools>", "").replace("</tools>", ""),
    ],
    ids=["prose repeats a description and speaks of tags", "tags with names", "a tag of the text"],
)
def test_prose_around_tools_is_not_their_list(offer: str, tmp_path: Path) -> None:
    """Functionary's, MiniMax's and GLM's templates write so."""
    assert asked(tmp_path, SOUND.replace(OFFER, offer)).findings("tools") == []


def test_a_template_that_writes_the_first_of_the_calls_refuses_two_by_design(
    tmp_path: Path,
) -> None:
    """Llama's do so: nothing in them goes through the list."""
    first = (
        CALLS.replace("for c in m.tool_calls or []", "if m.tool_calls")
        .replace("{%- set a", "{%- set c = m.tool_calls[0] -%}{%- set a")
        .replace("endfor", "endif")
    )
    refusing = (
        "{%- if m.tool_calls and m.tool_calls[1] -%}{{ raise_exception('one') }}{%- endif -%}"
    )
    found = asked(tmp_path, SOUND.replace(CALLS, refusing + first)).findings("calls")
    assert [f"{one.severity} {one.cause}" for one in found] == ["info two calls refused"]


def test_a_result_that_belongs_to_the_turn_of_its_call_has_no_other_place(tmp_path: Path) -> None:
    """Gemma's write results there, and pass over a result that comes later: information."""
    following = (
        "{%- if m.tool_calls -%}{%- set at = namespace(end=false) -%}"
        "{%- for r in messages[loop.index:] -%}{%- if r.role != 'tool' -%}{%- set at.end = true -%}"
        "{%- elif not at.end -%}<r>{{ r.content }}</r>{%- endif -%}{%- endfor -%}{%- endif -%}"
    )
    template = SOUND.replace(CALLS + "<|end|>", CALLS + following + "<|end|>")
    template = template.replace(
        "{%- else -%}<|{{ m.role", "{%- elif m.role != 'tool' -%}<|{{ m.role"
    )
    found = asked(tmp_path, template).findings("results")
    assert [f"{one.severity} {one.cause}" for one in found] == ["info late"]


def test_a_macro_that_is_missing_is_named_where_tools_reach_it(tmp_path: Path) -> None:
    """It fails in every engine, and is no attack."""
    one = asked(tmp_path, "{%- if tools -%}{{ listed(tools) }}{%- endif -%}" + SOUND)
    assert one.findings("safe") == []
    found = [each for each in one.findings("renders") if each.cause.startswith("fails")]
    assert [each.message for each in found] == [
        "The chat template in tokenizer_config.json fails on what transformers sends it: "
        "UndefinedError: 'listed' is undefined in line 1 (tested as 'tools: described, two tools')."
    ]


def test_tags_that_hold_other_tokens_than_the_bases_are_a_difference(tmp_path: Path) -> None:
    """The texts are equal, and what is learned is not."""
    base = chat_folders.write(tmp_path / "base", Family(SOUND, MARKERS, "<|end|>"))
    moved = SOUND.replace("<|end|>{%- endgeneration -%}", "{%- endgeneration -%}<|end|>")
    mine = chat_folders.write(tmp_path / "mine", Family(moved, MARKERS, "<|end|>"))
    (found,) = Asked(mine, base).findings("baseline")
    assert (str(found.severity), found.cause) == ("error", "marks otherwise")
    assert "marks 1 tokens" not in found.message and found.evidence


def test_without_tags_it_is_what_the_assistant_says_that_a_model_learns(tmp_path: Path) -> None:
    """The header and the end of a turn are the assistant's, and the base's tags leave them out."""
    untagged = SOUND.replace("{%- generation -%}", "").replace("{%- endgeneration -%}", "")
    moved = SOUND.replace("<|end|>{%- endgeneration -%}", "{%- endgeneration -%}<|end|>")
    mine = chat_folders.write(tmp_path / "mine", Family(untagged, MARKERS, "<|end|>"))
    base = chat_folders.write(tmp_path / "base", Family(moved, MARKERS, "<|end|>"))
    (found,) = Asked(mine, base).findings("baseline")
    assert (str(found.severity), found.cause) == ("info", "marks otherwise")
    rows = [
        [each.piece for each in row]
        for row in (found.evidence[0].actual, found.evidence[0].expected)
    ]
    assert [[piece in row for piece in ("<|assistant|>", "<|end|>")] for row in rows] == [
        [True, True],
        [False, False],
    ]
    assert " leaves 3 tokens as the assistant's" in found.message
    assert " marks 1 token of the same text" in found.message


def test_a_generation_prompt_that_a_template_lacks_is_learned_as_the_assistants(
    tmp_path: Path,
) -> None:
    untagged = SOUND.replace("{%- generation -%}", "").replace("{%- endgeneration -%}", "")
    base = chat_folders.write(tmp_path / "base", Family(untagged, MARKERS, "<|end|>"))
    unprompted = untagged.replace(PROMPT, "")
    mine = chat_folders.write(tmp_path / "mine", Family(unprompted, MARKERS, "<|end|>"))
    found = Asked(mine, base).findings("baseline")
    assert [f"{each.severity} {each.cause}" for each in found] == [
        "error differs",
        "info marks otherwise",
    ]
    assert [token.piece for token in found[1].evidence[0].actual].count("<|assistant|>") == 1
    assert "<|assistant|>" not in [token.piece for token in found[1].evidence[0].expected]


@pytest.mark.parametrize(("use", "severity"), [(None, "info"), ("sft", "warning")])
def test_what_a_use_cannot_live_with_is_raised(
    use: str | None, severity: str, tmp_path: Path
) -> None:
    untagged = SOUND.replace("{%- generation -%}", "").replace("{%- endgeneration -%}", "")
    folder = chat_folders.write(tmp_path, Family(untagged, MARKERS, "<|end|>"))
    (found,) = Asked(folder, use=use).findings("mask")
    assert (str(found.severity), found.cause) == (severity, "no tags")
