/**
 * A family of secrets with a recognizable form.
 *
 * Prefixes, lengths and alphabets come from the vendors' documentation, and from two sets of rules.
 * They are gitleaks 8 (MIT, `config/gitleaks.toml` at 009e025) and Kingfisher (Apache-2.0). Only
 * facts were taken from these rules, no code.
 *
 * A family's form is tried only at its anchors, so all families together cost one pass. Every
 * quantifier in `form` is bounded, so a hit costs a bounded number of steps.
 */
export interface SecretFamily {
  /** The name in findings and placeholders: lower case and hyphens. */
  kind: string;
  /** Literal texts of at least three characters. Every secret of the family has one of them. */
  anchors: readonly string[];
  /** A regular expression that matches from the secret's start. Group 1, if any, is the secret. */
  form: string;
  /** Matches each character of the secret before its text from `anchors`. At most 40 are tested. */
  before?: RegExp;
  /** Number of the secret's characters before its text from `anchors`. Absent if it varies. */
  exact_before?: number;
  /** True if the secret must look random, because words match `form`, too. */
  random?: true;
  /** True if the secret may stand in the middle of a word, because only secrets match `form`. */
  inside?: true;
}

/** Makes a family: one of the prefixes, separated by blanks, then `body`, a regular expression. */
export function prefixed(kind: string, prefixes: string, body: string): SecretFamily {
  const anchors = prefixes.split(" ");
  const starts = anchors.map((anchor) => anchor.replaceAll(/[.$*+?^(){}|\[\]\\\/]/g, "\\$&"));
  return { kind, anchors, form: `(?:${starts.join("|")})${body}` };
}
