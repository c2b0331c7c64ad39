"""Count the pre-tokens of a corpus in pieces, as the first step of a training."""
