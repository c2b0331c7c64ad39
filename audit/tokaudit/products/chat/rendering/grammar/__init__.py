"""The grammar of what clients send: features with their values, and conversations that pair them.

In the order of reading: `features` (what a conversation may be like), `words` (the distinct words
of each part), `building` (one conversation of chosen values), `covering` (those that pair all).
"""
