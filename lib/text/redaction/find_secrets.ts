/**
 * Finds the secrets of one text by their form, their position or the name beside them. One pass
 * finds the anchors: literal texts near secrets. Forms are tried only at anchors.
 */
import { AnchorIndex } from "./anchor_index.ts";
import { AssignmentSearch, NAME_ANCHORS } from "./assignment.ts";
import { isStandIn, looksRandom } from "./chance.ts";
import { CLOUD_FAMILIES } from "./families/cloud_families.ts";
import { DEVELOPER_FAMILIES } from "./families/developer_families.ts";
import type { SecretFamily } from "./families/secret_family.ts";
import { MODEL_PROVIDER_FAMILIES, SERVICE_FAMILIES } from "./families/service_families.ts";
import { issuedRuns } from "./issued_run.ts";
import {
  PASSWORD_PLACES,
  passwordAt,
  type PasswordPlace,
  URL_ANCHORS,
  urlSecrets,
} from "./password_place.ts";
import { KEY_ANCHOR, privateKeys, PUTTY_ANCHOR, puttyKey } from "./private_key.ts";
import { BARE_KEY_KIND, NameMemo } from "./secret_name.ts";
import type { SecretSpan } from "./secret_span.ts";
import { tokenRuns } from "./token_runs.ts";

/** In order of precedence. */
export const SECRET_FAMILIES: readonly SecretFamily[] = [
  ...MODEL_PROVIDER_FAMILIES,
  ...DEVELOPER_FAMILIES,
  ...CLOUD_FAMILIES,
  ...SERVICE_FAMILIES,
];

interface Search {
  text: string;
  /** Secrets that are recognized by their form alone, without a name beside them. */
  forms: SecretSpan[];
  spans: SecretSpan[];
  /** The search for secrets after names such as `password`. Undefined if names are ignored. */
  assignments: AssignmentSearch | undefined;
  /** Offset after the last match of each family. */
  ends: Map<SecretFamily, number>;
  /** For each kind of password, the number of match attempts and the offset of the first. */
  tries: Map<PasswordPlace, { start: number; count: number }>;
  /** True once the text was searched for private keys. One search finds all of them. */
  keys: boolean;
}

type Look = (search: Search, offset: number) => void;

const MOST_BEFORE = 40;

function lookForFamily(family: SecretFamily): Look {
  const form = new RegExp(family.form, "dy");
  return (search, offset) => {
    const { text } = search;
    // An anchor inside a secret of the same family belongs to it.
    if (offset < (search.ends.get(family) ?? 0)) return;
    const start = startOf(text, offset, family);
    if (start === undefined) return;
    form.lastIndex = start;
    const found = form.exec(text);
    const [from, to] = found?.indices?.[1] ?? found?.indices?.[0] ?? [0, 0];
    const secret = text.slice(from, to);
    if (found === null) return;
    search.ends.set(family, start + found[0].length);
    if (isStandIn(secret)) return;
    if (family.random && !looksRandom(secret)) return;
    search.forms.push({ kind: family.kind, start: from, end: to, certain: true });
  };
}

/** Returns the secret's start. `offset`: its text from `anchors`. Undefined inside a word. */
function startOf(
  text: string,
  offset: number,
  { before, exact_before, inside }: SecretFamily,
): number | undefined {
  let start = offset;
  if (exact_before !== undefined) start = offset - exact_before;
  if (start < 0) return undefined;
  if (before !== undefined) {
    const least = Math.max(0, offset - MOST_BEFORE);
    while (start > least && before.test(text.charAt(start - 1))) start--;
    if (start < offset) start = afterEscape(text, start, offset);
  }
  if (inside || start === 0 || !/[\w-]/.test(text.charAt(start - 1))) return start;
  return endsEscape(text, start) ? start : undefined;
}

