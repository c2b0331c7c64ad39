"""Prove that two BPE models merge alike, or find a text on which they do not.

In the order of reading: `candidates` (the merges of any format), `firing` (those that can fire),
`normal_form` (what their order decides), `precondition` and `spelling` (what the proof needs
besides), `prove` (the verdict), `witness` (the search for a text).  `check` checks a proof again,
by its own `symbols`.

**The precondition.**  Equal forms are a proof only where every part is made before what is made of
it; where a table breaks that, its order is kept, and only tables in one order are called equal.
Besides, symbols have to arise in two ways only, spelled or merged (`precondition` lists what breaks
that: dropout, marks inside words, merges that name the unknown token), and both sides have to spell
a text alike, unknown characters and bytes included.  Where one of these fails the verdict is *not
proved*, with the reason.  Different forms prove nothing: a text is searched for, and where none is
found that is said with the number of texts.

**The lemma that carries it.**  Let all parts be made before what is made of them.  Merging is then
a sweep through the ranks: at the rank of x+y every x followed by y is joined, from the left.  Let
x+y and u+v be next to each other in rank, neither making a part of the other.  If y is not u, and v
is not x, the two sweeps commute: whichever goes first, the outcome is the same.

*Proof.*  A place of x+y is two neighbours, an x and a y; one of u+v is a u and a v.  Two places
overlap if they share a neighbour.  They cannot share the first of one and the second of the other,
as y is not u and v is not x.  Say that they share a first: then x is u, both follow it, and the one
symbol after it is y and v, so the two merges are one.  The same holds of a shared second.  So
places of different merges never overlap.  Joining x+y makes a symbol xy, which is neither u nor
v, as neither makes a part of the other; so it makes no new place of u+v and, as places do not
overlap, takes none away.  So each sweep joins the same places whether the other has gone or not.

*Self-overlap.*  Where x is y, places of x+x overlap each other: in xxx the sweep joins the first
two.  That concerns one merge alone, and both orders sweep the same runs of x, since u+v with u and
v other than x neither makes an x nor takes one; where u or v is x, the two compete and their order
is kept (block B in `normal_form`).

*Example.*  Take a+b and c+d: in "abcd" either order gives ab cd.  Take a+b and b+c: in "abc" the
first to go takes the b, so their order is part of the form.  Take a+a and a+b: in "aaab", a+a first
gives aa ab, and a+b first gives aa ab as well, but "aab" gives aa b and a ab: B and L compete at a.

**Literature.**  Exchanging neighbours that commute is a partially commutative monoid (Cartier and
Foata 1969; Mazurkiewicz 1977); two orders with the same order of all that compete are then equal.
The sweep is Berglund and van der Merwe 2023, "Formalizing BPE tokenization".

**Stored.**  The name and the SHA-256 of the form, and how many merges can fire.
"""
