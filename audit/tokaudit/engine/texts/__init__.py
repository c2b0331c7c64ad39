"""The texts that a comparison runs: where they come from, in which order, and how one is shrunk."""
