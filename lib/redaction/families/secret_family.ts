/**
 * A family of secrets that their own form gives away.
 *
 * Prefixes, lengths and alphabets are facts from the vendors' documentation. Others come from the
 * rules of gitleaks 8 (MIT, `config/gitleaks.toml` at 009e025) and Kingfisher (Apache-2.0): facts,
 * no code.
 *
 * A family is looked for only where one of its anchors occurs. So all of them together cost one
 * pass. Every quantifier in `form` is bounded. So a hit costs a bounded number of steps, whatever
 * the text.
 */
export interface SecretFamily {
  /** Names it in findings and placeholders: lower case and hyphens. */
  kind: string;
  /** Literal texts, one of which every secret of the family holds; at least three characters. */
  anchors: readonly string[];
  /** A regular expression that matches from the secret's start; group 1, if any, is the secret. */
  form: string;
  /** Characters of the secret that may stand before its anchor, as a class; at most 40 of them. */
  before?: RegExp;
  /** How many characters of the secret stand before its anchor, where that is always the same. */
  exact_before?: number;
  /** Taken only where it looks like chance made it: the form alone fits words too. */
  random?: true;
  /** May stand in the middle of a word: its form is found nowhere else. */
  inside?: true;
}

/** A family by what most have: fixed beginnings, then a body. */
export function prefixed(kind: string, prefixes: string, body: string): SecretFamily {
  const anchors = prefixes.split(" ");
  const starts = anchors.map((anchor) => anchor.replaceAll(/[.$*+?^(){}|\[\]\\\/]/g, "\\$&"));
  return { kind, anchors, form: `(?:${starts.join("|")})${body}` };
}
