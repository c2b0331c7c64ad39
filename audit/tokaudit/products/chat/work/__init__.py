"""Work on whole conversations: rendering them and checking laws.

In the order of reading: `renderings` (every template over the role matrix, with its ids),
`part_renderings` (conversations with distinct words in every part), `shapes` (the grammar of what
clients send, what is wrong with one, and with which values that comes),
`cache_renderings` (the same prompts on another day); `claims`, `later_prompts` and `laws` (what
holds of one conversation), `held_chats` (a file of them against the laws), and `injection`
(reserved words in what is said).
"""
