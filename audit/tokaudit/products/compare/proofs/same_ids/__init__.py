"""Proof that post-processors give the same ids, differing only in offsets.

**Lemma.**  A post-processor never looks at the ids that it is given; it puts tokens before, between
and after one text or two.  So what it does to ids is two rows, one for a text and one for a pair,
of texts and tokens with their type ids.  Equal rows give equal ids and type ids for every text.

**Example.**  `BertProcessing` with `[CLS]` and `[SEP]` and a `TemplateProcessing` of
`[CLS]:0 $A:0 [SEP]:0` and `[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1` write the same two rows, though only
the first is bound to two tokens.  `ByteLevel` as a post-processor trims offsets: no row has it.

**Limits.**  Of several steps that place texts, a later one sees the tokens of the earlier as parts;
those are compared step by step.

**Literature.**  Devlin et al. 2019, "BERT", section 3, for the rows of one text and of two and
their segments; `TemplateProcessing`, `BertProcessing` and `RobertaProcessing` in Hugging Face's
tokenizers.

**Stored.**  Nothing but the kind.  The checker writes both rows out; the prover compares steps.
"""
