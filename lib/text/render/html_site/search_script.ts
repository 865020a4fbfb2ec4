/** The script of a search page. It finds the pages and passages that match a query. */
import { MAKE_ELEMENT } from "../html_document/make_element.ts";
import { LONGEST_WORD, SHARDS, WORD } from "./word_index.ts";

/** Number of result pages shown at once, and of passages shown for each page (`PASSAGES`). */
const STEP = 20;
const PASSAGES = 3;

/** The page's script. It parses no HTML, and loads only scripts from the page's folder. */
export const SEARCH_SCRIPT = String.raw`
(() => {
"use strict";${MAKE_ELEMENT}
const field = document.querySelector("#q");
const list = document.querySelector("#found");
const count = document.querySelector("#count");
const more = document.querySelector("#more");
const loaded = new Map();
let brought;
globalThis.found = (data) => { brought = data; };
const load = (src) => {
  if (!loaded.has(src)) {
    loaded.set(src, new Promise((resolve) => {
      const script = make("script", { src });
      script.onload = () => resolve(brought);
      script.onerror = () => resolve(undefined);
      document.head.append(script);
    }));
  }
  return loaded.get(src);
};
const wordsOf = (text) =>
  [...new Set(text.toLowerCase().match(new RegExp(${JSON.stringify(WORD)}, "gv")) ?? [])];
const pagesOf = async (word, rounds) => {
  const pages = new Set();
  const short = word.slice(0, ${LONGEST_WORD});
  for (let round = 0; round < rounds; round++) {
    const shard = "search/words-" + round + "-" + short.codePointAt(0) % ${SHARDS} + ".js";
    for (const [known, numbers] of await load(shard) ?? []) {
      if (known.startsWith(short)) for (const number of numbers) pages.add(number);
    }
  }
  return pages;
};
const marked = (text, words) => {
  const low = text.toLowerCase();
  const spot = (from) => words.reduce((best, word) => {
    const at = low.indexOf(word, from);
    return at >= 0 && (best === undefined || at < best.at) ? { at, word } : best;
  }, undefined);
  const first = spot(0)?.at ?? 0;
  const start = Math.max(0, first - 80);
  const end = Math.min(text.length, first + 200);
  const pieces = [start > 0 ? "\u2026 " : ""];
  let at = start;
  for (let next = spot(at); next !== undefined && next.at < end; next = spot(at)) {
    pieces.push(text.slice(at, next.at));
    at = next.at + next.word.length;
    pieces.push(make("mark", {}, text.slice(next.at, at)));
  }
  return [...pieces, text.slice(at, Math.max(at, end)), end < text.length ? " \u2026" : ""];
};
const rowOf = async ([href, title, note], words) => {
  const passages = await load(href.replace(/([^/]*)\.html$/, "search/$1.js")) ?? [];
  const rank = ([, text]) => {
    const low = text.toLowerCase();
    return words.filter((word) => low.includes(word)).length;
  };
  const hits = passages.map((passage) => ({ passage, rank: rank(passage) }))
    .filter(({ rank }) => rank > 0).sort((one, other) => other.rank - one.rank)
    .slice(0, ${PASSAGES}).map(({ passage: [anchor, text] }) => make("p", { className: "hit" },
      make("a", { href: href + "#" + anchor }, "#" + anchor.replace(/^.*e/, "")), " ",
      ...marked(text, words)));
  return make("li", {}, make("a", { href }, title), make("p", { className: "meta" }, note), ...hits);
};
let current = 0;
const search = async () => {
  const own = ++current;
  const words = wordsOf(field.value);
  list.replaceChildren();
  more.hidden = true;
  count.textContent = "";
  if (words.length === 0) return;
  const { rounds, pages } = await load("search/pages.js") ?? { rounds: 0, pages: [] };
  let left;
  for (const word of words) {
    const some = await pagesOf(word, rounds);
    left = left === undefined ? some : new Set([...left].filter((number) => some.has(number)));
  }
  const numbers = [...left].sort((one, other) => one - other);
  if (own !== current) return;
  count.textContent = numbers.length === 1 ? "1 page has all words." : numbers.length + " pages have all words.";
  const show = async () => {
    more.hidden = true;
    for (const number of numbers.splice(0, ${STEP})) {
      const row = await rowOf(pages[number], words);
      if (own !== current) return;
      list.append(row);
    }
    more.hidden = numbers.length === 0;
  };
  more.onclick = show;
  await show();
};
const fromAddress = () => {
  field.value = new URLSearchParams(location.hash.slice(1)).get("q") ?? "";
  search();
};
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const hash = "#" + new URLSearchParams({ q: field.value });
  if (location.hash === hash) search();
  else location.hash = hash;
});
addEventListener("hashchange", fromAddress);
fromAddress();
})();
`;
