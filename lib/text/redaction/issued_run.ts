/**
 * Finds secrets without a fixed part, by length, alphabet and signs. Each long run of letters,
 * digits and signs is tried from its start.
 */
import { isBase64Text } from "./carriers/base64_and_hex.ts";
import { alternates, isEvenlyMixed, isStandIn, looksRandom } from "./chance.ts";
import type { SecretSpan } from "./secret_span.ts";

interface RunFamily {
  kind: string;
  /** A regular expression that matches from the run's start. Every quantifier is bounded. */
  form: string;
  test: (text: string) => boolean;
  /** Matches each character before the run that still belongs to the secret. */
  before?: RegExp;
}

function always(): boolean {
  return true;
}

/** Families of secrets in order of precedence. The first match determines the secret's kind. */
export const RUN_FAMILIES: readonly RunFamily[] = [
  {
    kind: "discord-token",
    form: "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,40}",
    test: looksRandom,
  },
  { kind: "twitter-token", form: "\\d{15,20}-[A-Za-z0-9]{40}", test: looksRandom },
  { kind: "twitter-token", form: "A{20,24}[A-Za-z0-9%]{60,120}", test: looksRandom },
  { kind: "dropbox-token", form: "[A-Za-z0-9]{11}A{10}[\\w=-]{43}", test: looksRandom },
  { kind: "mailgun-key", form: "[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}", test: always },
  {
    kind: "facebook-token",
    form: "(?<=\\b\\d{15,16}\\|)[\\w-]{27}",
    test: always,
    before: /[\d|]/,
  },
  {
    kind: "bitwarden-token",
    form:
      "(?<=\\b0\\.)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==",
    test: always,
  },
  { kind: "zhipu-key", form: "[0-9a-f]{32}\\.[A-Za-z0-9]{16}", test: isEvenlyMixed },
  // A run without form and name counts at the lengths of issued keys; hashes and ids have others.
  { kind: "aws-secret-access-key", form: "[A-Za-z0-9+/]{40}(?!/)", test: isEvenlyMixed },
  { kind: "random-token", form: "[A-Za-z0-9]{32}", test: isEvenlyMixed },
  { kind: "random-token", form: "[A-Za-z0-9]{50}", test: isEvenlyMixed },
  { kind: "random-token", form: "[A-Za-z0-9]{64}", test: isEvenlyMixed },
];

const FORMS = new RegExp(
  `(?:${RUN_FAMILIES.map(({ form }) => `(${form})`).join("|")})(?![\\w+=-])`,
  "y",
);
const SHORTEST = 22;
const LONGEST_PATH = 300;
const MOST_BEFORE = 17;
/** Number of characters from a secret's start within which there must be a digit. */
const DIGIT_WITHIN = 48;

/** Returns secrets among runs, given as alternating start and end offsets. */
export function issuedRuns(text: string, runs: readonly number[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let index = 0; index + 1 < runs.length; index += 2) {
    const start = runs[index] ?? 0;
    const end = runs[index + 1] ?? 0;
    // A longer run is data.
    const fits = end - start >= SHORTEST && end - start <= LONGEST_PATH;
    // Most runs are words joined by signs, without a digit.
    if (fits && hasDigit(text, start, end - SHORTEST + DIGIT_WITHIN)) {
      lookAtRun(text, start, end, spans);
    }
  }
  return spans;
}

/**
 * Looks for a secret at the start of a run of letters, digits and signs. In a path, looks at the
 * start of each part.
 */
function lookAtRun(text: string, start: number, end: number, spans: SecretSpan[]): void {
  const at = start + signsBefore(text, start);
  const run = text.slice(at, end);
  const path = isPath(run);
  for (let part = 0; part + SHORTEST <= run.length;) {
    const span = secretAt(text, at + part);
    if (span !== undefined && (path || span.end === end)) spans.push(span);
    const slash = path ? run.indexOf("/", part) : -1;
    if (slash < 0) return;
    part = slash + 1;
  }
}

/** True if a run is a path: at most one of its parts between slashes looks random. */
function isPath(run: string): boolean {
  if (run.includes("+")) return false;
  if (!run.includes("/")) return true;
  const mixed = run.split("/").filter((name) =>
    name.length >= 5 && /[A-Z]/.test(name) && alternates(name)
  );
  return mixed.length <= 1;
}

/** Returns 1 if the run starts with a path's slash or a diff line's sign; otherwise 0. */
function signsBefore(text: string, start: number): number {
  const first = text.charAt(start);
  const line = start === 0 || text.charAt(start - 1) === "\n";
  return first === "/" || (line && /[+-]/.test(first)) ? 1 : 0;
}

function secretAt(text: string, at: number): SecretSpan | undefined {
  if (!hasDigit(text, at, at + DIGIT_WITHIN)) return undefined;
  FORMS.lastIndex = at;
  const found = FORMS.exec(text);
  if (found === null) return undefined;
  const [secret, ...groups] = found;
  const family = RUN_FAMILIES[groups.findIndex((group) => group !== undefined)];
  if (family === undefined || isStandIn(secret)) return undefined;
  // Base64 of a text is decoded and searched instead.
  if (!family.test(secret) || isBase64Text(text, at)) return undefined;
  let start = at;
  const least = at - MOST_BEFORE;
  while (start > least && family.before?.test(text.charAt(start - 1))) start--;
  return { kind: family.kind, start, end: at + secret.length, certain: true };
}

function hasDigit(text: string, start: number, end: number): boolean {
  const most = Math.min(text.length, end);
  for (let index = start; index < most; index++) {
    const code = text.charCodeAt(index);
    if (code >= 48 && code <= 57) return true;
  }
  return false;
}
