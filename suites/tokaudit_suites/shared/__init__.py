"""The parts that several suites share: words of findings, statements of files, vocabularies."""
