"""The runners of tokenizers: the protocol, an adapter for each library, and their worker."""
