"""Run by the Python of another environment: encodes conversations with mistral-common itself.

Reads one JSON object from stdin (`tokenizers`: name -> path, `conversations`) and writes one to
stdout: name -> `{"template", "answers"}`, where the template is the one that mistral-common makes
for that tokenizer, and the answers are conversation -> `{"text", "ids"}` or `{"error"}`.
"""

import json
import sys
import warnings

from mistral_common.integrations.chat_templates.chat_templates import (
    convert_tokenizer_to_chat_template,
)
from mistral_common.protocol.instruct.request import ChatCompletionRequest
from mistral_common.protocol.instruct.validator import ValidationMode
from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer

warnings.simplefilter("ignore")


def encoded(tokenizers, given):
    """One conversation, the whole way of a request: validated, normalized, encoded."""
    answered = given["messages"][-1]["role"] == "assistant" and not given["continue_final"]
    tokenizer = tokenizers[ValidationMode.finetuning if answered else ValidationMode.test]
    try:
        request = ChatCompletionRequest.from_openai(
            messages=given["messages"],
            tools=given["tools"],
            continue_final_message=given["continue_final"],
        )
        ids = tokenizer.encode_chat_completion(request).tokens
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"text": tokenizer.decode(ids, special_token_policy=SpecialTokenPolicy.KEEP), "ids": ids}


def main():
    """Everything that was asked, as one answer."""
    asked = json.load(sys.stdin)
    answer = {}
    for name, path in asked["tokenizers"].items():
        modes = (ValidationMode.finetuning, ValidationMode.test)
        tokenizers = {mode: MistralTokenizer.from_file(path, mode=mode) for mode in modes}
        found = {given["id"]: encoded(tokenizers, given) for given in asked["conversations"]}
        template = convert_tokenizer_to_chat_template(path)
        answer[name] = {"template": template, "answers": found}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
