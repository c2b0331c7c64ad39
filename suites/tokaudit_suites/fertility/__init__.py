"""Fertility: how many tokens languages and domains cost."""
