"""Run by the Python of another environment: the labels that TRL's trainer itself prepares.

Reads one JSON object from stdin (`templates`: name -> text, `rows`: each with `id`, `messages`, `tools`,
`variables` and `prompted`, `special_tokens`, `clock` and `tokenizer`, the path of a tokenizer.json) and
writes one to stdout: template -> row -> mode -> the ids and whether each is learned, or an error.
"""

import datetime
import json
import sys
import tempfile
import warnings
from types import SimpleNamespace

import datasets
from transformers import PreTrainedTokenizerFast, logging
from transformers.utils import chat_template_utils
from trl import SFTConfig, SFTTrainer
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

warnings.simplefilter("ignore")
logging.set_verbosity_error()
datasets.disable_progress_bars()
datasets.disable_caching()


def pin(moment):
    """Let transformers' clock stop at that moment."""

    class Pinned(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromisoformat(moment)

    chat_template_utils.datetime = Pinned


def row_of(given, split):
    """A row of TRL's forms: messages, or a prompt with its completion."""
    messages, prompted = given["messages"], given["prompted"]
    said = {"messages": messages}
    if split:
        said = {"prompt": messages[:prompted], "completion": messages[prompted:]}
    tools = {"tools": json.dumps(given["tools"])} if given["tools"] else {}
    more = {"chat_template_kwargs": given["variables"]} if given["variables"] else {}
    return said | tools | more


def labels(tokenizer, template, row, config):
    """What the trainer's own preparation and collator make of one row."""
    trainer = SimpleNamespace(
        chat_template=template,
        completion_only_loss="prompt" in row and not config.assistant_only_loss,
        _tokenizer=tokenizer,
    )
    rows = datasets.Dataset.from_list([row])
    try:
        found = SFTTrainer._prepare_dataset(trainer, rows, tokenizer, config, False, None, "rows")
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    batch = DataCollatorForLanguageModeling(pad_token_id=0)([found[0]])
    learned = (batch["labels"][0] != -100).tolist()
    return {"ids": batch["input_ids"][0].tolist(), "learned": learned}


def main():
    """Every template over every row in each mode, as one answer."""
    asked = json.load(sys.stdin)
    pin(asked["clock"])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=asked["tokenizer"], **asked["special_tokens"]
    )
    with tempfile.TemporaryDirectory() as folder:
        configs = {
            only: SFTConfig(
                folder, assistant_only_loss=only, max_length=None, use_cpu=True, bf16=False
            )
            for only in (False, True)
        }
        modes = {"completion": (True, False), "assistant": (False, True)}
        answer = {
            name: {
                given["id"]: {
                    mode: labels(tokenizer, template, row_of(given, split), configs[only])
                    for mode, (split, only) in modes.items()
                }
                for given in asked["rows"]
            }
            for name, template in asked["templates"].items()
        }
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
