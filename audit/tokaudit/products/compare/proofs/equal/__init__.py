"""Proof by equal statements: both sides state the same of a facet.

**Lemma.**  The reference is a function of the spec.  If all fields that a facet reads are equal on
both sides, so is what the facet does.  Where a file states for an added token the id of an entry
that is none of the tokens there, a loader gives the token another one: the entry is one of the ids.

**Example.**  Two files with `{"type": "NFC"}` as their normalizer.  A file that lists the same
entries in another order states the same too: rows are sorted by id before they are compared.

**As written.**  In `tokenizer.json` one setting may decide what an entry stands for, as
`byte_fallback` does.  There entries and merges are also compared as the file spells them, so that
the setting is blamed and not the table.

**Literature.**  SHA-256 is that of FIPS 180-4; that equal digests mean equal statements rests on
nobody having found two texts of one digest.  RFC 8785 lists what canonical JSON has to settle: here
keys are in the order of code points, and scores as Python's `repr` writes them.

**Stored.**  The SHA-256 of the statement, one line of canonical JSON for each row of it, and the
form (`as written`) if it is one.  Whoever has the files can compute it.
"""
