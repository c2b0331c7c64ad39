"""The table of settings that decide ids, text, lengths, inputs or files, each with its source.

A row without a rule and without a check is a key that is known and decides nothing that the
tokenizer's files could contradict.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit_suites.config import judges
from tokaudit_suites.config.row import Decides, Row

TOKENIZER, SPECIAL, ADDED, MODEL, GENERATION, ADAPTER, PROCESSOR, SENTENCE, MODULES, INDEX = (
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "config.json",
    "generation_config.json",
    "adapter_config.json",
    "processor_config.json",
    "sentence_bert_config.json",
    "modules.json",
    "model.safetensors.index.json",
)
BASE = "transformers 4.57 and 5.23, tokenization_utils_base.py"
FAST = "transformers 4.57, tokenization_utils_fast.py"
AUTO = "transformers 5.23, models/auto/tokenization_auto.py"
PLAIN = "transformers, configuration_utils.py"
GENERATES = "transformers, generation/configuration_utils.py"
PEFT = "peft, tuners/lora/config.py"
PROCESS = "transformers, processing_utils.py"
SBERT = "sentence-transformers, models/Transformer.py and SentenceTransformer.py"
ROLE_IDS, BUDGET, ROLES = "special_tokens/role-ids", "padding/position-budget", Decides.IDS
PATH, SAMPLED = "../../other/file", {"enable_sampling": True, "nbest_size": -1, "alpha": 0.1}
OWN_CODE = {"AutoTokenizer": ["tokenization_own.Own", None]}
GENERATED = (
    "bos_token_id",
    "decoder_start_token_id",
    "forced_bos_token_id",
    "forced_eos_token_id",
)
LATE = {"content": "<|late|>", "special": True, "normalized": False}

ROWS: tuple[Row, ...] = (
    Row(TOKENIZER, "eos_token", ROLES, BASE, check=ROLE_IDS, keeps="<|end|>", breaks="<|user|>"),
    Row(
        TOKENIZER,
        "pad_token",
        Decides.INPUTS,
        BASE,
        check=ROLE_IDS,
        keeps="<|pad|>",
        breaks="<|end|>",
    ),
    Row(TOKENIZER, "bos_token", ROLES, BASE, judges.known_token, keeps="<|user|>", breaks="<s>"),
    Row(TOKENIZER, "cls_token", ROLES, BASE, judges.known_token, keeps="<|user|>", breaks="[CLS]"),
    Row(TOKENIZER, "sep_token", ROLES, BASE, judges.known_token, keeps="<|user|>", breaks="[SEP]"),
    Row(
        TOKENIZER, "mask_token", ROLES, BASE, judges.known_token, keeps="<|user|>", breaks="[MASK]"
    ),
    Row(
        TOKENIZER, "image_token", ROLES, BASE, judges.known_token, keeps="<|user|>", breaks="<img>"
    ),
    Row(
        TOKENIZER,
        "extra_special_tokens",
        Decides.IDS,
        BASE,
        check="agreement/added-tokens",
        keeps=["<|user|>"],
        breaks=["<|gone|>"],
    ),
    Row(
        TOKENIZER,
        "additional_special_tokens",
        Decides.IDS,
        BASE,
        check="agreement/added-tokens",
        keeps=["<|user|>"],
        breaks=["<|gone|>"],
    ),
    Row(
        TOKENIZER,
        "added_tokens_decoder",
        Decides.IDS,
        "transformers PR#48446; " + BASE,
        judges.numbered_as_loaders_do,
        keeps={"380": LATE},
        breaks={"390": LATE},
    ),
    Row(
        TOKENIZER,
        "tokenizer_class",
        Decides.IDS,
        AUTO,
        check="pipeline/class-rebuild",
        keeps="GPT2Tokenizer",
        breaks="BertTokenizer",
    ),
    Row(
        TOKENIZER,
        "model_max_length",
        Decides.LENGTHS,
        BASE,
        check=BUDGET,
        keeps=2048,
        breaks=4096,
    ),
    Row(
        TOKENIZER,
        "padding_side",
        Decides.INPUTS,
        BASE,
        check="padding/side",
        keeps="left",
        breaks="middle",
    ),
    Row(
        TOKENIZER,
        "truncation_side",
        Decides.INPUTS,
        BASE,
        judges.a_side,
        keeps="left",
        breaks="both",
    ),
    Row(
        TOKENIZER,
        "clean_up_tokenization_spaces",
        Decides.TEXT,
        BASE,
        check="round_trip/clean-up",
        keeps=False,
        breaks=True,
    ),
    Row(
        TOKENIZER,
        "add_eos_token",
        Decides.INPUTS,
        "transformers 5.23, tokenization_utils_tokenizers.py",
        check="special_tokens/post-processor",
        keeps=False,
        breaks=True,
    ),
    Row(
        TOKENIZER,
        "add_prefix_space",
        Decides.IDS,
        FAST,
        judges.prefix_space,
        keeps=False,
        breaks=True,
    ),
    Row(
        TOKENIZER,
        "sp_model_kwargs",
        Decides.IDS,
        "sentencepiece, SentencePieceProcessor.Init",
        judges.no_sampling,
        keeps={},
        breaks=SAMPLED,
    ),
    Row(
        TOKENIZER,
        "split_special_tokens",
        Decides.IDS,
        BASE,
        judges.off,
        keeps=False,
        breaks=True,
    ),
    Row(
        TOKENIZER,
        "fast_tokenizer_files",
        Decides.FILES,
        BASE + " (get_fast_tokenizer_file)",
        judges.plain_name,
        keeps=["tokenizer.json"],
        breaks=[PATH],
    ),
    Row(
        TOKENIZER,
        "auto_map",
        Decides.IDS,
        AUTO,
        check="files/remote-code",
        keeps={"AutoModel": "modeling_own.Own"},
        breaks=OWN_CODE,
    ),
    *(
        Row(
            TOKENIZER,
            key,
            Decides.FILES,
            BASE + " (_from_pretrained keeps a stated file name)",
            judges.plain_name,
            keeps="vocab.json",
            breaks=PATH,
        )
        for key in ("vocab_file", "merges_file", "spm_file", "source_spm", "target_spm")
    ),
    Row(SPECIAL, "eos_token", ROLES, BASE, check=ROLE_IDS, keeps="<|end|>", breaks="<|user|>"),
    Row(SPECIAL, "pad_token", ROLES, BASE, check=ROLE_IDS, keeps="<|pad|>", breaks="<|user|>"),
    Row(
        ADDED,
        "<|end|>",
        Decides.IDS,
        BASE,
        check="agreement/added-tokens",
        keeps=376,
        breaks=300,
    ),
    Row(
        TOKENIZER,
        "unk_token",
        ROLES,
        BASE,
        check="vocab/unknown-token",
        keeps="<|end|>",
        breaks="[UNK]",
    ),
    Row(SPECIAL, "bos_token", ROLES, BASE, judges.known_token, keeps="<|user|>", breaks="<s>"),
    Row(
        SPECIAL,
        "additional_special_tokens",
        Decides.IDS,
        BASE,
        check="agreement/added-tokens",
        keeps=["<|user|>"],
        breaks=["<|gone|>"],
    ),
    *(
        Row(MODEL, f"{role}_token_id", ROLES, PLAIN, check=ROLE_IDS, keeps=378, breaks=9999)
        for role in ("sep", "cls", "mask", "unk", "forced_bos", "forced_eos")
    ),
    Row(
        MODEL,
        "tie_word_embeddings",
        Decides.IDS,
        PLAIN,
        check="embeddings/tied",
        keeps=False,
        breaks=True,
    ),
    Row(MODEL, "eos_token_id", ROLES, PLAIN, check=ROLE_IDS, keeps=376, breaks=2),
    Row(MODEL, "bos_token_id", ROLES, PLAIN, check=ROLE_IDS, keeps=378, breaks=9999),
    Row(MODEL, "pad_token_id", ROLES, PLAIN, check=ROLE_IDS, keeps=377, breaks=-1),
    Row(MODEL, "decoder_start_token_id", ROLES, PLAIN, check=ROLE_IDS, keeps=378, breaks=9999),
    Row(
        MODEL,
        "vocab_size",
        Decides.IDS,
        PLAIN,
        check="embeddings/config-vocab-size",
        keeps=380,
        breaks=370,
    ),
    Row(
        MODEL,
        "max_position_embeddings",
        Decides.LENGTHS,
        PLAIN,
        check=BUDGET,
        keeps=2048,
        breaks=512,
    ),
    *(
        Row(MODEL, key, Decides.INPUTS, PLAIN, judges.ids_in_range, keeps=378, breaks=9999)
        for key in (
            "image_token_id",
            "image_token_index",
            "video_token_id",
            "audio_token_id",
            "boi_token_id",
            "eoi_token_id",
            "vision_start_token_id",
            "vision_end_token_id",
        )
    ),
    Row(GENERATION, "eos_token_id", ROLES, GENERATES, check=ROLE_IDS, keeps=[376], breaks=[379]),
    *(
        Row(
            GENERATION, f"{role}_token_id", ROLES, GENERATES, check=ROLE_IDS, keeps=378, breaks=9999
        )
        for role in ("bos", "decoder_start", "forced_bos", "forced_eos")
    ),
    *(
        Row(
            GENERATION,
            key,
            Decides.INPUTS,
            GENERATES,
            judges.ids_in_range,
            keeps=[[[5, 6]]],
            breaks=[[[5, 9999]]],
        )
        for key in ("force_words_ids", "sequence_bias")
    ),
    Row(GENERATION, "pad_token_id", ROLES, GENERATES, check=ROLE_IDS, keeps=377, breaks=9999),
    Row(GENERATION, "suppress_tokens", ROLES, GENERATES, check=ROLE_IDS, keeps=[5], breaks=[9999]),
    Row(
        GENERATION,
        "begin_suppress_tokens",
        ROLES,
        GENERATES,
        check=ROLE_IDS,
        keeps=[5],
        breaks=[9999],
    ),
    Row(
        GENERATION,
        "forced_decoder_ids",
        Decides.INPUTS,
        GENERATES,
        judges.ids_in_range,
        keeps=[[1, 378]],
        breaks=[[1, 9999]],
    ),
    Row(
        GENERATION,
        "bad_words_ids",
        Decides.INPUTS,
        GENERATES,
        judges.ids_in_range,
        keeps=[[5]],
        breaks=[[9999]],
    ),
    Row(
        GENERATION,
        "max_length",
        Decides.LENGTHS,
        GENERATES,
        judges.within_positions,
        keeps=2048,
        breaks=100_000,
    ),
    Row(
        ADAPTER,
        "trainable_token_indices",
        Decides.IDS,
        PEFT,
        judges.ids_in_range,
        keeps=[378],
        breaks=[9999],
    ),
    *(
        Row(
            PROCESSOR,
            key,
            Decides.INPUTS,
            PROCESS,
            judges.known_token,
            keeps="<|user|>",
            breaks=f"<{key}>",
        )
        for key in ("image_token", "video_token", "audio_token", "boi_token", "eoi_token")
    ),
    Row(
        SENTENCE,
        "max_seq_length",
        Decides.LENGTHS,
        SBERT,
        judges.within_positions,
        keeps=512,
        breaks=4096,
    ),
    Row(
        INDEX,
        "weight_map",
        Decides.FILES,
        "transformers, modeling_utils.py (the shards of an index)",
        judges.plain_name,
        keeps={"model.embed_tokens.weight": "model.safetensors"},
        breaks={"model.embed_tokens.weight": "../../model.safetensors"},
    ),
)

HARMLESS = """
backend bos_token chat_template cls_token device_map do_basic_tokenize do_lower_case errors
extra_ids eos_token is_local keep_accents language legacy local_files_only mask_token max_length
model_input_names name_or_path never_split pad_to_multiple_of pad_token pad_token_type_id
predict_timestamps processor_class response_schema return_token_type_ids sep_token
special_tokens_map_file src_lang stride strip_accents target_lang task tgt_lang
tokenize_chinese_chars
tokenizer_file tokenizer_type trim_offsets truncation_strategy trust_remote_code unk_token use_fast
use_default_system_prompt add_bos_token wordpieces_prefix clean_text full_tokenizer_file
additional_chat_templates tokenizer_object transformers_version _commit_hash _name_or_path
"""
KNOWN = frozenset(HARMLESS.split()) | {row.key for row in ROWS if row.file == TOKENIZER}
"""Every key of `tokenizer_config.json` that a loader is known to read or to write."""


def rows_of(base: str) -> Iterator[Row]:
    """The rows of a settings file, by the last part of the name that it is known by."""
    return (row for row in ROWS if row.file == base)
