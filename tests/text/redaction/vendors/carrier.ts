/** A way in which a secret gets into a session. */
import type { VendorForm } from "./vendor_forms.ts";

/** A secret on its way. */
export interface Load {
  secret: string;
  /** `NAME=secret`, or what always stands around the secret. */
  body: string;
  name: string;
}

/** What a session holds of a load, and the texts that give the secret away if they stay. */
export interface Carried {
  value: unknown;
  traces: string[];
}

export interface Carrier {
  name: string;
  carry: (load: Load) => Carried;
}

/** So much of a secret must not stay: this many characters in a row. */
const PIECE = 7;

export function loadOf(form: VendorForm, secret: string): Load {
  const name = form.variable;
  const body = form.context?.replace("$", () => secret) ?? `${name}=${secret}`;
  return { secret, body, name };
}

/** What a long secret begins with is its vendor's, and known to all. */
function hiddenPart(secret: string): string {
  return secret.length >= 24 ? secret.slice(12) : secret;
}

/** The pieces of a text that must not stay, each character encoded. */
export function windows(
  text: string,
  encode: (character: string) => string = (one) => one,
): string[] {
  const parts = [...hiddenPart(text)].map(encode);
  const count = Math.max(1, parts.length - PIECE + 1);
  return Array.from({ length: count }, (_, at) => parts.slice(at, at + PIECE).join(""));
}

/** One that shows a secret as it is. */
export function plain(name: string, wrap: (load: Load) => unknown): Carrier {
  return { name, carry: (load) => ({ value: wrap(load), traces: windows(load.secret) }) };
}
