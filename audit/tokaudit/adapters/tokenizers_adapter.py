"""The Hugging Face `tokenizers` library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any
from unicodedata import category, normalize

from tokaudit.adapters.registry import Adapter
from tokaudit.protocol import DecodeOptions, EncodeOptions, Encoding, Tokenizer, TokenizerInfo

CAPABILITIES = frozenset({"encode", "decode", "offsets", "special", "pad", "vocab"})


class HuggingFaceTokenizer:
    """A `tokenizers.Tokenizer`; truncation and padding are off unless a batch asks for padding."""

    capabilities = CAPABILITIES

    def __init__(self, tokenizer: Any, settings: Mapping[str, Any]) -> None:
        self._tokenizer, self._settings = tokenizer, settings
        self._padding = tokenizer.padding
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.info = TokenizerInfo("tokenizers", "tokenizers", version("tokenizers"))

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> token, added tokens included."""
        return {id: token for token, id in self._tokenizer.get_vocab(True).items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text; offsets are in code points, as the library gives them."""
        self._tokenizer.encode_special_tokens = not options.parse_special
        if options.pad:
            self._tokenizer.enable_padding(**self._padding_settings())
        try:
            found = self._tokenizer.encode_batch(
                list(texts), add_special_tokens=options.add_special_tokens
            )
        finally:
            if options.pad:
                self._tokenizer.no_padding()
        return [_encoding(one, options) for one in found]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Text for each list of ids."""
        batch = [list(one) for one in ids]
        skip = options.skip_special_tokens
        return list(self._tokenizer.decode_batch(batch, skip_special_tokens=skip))

    def table_differences(self) -> list[int]:
        """Code points that this library's Unicode tables class otherwise than this Python's.

        The library normalizes and splits with tables of its own, of several Unicode versions;
        where it strips a mark, cleans a character or isolates punctuation and Python's tables
        would not, or the other way round, two correct encoders differ.
        """
        marks, controls, forms = _other_marks(), _other_controls(), _other_forms()
        return sorted(marks | controls | forms | _other_punctuation() | _other_classes())

    def _padding_settings(self) -> dict[str, Any]:
        """The file's own padding, to the longest of the batch; else what the settings say."""
        own = self._padding or {}
        settings = self._settings
        keys = ("direction", "pad_id", "pad_type_id", "pad_token")
        found = {key: own[key] for key in keys if own.get(key) is not None}
        if settings.get("pad_token") is not None:
            found["pad_token"] = settings["pad_token"]
            found["pad_id"] = settings.get("pad_id", 0)
        if settings.get("padding_side"):
            found["direction"] = settings["padding_side"]
        return found


def _encoding(found: Any, options: EncodeOptions) -> Encoding:
    return Encoding(
        ids=tuple(found.ids),
        offsets=tuple(found.offsets) if options.offsets else None,
        attention_mask=tuple(found.attention_mask) if options.pad else None,
    )


def _assigned() -> list[str]:
    return [c for c in map(chr, range(0x80, 0x110000)) if category(c) not in ("Cn", "Cs")]


def _bert(**on: bool) -> Any:
    """BERT's normalizer with only the named steps on."""
    from tokenizers.normalizers import BertNormalizer

    steps = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    return BertNormalizer(**{step: on.get(step, False) for step in steps})


def _other_marks() -> set[int]:
    """Both ways of stripping accents have tables of their own."""
    from tokenizers.normalizers import StripAccents

    whole = [c for c in _assigned() if normalize("NFD", c) == c]
    found: set[int] = set()
    for strip in (StripAccents(), _bert(strip_accents=True)):
        kept = set(strip.normalize_str("".join(whole)))
        found |= {ord(c) for c in whole if (c in kept) == (category(c) == "Mn")}
    return found


def _other_controls() -> set[int]:
    every = [c for c in _assigned() if not c.isspace()]
    kept = set(_bert(clean_text=True).normalize_str("".join(every)))
    return {ord(c) for c in every if (c in kept) == (category(c)[0] == "C")}


def _other_forms() -> set[int]:
    """Where a normal form or lower case of one character is another text than Python's."""
    from tokenizers import normalizers

    every, found = _assigned(), set[int]()
    form: Any
    for form in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase"):
        library = getattr(normalizers, form)().normalize_str("\0".join(every)).split("\0")
        for character, theirs in zip(every, library, strict=True):
            ours = character.lower() if form == "Lowercase" else normalize(form, character)
            if theirs != ours:
                found.add(ord(character))
    return found


def _other_classes() -> set[int]:
    """Where a class that split patterns use holds a character here and not there."""
    import regex
    from tokenizers import Regex
    from tokenizers.normalizers import Replace

    text, found = "".join(_assigned()), set()
    for name in ("L", "Lu", "Ll", "N", "M", "P", "S"):
        theirs = set(Replace(Regex(rf"\P{{{name}}}"), "").normalize_str(text))
        ours = set(regex.findall(rf"\p{{{name}}}", text))
        found |= set(map(ord, theirs ^ ours))
    return found


def _other_punctuation() -> set[int]:
    from tokenizers.pre_tokenizers import Punctuation

    every = _assigned()
    joined = "a".join(every)
    isolated = {text for text, _ in Punctuation().pre_tokenize_str(joined) if len(text) == 1}
    return {ord(c) for c in every if (c in isolated) != (category(c)[0] == "P")}


def load(path: str, settings: Mapping[str, Any]) -> Tokenizer:
    """From `tokenizer.json`, or built from `vocab.json`+`merges.txt` or `vocab.txt`."""
    from tokenizers import Tokenizer as Library

    files = settings.get("files", {})
    if "merges.txt" in files and settings.get("format") == "vocab.json+merges.txt":
        return HuggingFaceTokenizer(_byte_level(files, settings), settings)
    if settings.get("format") == "vocab.txt":
        return HuggingFaceTokenizer(_wordpiece(path, settings), settings)
    return HuggingFaceTokenizer(Library.from_file(path), settings)


def _byte_level(files: Mapping[str, str], settings: Mapping[str, Any]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    vocab = next(path for name, path in files.items() if name.endswith(".json"))
    tokenizer = Tokenizer(models.BPE.from_file(vocab, files["merges.txt"]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = settings.get("special", {})
    tokenizer.add_special_tokens(sorted(special, key=special.__getitem__))
    return tokenizer


def _wordpiece(path: str, settings: Mapping[str, Any]) -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.WordPiece.from_file(path, unk_token="[UNK]"))
    lowercase = bool(settings.get("lowercase"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = settings.get("special", {})
    tokenizer.add_special_tokens(sorted(special, key=special.__getitem__))
    return tokenizer


ADAPTER = Adapter("tokenizers", "tokenizers", load, minimum="0.20")
