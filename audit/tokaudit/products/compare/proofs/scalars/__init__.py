"""Proof that character-wise normalizers change every character alike.

**Lemma.**  Let f and g be such that f(xy) = f(x)f(y) for all texts x and y, and the same of g: they
are homomorphisms of the free monoid of texts.  A homomorphism is given by its values on the letters
(Berstel 1979).  So if f(c) = g(c) for each of the 1,112,064 scalar values c, then f = g.  A
composition of homomorphisms is one.

**Example.**  `Lowercase` and a `Replace` of "A" by "a" agree on A, and differ on B: no proof.
`Replace` of "a" by "a" is no step at all.  NFC is no homomorphism: it makes one character of "e"
and an accent.  `Replace` of "ab" is none either.

**Around it.**  Steps that both sides have at the beginning or at the end are left out first: what
is equal between equal steps is equal as a whole.

**Literature.**  Berstel 1979, "Transductions and Context-Free Languages", I.1; The Unicode
Standard, D76, for the scalar values.

**Stored.**  Nothing but the kind.  The checker asks all scalars again, with functions of its own
for the steps that take each character by itself.
"""
