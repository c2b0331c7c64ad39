"""Puts every proof of sameness to the upstream library, on whole small tokenizers.

The command soundness makes pairs of tokenizers, of which the second is the first with a
few changes, asks the product what it proves of each pair, and looks for a short text that refutes
it.  In the order of reading: `drawing`, `making` (`models`, `steps`), `pairs` (`changes/`),
`claims`, `texts`, `library`, `refuting`, `running`, `table`.
"""
