"""The pipeline around the model: normalizers, pre-tokenizers, post-processors and decoders."""
