"""Proof that steps are equivalent: their differences are never read or have no effect.

**Lemma.**  Let each step of a stage be replaced by the plainest one that does the same: defaults
written out, options left out that no code of the library reads, steps dropped that change no text.
Each replacement keeps the function of the stage.  So stages whose plain forms are equal are one
function.  Two replacements need their neighbours:

* a form of Unicode absorbs the forms before it: NFC(NFD(x)) = NFC(x) (UAX 15, section 1.3);
* a split at a character is idle where the normalizer has replaced all of that character, and
  nothing between the two writes it again.

**Example.**  `ByteLevel` as a pre-tokenizer with `trim_offsets` on or off: the option is read by
the post-processor of that name alone.  A second `NFC` changes nothing.

**Literature.**  UAX 15, "Unicode Normalization Forms"; the serializers of Hugging Face's
tokenizers, and the code that reads each option.

**Stored.**  Nothing but the kind: the steps are in the files.  The checker has a list of its own of
options that are not read, and runs both stages on characters up to U+2FFF.
"""
