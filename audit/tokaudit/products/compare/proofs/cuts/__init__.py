"""Proof that no text is split differently, because the marks of two machines never differ.

**Theorem.**  Give each character of a text a mark: joined to the one before, first of a piece, or
in no piece.  For patterns without back-references, and with a look at single neighbours, the marked
texts that a pre-tokenizer makes are a regular language.  So whether two cut every text alike is
decidable: walk both machines side by side, and remember whether the marks have differed.  If no
state of the walk may end on both sides after a difference, there is no such text; else the way to
the first such state is a shortest one.

*Why regular.*  An engine that goes back takes the first alternative that leads to a match.  Keep
the threads of the pattern in that order (Pike's ordered threads, in Cox 2009).  Whether a thread
will match is only known later, so the machine guesses, and keeps two sets: threads of which one
must match in the end, and those that must never match, as a better one was given up or no match was
to begin.  Threads are finitely many, so states are.  Each text has exactly one way without a wrong
guess, and only that one reaches an end.

**One machine, drawn**, for `a+` (c is any other character; the marks are CUT or JOINED):

        c / CUT, joined to other c            a / CUT: a match begins
       +-----------+                        +-------------------+
       v           |                        |                   v
    ( between ) ---+------------------------+             ( in a match ) --+
       ^                                                        |  ^       | a / JOINED
       +-------- c / CUT: the match was over -------------------+  +-------+

Both states may end.  For `a` the loop is marked CUT, so the text "aa" has other marks: [aa] and
[a][a].  The walk finds it after two steps, and shorter ones were exhausted.

**Literature.**  Thompson 1968, "Regular Expression Search Algorithm"; Cox 2009, "Regular Expression
Matching: the Virtual Machine Approach"; Hopcroft and Karp 1971, "A Linear Algorithm for Testing
Equivalence of Finite Automata", for the walk side by side.

**Stored.**  A character of each class, and the states that were met, closed under every move.  The
checker reads the patterns itself, asks the engine about its own classes, and walks its own
machines; the states are then seen to be closed in the prover's.
"""
