/** The forms in which a known secret occurs: escaped, percent-encoded, and encoded in a longer text. */

/** Maximum times that JSON is nested as text in JSON, such as a tool's arguments in a record. */
const DEEPEST = 4;
/** Minimum length of an encoded secret. Shorter texts would occur elsewhere by chance. */
const SHORTEST_CORE = 8;

export function usualForms(secret: string): Set<string> {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(escaped).slice(1, -1);
  return new Set([secret, encodeURIComponent(secret.toWellFormed()), escaped, twice]);
}

/** Includes the secret's forms in UTF-16, base64 and hexadecimal. */
export function everyForm(secret: string): Set<string> {
  const forms = usualForms(secret);
  for (let depth = 0, escaped = secret; depth < DEEPEST; depth++) {
    escaped = JSON.stringify(escaped).slice(1, -1);
    forms.add(escaped);
  }
  const units = Array.from({ length: secret.length }, (_, index) => secret.charCodeAt(index));
  const wide = Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]));
  forms.add([...secret].join("\0"));
  for (const bytes of [new TextEncoder().encode(secret), wide]) {
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const cores = [0, 1, 2].map((before) => base64Core(bytes, before));
    const url = cores.map((core) => core.replaceAll("+", "-").replaceAll("/", "_"));
    for (const form of [hex, hex.toUpperCase(), ...cores, ...url]) {
      if (form.length >= SHORTEST_CORE) forms.add(form);
    }
  }
  return forms;
}

/**
 * Returns the base64 characters that only these bytes determine. `before` is the number of earlier
 * bytes in the first group of three.
 */
function base64Core(bytes: Uint8Array, before: number): string {
  const padded = new Uint8Array(before + bytes.length);
  padded.set(bytes, before);
  const encoded = btoa(Array.from(padded, (byte) => String.fromCharCode(byte)).join(""));
  return encoded.slice(Math.ceil(before * 8 / 6), Math.floor(padded.length * 8 / 6));
}
