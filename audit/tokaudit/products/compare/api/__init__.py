"""Comparisons of tokenizers, templates, or one tokenizer in several runtimes."""
