"""From a recipe and a corpus to the files of a tokenizer: `train` is the door, for every model."""
