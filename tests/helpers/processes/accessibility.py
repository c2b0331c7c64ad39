"""What axe finds in a page that is open in the browser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

CONTRAST = "color-contrast"
OF_COLOUR = [CONTRAST, "link-in-text-block"]  # no other rule depends on the theme
OF_LAYOUT = [
    *OF_COLOUR,
    "empty-table-header",
    "label",
    "nested-interactive",
    "region",
    "scrollable-region-focusable",
    "select-name",
    "summary-name",
    "td-has-header",
    "th-has-data-cells",
]  # no other rule depends on the width: it moves, resizes, hides a line and shows a summary

# The contrast of a text depends on its own style and on the styles of what it is in, and axe takes
# a millisecond for each: of the texts that have all this in common the first is judged.
MARK_UNLIKE_TEXTS = """() => {
  const style = (node) => {
    const of = getComputedStyle(node);
    return [node.tagName, node.getAttribute('class'), node.getAttribute('style'), of.color,
      of.backgroundColor, of.backgroundImage, of.opacity, of.filter, of.textShadow, of.fontSize,
      of.fontWeight, of.display, of.visibility, of.position].join();
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
  const shown = (node) => node.matches('input, select, textarea') || [...node.childNodes].some(isText);
  const styles = new Map([[document.documentElement, '']]), seen = new Set();
  for (const node of document.querySelectorAll('body, body *')) {
    const all = styles.get(node.parentElement) + '>' + style(node);
    styles.set(node, all);
    node.toggleAttribute('data-unlike', shown(node) && !seen.has(all));
    if (shown(node)) seen.add(all);
  }
}"""
FIRST_OF_ALIKE = {"rules": [{"id": CONTRAST, "selector": "[data-unlike]"}]}


def violations(page: Any, rules: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """What axe finds by these rules, or by all: each rule with the first elements that break it."""
    from axe_playwright_python.sync_playwright import Axe

    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{Axe().axe_script}; axe.configure({json.dumps(FIRST_OF_ALIKE)})")
    page.evaluate(MARK_UNLIKE_TEXTS)
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    brief = {"resultTypes": ["violations"], "selectors": False, "preload": False, **only}
    found = page.evaluate(f"axe.run({json.dumps(brief)})")["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
