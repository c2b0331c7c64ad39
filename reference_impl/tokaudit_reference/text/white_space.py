"""Unicode's White_Space, which is what every library strips and what Python's `str.strip` exceeds.

Python also counts U+001C to U+001F.  Rust's `\\w` is here too; nothing is matched here.
"""

from __future__ import annotations

WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
# Inside a class of `regex`: what Unicode's Technical Standard 18 calls a word character.
WORD = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}"
WHITE_SPACE_TABLE = "White_Space"  # its name among the Unicode tables
