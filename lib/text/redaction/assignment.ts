/**
 * Finds secrets by their names: `password = "…"`, `FOO_SECRET=…`, `"api_key": "…"`, `?token=…`,
 * `x-api-key: …`, `--password …`, `<secret>…</secret>`, however deep in quotes and escapes.
 */
import { isStandIn } from "./chance.ts";
import type { NameMemo, SecretName } from "./secret_name.ts";
import type { SecretSpan } from "./secret_span.ts";
import { isSecretValue, VALUE_SAMPLE, type ValueForm } from "./secret_value.ts";
import { fullName, sentenceSecret, tellsAccess } from "./sentence_secret.ts";

/** Parts of the names of secrets, in lower case. */
export const NAME_ANCHORS: readonly string[] = [
  ...["passw", "passphrase", "passcode", "_pass", "pwd", "storepass", "keypass", "secret"],
  ...[
    "token",
    "key",
    "auth",
    "cookie",
    "cred",
    "_pat",
    "jwt",
    "pass:",
    "pass=",
    "&sig",
    "?sig",
    "-signature",
    ...["clave", "chave", "clé", "schlüssel"],
  ],
];

const LONGEST_NAME = 64;
const LONGEST_VALUE = 16_384;
/** Maximum number of values in one text whose classification as secret or not is cached. */
const MOST_JUDGED = 1024;
const NAME_CHARACTER = /[\w.$\u00c0-\u024f-]/;

/** Separator between a name and its value. Each quantifier is bounded. */
const SEPARATOR = new RegExp(
  "(?:\\\\{0,7}[\"'`]|%22|&quot;|&#34;)?\\]?[!?]?[ \\t]{0,8}(?:" + [
    // { name: "X", value: "…" }, <add key="X" value="…"/>, and the same in YAML
    "(?:,|\\\\n|\\s)[ \\t]{0,40}(?:\\\\{0,3}[nrt]|\\s){0,8}[ \\t]{0,40}\\\\{0,7}[\"']?value\\\\{0,7}[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}",
    // const NAME: &str = "…"
    ":[ \\t]{0,4}&?[A-Za-z][\\w<>&'\\[\\]|]{0,40}[ \\t]{1,4}=(?![=>])[ \\t]{0,4}",
    "=>|:=|\\?\\?=|\\|\\|=|={1,3}|:|%3[AaDd]|\\\\u003[dD]",
  ].join("|") + ")[ \\t]{0,8}",
  "y",
);
const SPACE = /[ \t]{1,4}(?!-)/y;
/**
 * Matches text after a name if the value is not beside the name. The text is a line break, the
 * start of a list, or the end of bold text.
 */
