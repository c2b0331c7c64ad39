"""Decides whether two pre-tokenizers cut every text alike: a proof, or the shortest text.

Follow it in this order: `syntax` reads a pattern, `classes` asks the engine which characters it can
tell apart, `program` and `acceptor` turn the pattern into a machine that knows rightly cut texts,
`splits` does so for a whole pre-tokenizer, `search` walks two machines side by side, `checker`
checks what came out, and `joint` asks what a vocabulary makes of different cuts.
"""
