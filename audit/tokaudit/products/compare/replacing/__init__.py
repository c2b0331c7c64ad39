"""Which of two tokenizers is better, and at what price: figures over the same documents."""
