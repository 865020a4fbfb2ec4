/** The part of the pages' script that copies messages, blocks of code, and links to them. */

/** Script that defines `copyHere`. Needs the page's `make`, `copy`, `rows` and `current`. */
export const COPYING = String.raw`
const textOf = (item) =>
  [...item.querySelectorAll(".said")].map((one) => one.innerText).join("\n\n").trim() ||
  item.querySelector(".body").innerText.trim();
const linkTo = (item) => {
  const seq = /^e(\d+)$/.exec(item.id)?.[1];
  const address = new URL(location.href);
  for (const name of ["from", "before", "end", "words", "whole"]) address.searchParams.delete(name);
  if (seq !== undefined) address.searchParams.set("seq", seq);
  address.hash = item.id;
  return address.href;
};
const copyHere = (is_link) => {
  const turn = current?.isConnected && current.matches(".turn") ? current : undefined;
  const item = turn?.querySelector(".item") ?? all("main .item[id]").find((one) =>
    one.getBoundingClientRect().bottom > 120);
  if (item !== undefined) copy(is_link ? linkTo(item) : textOf(item));
};
// One set of buttons goes where the pointer is. Keys do the same.
const buttonOf = (name, textFor) => {
  const button = make("button", { type: "button", textContent: name });
  button.addEventListener("click", () => copy(textFor(button), button));
  return button;
};
const itemTools = make("span", { className: "here" },
  buttonOf("Copy", () => textOf(itemTools.closest(".item"))),
  buttonOf("Link", () => linkTo(itemTools.closest(".item"))));
const blockTools = make("span", { className: "here" },
  buttonOf("Copy code", () => blockTools.parentElement.querySelector("pre").innerText));
one(".served main")?.addEventListener("pointerover", ({ target }) => {
  const item = target.closest(".item[id]");
  if (item !== null && itemTools.parentElement !== item) item.append(itemTools);
  const block = target.closest("pre")?.parentElement;
  if (block == null) return target.closest(".here") ?? blockTools.remove();
  if (blockTools.parentElement !== block) block.append(blockTools);
});
`;
