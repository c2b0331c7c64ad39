"""The pre-tokens of a corpus, counted piece by piece: what a training begins with."""
