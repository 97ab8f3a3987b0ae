"use strict";
(() => {
  const list = document.getElementById("list");
  const rows = [...list.children];
  const find = document.getElementById("find");
  const sort = document.getElementById("sort");
  const count = document.getElementById("count");
  let texts;
  const search = () => {
    texts ??= rows.map((row) => row.textContent.toLowerCase());
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      row.hidden = !words.every((word) => texts[at].includes(word));
      shown += !row.hidden;
    });
    count.textContent = words.length ? `${shown} of ${rows.length} skills` : "";
  };
  const order = () => {
    const key = Number(sort.value);
    const value = (row) => Number(row.dataset.n.split(" ")[key]);
    const sorted = key < 0 ? rows : [...rows].sort((a, b) => value(b) - value(a));
    list.append(...sorted);
  };
  const open = () => {
    const row = document.getElementById(location.hash.slice(1));
    if (row?.localName === "details") {
      row.hidden = false;
      row.open = true;
      row.scrollIntoView();
    }
  };
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((row) => { row.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((row) => { row.open = false; }));
  addEventListener("hashchange", open);
  find.addEventListener("input", search);
  sort.addEventListener("change", order);
  document.getElementById("tools").hidden = false;
  open();
})();
