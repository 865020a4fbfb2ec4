/**
 * Secrets that never were: made by a seeded generator, so that no file holds what a scanner of
 * repositories would report. Fixed parts are put together for the same reason.
 */

/** Gives numbers from 0 to below 1. */
export type Random = () => number;

const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const ALPHABETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  a: UPPER + LOWER + DIGITS,
  l: LOWER + DIGITS,
  U: UPPER + DIGITS,
  L: LOWER,
  T: `${UPPER}234567`,
  w: `${UPPER}${LOWER}${DIGITS}-_`,
  b: `${UPPER}${LOWER}${DIGITS}+/`,
  p: `${UPPER}${LOWER}${DIGITS}!#%*_+-`,
  c: `./${UPPER}${LOWER}${DIGITS}`,
  M: UPPER + LOWER,
  B: `${LOWER}234567`,
  Q: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  P: "|",
  D: "$",
  j: `${LOWER}${DIGITS}!@#$%^&*(-_=+)`,
};

/** `count` characters of an alphabet. */
export function characters(random: Random, alphabet: string, count: number): string {
  const from = ALPHABETS[alphabet] ?? alphabet;
  return Array.from({ length: count }, () => from[Math.floor(random() * from.length)]).join("");
}

/** `{w20}` stands for 20 characters of the alphabet `w`; `|` joins fixed parts and is left out. */
export function fill(template: string, random: Random): string {
  return template.replaceAll("|", "").replaceAll(
    /\{([a-zA-Z])(\d+)\}/g,
    (_, alphabet: string, count: string) => characters(random, alphabet, Number(count)),
  );
}

function base64Url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function jwt(random: Random): string {
  const header = base64Url('{"alg":"HS256","typ":"JWT"}');
  const payload = base64Url(`{"sub":"${fill("{d10}", random)}","role":"${fill("{l8}", random)}"}`);
  return `${header}.${payload}.${fill("{w43}", random)}`;
}

function encryptedJwt(random: Random): string {
  const header = base64Url('{"alg":"RSA-OAEP","enc":"A256GCM"}');
  return `${header}.${fill("{w342}.{w16}.{w120}.{w22}", random)}`;
}

function discordToken(random: Random): string {
  return `${base64Url(`1${fill("{d17}", random)}`)}.${fill("{w6}.{w27}", random)}`;
}

function privateKey(type: string): (random: Random) => string {
  return (random) => {
    const body = Array.from({ length: 12 }, () => fill("{b64}", random)).join("\n");
    const [begin, end] = ["BEGIN", "END"].map((side) => `-----${side} ${type}PRIVATE KEY-----`);
    return `${begin}\n${body}\n${fill("{b30}", random)}==\n${end}`;
  };
}

/** A family of which samples can be made. */
export interface SampleFamily {
  /** As its findings are called. */
  kind: string;
  /** A family may have several forms. */
  name: string;
  secret: (random: Random) => string;
  /** Put around it where its form alone does not tell: `$` is the secret. */
  context?: string;
}

/** How secrets are made that are more than random characters; `testdata/redaction` names them so. */
const MAKERS: Readonly<Record<string, (random: Random) => string>> = {
  "@discord": discordToken,
  "@jwt": jwt,
  "@encrypted-jwt": encryptedJwt,
};

function makerOf(template: string): (random: Random) => string {
  const [, type] = /^@pem ?(.*)/.exec(template) ?? [];
  if (type !== undefined) return privateKey(type === "" ? "" : `${type} `);
  return MAKERS[template] ?? ((random) => fill(template, random));
}

/** The lines of a file of `testdata/redaction`; `\\n` in them is a line's end. */
export function linesOf(name: string): string[] {
  const url = new URL(`../../../testdata/redaction/${name}.txt`, import.meta.url);
  return Deno.readTextFileSync(url).trimEnd().split("\n")
    .map((line) => line.replaceAll("\\n", "\n"));
}

function nameOf(kind: string, template: string): string {
  if (template.startsWith("@")) return `${kind}${template.replace(/^@\S+/, "")}`;
  return `${kind} ${template.replaceAll("|", "").replace(/\{.*/s, "")}`;
}

/** All families, by what gives them away. A line is a kind, how its secret is made, and the context. */
export const SAMPLE_FAMILIES: readonly SampleFamily[] = linesOf("samples").map((line) => {
  const [kind = "", template = "", ...words] = line.split("  ");
  const secret = makerOf(template);
  if (words.length === 0) return { kind, name: nameOf(kind, template), secret };
  // Spaces in a row are part of the context.
  const context = words.join("  ");
  return { kind, name: `${kind}: ${context}`, context, secret };
});

/** The text in which a sample stands. */
export function inContext({ context = "$" }: SampleFamily, secret: string): string {
  return context.replace("$", () => secret);
}
