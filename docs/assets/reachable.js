// Gives each frame that the theme adds to a page a name of its own, or a place in the order of the keys.
(() => {
  const name = () => {
    document.querySelectorAll(".md-code__nav").forEach((each, number) => {
      const label = `Code ${number + 1}`;
      if (each.getAttribute("aria-label") !== label) each.setAttribute("aria-label", label);
    });
    document.querySelectorAll(".md-typeset__scrollwrap").forEach((each) => (each.tabIndex = 0));
  };
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  name();
})();
