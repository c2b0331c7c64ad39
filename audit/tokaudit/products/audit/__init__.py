"""Audits of one tokenizer or a repository, and merged reports."""
