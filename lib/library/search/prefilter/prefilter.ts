/**
 * Tells from bytes whether a query can match, before any parsing. Results may include false
 * matches, but miss none.
 */
import { type ByteFinder, makePlainFinder } from "../../../core/log/byte_finder.ts";
import { type BytePattern, textPattern } from "../../../core/log/byte_pattern.ts";
import type { Query, QueryNode, Term } from "../query.ts";
import { mayFit } from "../query_match.ts";
import {
  type ByteLines,
  type ByteNeedle,
  type BytePhrase,
  makeNeedle,
  makePhrase,
  standingOf,
} from "./byte_phrase.ts";
import { WHITE_SPACE } from "./byte_text.ts";

export interface Prefilter {
  readonly root: QueryNode;
  /** The terms whose bytes can be searched for. */
  readonly terms: readonly Term[];
  /** Needles to search for first. Each match contains at least one, possibly in escaped form. */
  readonly drivers: readonly ByteNeedle[];
  /** Characters of `drivers` to find as JSON escapes. `all_escapes` covers all terms. */
  readonly driver_escapes: EscapeSearch;
  readonly all_escapes: EscapeSearch;
  /** True if the query has several terms or words. One word alone then does not prove a match. */
  readonly is_composed: boolean;
  /** True if any hit may count as a whole word, whatever character is next to the hit. */
  readonly is_any_whole: boolean;
  /** Cached results by added text: a reader may add text that the session's files do not have. */
  readonly beside: Map<string, KnownBeside>;
}

interface KnownBeside {
  phrases: ReadonlyMap<Term, BytePhrase>;
  /** Terms that may occur in text that the reader adds. No file of the session has that text. */
  found: ReadonlySet<Term>;
  /** True if a term may be a whole word in the added text. No file of the session has that text. */
  has_whole: boolean;
}

/** Makes the prefilter of a query; undefined if bytes cannot exclude any text. */
export function makePrefilter({ root, terms }: Query): Prefilter | undefined {
  const needles = new Map<Term, ByteNeedle>();
  for (const term of terms) {
    const needle = longest(term.cores.flatMap((core) => makeNeedle(core) ?? []));
    if (needle !== undefined) needles.set(term, needle);
  }
  const drivers = driversOf(root, needles);
  if (drivers === undefined) return undefined;
  const known = [...needles.keys()];
  const all_units = known.flatMap(({ cores }) => cores).flatMap(unitsOf);
  const has_spaces = known.some(({ cores }) => cores.length > 1);
  return {
    root,
    terms: known,
    drivers,
    driver_escapes: escapesOf(drivers.flatMap(({ units }) => [...units])),
    all_escapes: escapesOf([...all_units, ...(has_spaces ? SPACE_UNITS : [])]),
    is_composed: root.type !== "term" || has_spaces,
    is_any_whole: known.length < terms.length || !known.every(({ is_word }) => is_word),
    beside: new Map(),
  };
}

/**
 * Returns the code units of a word's characters, in upper and lower case. Leaves out characters
 * with several forms in JSON, such as quotes.
 */
function unitsOf(core: string): number[] {
  return [...core].flatMap((character) => [...makeNeedle(character)?.units ?? []]);
}

const SPACE_UNITS: readonly number[] = [...WHITE_SPACE].map((space) => space.charCodeAt(0));

function longest(needles: readonly ByteNeedle[]): ByteNeedle | undefined {
  return needles.reduce<ByteNeedle | undefined>(
    (best, needle) => needle.length > (best?.length ?? 0) ? needle : best,
    undefined,
  );
}

/** Returns needles, at least one of which is in every match; undefined if there are none. */
function driversOf(
  node: QueryNode,
  needles: ReadonlyMap<Term, ByteNeedle>,
): readonly ByteNeedle[] | undefined {
  if (node.type === "not") return undefined;
  if (node.type === "term") {
    const needle = needles.get(node);
    return needle === undefined ? undefined : [needle];
  }
  const found = node.children.map((child) => driversOf(child, needles));
  if (node.type === "or") {
    const known = found.filter((drivers) => drivers !== undefined);
    return known.length === found.length ? known.flat() : undefined;
  }
  return found.reduce((best, drivers) => rarity(drivers) > rarity(best) ? drivers : best);
}

/** Returns the length of the shortest needle, because the shortest needle is the most frequent. */
function rarity(drivers: readonly ByteNeedle[] | undefined): number {
  return drivers === undefined
    ? 0
    : drivers.reduce((least, { length }) => Math.min(least, length), Infinity);
}

function escapesOf(units: readonly number[]): EscapeSearch {
  return new Set([...STRANGE_UNITS, ...units]);
}

/**
 * Code units that writers usually do not escape: letters, digits, backslash. If a line has an
 * escape of one, as in JSON within JSON, the line must be parsed.
 */
const STRANGE_UNITS: readonly number[] = Array.from({ length: 128 }, (_, code) => code)
  .filter((code) => /[0-9A-Za-z\\]/.test(String.fromCharCode(code)));

/** The terms found so far in the lines of one session. */
export class Evidence {
  readonly #prefilter: Prefilter;
  readonly #phrases: ReadonlyMap<Term, BytePhrase>;
  readonly #found: Set<Term>;
  #has_whole: boolean;

  /** @param added_words Words that the reader adds to the texts of its files. */
  constructor(prefilter: Prefilter, added_words = "") {
    const { phrases, found, has_whole } = knownBeside(prefilter, added_words);
    this.#prefilter = prefilter;
    this.#phrases = phrases;
    this.#found = new Set(found);
    this.#has_whole = has_whole;
  }

