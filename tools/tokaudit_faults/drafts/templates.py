"""Operators on the chat template, in tokenizer_config.json or in a GGUF file."""

from __future__ import annotations

from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import template, write_template
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft

GROUP, BASE = "template", "chat_template/baseline"
WORDS, TURNS = "chat_template/words", "chat_template/turns"
PROMPT, STOPS = "chat_template/generation-prompt", "chat_template/stops"
MARKERS, BEGIN = "chat_template/tokens", "chat_template/bos"
WHERE = "chat_template"
ASKED = "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
LOOP, HEADER = "{% for m in messages %}", "<|im_start|>{{ m.role }}\n"


def _change(draft: Draft, old: str, new: str) -> None:
    write_template(draft, template(draft).replace(old, new))


@operator(GROUP, PROMPT, blamed=WHERE)
def write_no_generation_prompt(draft: Draft, draw: Random) -> None:
    _change(draft, ASKED, "")


@operator(GROUP, PROMPT, blamed=WHERE)
def write_the_prompt_always(draft: Draft, draw: Random) -> None:
    _change(draft, ASKED, "<|im_start|>assistant\n")


@operator(GROUP, PROMPT, BASE, blamed=WHERE, base=True)
def end_the_prompt_with_a_space(draft: Draft, draw: Random) -> None:
    space = "{{ '" + " " * draw.randrange(1, 4) + "' }}"  # others are stripped before a block
    _change(draft, "assistant\n{% endif %}", "assistant\n" + space + "{% endif %}")


@operator(GROUP, PROMPT, blamed=WHERE, severity="warning")
def prompt_for_another_role(draft: Draft, draw: Random) -> None:
    role = draw.choice(("user", "system", "model", "bot", "Assistant"))
    _change(draft, "<|im_start|>assistant\n{% endif %}", f"<|im_start|>{role}\n{{% endif %}}")


@operator(GROUP, STOPS, blamed=(WHERE, "special_roles", "eos"))
def end_no_turn(draft: Draft, draw: Random) -> None:
    _change(draft, "{{ m.content }}<|im_end|>\n", "{{ m.content }}\n")


@operator(GROUP, MARKERS, blamed=WHERE, severity="warning")
def misspell_a_marker(draft: Draft, draw: Random) -> None:
    other = draw.choice(("<|im-start|>", "<|imstart|>", "<|start|>", "<|im_start>", "<im_start|>"))
    _change(draft, "<|im_start|>", other)


@operator(GROUP, WORDS, TURNS, blamed=WHERE, severity="warning")
def leave_out_the_system(draft: Draft, draw: Random) -> None:
    _change(draft, LOOP, "{% for m in messages if m.role != 'system' %}")


@operator(GROUP, WORDS, TURNS, "chat_template/prefix", blamed=WHERE)
def write_the_last_turns_alone(draft: Draft, draw: Random) -> None:
    _change(draft, LOOP, f"{{% for m in messages[-{draw.randrange(1, 3)}:] %}}")


@operator(GROUP, TURNS, WORDS, blamed=WHERE)
def write_every_turn_as_one_role(draft: Draft, draw: Random) -> None:
    _change(draft, HEADER, f"<|im_start|>{draw.choice(('user', 'assistant'))}\n")


@operator(GROUP, TURNS, WORDS, PROMPT, blamed=WHERE, severity="warning")
def write_no_role(draft: Draft, draw: Random) -> None:
    _change(draft, HEADER, "<|im_start|>")


@operator(GROUP, BASE, TURNS, WORDS, blamed=WHERE, base=True)
def strip_what_is_said(draft: Draft, draw: Random) -> None:
    _change(
        draft, "{{ m.content }}", draw.choice(("{{ m.content | trim }}", "{{ m.content.strip() }}"))
    )


@operator(GROUP, WORDS, TURNS, blamed=WHERE)
def cut_what_is_said(draft: Draft, draw: Random) -> None:
    _change(draft, "{{ m.content }}", f"{{{{ m.content[:{draw.randrange(1, 12)}] }}}}")


@operator(GROUP, TURNS, WORDS, blamed=WHERE)
def write_what_is_said_twice(draft: Draft, draw: Random) -> None:
    _change(draft, "{{ m.content }}", "{{ m.content }}{{ m.content }}")


@operator(GROUP, BASE, blamed=WHERE, base=True)
def lose_the_line_end_after_the_role(draft: Draft, draw: Random) -> None:
    old = "{{ m.role }}\n"
    _change(draft, old, draw.choice(("{{ m.role }}", "{{ m.role }} ", "{{ m.role }}\n\n")))


@operator(GROUP, BASE, BEGIN, blamed=WHERE, base=True)
def write_no_begin(draft: Draft, draw: Random) -> None:
    _change(draft, "{{ bos_token }}", "")


@operator(GROUP, BEGIN, blamed=WHERE)
def write_the_begin_before_every_turn(draft: Draft, draw: Random) -> None:
    if draft.keys:
        raise Inapplicable  # its begin is its end, which may be between turns
    _change(draft, LOOP, LOOP + "{{ bos_token }}")


@operator(GROUP, "chat_template/renders", blamed=WHERE)
def break_the_syntax(draft: Draft, draw: Random) -> None:
    text = template(draft)
    ends = [place for place in range(len(text)) if text.startswith("%}", place)]
    place = draw.choice(ends)
    write_template(draft, text[:place] + text[place + 2 :])


@operator(GROUP, MARKERS, blamed=(WHERE, "added_tokens"))
def misspell_a_marker_by_one_letter(draft: Draft, draw: Random) -> None:
    wrong = draw.choice(("<|im_sstart|>", "<|im_strat|>", "<|im_start>"))
    _change(draft, "<|im_start|>", wrong)
