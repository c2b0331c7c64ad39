"""Run by the Python of another environment: renders conversations with transformers itself.

Reads one JSON object from stdin (`templates`: name -> text, `conversations`, `special_tokens`,
`clock`, and `tokenizer`, the path of a tokenizer.json, or null) and writes one to stdout: name ->
conversation -> [without, with the generation prompt], each `{"text", "spans", "mask", "ids"}` or
`{"error"}`.
"""

import datetime
import json
import sys
import warnings

from transformers import PreTrainedTokenizerFast, logging
from transformers.utils import chat_template_utils

warnings.simplefilter("ignore")
logging.set_verbosity_error()


def pin(moment):
    """Let transformers' clock stop at that moment."""

    class Pinned(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromisoformat(moment)

    chat_template_utils.datetime = Pinned


def rendered(tokenizer, template, given, prompt):
    """One conversation, the whole way of `apply_chat_template`."""
    options = {
        "tools": given["tools"],
        "documents": given["documents"],
        "chat_template": template,
        **given["variables"],
    }
    messages = given["messages"]
    if given["continue_final"]:
        chosen = {"continue_final_message": True}
    else:
        chosen = {"add_generation_prompt": prompt}
    try:
        text = tokenizer.apply_chat_template(messages, tokenize=False, **chosen, **options)
        found = {"text": text, "ids": tokenizer(text, add_special_tokens=False)["input_ids"]}
        if "endgeneration" in template and not given["continue_final"]:
            found["spans"] = spans(tokenizer, messages, chosen, options)
            found["mask"] = mask(tokenizer, messages, chosen, options)
        return found
    except Exception as error:
        return {"error": str(error)}


def spans(tokenizer, messages, chosen, options):
    """The spans of the assistant, in characters."""
    seen = messages
    if hasattr(chat_template_utils, "_alias_reasoning_fields"):  # 5.x
        seen = [{k: v for k, v in message.items() if v is not None} for message in messages]
    _, found = chat_template_utils.render_jinja_template(
        [seen],
        return_assistant_tokens_mask=True,
        **tokenizer.special_tokens_map,
        **chosen,
        **options,
    )
    return found[0]


def mask(tokenizer, messages, chosen, options):
    """For each token, 1 where a trainer that asks for the assistant's tokens learns from it."""
    asked = {"tokenize": True, "return_dict": True, "return_assistant_tokens_mask": True}
    return tokenizer.apply_chat_template(messages, **asked, **chosen, **options)["assistant_masks"]


def main():
    """Everything that was asked, as one answer."""
    asked = json.load(sys.stdin)
    pin(asked["clock"])
    special = asked["special_tokens"]
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=asked["tokenizer"], **special)
    answer = {
        name: {
            given["id"]: [rendered(tokenizer, template, given, prompt) for prompt in (False, True)]
            for given in asked["conversations"]
        }
        for name, template in asked["templates"].items()
    }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
