"""Proof for Unigram models with equal scores of each entry.

**Lemma.**  Unigram takes the segmentation with the best sum of scores (Kudo 2018).  Which
segmentations there are depends on the entries, and their sums on the scores.  Where both are equal,
and unknown text is treated by equal rules, so are all sums, in every rounding, and the best of
them.

**Example.**  Scores -1, -1.5 and -2 for "a", "ab" and "b" on both sides: "ab" has the sums -1.5 and
-3 on both.  With -2, -3 and -4 on one side all sums double and the best stays the best, but only
where every character is an entry: an unknown one scores 10 below the worst, and 10 does not double.
So a factor other than 1 is searched and not proved.

**Limits.**  An entry that is there twice is not covered.

**Literature.**  Kudo 2018, "Subword Regularization"; Kudo and Richardson 2018, "SentencePiece",
whose `unigram_model.cc` has the 10 below the worst.

**Stored.**  The factor, which is 1.  The checker compares entry by entry.
"""
