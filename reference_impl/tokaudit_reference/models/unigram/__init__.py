"""Unigram: the best-scored segmentation, and sampled ones."""
