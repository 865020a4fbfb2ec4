/** The part of the pages' script that changes a page into a newer one in place. */

/** Script that defines `morph`. Needs the page's `hrefOf` and `showThread`. */
export const MORPH = String.raw`
const keyOf = (node) => node.nodeType !== 1 ? "" : node.id ||
  (node.matches(".turn") ? "of " + node.querySelector(".item")?.id : hrefOf(node) ?? "");
const KEPT = ["open", "tabindex", "aria-current"];
const copyAttributes = (before, after) => {
  const states = ["found", "chosen"].filter((name) => before.classList.contains(name));
  for (const { name } of [...before.attributes]) {
    if (!after.hasAttribute(name) && !KEPT.includes(name)) before.removeAttribute(name);
  }
  for (const { name, value } of after.attributes) {
    if (name !== "open" && before.getAttribute(name) !== value) before.setAttribute(name, value);
  }
  for (const name of states) before.classList.add(name);
};
// Elements that stay keep their place, focus and state: only what differs is changed.
const morph = (before, after) => {
  if (before.nodeName !== after.nodeName) return before.replaceWith(after);
  if (before.nodeType !== 1) {
    if (before.data !== after.data) before.data = after.data;
    return;
  }
  // What came into it is not in the page.
  if (before.matches(".subagent:has(>[open])")) return void showThread(before);
  copyAttributes(before, after);
  const wanted = [...after.childNodes];
  const keys = new Set(wanted.map(keyOf));
  const known = new Map();
  for (const child of [...before.children]) {
    const key = keyOf(child);
    if (key === "") continue;
    if (keys.has(key)) known.set(key, child);
    else child.remove();
  }
  let at = before.firstChild;
  for (const child of wanted) {
    const key = keyOf(child);
    const match = key !== "" ? known.get(key)
      : at !== null && keyOf(at) === "" && at.nodeName === child.nodeName ? at : undefined;
    known.delete(key);
    if (match === undefined) before.insertBefore(child, at);
    else {
      if (match === at) at = at.nextSibling;
      else before.insertBefore(match, at);
      morph(match, child);
    }
  }
  while (at !== null) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
};
`;
