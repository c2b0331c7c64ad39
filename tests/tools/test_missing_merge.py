"""The picture of the start page is what the reference makes of the checkpoints of the demo."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import missing_merge


def test_the_picture_of_the_start_page_is_the_one_that_is_drawn_now() -> None:
    """`make picture` writes it anew."""
    assert missing_merge.PICTURE.read_text("utf-8") == missing_merge.picture()


def test_the_token_of_the_merge_is_two_tokens_without_it() -> None:
    drawn = ET.fromstring(missing_merge.picture())
    words = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("␣the") == 1
    assert words.count("␣t") == 1
    assert words.count("he") == 1
