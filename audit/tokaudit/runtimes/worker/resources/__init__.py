"""Memory and processors of the machine, and their use by an audit's workers."""
