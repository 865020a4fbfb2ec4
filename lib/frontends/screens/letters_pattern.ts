/** Returns a regular expression's source for `text`, with `before(letter)` between its letters. */
export function lettersPattern(text: string, before: (letter: string) => string): string {
  const letters = Array.from(text, (one) => one.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"));
  return letters.map((one, at) => at === 0 ? one : before(one) + one).join("");
}
