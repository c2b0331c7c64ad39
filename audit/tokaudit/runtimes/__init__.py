"""What runs a tokenizer: the protocol, an adapter for each library, and the worker around them."""
