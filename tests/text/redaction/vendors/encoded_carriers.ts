/** Carriers that encode secrets: escapes, percent codes, entities, colours, base64. */
import { type Carrier, type Load, plain, windows } from "./carrier.ts";

/** Each character by itself. */
function encoded(
  name: string,
  encode: (character: string) => string,
  wrap: (text: string) => unknown = (text) => `got ${text} back`,
): Carrier {
  return {
    name,
    carry: ({ body, secret }) => ({
      value: wrap([...body].map(encode).join("")),
      traces: windows(secret, encode),
    }),
  };
}

function hex(character: string, width: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(width, "0");
}

function isPlain(character: string): boolean {
  return /[A-Za-z0-9_-]/.test(character);
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** The windows of base64 that only the secret decides. */
function base64Traces(whole: string, text: string, secret: string): string[] {
  const start = text.indexOf(secret);
  const from = Math.ceil(start * 4 / 3) + 2;
  const to = Math.floor((start + secret.length) * 4 / 3) - 2;
  const size = 12;
  return Array.from(
    { length: Math.max(1, to - from - size) },
    (_, at) => whole.slice(from + at, Math.min(to, from + at + size)),
  );
}

function inBase64(
  name: string,
  text: (load: Load) => string,
  wrap: (text: string) => unknown,
): Carrier {
  return {
    name,
    carry: (load) => {
      const inner = text(load);
      const whole = base64(inner);
      return { value: wrap(whole), traces: base64Traces(whole, inner, load.secret) };
    },
  };
}

const RED = "\x1b[01;31m\x1b[K";
const PLAIN = "\x1b[m\x1b[K";

/** What encodes a body. */
export const ENCODED_CARRIERS: readonly Carrier[] = [
  encoded("\\u, each", (one) => `\\u${hex(one, 4)}`),
  encoded("\\u, each, twice escaped", (one) => `\\\\u${hex(one, 4)}`),
  encoded("\\u, signs only", (one) => isPlain(one) ? one : `\\u${hex(one, 4)}`),
  encoded("\\x, each", (one) => `\\x${hex(one, 2)}`),
  encoded("percent, each", (one) => `%${hex(one, 2).toUpperCase()}`),
  encoded("percent, signs only", (one) => isPlain(one) ? one : `%${hex(one, 2).toUpperCase()}`),
  encoded("percent, twice", (one) => isPlain(one) ? one : `%25${hex(one, 2).toUpperCase()}`),
  encoded("entities, each", (one) => `&#${one.codePointAt(0)};`),
  encoded("entities, hex", (one) => `&#x${hex(one, 2)};`),
  encoded("entities, signs only", (one) => isPlain(one) ? one : `&#${one.codePointAt(0)};`),
  encoded("colours, each", (one) => `\x1b[3${one.charCodeAt(0) % 8}m${one}`),
  plain(
    "colours around",
    ({ body, secret }) => body.replace(secret, () => `\x1b[1;33m${secret}\x1b[0m`),
  ),
  plain("colours around the line", ({ body }) => `\x1b[31m${body}\x1b[0m`),
  plain("name coloured by grep", ({ body, secret }) => {
    const at = body.indexOf(secret);
    return `.env:${RED}${body.slice(0, at)}${PLAIN}${body.slice(at)}`;
  }),
  plain("half a name coloured by grep", ({ body, secret }) => {
    const at = body.indexOf(secret) >> 1;
    return `.env:${body.slice(0, at)}${RED}${body.slice(at, at + 3)}${PLAIN}${body.slice(at + 3)}`;
  }),
  plain(
    "escaped colours",
    ({ body, secret }) =>
      JSON.stringify({ out: body.replace(secret, () => `\x1b[1;33m${secret}\x1b[0m`) }),
  ),
  {
    name: "secret coloured within",
    carry: ({ body, secret }) => ({
      value: body.replace(
        secret,
        () => `${secret.slice(0, 4)}${RED}${secret.slice(4, 8)}${PLAIN}${secret.slice(8)}`,
      ),
      traces: windows(secret.slice(8)),
    }),
  },
  inBase64("base64", ({ body }) => body, (text) => `echo ${text} | base64 -d`),
  inBase64(
    "base64 of JSON",
    ({ body }) => JSON.stringify({ a: 1, body }),
    (text) => ({ data: text }),
  ),
  inBase64(
    "base64 of a file",
    ({ body }) => `# settings\nA=1\n${body}\nB=2\n`,
    (text) => `apiVersion: v1\ndata:\n  .env: ${text}\n`,
  ),
  inBase64(
    "base64 in a URL",
    ({ body }) => body,
    (text) => `https://x.io/?s=${encodeURIComponent(text)}&t=1`,
  ),
  {
    name: "base64 in lines",
    carry: ({ body, secret }) => {
      const text = `# some settings of the host\n${body}\nEND=1\n`;
      const whole = base64(text);
      return {
        value: whole.replaceAll(/.{76}/g, "$&\n"),
        traces: base64Traces(whole, text, secret),
      };
    },
  },
  {
    name: "base64, twice",
    carry: ({ body, secret }) => {
      const inner = base64(`x ${body} y`);
      const whole = base64(inner);
      const from = Math.ceil(`x ${body}`.indexOf(secret) * 4 / 3) + 2;
      const hidden = inner.slice(from, from + Math.floor(secret.length * 4 / 3) - 4);
      return { value: whole, traces: base64Traces(whole, inner, hidden).concat(windows(secret)) };
    },
  },
  {
    name: "HTML source",
    carry: ({ body, secret }) => {
      const entity: Record<string, string> = {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "'": "&#39;",
        "/": "&#x2F;",
        "=": "&#x3D;",
      };
      const encode = (one: string): string => entity[one] ?? one;
      return {
        value: `<pre>${[...body].map(encode).join("")}</pre>`,
        traces: windows(secret, encode),
      };
    },
  },
];
