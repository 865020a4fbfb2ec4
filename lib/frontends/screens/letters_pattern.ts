/** Returns the source of an expression for a text, with something before each letter but the first. */
export function lettersPattern(text: string, before: (letter: string) => string): string {
  const letters = Array.from(text, (one) => one.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"));
  return letters.map((one, at) => at === 0 ? one : before(one) + one).join("");
}
