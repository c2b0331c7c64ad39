"""Whether `tokaudit data --among` names the writer of ids, over tokenizers from packages."""
