"""Proof that character maps have the same entries, though packed differently.

**Lemma.**  A step with a precompiled map asks the map for nothing but keys and what they stand for,
whichever way it walks a text.  So two such steps with equal settings, whose maps hold the same
entries, are one function.

**Example.**  A map is a double array and the strings that its leaves point to.  With one byte more
before the strings, and every leaf moved by one, the file differs in most bytes and says the same.

**Bounds.**  A map from a stranger may have a unit whose child is itself.  Both readers stop at keys
of 64 bytes, and at a number of units that no published map comes near.

**Literature.**  Aoe 1989, "An Efficient Digital Search Algorithm by Using a Double-Array
Structure"; the layout is that of Darts-clone, as SentencePiece writes it.

**Stored.**  Nothing but the kind.  Prover and checker each read the format in their own way.
"""
