"""The grammar of clients' conversations: features, values, and their combinations.

In the order of reading: `features` (what a conversation may be like), `words` (the distinct words
of each part), `building` (one conversation of chosen values), `covering` (those that pair all).
"""
