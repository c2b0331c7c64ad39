"""A folder whose post-processor gives the tokens of a second text a type of their own, or not."""

from __future__ import annotations

from tokaudit_folders.folder import Folder


def with_types(second: int, tokenizer_class: str) -> Folder:
    """Two texts with one separator; the second text has this type."""
    text, other = ({"Sequence": {"id": id, "type_id": t}} for id, t in (("A", 0), ("B", second)))
    end = {"SpecialToken": {"id": "[SEP]", "type_id": 0}}
    added = {"[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}
    processor = {"single": [text, end], "pair": [text, end, other], "special_tokens": added}
    folder = Folder.wordpiece(["[UNK]", "a", "b"]).added("[SEP]")
    folder = folder.changed(post_processor={"type": "TemplateProcessing", **processor})
    return folder.tokenizer_config(tokenizer_class=tokenizer_class)
