"""Characters and short texts on which tokenizers have been seen to break, kind by kind.

Each kind is something that a step of a pipeline treats by itself: a normalizer changes it, a
pre-tokenizer cuts at it, a model has no token for it, a decoder strips it.
"""

from __future__ import annotations

WHITE_SPACE = (
    " ",
    "  ",
    "\t",
    "\u00a0",
    "\u2003",
    "\u2009",
    "\u202f",
    "\u3000",
    "\u1680",
    "\u2581",
)
LINE_ENDS = ("\n", "\r\n", "\r", "\n\n", "\n\n\n", " \n", "\n ", "\x0b", "\x0c", "\x85", "\u2028")
CONTROLS = ("\x00", "\x01", "\x1b", "\x7f", "\u200b", "\u200e", "\u202e", "\ufeff", "\ufffd")
# A mark without its letter, too many of them, and pairs that only their normal form makes equal.
MARKS = ("\u0301", "e\u0301", "\u00e9", "a\u0323\u0302", "a\u0302\u0323", "o\u0308\u0304\u0301")
FORMS = ("\u212b", "\u00c5", "\ufb01", "fi", "\uff21", "\u1e9b\u0323", "\u0130", "\u00df", "\uac00")
EMOJI = (
    "\U0001f600",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f44d\U0001f3fd",
    "\u2764\ufe0f",
    "\u2764",
    "\U0001f1e9\U0001f1ea",
    "\u200d",
)
SCRIPTS = (
    "\u4f60\u597d",
    "\u3053\u3093",
    "\ud55c\uad6d",
    "\u0e2a\u0e27\u0e31",
    "\u0928\u092e\u0938\u094d",
    "\u0645\u0631\u062d",
    "\u05e9\u05dc",
    "\u041f\u0440\u0438",
    "\U00020000",
    "\U0001d54f",
)
DIGITS = (
    "0",
    "12",
    "123",
    "1234",
    "3.14",
    "1,000",
    "\u0663",
    "\uff11",
    "\u00bd",
    "\u2460",
    "\u00b2",
)
WRITING = ("a", "the", " the", "don't", "I'M", "CamelCase", "a.b,c", "...", "\u2026", "</w>", "##a")
MARKERS = (
    "<|",
    "|>",
    "<s>",
    "</s>",
    "[INST]",
    "<|im_end|>",
    "<unk>",
    "[MASK]",
    "<0x41>",
    "{{",
    "}}",
)

FRAGILE = (
    WRITING,
    WHITE_SPACE,
    LINE_ENDS,
    DIGITS,
    SCRIPTS,
    MARKS,
    FORMS,
    EMOJI,
    CONTROLS,
    MARKERS,
)
REPEATED = (" ", "a", "\n", "\t", "1", "=", "\u0301", "\u4f60", "\U0001f600", "\u2581")
LONGEST_RUN = 3000
