/** The part of the pages' script that shows a subagent inside its call. */

/** Script that defines `showThread`. Needs the page's `make`, `load` and `morph`. */
export const THREADS = String.raw`
// A subagent comes below its call when it is unfolded, and grows there.
const showThread = async (box) => {
  const items = (await load(box.dataset.thread))?.getElementById("items");
  if (items == null) return;
  const prefix = new URLSearchParams(box.dataset.thread).get("thread") + "-";
  for (const node of items.querySelectorAll("[id]")) node.id = prefix + node.id;
  for (const node of items.querySelectorAll(".seq")) node.remove();
  const inside = box.querySelector(".inside");
  let shown = inside.querySelector(".of-thread");
  const is_last = shown !== null && inside.scrollHeight - inside.scrollTop - inside.clientHeight < 40;
  if (shown === null) inside.append(shown = make("div", { className: "of-thread" }));
  items.className = "of-thread";
  items.removeAttribute("id");
  items.removeAttribute("data-live");
  morph(shown, items);
  inside.tabIndex = 0;
  inside.setAttribute("role", "region");
  inside.setAttribute("aria-label", "Subagent");
  if (is_last) inside.scrollTop = inside.scrollHeight;
};
addEventListener("toggle", ({ target }) => {
  if (target.open && target.parentElement.matches(".subagent")) showThread(target.parentElement);
}, true);
`;