  /**
   * @param whole True to continue until a whole word is found.
   * @returns True if no more lines are needed to decide that the session may match.
   */
  look(lines: ByteLines, whole = false): boolean {
    for (const [term, phrase] of this.#phrases) {
      const wants_whole = whole && !this.#has_whole;
      if (this.#found.has(term) && !wants_whole) continue;
      const standing = standingOf(phrase, lines, wants_whole);
      if (standing === "none") continue;
      this.#found.add(term);
      if (wants_whole && standing === "whole") this.#has_whole = true;
    }
    const is_enough = this.may_fit && (!whole || this.#has_whole);
    if (is_enough || !hasEscape(this.#prefilter, lines)) return is_enough;
    for (const term of this.#phrases.keys()) this.#found.add(term);
    return this.#has_whole = true;
  }

  get may_fit(): boolean {
    const may = (term: Term): boolean => this.#found.has(term) || !this.#phrases.has(term);
    return mayFit(this.#prefilter.root, may);
  }

  /** True if a term may match as a whole word. Valid only after `look` with `whole`. */
  get may_be_whole(): boolean {
    return this.#has_whole;
  }
}

function knownBeside(prefilter: Prefilter, added_words: string): KnownBeside {
  const { beside } = prefilter;
  let known = beside.get(added_words);
  if (known === undefined) beside.set(added_words, known = lookBeside(prefilter, added_words));
  return known;
}

function lookBeside({ terms, is_any_whole }: Prefilter, added_words: string): KnownBeside {
  const made = terms.map((term) => [term, makePhrase(term.cores, added_words)] as const);
  const phrases = new Map(
    made.flatMap(([term, phrase]) => phrase ? [[term, phrase] as const] : []),
  );
  const finder = makePlainFinder(3 * added_words.length);
  const { written } = encoder.encodeInto(added_words, finder.bytes);
  const lines = { finder, start: 0, end: written };
  const standings = new Map(
    [...phrases].map(([term, phrase]) => [term, standingOf(phrase, lines, true)]),
  );
  return {
    phrases,
    found: new Set([...phrases.keys()].filter((term) => standings.get(term) !== "none")),
    has_whole: is_any_whole || phrases.size < terms.length ||
      [...standings.values()].includes("whole"),
  };
}

function hasEscape({ all_escapes }: Prefilter, { finder, start, end }: ByteLines): boolean {
  return findEscape(all_escapes, finder, start, end) >= 0;
}

const encoder = new TextEncoder();

/** Returns the first offset of a pattern at or after `start`; −1 if there is none. */
type FindFrom = (start: number) => number;

/**
 * Yields offsets of the search texts in `drivers`, written plainly or as JSON escapes, from `start`
 * to `end`. Each has at most one offset per line. The offsets are unordered.
 */
export function* driverPlaces(
  { drivers, driver_escapes }: Prefilter,
  finder: ByteFinder,
  start: number,
  end: number,
): Generator<number> {
  const find = (pattern: BytePattern): FindFrom => (from) => finder.find(pattern, from, end);
  const searches = [
    ...drivers.map(({ pattern }) => find(pattern)),
    (from: number): number => findEscape(driver_escapes, finder, from, end),
  ];
  const findLineFeed = find(LINE_FEED);
  for (const findNext of searches) {
    for (let at = findNext(start); at >= 0;) {
      yield at;
      const line_end = findLineFeed(at);
      if (line_end < 0) break;
      at = findNext(line_end + 1);
    }
  }
}

const LINE_FEED = textPattern("\n");

/** Code units that are searched for as JSON escapes: a backslash, `u` and four digits. */
type EscapeSearch = ReadonlySet<number>;

/** The letters whose other case has fewer bytes: the Kelvin sign for k and the long s for s. */
const SIGNS = [
  { unit: 0x212a, pattern: textPattern("\u212a") },
  { unit: 0x17f, pattern: textPattern("\u017f") },
];
const ESCAPE = textPattern("\\u");

const ESCAPE_BYTES = 6;

/**
 * Returns the first offset of a code unit that is escaped or is a character of {@linkcode SIGNS}.
 * An escape may have several backslashes, and must end before `end`. Returns −1 if there is none.
 */
function findEscape(
  units: EscapeSearch,
  finder: ByteFinder,
  start: number,
  end: number,
): number {
  let found = findEscaped(units, finder, start, end);
  for (const { unit, pattern } of SIGNS) {
    if (!units.has(unit)) continue;
    const at = finder.find(pattern, start, end);
    if (at >= 0 && (found < 0 || at < found)) found = at;
  }
  return found;
}

function findEscaped(
  units: EscapeSearch,
  finder: ByteFinder,
  start: number,
  end: number,
): number {
  for (let at = finder.find(ESCAPE, start, end); at >= 0; at = finder.find(ESCAPE, at + 2, end)) {
    if (at + ESCAPE_BYTES > end) return -1;
    const unit = unitAt(finder.bytes, at);
    if (unit >= 0 && units.has(unit)) return at;
  }
  return -1;
}

/** Values of hexadecimal digits; 16 for other characters. */
const DIGITS = new Uint8Array(256).fill(16);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Returns the code unit of the escape at an offset; −1 if there is no escape. */
function unitAt(bytes: Uint8Array, first: number): number {
  let value = 0;
  for (let index = first + 2; index < first + ESCAPE_BYTES; index++) {
    const digit = DIGITS[bytes[index] as number] as number;
    if (digit === 16) return -1;
    value = value * 16 + digit;
  }
  return value;
}
