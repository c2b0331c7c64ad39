"""A tokenizer class in the checkpoint's own code, which is never run."""

from __future__ import annotations

from tokaudit.subject.material import Subject

KEY = "AutoTokenizer"


def own_class(subject: Subject) -> str:
    """Return the class in the checkpoint's own code, or ""."""
    for fact in subject.facts_named("auto_map"):
        named = fact.value.get(KEY) if isinstance(fact.value, dict) else fact.value
        names = named if isinstance(named, list) else [named]
        if found := next((name for name in names if isinstance(name, str)), ""):
            return found
    return ""
