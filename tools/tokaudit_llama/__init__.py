"""Holds the reference's dialect of llama.cpp to the engine itself, over whole vocabularies.

It needs the extra `gguf`, and outside material for the tokenizers that no package ships.
"""
