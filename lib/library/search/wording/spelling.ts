/** Gives words one spelling: agents write "color" where people ask for "colour". Pure. */

/**
 * British spellings and their American replacements. Words that a rule changes wrongly are still
 * found, because all texts are changed alike.
 */
const RULES: readonly (readonly [spelling: RegExp, american: string])[] = [
  [/^(.{3,})our(?=$|s$|ed$|ing$|ful|less|abl|it)/, "$1or"],
  // Not "precise" and "revise", whose nouns have an "s" too.
  [/^(.{2,}[dglmnrt])is(?=e$|es$|ed$|ing$|er$|ers$|ation)/, "$1iz"],
  [/^(anal|paral|catal)ys(?=e$|ed$|er$|ers$|ing$)/, "$1yz"],
  [/^(lic|def|off|pret)ence(?=$|s$|d$)/, "$1ense"],
  [/^(.{3,}og)ue(?=$|s$|d$)/, "$1"],
  [/^(.*(?:cent|met|lit|theat|fib|calib))re(?=$|s$|d$)/, "$1er"],
  [/^(program)me(?=$|s$)/, "$1"],
  [/^(gr)ey(?=$|s$|ed$|ing$|scale$)/, "$1ay"],
];

/** Returns a word of lower-case letters from a to z in its American spelling. */
export function americanOf(word: string): string {
  for (const [spelling, american] of RULES) {
    if (spelling.test(word)) return word.replace(spelling, american);
  }
  return word;
}
