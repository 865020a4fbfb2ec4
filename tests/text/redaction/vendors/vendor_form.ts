/**
 * Forms of secrets as their vendors document them, written without a look at our own patterns:
 * what is measured with them says what the patterns miss.
 */
import { fill, type Random } from "../_secret_samples.ts";

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

/** One form a line: name, variable, and how it is made, with `|` inside a beginning that scanners know. */
export function issued(lines: string): VendorForm[] {
  return rows(lines).map(([name = "", variable = "", template = ""]) => ({
    name,
    variable,
    secret: (random) => fill(template, random),
  }));
}

/** The same for secrets without a form of their own. */
export function bare(lines: string): VendorForm[] {
  return issued(lines).map((form) => ({ ...form, bare: true }));
}

/** One context a line: name, how its secret is made, and the context with `$`. */
export function placed(lines: string): VendorForm[] {
  return rows(lines).map(([name = "", template = "", context = ""]) => ({
    name,
    variable: "",
    secret: (random) => fill(template, random),
    context: context.replaceAll("\\n", "\n"),
  }));
}

function rows(lines: string): string[][] {
  return lines.trim().split("\n").map((line) => line.trim().split(/ {2,}/));
}
