"""Two tokenizers or more, two templates, or one tokenizer in several runtimes: a report on each."""