const ELSEWHERE = /[\r\n]|\[\\{0,7}["']|\\{1,8}[nr](?![\w/])|\\{1,8}n(?=[\w]{20})|\*\*[ \t]/y;
const TAG_END = />[ \t]{0,8}/y;
const OPENING = /[rbuf@$]{0,2}(\\{0,7}["'`]|%22|&quot;|&#34;)/y;
const SCHEME =
  /(?:bearer|basic|token|digest|bot|apikey|negotiate|aws4-hmac-sha256)(?:[ \t]{1,4}|%20|\+)/iy;
/** Matches a value without quotes in a URL, in code or in a list. */
const WORD = /[^\s"'`\\,;&|<>()\{\}\[\]\p{Cc}]{1,16384}/uy;
/** Matches a value without quotes after an option on a command line. */
const OPTION_WORD = /[^\s"'`\\;&|<>()\p{Cc}]{1,16384}/uy;
/** Matches the value of a shell variable: it ends only at white space, a quote or a closing tag. */
const SHELL_WORD = /(?:\\(?![nrt"'`\\])|(?!<\/)[^\s"'`\\\p{Cc}]){1,16384}/uy;
const REST_OF_LINE = /[^\r\n"'`\\]{1,4096}/y;

interface NameAt {
  start: number;
  end: number;
  name: SecretName;
}

/** Finds the secrets that a text assigns to names. Call `at` with ascending offsets. */
export class AssignmentSearch {
  readonly #text: string;
  /** Offset after the last name that was examined. Names before it are not examined again. */
  #done = 0;
  /** Offset after each expression's last match. Text before it needs no new match. */
  readonly #ends = new Map<RegExp, number>();
  readonly #names: NameMemo;
  /** Cached results of `isSecretValue` for this text. The cache keeps repeated values fast. */
  readonly #judged = new Map<string, boolean>();

  constructor(text: string, names: NameMemo) {
    this.#text = text;
    this.#names = names;
  }

  at(anchor: number): SecretSpan[] {
    if (anchor < this.#done) return [];
    const text = this.#text;
    const start = nameStart(text, anchor, this.#done);
    const end = this.#done = nameEnd(text, anchor);
    const value = valueStart(text, start, end);
    if (value === undefined || match(ELSEWHERE, text, value) !== undefined) {
      return sentenceSecret(text, start, end, this.#names);
    }
    const name = this.#nameAt(start, end);
    return name === undefined ? [] : this.#valueAt(value, { start, end, name });
  }

  #nameAt(start: number, end: number): SecretName | undefined {
    const text = this.#text;
    const names = this.#names;
    const said = nameOf(text, start, end, names);
    // `API key: …` says more than `key: …`.
    const in_sentence = start > 1 && text[start - 1] === " ";
    const name = in_sentence && (said === undefined || said.bare)
      ? fullName(text, start, end, names)
      : said;
    return name?.bare ? { ...name, access: givesAccess(text, start, end) } : name;
  }

  #valueAt(at: number, found: NameAt): SecretSpan[] {
    const text = this.#text;
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (opening !== null) {
      const from = at + opening[0].length;
      const close = closingAt(text, from, opening[1] ?? "");
      // Without a close, the text is cut off inside the quotes.
      return this.#taken(from, close ?? this.#wordEnd(WORD, from), found, true);
    }
    const cookie = found.name.kind === "cookie";
    const form = cookie ? REST_OF_LINE : wordForm(text, found);
    return this.#taken(at, this.#wordEnd(form, at), found, form !== WORD);
  }

  #taken(from: number, to: number, { name }: NameAt, literal: boolean): SecretSpan[] {
    const text = this.#text;
    const scheme = name.chosen ? "" : match(SCHEME, text, from) ?? "";
    const start = from + scheme.length;
    const end = scheme === "" ? to : this.#wordEnd(WORD, start);
    const known = scheme === "" ? name : { ...name, strength: "strong" as const };
    const form = { literal: literal || scheme !== "" };
    if (!this.#isSecret(text.slice(start, end), known, form)) return [];
    return [{ kind: name.kind, start, end, certain: name.strength === "strong" }];
  }

  #isSecret(value: string, name: SecretName, form: ValueForm): boolean {
    const { kind, strength, chosen } = name;
    const key = `${kind} ${strength} ${chosen} ${name.access} ${form.literal} ${
      value.slice(0, VALUE_SAMPLE)
    }`;
    let secret = this.#judged.get(key);
    if (secret === undefined) {
      secret = isSecretValue(value, name, form);
      if (this.#judged.size < MOST_JUDGED) this.#judged.set(key, secret);
    }
    return secret;
  }

  /** Stores the end, so that no word is read twice. */
  #wordEnd(form: RegExp, from: number): number {
    const last = this.#ends.get(form) ?? 0;
    if (from < last) return last;
    const end = from + (match(form, this.#text, from)?.length ?? 0);
    this.#ends.set(form, end);
    return end;
  }
}

function nameStart(text: string, anchor: number, done: number): number {
  if (/[?&]/.test(text.charAt(anchor))) return anchor + 1;
  let start = anchor;
  const least = Math.max(0, done, anchor - LONGEST_NAME);
  while (start > least && NAME_CHARACTER.test(text.charAt(start - 1))) start--;
  // The letter of an escape is no part of a name.
  if (text[start - 1] === "\\" && /[nrtbf]/.test(text.charAt(start)) && start < anchor) start++;
  return start;
}

function nameEnd(text: string, anchor: number): number {
  let end = anchor + 1;
  const most = Math.min(text.length, anchor + LONGEST_NAME);
  while (end < most && NAME_CHARACTER.test(text.charAt(end))) end++;
  return end;
}

/** Returns the kind of secret that a text names. A `key` in a URL's query counts as a token. */
function nameOf(
  text: string,
  start: number,
  end: number,
  names: NameMemo,
): SecretName | undefined {
  const name = text.slice(start, end);
  const query = /[?&]/.test(text.charAt(start - 1));
  if (query && /^(?:key|sig|signature|code|auth|x-(?:amz|goog)-signature)$/i.test(name)) {
    return { kind: "url-token", strength: "weak", chosen: false };
  }
  const named = names.of(name);
  // The value of an option called `--token` is always a token.
  const option = named !== undefined && !named.bare && isOption(text, start);
  return option ? { ...named, strength: "strong" } : named;
}

/** True if the name is of a header, option or variable, or follows words about access. */
function givesAccess(text: string, start: number, end: number): boolean {
  return isOption(text, start) || /^(?:[Xx]-|[A-Z_]+$)/.test(text.slice(start, end)) ||
    tellsAccess(text, start);
}

function isOption(text: string, start: number): boolean {
  return text.startsWith("--", start) || text.startsWith("--", start - 2);
}

function valueStart(text: string, start: number, end: number): number | undefined {
  if (isOption(text, start)) {
    const spaced = match(SPACE, text, end);
    if (spaced !== undefined) return end + spaced.length;
  }
  if (text[start - 1] === "<") {
    const tag = match(TAG_END, text, end);
    if (tag !== undefined) return end + tag.length;
  }
  const separator = match(SEPARATOR, text, end);
  return separator === undefined ? undefined : end + separator.length;
}

function match(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(text)?.[0];
}

function wordForm(text: string, found: NameAt): RegExp {
  if (isVariable(text, found)) return SHELL_WORD;
  return isOption(text, found.start) ? OPTION_WORD : WORD;
}

/** Returns the offset of the line's closing quote, with as many backslashes as `opening`. */
function closingAt(text: string, from: number, opening: string): number | undefined {
  const quote = opening.at(-1) ?? "";
  const depth = opening.startsWith("\\") ? opening.length - 1 : 0;
  const entity = /^[%&]/.test(opening);
  const most = Math.min(text.length, from + LONGEST_VALUE);
  for (let index = from, slashes = 0; index < most; index++) {
    const character = text[index];
    if (character === "\n") return undefined;
    if (entity ? text.startsWith(opening, index) : character === quote) {
      if (entity || slashes === depth) return index - depth;
      if (depth === 0 ? slashes % 2 === 0 : slashes < depth) return index - slashes;
    }
    slashes = character === "\\" ? slashes + 1 : 0;
  }
  return undefined;
}

/**
 * True for `export DB_PASS=…`, `-e API_KEY=…` and lines of an `.env` file. Their values are not
 * code.
 */
function isVariable(text: string, { start, end }: NameAt): boolean {
  const name = text.slice(start, end);
  return /^[A-Z][A-Z0-9_]*$/.test(name) && text[end] === "=" &&
    !/[?&;]/.test(text.charAt(start - 1));
}

/** Returns the range of a secret, without `Bearer` or another scheme. */
export function namedSecret(
  field: string,
  value: string,
  names: NameMemo,
): SecretSpan | undefined {
  const name = names.of(field);
  if (name === undefined) return undefined;
  const start = match(SCHEME, value, 0)?.length ?? 0;
  const secret = value.slice(start).trimEnd();
  const end = start + secret.length;
  const certain = name.strength === "strong";
  if (start > 0 && !isStandIn(secret) && secret.length >= 8) {
    return { kind: name.kind, start, end, certain };
  }
  return isSecretValue(secret, name, { literal: true })
    ? { kind: name.kind, start, end, certain }
    : undefined;
}
