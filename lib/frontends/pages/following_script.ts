/** The part of the pages' script that keeps a reader at the end of a growing session. */

/** Script that defines `end`, `isAtEnd`, `follows`, `toEnd` and `laterPage`. Needs `one`. */
export const FOLLOWING = String.raw`
const end = () => document.getElementById("end");
const isAtEnd = () => {
  const place = end()?.getBoundingClientRect();
  return place !== undefined && place.top <= innerHeight + 40;
};
// Turns that were not seen yet have guessed heights: who is at the end stays there.
let follows = location.hash === "#end";
let moved = false;
const toEnd = () => {
  if (!follows || end() === null || end().getBoundingClientRect().top <= innerHeight) return;
  end().scrollIntoView({ block: "end" });
};
for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  addEventListener(name, ({ key, target }) => {
    // The browser would go where the end is guessed to be.
    const is_end = key === "End" && target.closest?.("input, textarea, select") == null;
    moved = !is_end;
    follows ||= is_end;
  }, { passive: true });
}
addEventListener("scroll", () => {
  if (moved) follows = isAtEnd();
  else toEnd();
}, { passive: true });
addEventListener("hashchange", () => follows = location.hash === "#end");
new ResizeObserver(toEnd).observe(one("main"));
const laterPage = () => one(".steps a[href$='#end']");
`;
