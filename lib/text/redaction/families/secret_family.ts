/**
 * A family of secrets with a form of their own.
 *
 * Prefixes, lengths and alphabets are facts from the vendors' documentation. Others come from the
 * rules of gitleaks 8 (MIT, `config/gitleaks.toml` at 009e025) and Kingfisher (Apache-2.0): facts,
 * no code.
 *
 * A family's form is tried only at its anchors, so all families together cost one pass. Every
 * quantifier in `form` is bounded, so a hit costs a bounded number of steps.
 */
export interface SecretFamily {
  /** The name in findings and placeholders: lower case and hyphens. */
  kind: string;
  /** Literal texts of at least three characters. Every secret of the family has one of them. */
  anchors: readonly string[];
  /** A regular expression that matches from the secret's start; group 1, if any, is the secret. */
  form: string;
  /** Matches one character of the secret before its anchor. At most 40 such characters count. */
  before?: RegExp;
  /** Number of characters before the anchor, if this number is fixed. */
  exact_before?: number;
  /** True if the secret must look random, because words match `form`, too. */
  random?: true;
  /** True if the secret may stand in the middle of a word, because only secrets match `form`. */
  inside?: true;
}

/** Makes a family with fixed prefixes, followed by a body. */
export function prefixed(kind: string, prefixes: string, body: string): SecretFamily {
  const anchors = prefixes.split(" ");
  const starts = anchors.map((anchor) => anchor.replaceAll(/[.$*+?^(){}|\[\]\\\/]/g, "\\$&"));
  return { kind, anchors, form: `(?:${starts.join("|")})${body}` };
}
