/** The part of the pages' script that shows the page `go` in a dialog. */

/** Script that defines the dialog and its keys. Needs `make`, `one`, `all`, `load` and `help`. */
export const PALETTE = String.raw`
// What a few letters find: the page "go", in a dialog.
const palette = make("dialog", { className: "palette" });
const sought = make("input", { type: "search", autocomplete: "off" });
const results = make("div");
let asked = 0;
const lookUp = async () => {
  const mine = ++asked;
  const query = new URLSearchParams(new URL(one("[data-go]").href).search);
  query.set("q", sought.value);
  const list = (await load("go?" + query))?.getElementById("found");
  // The last question wins.
  if (mine !== asked || list == null) return;
  const words = sought.value.trim().toLowerCase();
  for (const button of all(".acts button")) {
    const name = button.textContent;
    if (words === "" || !name.toLowerCase().includes(words)) continue;
    const made = make("button", { type: "button" }, make("span", { className: "role" }, "action"), name);
    made.addEventListener("click", () => {
      palette.close();
      button.click();
    });
    list.prepend(make("li", {}, made));
  }
  results.replaceChildren(list);
};
let typing;
sought.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(lookUp, 150);
});
palette.addEventListener("keydown", async (event) => {
  const { key, target, isComposing } = event;
  if (key === "Escape") {
    // A field of this kind takes it to empty itself.
    event.preventDefault();
    return palette.close();
  }
  if (isComposing || !["ArrowDown", "ArrowUp", "Enter"].includes(key)) return;
  if (key === "Enter" && target !== sought) return;
  event.preventDefault();
  if (key === "Enter") {
    clearTimeout(typing);
    await lookUp();
    return results.querySelector("a, button")?.click();
  }
  const stops = [sought, ...results.querySelectorAll("a, button")];
  stops.at((stops.indexOf(target) + (key === "ArrowDown" ? 1 : -1)) % stops.length).focus();
});
const goTo = (event) => {
  if (one("[data-go]") === null) return;
  event.preventDefault();
  if (palette.open) return palette.close();
  help.close();
  palette.showModal();
  sought.select();
  lookUp();
};
sought.placeholder = "Session, project, page, words, turn number or time";
for (const part of [palette, sought]) part.setAttribute("aria-label", "Go to");
palette.append(sought, results);
// A click beside it closes it.
palette.addEventListener("click", ({ target }) => target === palette && palette.close());
document.body.append(palette);
one("[data-go]")?.addEventListener("click", goTo);
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") goTo(event);
});
`;
