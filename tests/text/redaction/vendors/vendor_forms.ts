/**
 * Forms of secrets as their vendors document them, written without a look at our own patterns:
 * what is measured with them says what the patterns miss. They are in `testdata/redaction/vendors`.
 */
import { fill, linesOf, type Random } from "../_secret_samples.ts";

/** A form in which a vendor issues secrets, or in which a program takes them. */
export interface VendorForm {
  name: string;
  /** The variable that its documentation uses; only this tells a form without one of its own. */
  variable: string;
  secret: (random: Random) => string;
  /** What always stands around it, `$` being the secret: a command, a line of a file. */
  context?: string;
  /** Nothing in it but its length tells it from an id or a hash. */
  bare?: true;
}

function rows(name: string): string[][] {
  return linesOf(`vendors/${name}`).map((line) => line.split(/ {2,}/));
}

/** One form a line: name, variable, and how it is made, with `|` inside a beginning that scanners know. */
function issued(name: string): VendorForm[] {
  return rows(name).map(([name = "", variable = "", template = ""]) => ({
    name,
    variable,
    secret: (random) => fill(template, random),
  }));
}

/** One context a line: name, how its secret is made, and the context with `$`. */
function placed(name: string): VendorForm[] {
  return rows(name).map(([name = "", template = "", context = ""]) => ({
    name,
    variable: "",
    secret: (random) => fill(template, random),
    context,
  }));
}

export const VENDOR_FORMS: readonly VendorForm[] = [
  ...["model", "cloud", "tool", "service"].flatMap((group) => [
    ...issued(group),
    ...issued(`${group}_bare`).map((form) => ({ ...form, bare: true as const })),
  ]),
  ...placed("program"),
];