/** Matches an escape's letters before a token, such as the `3D` of `%3D`, or a colour code. */
const ESCAPE_REST =
  /(?<=\\)(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[nrtbfv0])|(?<=%)[0-9a-fA-F]{2}|(?<=\p{Cc}\[)[\d;]{0,12}m/uy;

/** Returns the offset after the letters of an escape at `start`, or `start` if there are none. */
function afterEscape(text: string, start: number, offset: number): number {
  ESCAPE_REST.lastIndex = start;
  const end = start + (ESCAPE_REST.exec(text)?.[0].length ?? 0);
  return end <= offset ? end : start;
}

const ESCAPE_END =
  /(?:\\[nrtbfv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\p{Cc}\[[\d;]{0,12}m)$/u;

/** True if the letters before `start` end an escape: a line feed, a colour or a percent code. */
function endsEscape(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 16), start);
  return /[\\%[]/.test(before) && ESCAPE_END.test(before);
}

function lookForName(search: Search, offset: number): void {
  const { assignments } = search;
  if (assignments !== undefined) {
    for (const one of assignments.at(offset)) {
      search.spans.push(one);
    }
  }
}

function lookForKeys(search: Search): void {
  if (search.keys) return;
  search.keys = true;
  for (const one of privateKeys(search.text)) search.spans.push(one);
}

/** Maximum times that one kind of password is matched in {@linkcode TRIES_WINDOW} characters. */
const MOST_TRIES = 8;
const TRIES_WINDOW = 1024;

/** True if `offset` may be tried. Counts tries, because too many nearby would be slow. */
function mayTry({ tries }: Search, place: PasswordPlace, offset: number): boolean {
  const last = tries.get(place);
  if (last === undefined || offset - last.start > TRIES_WINDOW) {
    tries.set(place, { start: offset, count: 1 });
    return true;
  }
  last.count++;
  return last.count <= MOST_TRIES;
}

function buildIndex(): AnchorIndex<Look> {
  const index = new AnchorIndex<Look>();
  for (const family of SECRET_FAMILIES) {
    const look = lookForFamily(family);
    for (const anchor of family.anchors) index.add(anchor, look);
  }
  for (const anchor of NAME_ANCHORS) index.add(anchor, lookForName, { fold: true });
  for (const anchor of URL_ANCHORS) {
    index.add(anchor, ({ text, spans }, offset) => {
      for (const span of urlSecrets(text, offset)) spans.push(span);
    });
  }
  for (const place of PASSWORD_PLACES) {
    for (const anchor of place.anchors) {
      index.add(anchor, (search, offset) => {
        const { text, spans, assignments } = search;
        if (assignments !== undefined && mayTry(search, place, offset)) {
          for (const one of passwordAt(text, offset, place)) spans.push(one);
        }
      });
    }
  }
  index.add(KEY_ANCHOR, lookForKeys);
  index.add(PUTTY_ANCHOR, ({ text, spans }, offset) => {
    for (const span of puttyKey(text, offset)) spans.push(span);
  });
  return index;
}

const INDEX = buildIndex();
interface FindOptions {
  /**
   * True to find only secrets that are recognized by their form, not by a name before the value.
   * Use this for texts joined from pieces.
   */
  fixed?: boolean;
  /** Start and end offsets of the runs from `tokenRuns`. @default {`tokenRuns(text)`} */
  runs?: readonly number[];
  /** Shared between searches. @default {an empty memo} */
  names?: NameMemo;
}

/** Returns the spans of secrets, which may overlap. */
export function findSecrets(
  text: string,
  options: FindOptions = {},
): SecretSpan[] {
  const { runs = tokenRuns(text) } = options;
  // Most texts have no anchor.
  let search: Search | undefined;
  INDEX.scan(text, (offset, look) => look(search ??= newSearch(text, options), offset));
  const issued = issuedRuns(text, runs);
  if (search === undefined) return issued;
  const { bare = [], telling = [] } = Object.groupBy(
    search.spans,
    ({ kind }) => kind === BARE_KEY_KIND ? "bare" : "telling",
  );
  // The first kind names the secret. A form says more than a name: `token: ghp_…`.
  return [...search.forms, ...telling, ...issued, ...bare];
}

function newSearch(text: string, { fixed = false, names = new NameMemo() }: FindOptions): Search {
  const assignments = fixed ? undefined : new AssignmentSearch(text, names);
  return {
    text,
    forms: [],
    spans: [],
    assignments,
    ends: new Map(),
    tries: new Map(),
    keys: false,
  };
}
