// Adds a filter to each table that follows an element of class "filterable": words, and a choice for
// each column that has few values. Without a script the whole table is there.
(function () {
  "use strict";
  const FEW = 8;

  function choices(rows, column) {
    return [...new Set(rows.map((row) => row.cells[column].textContent.trim()))].sort();
  }

  function select(title, values) {
    const made = document.createElement("select");
    made.setAttribute("aria-label", title);
    made.append(new Option(`any ${title}`, ""), ...values.map((value) => new Option(value, value)));
    return made;
  }

  function fits(row, words, chosen) {
    const text = row.textContent.toLowerCase();
    return words.every((word) => text.includes(word)) &&
      chosen.every(([column, value]) => !value || row.cells[column].textContent.trim() === value);
  }

  function add(table, place) {
    const rows = [...table.tBodies[0].rows];
    const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = "Filter";
    input.setAttribute("aria-label", "Filter the rows by words");
    const count = document.createElement("output");
    const selects = titles.map((title, column) => [column, choices(rows, column)])
      .filter(([, values]) => values.length > 1 && values.length <= FEW)
      .map(([column, values]) => [column, select(titles[column], values)]);
    const apply = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = selects.map(([column, made]) => [column, made.value]);
      rows.forEach((row) => { row.hidden = !fits(row, words, chosen); });
      count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
    };
    const form = document.createElement("div");
    form.className = "filter";
    form.append(input, ...selects.map(([, made]) => made), count);
    form.addEventListener("input", apply);
    place.append(form);
    apply();
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".md-search[role=dialog]").forEach((search) => search.setAttribute("aria-label", "Search"));
    document.querySelectorAll(".filterable").forEach((place) => {
      let next = place.nextElementSibling;
      while (next && !next.matches("table") && !next.querySelector("table")) next = next.nextElementSibling;
      const table = next && (next.matches("table") ? next : next.querySelector("table"));
      if (table) add(table, place);
    });
  });
})();
