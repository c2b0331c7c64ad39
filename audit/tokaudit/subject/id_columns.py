"""Column names for ids and related data, by content."""

IDS = ("input_ids", "tokens", "token_ids", "ids")
PROMPT = ("prompt_ids", "prompt_token_ids", "prompt_input_ids", "prompts")
RESPONSE = ("response_ids", "completion_ids", "response_token_ids", "responses", "output_ids")
LABELS = ("labels",)
MASK = ("attention_mask",)
POSITIONS = ("position_ids",)
LOSS = ("loss_mask", "response_mask", "completion_mask", "action_mask", "assistant_masks")
LOGPROBS = ("logprobs", "response_logprobs", "rollout_log_probs", "sampling_logps")
KNOWN = {  # the fields of `Names`
    "ids": IDS,
    "prompt": PROMPT,
    "response": RESPONSE,
    "labels": LABELS,
    "mask": MASK,
    "positions": POSITIONS,
    "loss": LOSS,
    "logprobs": LOGPROBS,
}
