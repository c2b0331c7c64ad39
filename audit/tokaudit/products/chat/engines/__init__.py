"""Engines that are not Jinja, installed here: chat templates are rendered by them in a worker."""
