/**
 * The part of the pages' script that shows the list of sessions beside a session on wide screens.
 */

/** Script that defines `showBeside` and `stepBeside`. Needs `make`, `load` and `morph`. */
export const BESIDE = String.raw`
// The list that one has come from. A search leads to hits, so all sessions stand beside those.
if (one("main>#list") !== null) sessionStorage.setItem("list", location.search);
const beside = make("aside", { className: "beside" });
const folded = make("details", { open: sessionStorage.getItem("hides Sessions") === null });
folded.append(make("summary", { textContent: "Sessions" }));
folded.addEventListener("toggle", () =>
  folded.open ? sessionStorage.removeItem("hides Sessions") : sessionStorage.setItem("hides Sessions", "1"));
beside.setAttribute("aria-label", "Sessions and contents");
const hasRoom = matchMedia("(min-width:80rem)");
const here = new URLSearchParams(location.search).get("ref");
let listed = -Infinity;
const fill = (list) => {
  list.removeAttribute("data-live");
  for (const row of list.querySelectorAll("[data-row]")) {
    const link = row.querySelector("a");
    if (new URL(link.href).searchParams.get("ref") === here) link.setAttribute("aria-current", "page");
  }
  const shown = folded.querySelector("#list");
  if (shown !== null) return morph(shown, list);
  folded.append(list);
  const top = list.querySelector("[aria-current]")?.getBoundingClientRect().top ?? 0;
  folded.scrollTop = top - folded.getBoundingClientRect().top - folded.clientHeight / 2;
};
const showBeside = async (age = 0) => {
  if (one(".served>.top") === null || !hasRoom.matches || performance.now() - listed < age) return;
  listed = performance.now();
  if (!beside.isConnected) {
    // Its room is taken at once, so that no line of the text breaks anew.
    beside.append(folded, one("#contents"));
    one("main").before(beside);
    document.body.classList.add("has-list");
    const kept = sessionStorage.getItem("beside");
    if (kept !== null) fill(document.adoptNode(new DOMParser().parseFromString(kept, "text/html").body.firstChild));
  }
  const list = (await load("./" + (sessionStorage.getItem("list") ?? "")))?.getElementById("list");
  if (list == null) return;
  sessionStorage.setItem("beside", list.outerHTML);
  fill(list);
  tellWaits();
};
const stepBeside = (step) => {
  const links = [...folded.querySelectorAll("[data-row] .of-title a:first-child")];
  const at = links.findIndex((link) => link.matches("[aria-current]"));
  links[at < 0 ? -1 : at + step]?.click();
  return at >= 0;
};
const hideBeside = () => {
  if (!beside.isConnected) return;
  beside.replaceWith(one("#contents"));
  document.body.classList.remove("has-list");
};
showBeside();
hasRoom.addEventListener("change", () => hasRoom.matches ? showBeside() : hideBeside());
setInterval(() => document.hidden && !tells() || showBeside(15000), 20000);
`;
