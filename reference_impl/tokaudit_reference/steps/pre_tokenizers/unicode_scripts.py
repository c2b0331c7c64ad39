"""UnicodeScripts: split where the Unicode script changes.

Japanese and Chinese count as one, a space as any.  A code point without a character, as of
Unicode 9, is of any script too.

Source: `UnicodeScripts` in Hugging Face's tokenizers, after SentencePiece's rule for pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import regex

from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep, cutting
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Span
from tokaudit_reference.text.unicode_then import is_newer

ANY = ""
PROLONGED_SOUND = "\u30fc"  # Common in Unicode, between the kana here
# The scripts of Unicode 9, whose table tokenizers carries; all else is Common.
NAMES = re.findall(
    r"\w+",
    """
    Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak
    Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian
    Caucasian_Albanian Chakma Cham Cherokee Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari
    Duployan Egyptian_Hieroglyphs Elbasan Ethiopic Georgian Glagolitic Gothic Grantha Greek
    Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited
    Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kayah_Li
    Kharoshthi Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian
    Lydian Mahajani Malayalam Mandaic Manichaean Marchen Meetei_Mayek Mende_Kikakui
    Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean
    New_Tai_Lue Newa Nko Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic
    Old_Persian Old_South_Arabian Old_Turkic Oriya Osage Osmanya Pahawh_Hmong Palmyrene
    Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada
    Shavian Siddham SignWriting Sinhala Sora_Sompeng Sundanese Syloti_Nagri Syriac Tagalog
    Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangut Telugu Thaana Thai Tibetan Tifinagh
    Tirhuta Ugaritic Vai Warang_Citi Yi
    """,
)
NO_CHARACTER = regex.compile(r"[\p{Cn}\p{Co}]")
# What Unicode said of these in version 9.
THEN = {"\u0953": "Devanagari", "\u0954": "Devanagari", "\u0589": "Common", "\u061c": "Common"}
SCRIPTS = [(name, regex.compile(rf"\p{{Script={name}}}")) for name in NAMES]
JAPANESE = frozenset({"Hiragana", "Katakana"})


@lru_cache(maxsize=65_536)
def script(character: str) -> str:
    """Return the script of a character, folded as the module says.

    >>> script("a"), script("か"), script("漢"), script("0"), script(" ")
    ('Latin', 'Han', 'Han', 'Common', '')
    """
    if character == PROLONGED_SOUND:
        return "Han"
    if character == " " or NO_CHARACTER.match(character) or is_newer(character, 9):
        return ANY
    if character in THEN:
        return THEN[character]
    found = next((name for name, expression in SCRIPTS if expression.match(character)), "Common")
    return "Han" if found in JAPANESE else found


def spans(text: str) -> list[Span]:
    """Return the runs of one script.

    >>> [text[a:b] for text in ["Apples are りんご 林檎"] for a, b in spans(text)]
    ['Apples are ', 'りんご 林檎']
    """
    begins: list[int] = []
    last: str | None = None
    for at, character in enumerate(text):
        own = script(character)
        if own == ANY:
            continue
        if own != last:
            begins.append(at)
        last = own
    return list(zip(begins, [*begins[1:], len(text)], strict=False))


@dataclass(frozen=True)
class UnicodeScripts(PreTokenizerStep):
    """The UnicodeScripts step, which has no options."""

    type = "UnicodeScripts"

    def build(self) -> Cutting:
        """The runs of one script, without the spaces that a text begins with."""
        return cutting(spans)

    @property
    def effects(self) -> Effects:
        """State that the step drops characters of any script at the start of a text."""
        return Effects(loses="drops spaces at the beginning", stays_in_alphabet=True)
