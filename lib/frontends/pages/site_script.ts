/**
 * The script of the served pages: keys, copying, and live updates. It knows only the elements that
 * carry its attributes. Every page can be read without it.
 */
import { MORPH } from "./morph_script.ts";
import { BESIDE } from "./beside_script.ts";
import { COPYING } from "./copy_script.ts";
import { FOLLOWING } from "./following_script.ts";
import { FORMS } from "./form_script.ts";
import { NOTICES } from "./notice_script.ts";
import { PALETTE } from "./palette_script.ts";
import { THREADS } from "./thread_script.ts";
import { MAKE_ELEMENT } from "../../text/render/html_document/make_element.ts";

/** The script of lists and forms. It is ASCII only, like the script of a session's page. */
export const SITE_SCRIPT = String.raw`
(() => {
"use strict";${MAKE_ELEMENT}
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

// A page of this server; nothing if it cannot be had.
const load = async (address, form) => {
  try {
    const response = await fetch(address, form);
    const text = await response.text();
    return response.ok ? new DOMParser().parseFromString(text, "text/html") : undefined;
  } catch {
    // The server has ended, or the page is being left: the next message asks again.
  }
};
const announce = make("p", { className: "unseen" });
announce.setAttribute("role", "status");
document.body.append(announce);
const copy = async (text, button) => {
  try {
    await navigator.clipboard.writeText(text);
    announce.textContent = "Copied";
    button?.classList.add("copied");
    setTimeout(() => button?.classList.remove("copied"), 1500);
  } catch {
    announce.textContent = "Cannot copy: the browser forbids it";
  }
};
addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (button != null) copy(button.dataset.copy, button);
});

${FORMS}const rows = () => all("main [data-row]").length > 0 ? all("main [data-row]") : all(".turn");
let current;
const move = (step) => {
  const list = rows();
  if (list.length === 0) return;
  let at = list.indexOf(current);
  // Where nothing was chosen, or scrolling left it behind, the place on the screen counts.
  const { top = -1, bottom = -1 } = current?.getBoundingClientRect() ?? {};
  if (at < 0 || bottom < 0 || top > innerHeight) {
    at = list.findIndex((row) => row.getBoundingClientRect().bottom > 120);
    if (step > 0) at -= 1;
  }
  choose(list[Math.max(0, Math.min(list.length - 1, at + step))]);
};
const choose = (row) => {
  current?.classList.remove("chosen");
  current = row;
  keepChosen(row);
  row.classList.add("chosen");
  const place = row.querySelector("a, .item") ?? row;
  if (!place.matches("a")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  row.scrollIntoView({ block: row.matches(".turn") ? "start" : "nearest" });
};
// The browser keeps it with the page, so that Back finds the row again.
const keepChosen = (row) => {
  if (row?.matches("[data-row]")) history.replaceState({ chosen: hrefOf(row) }, "");
};
addEventListener("click", ({ target }) => keepChosen(target.closest?.("main [data-row]")));
const open = () => {
  if (current === undefined) return;
  if (current.matches("[data-row]")) return current.querySelector("a")?.click();
  const folded = [...current.querySelectorAll("details")];
  const is_open = folded.some((details) => !details.open);
  for (const details of folded) details.open = is_open;
};
const press = (selector) => one(selector)?.click();
const help = make("dialog", { className: "keys" });
const KEYS = [
  ["/", "Search", () => {
    const field = one("[data-search]");
    field?.focus();
    field?.select();
  }],
  ["j", "Next", () => move(1)],
  ["k", "Previous", () => move(-1)],
  ["o", "Open", open],
  ["e", "Expand or collapse all", () => press("[data-expand]")],
  ["n", "Next hit", () => press("[data-hit=next]")],
  ["p", "Previous hit", () => press("[data-hit=previous]")],
  ["[", "Earlier", () => stepBeside(-1) || press("[data-step=earlier]")],
  ["]", "Later", () => stepBeside(1) || press("[data-step=later]")],
  ["c", "Copy the message", () => copyHere(false)],
  ["l", "Copy a link to the message", () => copyHere(true)],
  ["r", "Copy the resume command", () =>
    (current?.querySelector("[data-copy]") ?? one("[data-copy]"))?.click()],
  ["Ctrl K", "Go to a session, project, page, turn or time", () => {}],
  ["?", "Keys", () => help.open ? help.close() : help.showModal()],
];
const close = make("button", { textContent: "Close" });
close.addEventListener("click", () => help.close());
help.setAttribute("aria-labelledby", "keys");
help.append(
  make("h2", { textContent: "Keys", id: "keys" }),
  make("dl", {}, ...KEYS.flatMap(([key, text]) =>
    [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)])),
  close,
);
document.body.append(help);
const asks = make("button", { type: "button", className: "ask-keys", textContent: "Keys" });
asks.addEventListener("click", () => help.showModal());
one(".bar")?.append(asks);
${PALETTE}addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  if (ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented) return;
  if (key === "Escape") closeMenus();
  if (target.closest?.("input, select, textarea, [contenteditable]")) {
    if (key === "Escape") target.blur();
    return;
  }
  if (palette.open || help.open && key !== "?") return;
  const known = KEYS.find(([name]) => name === key);
  if (known === undefined) return;
  event.preventDefault();
  known[2]();
});

${COPYING}${FOLLOWING}${MORPH}// A page at the end begins later as it grows: what is above stays.
const keepAbove = (before, after) => {
  const first = after.querySelector(".item[id]");
  const had = first === null ? null : before.querySelector("#" + CSS.escape(first.id));
  if (had === null) return;
  const turn = had.closest(".turn");
  let place = first.closest(".turn") ?? first;
  if (turn !== null && turn !== had && place === first) {
    place = turn.cloneNode();
    first.before(place);
    while (place.nextElementSibling?.matches(".item")) place.append(place.nextElementSibling);
  }
  const above = (node, to) => {
    for (let at = node.previousElementSibling; at !== null; at = at.previousElementSibling) {
      to.parentElement.insertBefore(at.cloneNode(true), to);
      to = to.previousElementSibling;
    }
  };
  if (turn !== null && first.previousElementSibling === null) above(had, first);
  // What stands above has come before.
  if ((turn ?? had).previousElementSibling !== null) {
    while (place.previousElementSibling !== null) place.previousElementSibling.remove();
  }
  above(turn ?? had, place);
};
// The chosen row stays chosen, wherever it stands now.
const hrefOf = (row) => row.matches("[data-row],li") ? row.querySelector("a")?.getAttribute("href") : undefined;
const chooseAgain = () => {
  if (current?.isConnected === true) return;
  const href = current === undefined ? history.state?.chosen : hrefOf(current);
  const row = all("main [data-row]").find((one) => hrefOf(one) === href);
  if (href === undefined || row === undefined) return;
  current = row;
  row.classList.add("chosen");
  if (document.activeElement === document.body) row.querySelector("a").focus({ preventScroll: true });
};
${THREADS}const update = (page) => {
  follows ||= isAtEnd();
  const leads_on = follows && laterPage() === null;
  for (const before of all("[data-live],#contents")) {
    const after = page.getElementById(before.id);
    if (after === null) continue;
    if (before.dataset.live === "grow") keepAbove(before, after);
    morph(before, after);
  }
  chooseAgain();
  dispatchEvent(new Event("updated"));
  tellWaits();
  // The page is full: the session goes on with the next one.
  if (leads_on && laterPage() !== null) return location.replace(laterPage().href);
  toEnd();
};
chooseAgain();
// An event of another page of the session leads to that page.
const seek = () => {
  const seq = /^#e(\d+)$/.exec(location.hash)?.[1];
  const query = new URLSearchParams(location.search);
  if (seq === undefined || end() === null || document.getElementById("e" + seq) !== null) return;
  if (query.get("seq") === seq) return;
  for (const name of ["from", "before", "end", "words"]) query.delete(name);
  query.set("seq", seq);
  location.replace("?" + query + location.hash);
};
seek();
addEventListener("hashchange", seek);
// What is hidden stays hidden on the next page of this tab.
for (const box of all(".showing input")) {
  const name = "hides " + box.parentElement.textContent.trim();
  if (sessionStorage.getItem(name) !== null) box.click();
  box.addEventListener("change", () =>
    box.checked ? sessionStorage.removeItem(name) : sessionStorage.setItem(name, "1"));
}
// Marks are set without leaving the place.
addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (!target.matches(".marks form,form.acts")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(target, submitter));
  if (await load(target.action, { method: "POST", body }) === undefined) {
    // The answer tells why.
    for (const [name, value] of body) target.append(make("input", { type: "hidden", name, value }));
    return target.submit();
  }
  const form = target.closest("details");
  if (form !== null) form.open = false;
  refresh();
});
let busy = false;
let again = false;
let timer;
const refresh = async () => {
  again = true;
  if (busy) return;
  busy = true;
  while (again) {
    again = false;
    const page = await load(location.href.replace(/#.*/, ""));
    if (page !== undefined) update(page);
    showBeside(5000);
  }
  busy = false;
  lookLater();
};
const lookLater = () => {
  clearTimeout(timer);
  // Whether a session still runs, or waits for its user, no file of it tells.
  const seldom = document.hidden && !tells();
  if (one(".running,.waits") !== null) timer = setTimeout(refresh, seldom ? 20000 : 5000);
};
${NOTICES}${BESIDE}const address = document.body.dataset.events;
let source;
let losing;
const lost = make("p", { className: "lost" });
lost.setAttribute("role", "status");
document.body.append(lost);
// A browser allows six connections to one server, so a hidden page gives up its own.
const listen = () => {
  source?.close();
  if (document.hidden && !tells()) return;
  source = new EventSource(address);
  source.addEventListener("changed", refresh);
  source.onopen = () => {
    clearTimeout(losing);
    losing = undefined;
    lost.textContent = "";
  };
  // A browser tries again by itself.
  source.onerror = () => losing ??= setTimeout(() =>
    lost.textContent = "Reprise does not answer, so this page stays as it is. To start it: reprise open", 4000);
};
if (address !== undefined) {
  tellWaits();
  listen();
  lookLater();
  document.addEventListener("visibilitychange", listen);
}
})();
`;
