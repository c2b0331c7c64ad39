"""Convert pre-tokenizers to automata, to decide if two split every text alike.

Follow it in this order: `syntax` and `sets_syntax` read a pattern as a `tree`, `classes` asks the
engine which characters it can tell apart, `program` and `acceptor` turn the pattern into a
`machine` that knows rightly cut texts, `splits` does so for a whole pre-tokenizer, which `reading`
takes from its steps, and `replay` sees that the engine cuts so.  `canonical` writes the smallest
such machine, and `verdicts` are the answers.  Where nothing is decided, `drawn` writes texts from
the alternatives of both patterns, which `loose` reads.

Two machines are walked side by side where the proofs are (`proofs/cuts`), and what a vocabulary
makes of different cuts is asked there too (`proofs/across_cuts`).

**What a proof is about.**  The cuts that the engine of the reference makes, under the tables of one
version of Unicode.  It is the engine that says which characters a set holds, all 1,112,064 being
asked, and it has to cut a text for each move of a machine as that machine says.  A library may have
tables of another version; texts are run through it too, and what it cuts differently is shown.

**Why patterns are read here again.**  The reference has a reader of patterns, which writes what
they mean for `regex`.  The prover does not use it: a machine is trusted where the engine, which
runs what the reference has read, cuts as the machine says, and of one reader a mistake would be on
both sides.  Only the engine says what a set means.

**What is not decided**, each with its reason in the report: back-references, look-around of more
than one character, possessive repeats of more than one, and patterns whose machines take more than
the states or seconds that `machine` and the walk allow.  Steps that do more than cut at a pattern,
or that take their characters from tables which differ from those of patterns (`Digits`,
`Punctuation`, `Whitespace`), are searched and not proved.
"""
