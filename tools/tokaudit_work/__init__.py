"""How much six typical runs do: counted, recorded next to this file, and held by a test.

A time depends on the machine and on what else it does; a count does not.  `record.tsv` has the
counts of each run, and a change that makes one grow by more than a tenth changes its line on
purpose.
"""
