"""What the tools for developers share: their command, tables of Markdown, results that are kept."""
