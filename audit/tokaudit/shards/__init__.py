"""Process files in pieces, with small results that can be merged.

Cut points are fixed by the files alone, results hold whole numbers and bounded lists in a total
order, and samples are chosen by a hash.  So one process, many, Ray and a run that was resumed give
the same result, byte for byte.  A kind of work is a folder with a `WORK` in its `work.py`.
"""
