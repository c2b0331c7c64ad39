"""Ids on disk: are they whole, and are they those of this tokenizer?"""
