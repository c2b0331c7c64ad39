"""Holds the pages to what the program does, and writes those that programs write."""

from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
JOBS = ("release-audit", "gate", "ci", "compare", "data", "train", "chat-templates")
OTHERS = ("fix", "replacing", "reproduce", "conversation-data", "index")
MORE = ("getting-started", "write-a-check", "write-a-format", "write-an-adapter", "write-a-report")
README = DOCS.parent / "README.md"
PAGES = [README, *(DOCS / f"{name}.md" for name in (*MORE[:1], *JOBS, *MORE[1:], *OTHERS))]
