"""Proof for lookup models: equal entries under equal rules, at any ids.

**Lemma.**  WordPiece takes the longest entry that fits, WordLevel the one that is the word.  Which
entry that is depends on the set of entries and on the settings, never on an id.  So with equal sets
and settings every word becomes the same entries.

**Example.**  A vocabulary of 30,522 entries, shuffled: other ids, the same entries for every word.
The facet of ids then says that they moved.

**Limits.**  An entry that is there twice is not covered: which of its ids counts is a matter of the
order in the file.  Other settings, such as the longest word that is looked up, are a difference.

**Literature.**  Song et al. 2021, "Fast WordPiece Tokenization", states the longest match first,
from left to right, as the BERT release does it; `WordLevel` in Hugging Face's tokenizers.

**Stored.**  How many entries there are.  The checker compares both sets, and every field of a spec
that is not known to say nothing about looking a word up.
"""
