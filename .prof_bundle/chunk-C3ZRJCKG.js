import{a,b as n,c as l,e as g,f as b,g as k}from"./chunk-42IEQT3C.js";import{A as u,G as h,H as f,c as s,g as m,t as p,y as d}from"./chunk-M6V6HMT5.js";function $(t){let e=t.flatMap(([o,i])=>{let r=typeof i=="string"?n`${s(i)}`:i;return r===void 0||r.markup===""?[]:[n`<div><dt>${o}</dt><dd>${r}</dd></div>`]});return e.length===0?a:n`<dl class="facts">${l(e)}</dl>`}function Be(t,e,o){let i=n`<span class="name">${t}</span> <span class="short">${e}</span>`;return S("call thought",i,o)}function S(t,e,o,i=!1){if(o.markup==="")return n`<p class="${t} bare">${e}</p>`;let r=n`<summary>${e}</summary><div class="inside">${o}</div></details>`;return i?n`<details class="${t}" open>${r}`:n`<details class="${t}">${r}`}var w=/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;function c(t,e){if(t===void 0||t==="")return a;let o=d(t,e);return w.test(t)?n`<time datetime="${t}">${o}</time>`:n`${o}`}function y(t){let e=s(t).split(/(?=[^/\\])(?<=[^/\\][/\\]+)/);return l(e.map((o,i)=>i===0?n`${o}`:n`<wbr>${o}`))}function De(t){let e=t.map(({text:o,ink:i})=>{let r=s(o);return i===void 0||i==="quiet"?n`${r}`:n`<b class="${i}">${r}</b>`});return l(e," · ")}var E=String.raw`
(() => {
"use strict";${k}
const main = document.querySelector("main");
if (main === null || main.querySelector(".item") === null) return;
const items = () => [...main.querySelectorAll(".item")];
const unfold = (node) => {
  for (let at = node.parentElement; at !== null && at !== main; at = at.parentElement) {
    if (at.localName === "details") at.open = true;
  }
};

const field = make("input", { type: "search", className: "query", autocomplete: "off" });
field.setAttribute("aria-label", "Search in this page");
field.placeholder = "Search in this page";
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
    ? hits.length + (hits.length === 1 ? " hit" : " hits")
    : at + 1 + " of " + hits.length;
};
const go = (step) => {
  // A served page leads on to the hits of other pages.
  const page = sought.length > 0 && looked === sought.join(" ").trim() && (at + step < 0 || at + step >= hits.length)
    ? document.querySelector("[data-hit-page=" + (step < 0 ? "previous" : "next") + "]")
    : null;
  if (page !== null) return page.click();
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
for (const link of document.querySelectorAll(".contents a[href^='#']")) {
  const item = document.getElementById(link.hash.slice(1));
  const turn = item?.closest(".turn");
  if (turn != null) links.set(turn, link);
}
const visible = new Set();
let current;
if (links.size > 0) {
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
    if (getComputedStyle(list).position !== "sticky") return;
    if (top < 0 || bottom > list.clientHeight) list.scrollTop += top - list.clientHeight / 3;
  };
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) visible.add(target);
      else visible.delete(target);
    }
    mark();
  }, { rootMargin: "-10% 0px -60% 0px" });
  addEventListener("hashchange", mark);
  for (const turn of links.keys()) watch.observe(turn);
}
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
`,T=200,v=g({style:b,script:E},["form-action 'none'"]);function Pe(t,e){return n`${C(t,x(t.summary))}${H()}
${L(t.summary,e)}
<main id="main">
`}function C({generator:t},e){return n`${v.head({title:e,generator:t})}<body id="top">\n`}function x({title:t,altered:e},o=T){return m(p(t,o)||"Untitled session",e)}function H(){return n`<a class="skip" href="#main">Skip to the session</a>`}function L(t,e,o=a){return n`<header class="top">
<a class="jump" href="#contents">Contents</a>
<p class="kind">Session of ${s(t.agent)}</p>
<h1 dir="auto">${x(t)}</h1>
${$(A(t,e))}
${o}</header>`}function A(t,e){return[["Directory",t.cwd===void 0?void 0:y(t.cwd)],["Created",c(t.created_at,e.format_time)],["Updated",c(t.updated_at,e.format_time)],["Models",t.models?.join(", ")],["Tokens",_(t)],["Cost",f(t)],["Duration",q(t)],["Prompts",t.turn_count?.toString()],["Messages",t.message_count?.toString()],["Status",t.status],["Session",t.ref]]}var N=[["input","in"],["output","out"],["cache_read","from cache"],["cache_write","to cache"],["reasoning","reasoning"]];function _({usage:t}){return N.flatMap(([e,o])=>{let i=t?.[e];return i===void 0?[]:[`${h(i)} ${o}`]}).join(" · ")}var I=1e6;function q({created_at:t="",updated_at:e=""}){let o=Date.parse(e)-Date.parse(t);return o>0?u(o*I):void 0}function Re(t,e,o){return n`</main>
${M(e)}
${O(t,o)}`}function O(t,e){return n`${t===void 0?a:R(t,e)}
${v.script}</body>
</html>
`}function M(t,e=a){return n`<nav class="contents" id="contents" aria-labelledby="contents-title">
<h2 id="contents-title">Contents</h2>
${B(t)}${e}
<p class="back"><a href="#top">Back to the top</a></p>
</nav>`}function B(t){return t.length===0?n`<p class="note">There is no prompt here.</p>`:D(t.map(e=>({...e,href:`#${e.anchor}`})))}function D(t){let e=t.map(({number:o,href:i,title:r})=>n`<li><a href="${i}"><span class="number">${o}</span><span dir="auto">${r}</span></a></li>\n`);return n`<ol>\n${l(e)}</ol>`}var P={full:"",brief:" Tool calls, commands and changes are shown by their outcome only.",none:" Tool calls, commands and changes are left out."};function R(t,e){let o=t.redacted?"Secrets that were found in it are replaced by placeholders; no search finds every secret.":"Nothing in it was redacted: it may hold secrets.";return n`<footer class="foot"><p>Exported ${c(t.exported_at,e.format_time)} by ${s(t.generator)}. ${o}${P[e.tools]}</p></footer>`}export{$ as a,Be as b,S as c,c as d,y as e,De as f,E as g,Pe as h,C as i,x as j,H as k,L as l,A as m,Re as n,O as o,M as p,D as q};
