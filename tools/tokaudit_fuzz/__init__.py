"""Changes sound files in every way that strangers would, and says what does not hold (`make fuzz`).

What it finds is made as small as it can be, and kept among the tests.
"""
