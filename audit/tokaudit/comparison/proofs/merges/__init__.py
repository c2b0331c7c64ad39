"""Proves that two BPE models merge alike, or finds a text on which they do not.

In the order of reading: `candidates` (the merges of any format), `firing` (those that can fire),
`normal_form` (what their order decides), `precondition` and `spelling` (what the proof needs
besides), `compare` (the verdict), `witness` (the search for a text), `checker` (the proof again).

**The precondition.**  Equal forms are a proof only where every part is made before what is made of
it; where a table breaks that, its order is kept, and only tables in one order are called equal.
Besides, symbols have to arise in two ways only, spelled or merged (`precondition` lists what breaks
that: dropout, marks inside words, merges that name the unknown token), and both sides have to spell
a text alike, unknown characters and bytes included.  Where one of these fails the verdict is *not
proved*, with the reason.  Different forms prove nothing: a text is searched for, and where none is
found that is said with the number of texts.
"""
