"""Proof for decoders that join the bytes of their tokens, equal for all shared ones.

**Lemma.**  A decoder that does nothing but join makes of a row of tokens the bytes of the first,
then of the second, and so on: it is a homomorphism from rows of tokens to bytes.  Tokens are
finitely many.  So two such decoders that make the same of each shared token make the same of every
row of them.

**Example.**  `ByteLevel` of Hugging Face's tokenizers, whose entries are spelled in GPT-2's
alphabet, and a rank file of tiktoken, whose entries are bytes: both make the byte E2 of the token
that the first writes as "\u00e2".  A decoder that strips a space at the beginning joins nothing:
what it makes of a token depends on where that is.

**Limits.**  Tokens that only one side has are not spoken of; the facet of ids is.  Added tokens
that a normalizer rewrites are not proved.

**Literature.**  Homomorphisms of free monoids are in Berstel 1979, "Transductions and Context-Free
Languages", I.1; the alphabet is `bytes_to_unicode` of the GPT-2 release (Radford et al. 2019).

**Stored.**  How many tokens are shared.  The prover asks the reference's decoder for the bytes of
each; the checker spells them by itself, from GPT-2's alphabet or from the token.
"""
