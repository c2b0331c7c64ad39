"""Knowledge of tokenizer classes and model types of other projects, each fact once.

A class is one file of `classes/`, a model type one section of `model_types.toml`.  What lies under
`by_hand` was read in the source; everything else is drawn from the installed library by
`make upstream`, in the versions that `versions.py` names.  What llama.cpp does is in `llama_cpp/`,
and what published tokenizers have, whoever loads them, in `published/`.  A file of which nothing is
drawn says so in its first key, `by_hand = true`.
"""
