"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // The controls are of no use without a script, so the page hides them until one runs.
  all("[data-scripted]").forEach((control) => control.removeAttribute("hidden"));

  all("[data-copies]").forEach((button) => {
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
      button.textContent = "Copied";
    });
  });

  const theme = document.getElementById("theme");
  const themes = ["auto", "light", "dark"];
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const next = themes[(themes.indexOf(root.dataset.theme || "auto") + 1) % themes.length];
    root.dataset.theme = next;
    theme.textContent = `Theme: ${next}`;
  });

  const form = document.getElementById("filters");
  const findings = all(".finding");
  const filter = () => {
    const wanted = all("input[type=checkbox]:checked", form).map((box) => box.value);
    const suite = form.elements.suite.value;
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    findings.forEach((each) => {
      const text = each.textContent.toLowerCase();
      each.hidden = !(
        wanted.includes(each.dataset.severity) &&
        (!suite || each.dataset.suite.split(" ").includes(suite)) &&
        words.every((word) => text.includes(word))
      );
    });
    all(".level-group").forEach((group) => {
      group.hidden = all(".finding", group).every((each) => each.hidden);
    });
    const count = (some) => some.reduce((sum, each) => sum + Number(each.dataset.count), 0);
    const shown = count(findings.filter((each) => !each.hidden));
    document.getElementById("shown").textContent = `${shown} of ${count(findings)} findings shown`;
  };
  if (form) {
    // So that the first finding is on the first screen of a phone.  A frame has no width yet when
    // its script runs, so the width is followed.
    const phone = matchMedia("(max-width: 40rem)");
    const unfold = () => (form.closest("details").open = !phone.matches);
    phone.addEventListener("change", unfold);
    unfold();
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
    filter();
  }

  // A link to a finding shows it, whatever the filters hide.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (form && target.closest("[hidden]")) {
      form.reset();
      filter();
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target.firstElementChild?.matches("details.part")) target.firstElementChild.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value ?? cell.textContent.trim();
  };
  const sort = (table, column, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    const rows = all("tbody > tr", table);
    const numeric = rows.every((row) => !Number.isNaN(Number(valueOf(row, column))));
    rows.sort((one, other) => {
      const [a, b] = [valueOf(one, column), valueOf(other, column)];
      return (numeric ? a - b : a.localeCompare(b)) * (down ? -1 : 1);
    });
    all("th[aria-sort]", table).forEach((each) => each.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    table.tBodies[0].append(...rows);
  };
  all("table.sortable").forEach((table) => {
    all("thead th", table).forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, column, heading));
      heading.append(button);
    });
  });
})();
