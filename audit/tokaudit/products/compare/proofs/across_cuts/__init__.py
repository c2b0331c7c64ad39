r"""Proof that texts split differently still become the same tokens.

**Lemma.**  Say that one side cuts a text at a place where the other does not, and no entry of the
vocabulary can lie across that place in any text.  Then no merge and no piece of a segmentation
crosses it, so the tokens of the whole are those of its two parts, one after the other: the cut
changes nothing.

**Example.**  `\s+|\S+` against `\s|\S+`: two spaces are one piece or two.  With the entries
"a", " " and " a" nothing lies between two spaces.  With an entry of two spaces there is a text.

**What a model must be.**

* Tokens are made of neighbours, by rank or by score, and of nothing else: no dropout, no mark of
  where in a word a token is, no lookup of a whole piece that merging would not give.
* *Every character is known*, or what stands for an unknown one keeps its neighbours apart.  This is
  where the lemma failed first: with the text "a☃b" and no unknown token, BPE drops the snowman
  and then merges a and b, across the place where it was.  A cut there keeps them apart.  So an
  unknown token that is fused with its neighbour, or takes part in a merge, is an obstacle as well.
  So is the entry of the unknown token itself in Unigram: where a text spells it next to an unknown
  character, both are one run and become bytes, and cut apart it is the unknown token.
* Sums of scores are exact, as a sum that was rounded depends on where it began.

**Literature.**  Berglund and van der Merwe 2023, "Formalizing BPE tokenization", and the README of
`crates/bpe` in github/rust-gems, for what merging sees at the border of two texts; Kudo 2018,
"Subword Regularization", for sums of scores, whose best is found from left to right (Viterbi 1967).

**Stored.**  How many entries were looked at.  The checker has its own conditions, and reads each
entry by itself from every state of both sides.
"""
