/**
 * The script of a session's page. It searches the page with its folded text, filters blocks, and
 * highlights the current turn in the table of contents. The page is readable without it.
 */
import { MAKE_ELEMENT } from "./make_element.ts";

/**
 * The page's script. It creates only elements and text nodes, and loads nothing. It is ASCII,
 * because Bun escapes other characters even in a raw template.
 */
export const PAGE_SCRIPT = String.raw`
(() => {
"use strict";${MAKE_ELEMENT}
const main = document.querySelector("main");
if (main === null || main.querySelector(".item") === null) return;
const items = () => [...main.querySelectorAll(".item")];
const unfold = (node) => {
  for (let at = node.parentElement; at !== null && at !== main; at = at.parentElement) {
    if (at.localName === "details") at.open = true;
    // A long prompt stands before what opens it.
    const whole = at.querySelector(":scope>.whole");
    if (whole !== null) whole.open = true;
  }
};

const field = make("input", { type: "search", className: "query", autocomplete: "off" });
const isPaged = () => document.querySelector("[data-hit-page]") !== null;
const nameField = () => {
  field.placeholder = "Search in this " + (isPaged() ? "session" : "page");
  field.setAttribute("aria-label", field.placeholder);
};
nameField();
addEventListener("updated", nameField);
field.dataset.search = "";
const count = make("output", { className: "count" });
// A search leads here with the words that it found.
const sought = (new URLSearchParams(location.search).get("words") ?? "").split("\n").filter(Boolean);
let hits = [];
let at = -1;
let looked;
const textNodes = (item) => {
  const walker = document.createTreeWalker(item.querySelector(".body"), NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) {
    // The line of a thought is hidden once it is open, and repeats its beginning.
    if (walker.currentNode.parentElement.closest(".thought > summary .short") !== null) continue;
    nodes.push(walker.currentNode);
  }
  return nodes;
};
const patternOf = (list) => new RegExp(
  list.map((text) => text.replace(/[\\^$.*+?()[\]{}|\/]/g, "\\$&").replace(/\s+/g, "\\s+")).join("|"),
  "giu",
);
const find = (list) => {
  const found = [];
  if (list.length === 0) return found;
  const pattern = patternOf(list);
  for (const item of items()) {
    if (item.textContent.search(pattern) < 0) continue;
    const nodes = textNodes(item);
    let text = "";
    const starts = nodes.map((node) => {
      const start = text.length;
      text += node.data;
      return start;
    });
    for (const { 0: { length }, index: from } of text.matchAll(pattern)) {
      let index = starts.findLastIndex((start) => start <= from);
      const range = document.createRange();
      range.setStart(nodes[index], from - starts[index]);
      index = starts.findLastIndex((start) => start < from + length);
      range.setEnd(nodes[index], from + length - starts[index]);
      found.push({ item, range });
    }
  }
  return found;
};
const paint = () => {
  for (const item of main.querySelectorAll(".item.found")) item.classList.remove("found");
  for (const { item } of hits) item.classList.add("found");
  if (typeof Highlight !== "function" || CSS.highlights === undefined) return;
  const ranges = hits.map(({ range }) => range);
  CSS.highlights.set("found", new Highlight(...ranges.slice(0, 5000)));
  const now = hits[at]?.range;
  CSS.highlights.set("current", now === undefined ? new Highlight() : new Highlight(now));
};
const tell = () => {
  count.textContent = field.value.trim() === "" ? "" : at < 0
    ? hits.length + (hits.length === 1 ? " hit" : " hits") + (isPaged() ? " here" : "")
    : at + 1 + " of " + hits.length + (isPaged() ? " here" : "");
};
const go = (step) => {
  // A served page leads on to the hits of other pages.
  const page = looked !== "" && (at + step < 0 || at + step >= hits.length)
    ? document.querySelector("[data-hit-page=" + (step < 0 ? "previous" : "next") + "]")
    : null;
  if (page !== null) {
    const address = new URL(page.href);
    if (looked !== sought.join(" ").trim()) address.searchParams.set("words", looked);
    // What is not here may stand before.
    if (hits.length === 0) {
      address.searchParams.delete("before");
      address.searchParams.set("from", "0");
    }
    return location.assign(address);
  }
  if (hits.length === 0) return;
  at = (at + step + hits.length) % hits.length;
  const { range } = hits[at];
  unfold(range.startContainer);
  const target = range.startContainer.parentElement;
  const group = shown.find(([name, type]) =>
    document.body.classList.contains("no-" + name) && target.closest(type) !== null);
  if (group !== undefined) group[2].click();
  target.scrollIntoView({ block: "center" });
  // Its text may be higher than the screen.
  scrollBy(0, range.getBoundingClientRect().top - innerHeight / 2);
  paint();
  tell();
};
const look = (list) => {
  looked = field.value.trim();
  hits = find(list ?? (looked === "" ? [] : [looked]));
  at = -1;
  paint();
  tell();
};
const later = self.requestIdleCallback ?? requestAnimationFrame;
let waiting = false;
field.addEventListener("input", () => {
  if (waiting) return;
  waiting = true;
  later(() => {
    waiting = false;
    look();
  });
});
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (looked !== field.value.trim()) look();
  go(event.shiftKey ? -1 : 1);
});
const button = (text, label, action, data) => {
  const made = make("button", { type: "button", textContent: text });
  Object.assign(made.dataset, data);
  if (label !== text) made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
};

const shown = [
  ["calls", ".is-call, .is-command, .is-diff, .said .call:not(.thought)", "Calls"],
  ["thinking", ".is-thinking, .said .thought", "Thinking"],
  ["outputs", ".out", "Outputs"],
].map(([name, type, text]) => {
  const box = make("input", { type: "checkbox", checked: true });
  box.addEventListener("change", () => document.body.classList.toggle("no-" + name, !box.checked));
  return [name, type, box, make("label", {}, box, " " + text)];
});
const all = button("Expand all", "Expand all", () => {
  const open = all.textContent === "Expand all";
  for (const one of main.querySelectorAll("details")) one.open = open;
  all.textContent = open ? "Collapse all" : "Expand all";
}, { expand: "" });
const tools = make("div", { className: "tools" },
  make("span", { className: "finding" }, field, button("\u2191", "Previous hit", () => go(-1), { hit: "previous" }),
    button("\u2193", "Next hit", () => go(1), { hit: "next" }), count),
  make("span", { className: "showing" }, ...shown.map(([, , , label]) => label), all));
count.setAttribute("aria-live", "polite");
tools.setAttribute("role", "group");
tools.setAttribute("aria-label", "Search and view");
main.prepend(tools);
document.body.classList.add("has-tools");
// Whatever is scrolled to stands below the bar.
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
new ResizeObserver(() => {
  const height = getComputedStyle(tools).position === "sticky" ? tools.offsetHeight : 0;
  sheet.replaceSync(":root{--bar:" + height + "px}");
}).observe(tools);

const links = new Map();
const visible = new Set();
let current;
const mark = () => {
  let [turn] = [...visible].sort((one, other) =>
    one.compareDocumentPosition(other) & 2 ? 1 : -1);
  // The last turns cannot be scrolled to the top.
  const ends = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const target = document.querySelector(".item:target")?.closest(".turn");
  if (ends && links.has(target)) turn = target;
  const link = links.get(turn);
  if (link === undefined || link === current) return;
  current?.removeAttribute("aria-current");
  current = link;
  link.setAttribute("aria-current", "location");
  const list = link.closest(".contents");
  const { top, bottom } = link.getBoundingClientRect();
  if (list.scrollHeight <= list.clientHeight) return;
  const box = list.getBoundingClientRect();
  if (top < box.top || bottom > Math.min(box.bottom, innerHeight)) {
    list.scrollTop += top - box.top - list.clientHeight / 3;
  }
};
const watch = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) visible.add(target);
    else visible.delete(target);
  }
  mark();
}, { rootMargin: "-10% 0px -60% 0px" });
const readContents = () => {
  links.clear();
  for (const turn of visible) if (!turn.isConnected) visible.delete(turn);
  for (const link of document.querySelectorAll(".contents a[href^='#']")) {
    const turn = document.getElementById(link.hash.slice(1))?.closest(".turn");
    if (turn == null) continue;
    links.set(turn, link);
    watch.observe(turn);
  }
};
readContents();
addEventListener("updated", readContents);
addEventListener("hashchange", mark);
const targeted = () => document.getElementById(location.hash.slice(1))?.closest(".item");
const reveal = () => {
  const item = targeted();
  for (const folded of item?.querySelectorAll("details") ?? []) folded.open = true;
  item?.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();
if (sought.length > 0) {
  field.value = sought.join(" ");
  look(sought);
  const item = targeted();
  at = hits.findIndex((hit) => hit.item === item || (item?.compareDocumentPosition(hit.item) & 4)) - 1;
  go(1);
  // The browser scrolls to the anchor until the page is loaded.
  addEventListener("load", () => go(0));
}
})();
`;
